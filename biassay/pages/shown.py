"""Results that the site shows: which files there are of what the rules declare, with titles and captions filled in."""

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
class Shown:
    """A result: its file, its path in the results of its study, and what it is called.

    name: path below the study's folder without extension. of: what it is of, the values of the path's wildcards.
    caption: HTML.
    """

    file: Path
    study: str
    name: str
    kind: str
    title: str
    caption: Markup
    of: dict[str, str]


def find(files: Iterable[str], declared: Iterable[Mapping[str, str]]) -> list[Shown]:
    """The declared results among files, in the order of the declarations.

    declared: path, title and caption (a file of reStructuredText) of each, with wildcards as {corpus}; paths begin with
    "results/". A path may stand deeper, as those of further seeds do. Raises ValueError for an unknown kind of file.
    """
    files, found = [str(file) for file in files], []
    for result in declared:
        pattern = re.compile(rf"(?:.*/)?{_expression(result['path'].removeprefix('results/'))}")
        for file in files:
            if match := pattern.fullmatch(file):
                found.append(_shown(file, match.groupdict(), result))
    return found


def _shown(file: str, wildcards: dict[str, str], result: Mapping[str, str]) -> Shown:
    path = Path(result["path"].format(**wildcards))
    if path.suffix not in KINDS:
        raise ValueError(f"{file}: no kind of file that a page shows; choices: {', '.join(KINDS)}")
    study, *below = path.with_suffix("").parts[1:]
    caption = render_caption(Path(result["caption"]).read_text("utf-8"), wildcards)
    title = result["title"].format(**wildcards)
    return Shown(Path(file), study, "/".join(below), KINDS[path.suffix], title, caption, wildcards)


def render_caption(text: str, wildcards: Mapping[str, str]) -> Markup:
    """A caption in reStructuredText, in which {{ snakemake.wildcards.corpus }} may stand, as HTML."""
    given = SimpleNamespace(wildcards=SimpleNamespace(**wildcards))
    filled = Environment(undefined=StrictUndefined).from_string(text).render(snakemake=given)
    settings = {"report_level": 3, "halt_level": 3, "file_insertion_enabled": False, "raw_enabled": False}
    return Markup(publish_parts(filled, writer="html5", settings_overrides=settings)["body"])


def _expression(path: str) -> str:
    """A path with wildcards as a regular expression; a wildcard that returns stands for the same text."""
    parts, seen = re.split(r"\{(\w+)\}", path), set()
    found = ""
    for place, part in enumerate(parts):
        if place % 2 == 0:
            found += re.escape(part)
        else:
            found += f"(?P={part})" if part in seen else f"(?P<{part}>[^/]+)"
            seen.add(part)
    return found
