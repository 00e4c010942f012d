"""Sources and licences of all shipped data, from the headers of the files in resources/ and references.bib."""

from pathlib import Path

import yaml

from biassay.core import registry
from biassay.measurement import metric as metrics
from biassay.words import references

RESOURCES = Path(__file__).parents[2] / "resources"
KINDS = {
    "words": "Word lists",
    "statistics": "Occupation statistics",
    "templates": "Sentence templates",
    "published": "Numbers from papers, as facts",
    "audit": "Tests of the audit",
}
STUDIES = {
    "rekabsaz2021": "first_order",
    "spliethoever2021": "silhouette",
    "schroeder2021": "same, properties",
    "schroeder2023": "intrinsic",
    "schroeder2024": "downstream",
    "du2021": "reliability",
    "valentini2022": "reliability",
}


def read_header(path: Path) -> str:
    """Read the header of a file as one line: the key `source` of YAML, else the comments at the top."""
    text = yaml.safe_load(path.read_text("utf-8")).get("source", "") if path.suffix == ".yaml" else ""
    if not text:
        lines = path.read_text("utf-8").splitlines()
        first = next(number for number, line in enumerate(lines) if not line.startswith("#"))
        text = " ".join(line.lstrip("# ") for line in lines[:first])
    if not text.strip():
        raise ValueError(f"{path}: missing source; write `source:` (YAML) or comments above the rows (CSV)")
    return " ".join(text.split())


def format_sources() -> str:
    """Return the files of each kind with their headers, and the language models with their READMEs."""
    lines = []
    for kind, title in KINDS.items():
        files = sorted(path for path in (RESOURCES / kind).rglob("*") if path.suffix in (".yaml", ".csv"))
        lines += [f"## {title}", "", *(f"- `{path.relative_to(RESOURCES)}`: {read_header(path)}" for path in files), ""]
    lines += ["## Language models", ""]
    for path in sorted((RESOURCES / "models").glob("*/README.md")):
        about = " ".join(path.read_text("utf-8").split("\n\n")[1].split())
        lines.append(f"- `{path.parent.relative_to(RESOURCES)}/`: {about} Licence: see its README.md.")
    return "\n".join(lines)


def format_papers() -> str:
    """Return the papers of studies, then of metrics, then others."""
    entries = references.read()
    cited = {key: [] for key in entries}
    for name in registry.names("metrics"):
        for key in metrics.load(name).METRIC.cite:
            cited[key].append(f"[`{name}`](metrics.md#{name})")
    lines = ["| paper | study | metrics |", "|---|---|---|"]
    for key, entry in entries.items():
        paper = f"{references.format_short(entry)}: {references.plain_title(entry['title'])}"
        metric_links = ", ".join(cited[key]) or "–"
        lines.append(f"| [{paper}]({references.link(entry)}) | {STUDIES.get(key, '–')} | {metric_links} |")
    return "\n".join(lines)
