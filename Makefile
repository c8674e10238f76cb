# make demo      sets everything up and runs the main job on a made-up log, with no servers
# make test      sets everything up and passes lint, types, import rules and the quick tests: minutes
# make test-rest the tests that `make test` leaves out: those that take long, and most of those on real servers
# make test-all  both of them, and the run without optional packages: what CI runs
# make native    builds the native path, in Rust: every target here does so by itself where cargo is
# make lock      writes the versions and hashes of all that is installed, after a change in pyproject.toml
PYTHON ?= python3
BIN := .venv/bin
EXTRAS := crowd dev lab loadtest parquet servers service
# What is installed is what locks/ names, by its hash. Nothing is built with tools that are not locked too.
PIP = $(1)/python -m pip install --quiet
LOCKED = $(PIP) --require-hashes --no-build-isolation
OWN = $(PIP) --no-deps --no-build-isolation --editable .

# What no Python package brings, and a bare machine has not.
HIDDEN := buildah cargo docker java mvn node npm podman promtool rustc

.PHONY: demo test test-rest test-all test-bare native wheel lint bench bench-kafka chaos clean lock

# An extra that cannot be installed here is named and left out: what needs it is skipped, with its reason.
.venv/installed: pyproject.toml $(wildcard locks/*.txt)
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "querymix needs Python 3.11 or newer: make PYTHON=python3.12 ..."; exit 1; }
	@echo "Setting up .venv: a few minutes the first time."
	@$(PYTHON) -m venv .venv
	@$(call LOCKED,$(BIN)) -r locks/build.txt
	@$(call LOCKED,$(BIN)) $(EXTRAS:%=-r locks/%.txt) || { \
	  $(call LOCKED,$(BIN)) -r locks/test.txt && for extra in $(EXTRAS); do \
	    $(call LOCKED,$(BIN)) -r locks/$$extra.txt || echo "WARNING: the extra $$extra cannot be installed here; what needs it is skipped"; \
	  done; }
	@$(call OWN,$(BIN))
	@touch $@

# The native path is built where Rust is. Where it is not, or its crates cannot be fetched, plain Python does the same.
MODULE := service/querymix/native.abi3.so
RUST := $(wildcard service/native/Cargo.* service/native/src/*.rs service/native/src/*/*.rs)
BUILD := NATIVE=1 $(BIN)/python setup.py --quiet build_rust --inplace --qbuild
.venv/native: .venv/installed setup.py $(RUST)
	@rm -f $(MODULE)
	@if ! command -v cargo > /dev/null; then \
	  echo "Without Rust: querymix runs in plain Python, which is slower. For the native path install cargo, then: make native"; \
	elif ! $(BUILD) > .venv/native.log 2>&1; then \
	  echo "WARNING: the native path cannot be built here (make native says why): querymix runs in plain Python, which is slower"; \
	fi
	@touch $@

native: .venv/installed
	@command -v cargo > /dev/null || { \
	  echo "The native path is built by Rust 1.85 or newer, and no cargo is here. Install it (Debian 12: apt-get install cargo-web; Debian 13: cargo), then: make native"; exit 1; }
	@rm -f $(MODULE)
	$(BUILD) || { echo "The native path is built by Rust 1.85 or newer; here is: $$(rustc --version)"; exit 1; }
	@touch .venv/native

demo: .venv/native
	@$(BIN)/python -m loadtest demo

lint: .venv/native
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	@if [ -f $(MODULE) ] && cargo fmt --version > /dev/null 2>&1 && cargo clippy --version > /dev/null 2>&1; then \
	  cd service/native && cargo fmt --check && PYO3_PYTHON=$(CURDIR)/$(BIN)/python cargo clippy --quiet --locked -- -D warnings; \
	else echo "service/native is not looked at: that takes the native path, rustfmt and clippy"; fi

# What `make test` runs: all that needs no server, and a short pass through the real ones.
QUICK := not slow and (not servers or short)
# As many processes as there are cores; more than four only wait for the one broker.
PYTEST := -m pytest -q -n auto --maxprocesses 4
# Tests on real servers wait most of the time.
WAITING := -m pytest -q -n 3 --durations 15

test: lint
	$(BIN)/python $(PYTEST) -m "$(QUICK)"

