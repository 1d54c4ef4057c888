# Everything is done by devtools/bootstrap.py; this file only gives it short names.
PYTHON ?= python3
export ARGS UPGRADE

.DEFAULT_GOAL := help
.PHONY: help run dev test check bench mutants install types docs messages lock

help:
	@echo "make run      start Fully Booked on http://localhost:8000 (PORT=9000 make run)"
	@echo "make dev      the same, with code reloaded as you edit it"
	@echo "make test     the checks and every test (make test ARGS=\"-k words\" for some tests alone)"
	@echo "make check    linters, types, import layers, migrations, the API's description"
	@echo "make bench    measure what the design promises (make bench ARGS=\"pages weight\" for some)"
	@echo "make mutants  change the code and list what no test notices (make mutants ARGS=fees)"
	@echo "make types    rewrite the API's description and its TypeScript types"
	@echo "make docs     rewrite docs/data-model.md from the models"
	@echo "make messages bring the texts to translate in locale/ up to date with the code"
	@echo "make lock     lock the packages of pyproject.toml (UPGRADE=1 for newer ones)"

run dev test check bench mutants install types docs messages lock:
	@$(PYTHON) devtools/bootstrap.py $@
