# Everything is done by devtools/bootstrap.py; this file only gives it short names.
PYTHON ?= python3
export ARGS UPGRADE

.DEFAULT_GOAL := help
.PHONY: help run dev test check bench mutants install types docs migrations messages lock audit sbom

help:
	@echo "make run         start Fully Booked on http://localhost:8000 (PORT=9000 make run)"
	@echo "make dev         the same, and reload code as you edit it"
	@echo "make test        the checks and every test (make test ARGS=\"-k words\" for some tests)"
	@echo "make check       linters, types, import layers, migrations, vocabulary, the API schema"
	@echo "make bench       measure what the design promises (make bench ARGS=\"pages weight\" for some)"
	@echo "make mutants     change the code and list what no test notices (make mutants ARGS=fees)"
	@echo "make types       update the API schema and its TypeScript types"
	@echo "make migrations  write the migrations that the models need"
	@echo "make docs        update docs/data-model.md from the models"
	@echo "make messages    update the translation catalogs in locale/"
	@echo "make lock        lock the packages of pyproject.toml (UPGRADE=1 for newer ones)"
	@echo "make audit       ask the registries for known vulnerabilities of the packages"
	@echo "make sbom        list every package of production, as CycloneDX, in .data/sbom"
	@echo "make install     install and build everything, and start nothing"

run dev test check bench mutants install types docs migrations messages lock audit sbom:
	@$(PYTHON) devtools/bootstrap.py $@
