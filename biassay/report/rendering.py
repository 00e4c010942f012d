"""Rendering of pages from templates."""

import os
import shutil
import subprocess
from collections.abc import Mapping
from datetime import date
from functools import cache
from importlib.metadata import version
from pathlib import Path

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined, select_autoescape
from jinja2.environment import TemplateModule

from biassay.report import formatting

PACKAGE = "biassay.report"
CHECKOUT = Path(__file__).parents[2]  # with docs/ and .git, unless the library is installed
FILTERS = {
    "count": formatting.format_count,
    "decimal": formatting.format_decimal,
    "interval": formatting.format_interval,
    "label": formatting.metric_label,
    "names": formatting.join_names,
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
    return _environment(package).get_template(template).render({"docs": "", **context})


def load_macros(template: str, *, package: str = PACKAGE) -> TemplateModule:
    """Return the macros of a template as functions, such as `load_macros("findings.txt", package=…).leader(row)`."""
    return _environment(package).get_template(template).module


def write_page(path: str | Path, template: str, context: Mapping[str, object], *, package: str = PACKAGE) -> None:
    """Render a page and write it to a file; write nothing if rendering fails.

    `docs` in the template is the pattern of paths to pages of the documentation, "" if it is not on this machine.
    """
    text = render_page(template, {"docs": find_docs(Path(path)), **context}, package=package)
    Path(path).write_text(text, "utf-8")


def find_docs(page: Path) -> str:
    """Return the pattern of paths from a page to pages of the documentation: as a site if it was made, else as text."""
    for folder, suffix in (("site", "html"), ("docs", "md")):
        if (CHECKOUT / folder / f"index.{suffix}").exists():
            return f"{Path(os.path.relpath(CHECKOUT / folder, page.parent)).as_posix()}/{{}}.{suffix}"
    return ""


@cache
def describe_software() -> str:
    """Return the version, and in a checkout the commit: "biassay 0.1.0, commit ddd5be85"; "-dirty" if files changed."""
    text = f"biassay {version('biassay')}"
    if not (CHECKOUT / ".git").exists() or not shutil.which("git"):
        return text
    command = ["git", "-C", CHECKOUT, "describe", "--always", "--dirty", "--exclude=*"]
    commit = subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()
    return f"{text}, commit {commit}" if commit else text


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
    environment.globals |= {"software": describe_software, "today": date.today}
    return environment
