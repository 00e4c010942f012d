"""The page of a study: verdicts, answer, charts, figures, tables and configuration."""

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml
from markupsafe import Markup

from biassay.core import csv_tables
from biassay.core.redaction import redact
from biassay.report import bundles, drawings
from biassay.report.results import Result

HOME = "Overview"
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
SECTIONS = {"corpus": "Corpus", "pair": "Pair of models"}  # wildcards by which figures are grouped, with their titles
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


def make_links(studies: Sequence[str], current: str | None) -> list[dict]:
    """Return the links of the navigation on the page of the study `current`, or on the first page (None)."""
    home, folder = ("index.html", "board/") if current is None else ("../index.html", "")
    first = {"title": HOME, "path": home, "current": current is None}
    return [first] + [{"title": NAMES.get(study, study), "path": f"{folder}{study}.html", "current": study == current}
                      for study in studies]  # fmt: skip


def read_findings(path: str | Path | None) -> dict[str, list[Finding]]:
    """Read the findings of a study by result, "" for its verdicts; an empty mapping without a file.

    Raises
    ------
    ValueError
        If the table is damaged.
    """
    if path is None:
        return {}
    table = csv_tables.read(path, COLUMNS, KINDS, allow_empty=True, dtype=str, keep_default_na=False)
    findings: dict[str, list[Finding]] = {}
    for row in table.itertuples():
        findings.setdefault(row.result, []).append(Finding(row.sentence, row.test, row.n))
    return findings


def make_context(
    study: str, results: Sequence[Result], *, questions: Mapping[str, str], findings: Mapping[str, list[Finding]],
    answer: str | None, charts: Sequence[tuple[str, dict]], config: object, seed: int, page: Path,
) -> dict:  # fmt: skip
    """Return the context of templates/study.html.

    Parameters
    ----------
    study : str
    results : sequence of Result
    questions : mapping
        The question of each study on the site.
    findings : mapping
        Findings by result, from `read_findings`.
    answer : str or None
        HTML.
    charts : sequence of (title, chart)
        Charts from `charts.draw_dots`.
    config : object
        The study's part of the configuration.
    seed : int
    page : Path
        Path of the page, from which its links lead.
    """
    packed = {}
    figures, tables = [], []
    for number, result in enumerate(results):
        name = f"r{number}"
        if result.kind == "figure":
            figures.append((result, _figure(result, name, findings, seed, page)))
        elif result.kind == "table":
            packed[name] = bundles.pack(result.file.read_text("utf-8"))
            details = ", ".join(result.wildcards.values())
            rows = csv_tables.read(result.file, [], {}, allow_empty=True, dtype=str, keep_default_na=False)
            tables.append({"id": name, "title": result.title, "caption": result.caption, "n_rows": len(rows),
                           "details": f"{details} · " if details else "", "file": result.file.name})  # fmt: skip
    packed |= {f"c{number}": bundles.pack(_json(chart)) for number, (_, chart) in enumerate(charts)}
    if tables:
        packed |= dict(zip(("packed-tables", "packed-tables-style"), bundles.data_tables(), strict=True))
    if charts:
        packed["packed-vega"] = bundles.vega()
    return {
        "title": f"{NAMES.get(study, study)} – biassay",
        "heading": questions[study],
        "links": make_links(list(questions), study),
        "study": study,
        "verdicts": [{"sentence": finding.sentence, "facts": finding.facts} for finding in findings.get("", [])],
        "answer": Markup(answer) if answer else None,
        "charts": [{"id": f"c{number}", "title": title} for number, (title, _) in enumerate(charts)],
        "sections": _sections(figures),
        "pages": list_files([result for result in results if result.kind == "page"], page),
        "tables": tables,
        "seed": seed,
        "config": yaml.safe_dump(redact(config), sort_keys=False, allow_unicode=True, width=100),
        "packed": packed,
        "foot": "Made by biassay. The results folder contains all data of this page.",
    }


def _figure(result: Result, name: str, findings: Mapping[str, list[Finding]], seed: int, page: Path) -> dict:
    finding = next(iter(findings.get(result.name, [])), None)
    heading = finding.sentence if finding else result.title
    facts = " · ".join([*([finding.facts] if finding and finding.facts else []), f"seed {seed}"])
    return {
        "id": name,
        "heading": heading,
        "title": result.title,
        "facts": facts,
        "caption": result.caption,
        "svg": drawings.inline_svg(result.file, name, f"{result.title}. {heading if finding else ''}".strip()),
        "file": _relative(result.file.with_suffix(".png"), page.parent),
    }


def _sections(figures: list[tuple[Result, dict]]) -> list[dict]:
    """Group figures by corpus and pair of models, in the order of the first figure of each group."""
    sections: dict[tuple, dict] = {}
    for result, figure in figures:
        key = tuple(f"{SECTIONS[name]} {value}" for name, value in result.wildcards.items() if name in SECTIONS)
        section = {"id": f"section-{len(sections)}", "title": "; ".join(key) or "Figures", "figures": []}
        sections.setdefault(key, section)["figures"].append(figure)
    return list(sections.values())


def list_files(results: Sequence[Result], page: Path) -> list[dict]:
    """Return title, caption and relative path of the files that a page links to."""
    return [{"title": " · ".join([result.title, *result.wildcards.values()]), "caption": result.caption,
             "file": _relative(result.file, page.parent), "name": result.file.name} for result in results]  # fmt: skip


def _relative(path: Path, folder: Path) -> str:
    return Path(os.path.relpath(path, folder)).as_posix()


def _json(chart: dict) -> str:
    return json.dumps(chart, separators=(",", ":"))
