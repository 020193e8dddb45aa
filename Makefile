# Every target sets up what it needs in .venv. Needed beforehand: make, and Python 3.11 or later as $(PYTHON).
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready
SPIN := spin macau-boule --spins 6 --seed 1979 --bet star=5 --bet number:7=10 --bet red=10
BATCH := batch macau-boule --spins 20000 --seed 1979 --workers 2 --out out/macau-boule
INSPECT := inspect out/macau-boule --report out/report.html

export PIP_DISABLE_PIP_VERSION_CHECK := 1
.DEFAULT_GOAL := help
.PHONY: help setup run test slow check format golden docs agree calibration detection bench lock

help:  ## what can be made
	@sed -nE 's/^([a-z]+):.*## (.*)/make \1\t\2/p' Makefile | expand -t 14

setup: $(READY)  ## .venv with the pinned packages and fairwheel itself

$(READY): requirements.lock pyproject.toml
	@echo "Setting up .venv from requirements.lock (a minute or two, once)" >&2
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install --quiet --require-hashes --requirement requirements.lock
	@$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

run: $(READY)  ## a few Macau Boule spins with bets settled, 20 000 more, and the report of their inspection
	@$(BIN)/python run_sim.py $(SPIN)
	@rm -rf out/macau-boule
	@$(BIN)/python run_sim.py $(BATCH)
	@$(BIN)/python run_sim.py $(INSPECT)

test: $(READY)  ## the quick tests
	@$(BIN)/python -m pytest -n 2 -m "not slow"

slow: $(READY)  ## the slow tests: statistics, end to end
	@$(BIN)/python -m pytest -n 2 -m slow

check: $(READY)  ## format, lint, types, which room imports which
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports

format: $(READY)  ## put the code into its format
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix .

golden: $(READY)  ## the golden transcripts and the table of articles, made anew
	@$(BIN)/python -m tests.golden

docs: $(READY)  ## the examples and pictures of the documents and the table of validated values, made anew
	@$(BIN)/python -m docs

agree: $(READY)  ## whether the engines agree, into docs/engines.md (an hour or two; takes up where it was stopped)
	@$(BIN)/python -m docs.agreement

calibration: $(READY)  ## how often each test cries wolf on even wheels, into docs/calibration.md
	@$(BIN)/python -m tests.calibration

detection: $(READY)  ## which fault an inspection finds, into docs/detection.md (hours; takes up where it was stopped)
	@$(BIN)/python -m docs.detection

bench: $(READY)  ## what is measured, side by side, in one run
	@$(BIN)/python -m benchmarks

lock:  ## resolve the dependencies anew into requirements.lock, for every platform and Python
	@$(PYTHON) -m venv .venv/lock
	@.venv/lock/bin/python -m pip install --quiet uv
	@.venv/lock/bin/uv --no-config pip compile --quiet --upgrade --universal --python-version 3.11 \
		--fork-strategy fewest --generate-hashes --all-extras --no-header --no-annotate \
		--output-file requirements.lock pyproject.toml