test-rest: .venv/native
	$(BIN)/python $(WAITING) -m "not ($(QUICK))"

test-all: test test-rest test-bare

# The quick tests where no extra is installed, and what needs a tool where no Python package brings it (Java, Maven,
# WordNet, promtool) and it is hidden: all that cannot run is skipped with its reason, and nothing fails. Properties are
# tried with few examples: the same code has just passed them with many. The first of the two runs in plain Python.
BARE := env -i HOME="$$HOME" WORDNET=/nowhere PATH="$(CURDIR)/build/bare/tools"
FEW := --hypothesis-profile few
test-bare: .venv/native
	$(PYTHON) -m venv build/bare
	$(call LOCKED,build/bare/bin) -r locks/build.txt
	$(call LOCKED,build/bare/bin) -r locks/test.txt
	$(call OWN,build/bare/bin)
	echo 'import sys; sys.modules["querymix.native"] = None' > "$$(echo build/bare/lib/python3*/site-packages)/no_native.pth"
	mkdir -p build/bare/tools
	ln -sf /usr/bin/* /bin/* build/bare/tools && rm -f $(HIDDEN:%=build/bare/tools/%)
	$(BARE) build/bare/bin/python $(PYTEST) $(FEW) -m "not slow"
	$(BARE) $(BIN)/python $(PYTEST) $(FEW) -m "not slow" tests/deploy tests/integration tests/querymix_lab/knowledge

# One wheel for Python 3.11 and newer, with the native path in it; its name says the oldest glibc that it is sure to run
# with: this machine's. The list of its parts beside it (SBOM, CycloneDX) is read from an installation of the wheel with
# the service, and from the crates.
SHIPPED := build/shipped
wheel: native
	rm -rf build/lib build/lib.* build/bdist.*
	NATIVE=1 $(BIN)/python -m pip wheel --quiet --no-build-isolation --no-deps --wheel-dir dist .
	$(PYTHON) -m venv --clear --without-pip $(SHIPPED)
	$(BIN)/python -m pip --python $(SHIPPED)/bin/python install --quiet --require-hashes --no-build-isolation -r locks/service.txt
	$(BIN)/python -m pip --python $(SHIPPED)/bin/python install --quiet --no-deps "$$(ls -t dist/querymix-*.whl | head -n 1)"
	$(BIN)/cyclonedx-py environment --pyproject pyproject.toml --output-reproducible -o dist/querymix.cdx.json $(SHIPPED)
	$(BIN)/python deploy/image/crates.py dist/querymix.cdx.json

# constraints.txt: the versions that are tested together, of all extras and groups. locks/: for each of them all that it
# needs, with the hashes of every file of a release, so that they serve every platform and Python version.
# Pins stay as they are; UPGRADE=--upgrade asks for the newest, UPGRADE='--upgrade-package click' for one.
UPGRADE ?=
ALL_EXTRAS := run crowd dev lab loadtest parquet presidio servers service teach test
GROUPS := build release lock
COMPILE := build/lock/bin/uv pip compile --quiet --universal --fork-strategy fewest --python-version 3.11 \
  --no-annotate --custom-compile-command "make lock"
lock:
	$(PYTHON) -m venv build/lock
	$(call LOCKED,build/lock/bin) -r locks/lock.txt
	$(COMPILE) $(UPGRADE) pyproject.toml --all-extras $(GROUPS:%=--group %) --output-file constraints.txt
	for extra in $(ALL_EXTRAS); do \
	  $(COMPILE) --generate-hashes --constraint constraints.txt pyproject.toml \
	    $$([ $$extra = run ] || echo --extra $$extra) --output-file locks/$$extra.txt || exit 1; \
	done
	for group in $(GROUPS); do \
	  $(COMPILE) --generate-hashes --constraint constraints.txt --group $$group --output-file locks/$$group.txt || exit 1; \
	done

bench: .venv/native
	$(BIN)/python -m tests.bench

bench-kafka: .venv/native
	$(BIN)/python -m tests.bench.kafka

chaos: .venv/native
	CHAOS=long $(BIN)/python -m pytest -s tests/chaos

clean:
	rm -rf .venv build demo service/*.egg-info service/native/target $(MODULE)
