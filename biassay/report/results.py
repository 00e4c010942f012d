"""Results that the site shows: the files that rules declare, with titles and captions filled in."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

from docutils.core import publish_parts
from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

KINDS = {".svg": "figure", ".csv": "table", ".html": "page"}


@dataclass(frozen=True)
class Result:
    """A result with its title and caption.

    Attributes
    ----------
    file : Path
    study : str
    name : str
        Path below the study's folder without extension.
    kind : str
        One of figure, table and page.
    title : str
    caption : Markup
        HTML.
    wildcards : dict
        Values of the wildcards in the declared path.
    """

    file: Path
    study: str
    name: str
    kind: str
    title: str
    caption: Markup
    wildcards: dict[str, str]


def find_results(files: Iterable[str], declarations: Iterable[Mapping[str, str]]) -> list[Result]:
    """Find the declared results among files, in the order of the declarations.

    Parameters
    ----------
    files : iterable of str
        Paths; a declared path may be below another folder, such as results/seeds/2/.
    declarations : iterable of mappings
        path (with wildcards such as {corpus}, beginning with "results/"), title, and caption (a file of
        reStructuredText) of each result.

    Raises
    ------
    ValueError
        If a file is neither a figure, a table nor a page.
    """
    files, results = [str(file) for file in files], []
    for declaration in declarations:
        pattern = re.compile(rf"(?:.*/)?{_expression(declaration['path'].removeprefix('results/'))}")
        for file in files:
            if match := pattern.fullmatch(file):
                results.append(_result(file, match.groupdict(), declaration))
    return results


def _result(file: str, wildcards: dict[str, str], declaration: Mapping[str, str]) -> Result:
    path = Path(declaration["path"].format(**wildcards))
    if path.suffix not in KINDS:
        raise ValueError(f"{file}: pages cannot show this kind of file; expected one of: {', '.join(KINDS)}")
    study, *below = path.with_suffix("").parts[1:]
    caption = render_caption(Path(declaration["caption"]).read_text("utf-8"), wildcards)
    title = declaration["title"].format(**wildcards)
    return Result(Path(file), study, "/".join(below), KINDS[path.suffix], title, caption, wildcards)


def render_caption(text: str, wildcards: Mapping[str, str]) -> Markup:
    """Render a caption in reStructuredText as HTML and fill in names such as {{ snakemake.wildcards.corpus }}."""
    snakemake = SimpleNamespace(wildcards=SimpleNamespace(**wildcards))
    filled = Environment(undefined=StrictUndefined).from_string(text).render(snakemake=snakemake)
    settings = {"report_level": 3, "halt_level": 3, "file_insertion_enabled": False, "raw_enabled": False}
    return Markup(publish_parts(filled, writer="html5", settings_overrides=settings)["body"])


def _expression(path: str) -> str:
    """Return a path with wildcards as a regular expression; a repeated wildcard matches the same text."""
    parts, names = re.split(r"\{(\w+)\}", path), set()
    expression = ""
    for place, part in enumerate(parts):
        if place % 2 == 0:
            expression += re.escape(part)
        else:
            expression += f"(?P={part})" if part in names else f"(?P<{part}>[^/]+)"
            names.add(part)
    return expression
