# One target per thing people do. Each sets up what it needs by itself.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready

# The tests flush thousands of small files, which takes a fraction of the time in memory. A container's /dev/shm
# may be too small, or run no programs.
SCRATCH := $(or $(TMPDIR),$(shell $(PYTHON) -c "import os; at = '/dev/shm'; disk = os.statvfs(at); \
  print(at * (os.access(at, os.W_OK) and disk.f_bavail * disk.f_frsize > 1 << 30 and not disk.f_flag & os.ST_NOEXEC))" \
  2>/dev/null))

# One worker more than processors, as tests also wait for the disk; each file of tests is one worker's.
WORKERS ?= $(shell $(PYTHON) -c "import os; print((os.cpu_count() or 1) + 1)")
# The site's own tools, apart from what the product and its tests need.
DOCS    := .venv-docs

PYTEST  := $(if $(SCRATCH),TMPDIR=$(SCRATCH)) $(BIN)/python -m pytest -n $(WORKERS) --dist loadfile

# Without compiled files every process of a test would compile what it imports.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help demo pictures docs package test quick coverage fuzz crash chaos claims forge e2e bench lint lock clean
.DEFAULT_GOAL := help

help:
	@echo "make demo     the main job, in a temporary repository"
	@echo "make test     the test suite without its long stories, or one part of it with them (PART=gate)"
	@echo "make quick    the tests that start no process, with fewer examples: under a minute"
	@echo "make coverage the test suite again, measured; against tests/coverage.toml (RAISE=1 writes it)"
	@echo "make crash    a kill, a power loss, a full disk at every durable step; 2,000 kills at random (KILLS=, SEED=)"
	@echo "make chaos    watchers of the Bridge killed and paused, agents that misbehave (QUICK=1, KILLS=, SEED=, ONLY=)"
	@echo "make fuzz     100,000 wrapped commands, dangerous and harmless (COUNT=, SEED=), and deep properties"
	@echo "make claims   false and true claims in scripted sessions, with what the ledger says (ONLY=words)"
	@echo "make forge    attempts to get round the gate, really run in a sandbox (ONLY=words, CLIENT=1, CONTAINED=1)"
	@echo "make e2e      long stories of real processes, then the main job through the real client, with forgeries"
	@echo "make bench    every speed bar, as ratios within one run"
	@echo "make pictures the recordings and screenshots of README and docs, made anew"
	@echo "make docs     the documentation as a site: build/site/index.html"
	@echo "make package  wheel, sdist, SBOM and Homebrew formula; checked, installed by uv and pipx, and used (DIST=)"
	@echo "make lint     ruff, mypy and the project's own rules"

# --no-compile: what is used is compiled at its first use, which is the smaller part.
$(READY): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Python 3.11 or newer is needed; name one: make PYTHON=python3.12 test" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $(READY)

demo: $(READY)
	@$(BIN)/python -m tests.demo

test: $(READY)
	@test -d "tests/$(PART)" || { echo "tests/ has no part $(PART). There are:" \
	  $(sort $(notdir $(patsubst %/,%,$(wildcard tests/[a-z]*/)))) >&2; exit 1; }
	$(PYTEST) $(if $(PART),-m "not e2e" tests/$(PART))

quick: $(READY)
	$(PYTEST) -m quick --hypothesis-profile quick

coverage: $(READY)
	$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest -m "not e2e" -n $(WORKERS) --dist loadfile
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage json --quiet
	$(BIN)/python -m tests.coverage_bounds $(if $(RAISE),--raise) .coverage/report.json

crash: $(READY)
	@$(BIN)/python -m tests.crash $(if $(KILLS),--kills $(KILLS)) $(if $(SEED),--seed $(SEED))

# In a process namespace of its own, so that nothing that an agent leaves behind stays.
chaos: $(READY)
	@unshare -Urmpf --mount-proc --kill-child $(BIN)/python -m tests.chaos $(if $(QUICK),--quick) \
	  $(if $(KILLS),--kills $(KILLS)) $(if $(SEED),--seed $(SEED)) $(if $(ONLY),--only "$(ONLY)")

fuzz: $(READY)
	@$(BIN)/python -m tests.fuzz $(if $(COUNT),--count $(COUNT)) $(if $(SEED),--seed $(SEED))
	$(PYTEST) -m hypothesis --hypothesis-profile deep

claims: $(READY)
	@$(BIN)/python -m tests.claims $(ONLY)

forge: $(READY)
	@$(BIN)/python -m tests.forge $(if $(CLIENT),--client) $(if $(CONTAINED),--contained) $(ONLY)

e2e: $(READY)
	$(PYTEST) -m long
	$(BIN)/python -m pytest tests/e2e -m e2e

pictures: $(READY)
	@$(BIN)/python -m tests.pictures

# Strict: a link that leads nowhere ends it.
docs: $(READY) $(DOCS)/.ready
	@$(BIN)/python -m tests.reference build/docs
	@cd build/docs && $(CURDIR)/$(DOCS)/bin/zensical build --clean --strict
	@rm -rf build/site && mv build/docs/site build/site
	@echo "build/site/index.html"

package: $(READY) .venv-package/.ready
	@$(BIN)/python -m tests.release $(if $(DIST),--dist $(DIST))

.venv-package/.ready: tests/release/requirements.lock
	$(PYTHON) -m venv .venv-package
	.venv-package/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r $<
	@touch $@

$(DOCS)/.ready: docs/requirements.lock
	$(PYTHON) -m venv $(DOCS)
	$(DOCS)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r docs/requirements.lock
	@touch $@

bench: $(READY)
	$(BIN)/python -m bench

lint: $(READY)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	@out=$$(PYTHONPATH=. $(BIN)/lint-imports --no-cache) || { echo "$$out"; exit 1; }
	$(BIN)/mypy
	$(BIN)/python -m tests.lint_words

# Needs uv, which only the person who renews the lock has to have.
lock:
	uv pip compile --quiet --generate-hashes --no-emit-index-url --universal \
	  --python-version 3.11 --group dev pyproject.toml -o requirements.lock
	uv pip compile --quiet --generate-hashes --no-emit-index-url --universal \
	  --python-version 3.11 --group docs -o docs/requirements.lock
	uv pip compile --quiet --generate-hashes --no-emit-index-url --universal \
	  --python-version 3.11 --group release -o tests/release/requirements.lock

clean:
	rm -rf $(VENV) $(DOCS) .venv-package build .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage
