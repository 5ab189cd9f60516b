# Two commands do everything: `make demo` and `make test`. Both make .venv first if it is not there.
VENV := .venv
ifeq ($(OS),Windows_NT)
PYTHON ?= python
BIN := $(VENV)/Scripts
else
PYTHON ?= python3
BIN := $(VENV)/bin
endif
# What installs packages, given their names; .ci/run takes a quicker one.
INSTALL ?= $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile
WORKERS ?= auto
# A file at a time, in the order of tests/conftest.py: what a file's tests share is made once. When a process of the
# tests has died, the run ends: with another in its place, xdist may wait for ever.
PYTEST := $(BIN)/pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder --max-worker-restart 0 -q
# Numerical libraries start a thread for each core; our parallelism is by processes.
export OPENBLAS_NUM_THREADS := 1
# Containers set it; each of the thousand processes of the tests would compile the package's source, and the tests', anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo compiled compiled-detective compiled-engine compiled-environments compiled-playouts test \
	test-slow test-all coverage coverage-all bench docs pictures positions lint messages release-check format clean

demo: $(VENV)/installed
	$(BIN)/cluedo autoplay --players hard,hard,expert,expert --out demo --force
	@echo "The picture is demo/win_rates.png, the figures are in demo/summary.json, the games in demo/games.jsonl."

# Once for all: side by side, each worker of the tests would compile the same functions. `make -j compiled` takes all
# cores: the detective and the fast engine share a few small functions only, the other two go on from these.
compiled: compiled-environments compiled-playouts

compiled-detective: $(VENV)/installed-dev
	$(BIN)/cluedo autoplay --players expert,expert,medium --games 1
	$(BIN)/python -c "from cluedo.ai.knowledge.posterior import compile_sampler; compile_sampler()"

compiled-engine: $(VENV)/installed-dev
	$(BIN)/cluedo autoplay --players blueprint,medium,easy --games 3 --engine compiled

compiled-environments: compiled-engine
	$(BIN)/python -c "from cluedo.envs.vector import CompiledEnvs as Envs; envs = Envs(1); envs.step(envs.reset(seed=1)[1]['action_mask'].argmax(1))"

compiled-playouts: compiled-detective compiled-engine
	$(BIN)/cluedo autoplay --players montecarlo,medium,easy --games 1 --rule max_turns=6

test: $(VENV)/installed-dev
	$(PYTEST)

test-slow: $(VENV)/installed-dev
	$(PYTEST) -m slow --durations=25

test-all: test test-slow

# Without the tests of what seats may know: they play many games of all levels, which tracing slows down most.
coverage: $(VENV)/installed-dev
	$(PYTEST) tests/engine --ignore tests/engine/test_no_leak.py --cov=cluedo.engine --cov-report=term-missing:skip-covered --cov-fail-under=97

# Tracing every package slows the tests down a lot, so CI does it for the rules alone.
coverage-all: $(VENV)/installed-dev
	$(PYTEST) -m "slow or not slow" --cov=cluedo --cov-report=term:skip-covered --cov-fail-under=90

# One table. BENCH="--page" puts it into docs/explanation/performance.md, BENCH="--growth --page" those of growth;
# BENCH="--keep" keeps today's figures as those before.
bench: $(VENV)/installed-dev
	PYTHONPATH=tests $(BIN)/python -m bench $(BENCH)

docs: $(VENV)/installed-dev
	$(BIN)/python -m sphinx -b html -W --keep-going -n -E -q docs docs/_build/html
	$(BIN)/python .ci/check_site.py docs/_build/html
	@echo "The site is docs/_build/html/index.html."

pictures: $(VENV)/installed-dev
	$(BIN)/python docs/pictures/draw.py

positions: $(VENV)/installed-dev
	$(BIN)/python -m cluedo.ai.positions.shipped cluedo/ai/positions

lint: $(VENV)/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python .ci/messages.py --check

messages: $(VENV)/installed-dev
	$(BIN)/python .ci/messages.py

# A change may leave new sentences in English; a release may not.
release-check: $(VENV)/installed-dev
	$(BIN)/python .ci/messages.py --release

format: $(VENV)/installed-dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean:
	rm -rf $(VENV) build dist demo docs/_build *.egg-info

$(VENV)/pyvenv.cfg:
	$(PYTHON) -m venv $(VENV)

# Python's own compiler takes all cores; pip, which takes one, would be at it for half a minute. What is left out here is
# two thirds of all modules, and few of these are ever imported: those few are compiled then.
SELDOM := fontTools|mypy|open_spiel|openai|pip|pkg_resources|pygments|ray|scipy|setuptools|tests
define install
$(INSTALL) --editable $(1)
-@$(BIN)/python -m compileall -qq -j 0 -x '/($(SELDOM))/' $(VENV)
endef

$(VENV)/installed: $(VENV)/pyvenv.cfg pyproject.toml
	$(call install,.)
	touch $@

$(VENV)/installed-dev: $(VENV)/pyvenv.cfg pyproject.toml
	$(call install,'.[dev]')
	touch $@ $(VENV)/installed
