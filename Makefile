# make demo      sets everything up and runs the main job on a made-up log, with no servers
# make test      sets everything up and passes lint, types, import rules and the quick tests: minutes
# make test-rest the tests that `make test` leaves out: those that take long, and most of those on real servers
# make test-all  both of them, and the run without optional packages: what CI runs
PYTHON ?= python3
BIN := .venv/bin
EXTRAS := dev lab loadtest parquet servers service
comma := ,
empty :=
PIP = $(1)/python -m pip install --quiet --constraint constraints.txt

# What no Python package brings, and a bare machine has not.
HIDDEN := buildah docker java mvn node npm podman promtool

.PHONY: demo test test-rest test-all test-bare compiled test-compiled wheel lint bench bench-kafka chaos clean

# An extra that cannot be installed here is named and left out: what needs it is skipped, with its reason.
.venv/installed: pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "querymix needs Python 3.11 or newer: make PYTHON=python3.12 ..."; exit 1; }
	@echo "Setting up .venv: a few minutes the first time."
	@$(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install --quiet --upgrade pip
	@$(call PIP,$(BIN)) --editable '.[$(subst $(empty) ,$(comma),$(EXTRAS))]' || { \
	  $(call PIP,$(BIN)) --editable '.[test]' && for extra in $(EXTRAS); do \
	    $(call PIP,$(BIN)) --editable ".[$$extra]" || echo "WARNING: the extra $$extra cannot be installed here; what needs it is skipped"; \
	  done; }
	@touch $@

demo: .venv/installed
	@$(BIN)/python -m loadtest demo

lint: .venv/installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# What `make test` runs: all that needs no server, and a short pass through the real ones.
QUICK := not slow and (not servers or short)
# As many processes as there are cores; more than four only wait for the one broker.
PYTEST := -m pytest -q -n auto --maxprocesses 4
# Tests on real servers wait most of the time.
WAITING := -m pytest -q -n 3 --durations 15

test: lint
	$(BIN)/python $(PYTEST) -m "$(QUICK)"

test-rest: .venv/installed
	$(BIN)/python $(WAITING) -m "not ($(QUICK))"

test-all: test test-rest test-bare

# The quick tests where no extra is installed, and what needs a tool where no Python package brings it (Java, Maven,
# WordNet, promtool) and it is hidden: all that cannot run is skipped with its reason, and nothing fails. Properties are
# tried with few examples: the same code has just passed them with many.
BARE := env -i HOME="$$HOME" WORDNET=/nowhere PATH="$(CURDIR)/build/bare/tools"
FEW := --hypothesis-profile few
test-bare: .venv/installed
	$(PYTHON) -m venv build/bare
	$(call PIP,build/bare/bin) --editable '.[test]'
	mkdir -p build/bare/tools
	ln -sf /usr/bin/* /bin/* build/bare/tools && rm -f $(HIDDEN:%=build/bare/tools/%)
	$(BARE) build/bare/bin/python $(PYTEST) $(FEW) -m "not slow"
	$(BARE) $(BIN)/python $(PYTEST) $(FEW) -m "not slow" tests/deploy tests/integration tests/querymix_lab/knowledge

# The same with the core compiled: it needs a C compiler and minutes. `make wheel` packs it for this machine's Python.
MYPYC := MYPYC=1 $(CURDIR)/$(BIN)/python
compiled: .venv/installed
	rm -rf build/compiled && mkdir -p build/compiled
	cp -r service tests loadtest deploy docs pyproject.toml setup.py README.md Makefile docker-compose.yml constraints.txt build/compiled
	cd build/compiled && $(MYPYC) setup.py --quiet build_ext --inplace
	cd build/compiled && PYTHONPATH=service:. $(CURDIR)/$(BIN)/python -m querymix --version

test-compiled: compiled
	cd build/compiled && PYTHONPATH=service:. $(CURDIR)/$(BIN)/python -m pytest -q tests/querymix/core tests/querymix/codecs tests/querymix/stages tests/querymix/local tests/e2e tests/querymix/kafka

wheel: .venv/installed
	$(MYPYC) -m pip wheel --quiet --no-build-isolation --no-deps --wheel-dir dist .

bench: .venv/installed
	$(BIN)/python -m tests.bench

bench-kafka: .venv/installed
	$(BIN)/python -m tests.bench.kafka

chaos: .venv/installed
	CHAOS=long $(BIN)/python -m pytest -s tests/chaos

clean:
	rm -rf .venv build demo *.egg-info
