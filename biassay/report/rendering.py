"""Rendering of pages from templates."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined, select_autoescape
from jinja2.environment import TemplateModule

from biassay.report import formatting

PACKAGE = "biassay.report"
FILTERS = {
    "count": formatting.format_count,
    "decimal": formatting.format_decimal,
    "interval": formatting.format_interval,
    "label": formatting.metric_label,
    "names": formatting.join_names,
    "number": formatting.format_number,
    "p_value": formatting.format_p_value,
    "percent": formatting.format_percent,
}


def render_page(template: str, context: Mapping[str, object], *, package: str = PACKAGE) -> str:
    """Render a template as HTML.

    Parameters
    ----------
    template : str
        Name of a file in the folder templates/ of `package` or of biassay.report; pages extend base.html.
    context : mapping
        Values of the template's names; they are escaped, except `markupsafe.Markup`.
    package : str

    Raises
    ------
    jinja2.UndefinedError
        If the template uses a name that is missing in the context.
    """
    return _environment(package).get_template(template).render(context)


def load_macros(template: str, *, package: str = PACKAGE) -> TemplateModule:
    """Return the macros of a template as functions, such as `load_macros("findings.txt", package=…).leader(row)`."""
    return _environment(package).get_template(template).module


def write_page(path: str | Path, template: str, context: Mapping[str, object], *, package: str = PACKAGE) -> None:
    """Render a page and write it to a file; write nothing if rendering fails."""
    text = render_page(template, context, package=package)
    Path(path).write_text(text, "utf-8")


@cache
def _environment(package: str) -> Environment:
    environment = Environment(
        loader=ChoiceLoader([PackageLoader(name) for name in dict.fromkeys([package, PACKAGE])]),
        autoescape=select_autoescape(),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= FILTERS
    return environment
