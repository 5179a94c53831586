# Plenum's commands. `make run` is all that a bare machine needs; `make test` and `make check` are what CI runs.

.SUFFIXES:
.PHONY: help run test test-long bench check lock runtime dev static

export PLENUM_ENV ?= development
PYTHON := .venv/bin/python

help:
	@echo 'make run        start Plenum on this machine (PORT=8000, PLENUM_DATA_DIR=.data)'
	@echo 'make test       the tests that fit ten minutes, on a PostgreSQL of their own or TEST_DATABASE_URL'
	@echo 'make test-long  the other tests'
	@echo 'make bench      how quickly posts are imported (POSTS=5000) and racks planned; it tells numbers and fails nobody'
	@echo 'make check      style, types, imports, migrations, settings, API snapshots'
	@echo 'make lock       write requirements/*.txt anew from requirements/*.in'

run: runtime static
	@exec $(PYTHON) manage.py up

test: dev static
	$(PYTHON) -m pytest -n 2 --dist worksteal -m "not long"

test-long: dev static
	$(PYTHON) -m pytest -m long

POSTS ?= 5000

bench: dev
	$(PYTHON) -m bench.plans
	$(PYTHON) -m bench.simulations
	$(PYTHON) -m bench.imports $(POSTS)

check: dev
	$(PYTHON) -m ruff check .
	$(PYTHON) -m ruff format --check .
	$(PYTHON) -m mypy .
	.venv/bin/lint-imports
	$(PYTHON) manage.py makemigrations --check --dry-run
	@echo 'manage.py check --deploy, on production settings'
	@PLENUM_ENV=production DATABASE_URL=postgresql://nobody@nowhere/nothing PLENUM_ALLOWED_HOSTS=plenum.example \
		PLENUM_SECRET_KEY=only-for-this-check-0123456789-abcdefghijklmnopqrstuvwxyz \
		$(PYTHON) manage.py check --deploy --fail-level WARNING
	$(PYTHON) manage.py snapshots --check

# Compiled for every platform, and without the address of the place they came from.
lock: dev
	cd requirements && for name in runtime dev; do \
		../$(PYTHON) -m uv pip compile --quiet --generate-hashes --universal --python-version 3.11 \
			--no-header --output-file $$name.txt $$name.in || exit 1; \
	done

# What is installed, and from which list, is remembered in .venv: a list that did not change costs nothing.

runtime:
	@requirements/install runtime

dev:
	@requirements/install dev

static:
	@frontend/admin/build
