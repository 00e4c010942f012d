# make results: set up and run the default workflow with its report; make test: set up and run all checks.
CORES ?= 2
PYTHON ?= python3
VENV := .venv
export PATH := $(CURDIR)/$(VENV)/bin:$(PATH)

.PHONY: results report test bench clean
results: $(VENV)/ready
	snakemake --cores $(CORES)
	snakemake --cores 1 --report results/report.html
	@python -m biassay.console.verdicts

report: results

test: $(VENV)/ready-for-tests
	ruff check .
	ruff format --check .
	snakefmt --check Snakefile rules
	snakemake --lint
	lint-imports --no-logo
	pytest

bench: $(VENV)/ready
	set -e; for script in benchmarks/*.py; do echo "== $$script"; python $$script; done

$(VENV)/ready: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(VENV)/bin/pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[workflow,models]'
	touch $@

$(VENV)/ready-for-tests: $(VENV)/ready
	$(VENV)/bin/pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[workflow,models,test]'
	touch $@

clean:
	rm -rf results .snakemake
