"""The page of a study: verdicts, charts, figures, tables and configuration."""

import json
import os
from collections.abc import Mapping, Sequence
from importlib import resources
from pathlib import Path
from xml.etree import ElementTree

import vl_convert
import yaml
from markupsafe import escape

from biassay.core import csv_tables
from biassay.core.redaction import redact
from biassay.report.findings import Finding
from biassay.report.formatting import metric_label
from biassay.report.results import Result

HOME = "Overview"
LIBRARIES = "libraries"  # folder, beside the pages of studies, of the scripts and styles that they share
NAMES = {
    "first_order": "First order",
    "silhouette": "Silhouettes",
    "properties": "Properties",
    "same": "Planted bias",
    "intrinsic": "Several groups",
    "downstream": "Downstream",
    "published": "Published numbers",
    "reliability": "Frequency and reliability",
    "calibration": "Calibration",
    "seeds": "Several seeds",
}
GUIDES = {"reliability": "reliability_of_scores", "seeds": "howto/seeds"}  # pages of docs/ not named by their study
SECTIONS = {"corpus": "Corpus", "pair": "Pair of models"}  # wildcards by which figures are grouped, with their titles
NAMED = ["metric", "score", "method", "first", "second"]  # columns of tables with names of metrics


def make_links(studies: Sequence[str], current: str | None) -> list[dict]:
    """Return the links of the navigation on the page of the study `current`, or on the first page (None)."""
    home, folder = ("index.html", "board/") if current is None else ("../index.html", "")
    links = [(HOME, home, current is None)]
    links += [(NAMES.get(study, study), f"{folder}{study}.html", study == current) for study in studies]
    return [dict(zip(("title", "path", "current"), link, strict=True)) for link in links]


def make_context(
    study: str,
    results: Sequence[Result],
    *,
    questions: Mapping[str, str],
    verdicts: list[Finding],
    charts: Sequence[tuple[str, dict]],
    config: object,
    seeds: Sequence[int],
    page: Path,
) -> dict:
    """Return the context of templates/study.html.

    `questions` are those of all studies on the site, `charts` are titles with charts from `charts.make_charts`,
    `config` is the study's part of the configuration, and `page` the path of the page, from which its links lead.
    """
    seeds_text = f"seed{'s' * (len(seeds) > 1)} {', '.join(map(str, seeds))}"
    by_kind = {kind: [result for result in results if result.kind == kind] for kind in ("figure", "table", "page")}
    figures = [_figure(result, page) for result in by_kind["figure"]]
    sections = dict.fromkeys(figure["section"] for figure in figures)  # in the order of their first figures
    return {
        "title": f"{NAMES.get(study, study)} – biassay",
        "heading": questions[study],
        "links": make_links(list(questions), study),
        "study": study,
        "verdicts": verdicts,
        "charts": charts,
        "sections": {name: [figure for figure in figures if figure["section"] == name] for name in sections},
        "pages": [describe_file(result, page) for result in by_kind["page"]],
        "tables": [describe_file(result, page) | _cells(result.file) for result in by_kind["table"]],
        "seeds": seeds_text,
        "config": yaml.safe_dump(redact(config), sort_keys=False, allow_unicode=True, width=100),
        "libraries": LIBRARIES,
        "foot": f"{seeds_text.capitalize()}. The results folder contains all data of this page.",
        "guide": GUIDES.get(study, study),
    }


def describe_file(result: Result, page: Path) -> dict:
    """Return title, caption, wildcards and relative path of a file that a page links to."""
    path = Path(os.path.relpath(result.file, page.parent)).as_posix()
    texts = {"title": result.title, "caption": result.caption, "details": list(result.wildcards.values())}
    return texts | {"file": path, "name": result.file.name}


def _figure(result: Result, page: Path) -> dict:
    section = "; ".join(f"{SECTIONS[name]} {value}" for name, value in result.wildcards.items() if name in SECTIONS)
    width, height = _measure_svg(result.file)
    return describe_file(result, page) | {"section": section or "Figures", "width": width, "height": height}


def _measure_svg(path: Path) -> tuple[int, int]:
    """Return width and height of a figure, which matplotlib writes in points, in pixels of a page."""
    _, root = next(ElementTree.iterparse(path, events=["start"]))
    return tuple(round(float(root.get(side).removesuffix("pt")) * 96 / 72) for side in ("width", "height"))


def _cells(path: Path) -> dict:
    """Return columns and rows of a table, as printed but with the metrics' labels, for DataTables."""
    table = csv_tables.read(path, [], {}, allow_empty=True, dtype=str, keep_default_na=False)
    for column in table.columns.intersection(NAMED):
        table[column] = table[column].map(metric_label)
    return {"columns": [{"title": str(escape(name))} for name in table.columns], "rows": table.to_numpy().tolist()}


def write_libraries(folder: Path) -> None:
    """Write the libraries of the pages: Vega-Embed with Vega and Vega-Lite (BSD), and DataTables (MIT).

    DataTables is a module, which browsers do not import from disk, so its script contains the module as a text.
    """
    folder.mkdir(parents=True, exist_ok=True)
    bundle = resources.files("itables").joinpath("html")
    module = json.dumps(bundle.joinpath("dt_bundle.js").read_text("utf-8"))
    (folder / "vega.js").write_text(vl_convert.javascript_bundle(), "utf-8")
    (folder / "datatables.js").write_text(f"const dataTables = {module};", "utf-8")
    (folder / "datatables.css").write_text(bundle.joinpath("dt_bundle.css").read_text("utf-8"), "utf-8")
