# make results: install and run the default workflow, which writes the site results/index.html; resumes an interrupted run.
# make test: install and run all checks except the slow ones. make test-slow: the slow tests, such as interruptions and a run
# on SLURM. make docs: the documentation as a site, site/index.html, with the output of the notebooks.
CORES ?= 2
PYTHON ?= python3
VENV := .venv
export PATH := $(CURDIR)/$(VENV)/bin:$(PATH)

.PHONY: results test test-slow test-gpu docs clean
results: $(VENV)/ready
	snakemake --cores $(CORES)

test: $(VENV)/ready-for-tests
	ruff check .
	ruff format --check .
	snakefmt --check Snakefile rules workflow
	snakemake --lint
	lint-imports --no-logo
	pytest

test-slow: $(VENV)/ready-for-tests
	pytest -m slow --durations 0

test-gpu: $(VENV)/ready-for-tests
	pytest -n 0 -m gpu -rs

docs: $(VENV)/ready-for-docs
	EXECUTE_NOTEBOOKS=true NO_MKDOCS_2_WARNING=1 mkdocs build
	@echo "Open site/index.html in a browser."

$(VENV)/ready: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(VENV)/bin/pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[workflow,models]'
	touch $@

$(VENV)/ready-for-tests: $(VENV)/ready
	$(VENV)/bin/pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[workflow,models,static,gguf,planting,docs,test]'
	touch $@

$(VENV)/ready-for-docs: $(VENV)/ready
	$(VENV)/bin/pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[workflow,models,docs]'
	touch $@

clean:
	rm -rf results site .snakemake
