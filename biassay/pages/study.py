"""The page of a study: what came out, its figures under what they show, its charts and tables, its configuration."""

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml
from markupsafe import Markup

from biassay.pages import bundles, drawings
from biassay.pages.shown import Shown
from biassay.support import csv_tables
from biassay.support.redaction import redact

HOME = "What came out"
NAMES = {
    "first_order": "First order",
    "silhouette": "Silhouettes",
    "properties": "Properties",
    "same": "Planted bias",
    "intrinsic": "Several groups",
    "downstream": "Downstream",
    "published": "Published numbers",
    "seeds": "Several seeds",
}
PARTS = {"corpus": "Corpus", "pair": "Pair of models"}  # wildcards that figures are put together by, and in words
COLUMNS = ("result", "sentence", "test", "n")
KINDS = csv_tables.column_types(text="result? sentence test? n?")


@dataclass(frozen=True)
class Finding:
    """A sentence computed from tables, with its test and what n counts."""

    sentence: str
    test: str
    n: str

    @property
    def facts(self) -> str:
        """Test and n, for small print."""
        return " · ".join(part for part in (self.test, f"n = {self.n}" if self.n else "") if part)


def links(studies: Sequence[str], here: str | None) -> list[dict]:
    """The ways between the pages of a site, from the page of the study `here`, or from the first page (None)."""
    home, folder = ("index.html", "board/") if here is None else ("../index.html", "")
    found = [{"title": HOME, "path": home, "here": here is None}]
    return found + [{"title": NAMES.get(study, study), "path": f"{folder}{study}.html", "here": study == here}
                    for study in studies]  # fmt: skip


def findings(path: str | Path | None) -> dict[str, list[Finding]]:
    """The sentences of a study by the result that they are of, "" for the study's verdicts; none without a file.

    Raises ValueError for a damaged table.
    """
    if path is None:
        return {}
    table = csv_tables.read(path, COLUMNS, KINDS, allow_empty=True, dtype=str, keep_default_na=False)
    found: dict[str, list[Finding]] = {}
    for row in table.itertuples():
        found.setdefault(row.result, []).append(Finding(row.sentence, row.test, row.n))
    return found


def context(
    study: str, shown: Sequence[Shown], *, questions: Mapping[str, str], said: Mapping[str, list[Finding]],
    answer: str | None, charts: Sequence[tuple[str, dict]], config: object, seed: int, page: Path,
) -> dict:  # fmt: skip
    """What templates/study.html shows. said: `findings`. answer: HTML. charts: title and chart, of `charts.dots`.

    page: where the page will be, from which files are reached.
    """
    packed = {}
    drawn, tables = [], []
    for number, result in enumerate(shown):
        name = f"r{number}"
        if result.kind == "figure":
            drawn.append((result, _figure(result, name, said, seed, page)))
        elif result.kind == "table":
            text = result.file.read_text("utf-8")
            packed[name] = bundles.packed(text)
            of = ", ".join(result.of.values())
            rows = len(csv_tables.read(result.file, [], {}, allow_empty=True, dtype=str, keep_default_na=False))
            tables.append({"id": name, "title": result.title, "caption": result.caption, "rows": rows,
                           "of": f"{of} · " if of else "", "file": result.file.name})  # fmt: skip
    explored = [{"id": f"c{number}", "title": title} for number, (title, _) in enumerate(charts)]
    packed |= {f"c{number}": bundles.packed(_json(chart)) for number, (_, chart) in enumerate(charts)}
    if tables:
        packed |= dict(zip(("packed-tables", "packed-tables-style"), bundles.data_tables(), strict=True))
    if charts:
        packed["packed-vega"] = bundles.vega()
    return {
        "title": f"{NAMES.get(study, study)} – biassay",
        "heading": questions[study],
        "links": links(list(questions), study),
        "study": study,
        "verdicts": [{"sentence": one.sentence, "facts": one.facts} for one in said.get("", [])],
        "answer": Markup(answer) if answer else None,
        "charts": explored,
        "sections": _sections(drawn),
        "pages": files([result for result in shown if result.kind == "page"], page),
        "tables": tables,
        "seed": seed,
        "config": yaml.safe_dump(redact(config), sort_keys=False, allow_unicode=True, width=100),
        "packed": packed,
        "foot": "Made by biassay. Everything on this page is in the files beside it.",
    }


def _figure(result: Shown, name: str, said: Mapping[str, list[Finding]], seed: int, page: Path) -> dict:
    found = said.get(result.name, [])
    heading = found[0].sentence if found else result.title
    facts = " · ".join([*(part for part in [found[0].facts if found else ""] if part), f"seed {seed}"])
    picture = result.file.with_suffix(".png")
    return {
        "id": name,
        "heading": heading,
        "title": result.title,
        "facts": facts,
        "caption": result.caption,
        "svg": drawings.inline(result.file, name, f"{result.title}. {heading if found else ''}".strip()),
        "file": _relative(picture, page.parent),
    }


def _sections(drawn: list[tuple[Shown, dict]]) -> list[dict]:
    """Figures by what they are of, in the order of their first one."""
    found: dict[tuple, dict] = {}
    for result, figure in drawn:
        key = tuple(f"{PARTS[name]} {value}" for name, value in result.of.items() if name in PARTS)
        title = "; ".join(key) or "Figures"
        found.setdefault(key, {"id": f"of-{len(found)}", "title": title, "figures": []})["figures"].append(figure)
    return list(found.values())


def files(shown: Sequence[Shown], page: Path) -> list[dict]:
    """Files that a page leads to: title, caption and the way from the page."""
    return [{"title": " · ".join([result.title, *result.of.values()]), "caption": result.caption,
             "file": _relative(result.file, page.parent), "name": result.file.name} for result in shown]  # fmt: skip


def _relative(path: Path, folder: Path) -> str:
    return Path(os.path.relpath(path, folder)).as_posix()


def _json(chart: dict) -> str:
    return json.dumps(chart, separators=(",", ":"))
