# make demo   sets everything up and runs the main job on a made-up log, with no servers
# make test   sets everything up and passes lint, types, import rules and tests
PYTHON ?= python3
BIN := .venv/bin
EXTRAS := dev,knowledge,loadtest,servers,service,study

.PHONY: demo test lint bench bench-kafka chaos clean

.venv/installed: pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "querymix needs Python 3.11 or newer: make PYTHON=python3.12 ..."; exit 1; }
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[$(EXTRAS)]'
	touch $@

demo: .venv/installed
	$(BIN)/python -m loadtest demo

lint: .venv/installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

test: lint
	$(BIN)/python -m pytest

bench: .venv/installed
	$(BIN)/python -m tests.bench

bench-kafka: .venv/installed
	$(BIN)/python -m tests.bench.kafka

chaos: .venv/installed
	CHAOS=long $(BIN)/python -m pytest -s tests/chaos

clean:
	rm -rf .venv build demo *.egg-info
