"""The page about every metric, from the declarations and docstrings of the metrics."""

import inspect
from pathlib import Path
from types import ModuleType

from jinja2 import Environment, FileSystemLoader

from biassay import cli
from biassay.core import registry
from biassay.measurement import metric as metrics
from biassay.measurement.metric import ENTRIES, FUNCTIONS, TAKES, Metric
from biassay.measurement.ranges import describe_level, format_b_0, format_bounds, format_for_groups
from biassay.words import references

TEMPLATES = Environment(loader=FileSystemLoader(Path(__file__).parent), trim_blocks=True, lstrip_blocks=True)


def format_metrics() -> str:
    """Return the table of all metrics, and a section for each."""
    modules = {name: metrics.load(name) for name in registry.names("metrics")}
    rows = [{"name": name, **describe_row(module.METRIC)} for name, module in modules.items()]
    sections = [describe_metric(name, module) for name, module in modules.items()]
    return TEMPLATES.get_template("metrics.md.j2").render(rows=rows, sections=sections)


def describe_row(declared: Metric) -> dict[str, str]:
    """Return range, value without bias, sign and input of a metric, as the table has them."""
    b_0 = dict.fromkeys(format_for_groups(declared, level, format_b_0) for level in declared.levels)
    signed = [level for level in declared.levels if declared.range(level, 2).signed]
    all_signed = len(signed) == len(declared.levels)
    bounds = {
        level: format_for_groups(declared, level, format_bounds) if level in declared.levels else "–"
        for level in FUNCTIONS
    }
    sign = "yes" if all_signed else f"{signed[0]} level" if signed else "–"
    return {**bounds, "b_0": " / ".join(b_0), "signed": sign, "takes": TAKES[declared.takes]}


def describe_metric(name: str, module: ModuleType) -> dict:
    """Return the parts of a metric's section."""
    declared = module.METRIC
    question, _, formula = inspect.getdoc(module).partition("\n\n")
    functions = [key for key in ("scores", *FUNCTIONS.values()) if hasattr(module, key)]
    return {
        "name": name,
        "question": question,
        "formula": inspect.cleandoc(formula),
        "declared": declared,
        "levels": {level: describe_level(declared, level) for level in declared.levels},
        "takes": TAKES[declared.takes],
        "entry": ENTRIES.get(declared.takes, "measure"),
        "functions": {key: inspect.getdoc(getattr(module, key)) for key in functions},
        "options": cli.option_rows(module),
        "papers": [format_paper(references.find(key)) for key in declared.cite],
    }


def format_paper(entry: dict[str, str]) -> str:
    return f"{references.format_short(entry)}, [{references.plain_title(entry['title'])}]({references.link(entry)})"
