# Each target sets up .venv by itself, once; Python 3.11 or newer and make are enough.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
RUN ?= runs/demo

.PHONY: demo test test-extras lint check bench docs clean help

help:
	@echo "make demo   train an agent for a few minutes and measure it against the baselines"
	@echo "make test   all tests, linters and types"
	@echo "make test-extras  tests of interfaces to other libraries, each in an environment of its own"
	@echo "make bench  speed on this machine, beside the peers (installs them)"
	@echo "make docs   write the generated parts of the pages and the golden playthroughs anew"

$(VENV)/.ready: pyproject.toml constraints.txt
	$(PYTHON) -c "import sys; sys.exit(sys.version_info < (3, 11) and 'Python 3.11 or newer is needed: make PYTHON=...')"
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[dev]"
	touch $@

$(VENV)/.bench: $(VENV)/.ready
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[bench]"
	touch $@

demo: $(VENV)/.ready
	$(BIN)/python -m poopdeck.demo $(RUN)

lint: $(VENV)/.ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

test: lint
	$(BIN)/python -m pytest -q -n 2

# An environment for each extra, since what one library pins must not hold for the others; the rest is that of $(VENV).
# Versions that have to be others than in constraints.txt are in constraints-EXTRA.txt.
OWN_FIRST := awk -F== 'NR == FNR {own[tolower($$1)] = 1; print; next} !(tolower($$1) in own)'
SITE := -c "import sysconfig; print(sysconfig.get_path('purelib'))"
$(VENV)/extras/%/.ready: $(VENV)/.ready
	test -x $(@D)/bin/python || $(PYTHON) -m venv $(@D)
	$(BIN)/python $(SITE) > "$$($(@D)/bin/python $(SITE))/rest.pth"
	$(OWN_FIRST) $(wildcard constraints-$*.txt) constraints.txt > $(@D)/constraints.txt
	$(@D)/bin/python -m pip install --quiet --disable-pip-version-check -c $(@D)/constraints.txt -e ".[$*]"
	touch $@

test-extras: $(VENV)/extras/openspiel/.ready $(VENV)/extras/ray/.ready $(VENV)/extras/rliable/.ready $(VENV)/extras/tianshou/.ready $(VENV)/extras/torchrl/.ready $(VENV)/extras/textarena/.ready $(VENV)/extras/openenv/.ready $(VENV)/extras/agilerl/.ready
	$(VENV)/extras/openspiel/bin/python -m pytest -q tests/test_openspiel.py tests/test_same_game.py tests/test_docs.py -k openspiel
	$(VENV)/extras/ray/bin/python -m pytest -q tests/test_ray.py
	$(VENV)/extras/rliable/bin/python -m pytest -q tests/test_benchmark_statistics.py -k rliable
	$(VENV)/extras/tianshou/bin/python -m pytest -q tests/test_tianshou.py tests/test_docs.py -k tianshou
	$(VENV)/extras/torchrl/bin/python -m pytest -q tests/test_torchrl.py tests/test_same_game.py tests/test_examples.py tests/test_docs.py -k torchrl
	$(VENV)/extras/textarena/bin/python -m pytest -q tests/test_textarena.py tests/test_docs.py -k textarena
	$(VENV)/extras/openenv/bin/python -m pytest -q tests/test_openenv.py tests/test_docs.py -k openenv
	$(VENV)/extras/agilerl/bin/python -m pytest -q tests/test_examples.py -k agilerl

bench: $(VENV)/.bench
	$(BIN)/poopdeck bench

docs: $(VENV)/.ready
	$(BIN)/python docs/make/agents_page.py --rewrite
	$(BIN)/python docs/make/bench_page.py
	$(BIN)/python docs/make/pages.py
	$(BIN)/python -m poopdeck.envs.conformance.playthrough --write tests/playthroughs

clean:
	rm -rf $(VENV) build dist *.egg-info
