# make results: install and run the default workflow, which writes the site results/index.html; resumes an interrupted run.
# make test: install and run all checks except the slow ones. make test-slow: the slow tests, such as interruptions and a run
# on SLURM. make docs: the documentation as a site, site/index.html, with the output of the notebooks.
CORES ?= 2
PYTHON ?= python3
VENV := .venv
export PATH := $(CURDIR)/$(VENV)/bin:$(PATH)
unexport PYTHONDONTWRITEBYTECODE # which would compile all modules again at the start of every job: seconds each

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

# Without --no-compile, pip compiles all packages, of which a run needs a part: nearly half of the installation's time.
$(VENV)/ready: EXTRAS := workflow,models
$(VENV)/ready-for-tests: EXTRAS := workflow,models,static,gguf,planting,docs,test
$(VENV)/ready-for-docs: EXTRAS := workflow,models,docs
$(VENV)/ready $(VENV)/ready-for-tests $(VENV)/ready-for-docs: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(VENV)/bin/pip install --quiet --no-compile --disable-pip-version-check -c constraints.txt -e '.[$(EXTRAS)]'
	touch $@

clean:
	rm -rf results site .snakemake
