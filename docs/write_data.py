"""Write data.md and papers.md, the sources of all shipped data: `python docs/write_data.py`.

The rows come from the headers of the files in resources/ (`source:` in YAML, comments in CSV) and from references.bib.
"""

import re
from pathlib import Path

import yaml

from biassay.core import registry
from biassay.measurement import metric as metrics
from biassay.words import references

DOCS = Path(__file__).resolve().parent
RESOURCES = DOCS.parent / "resources"
KINDS = {
    "words": "Word lists",
    "statistics": "Occupation statistics",
    "templates": "Sentence templates",
    "published": "Numbers from papers, as facts",
    "audit": "Tests of the audit",
    "models": "Language models",
}
OWN = ("audit",)  # kinds without other sources
LICENCES = {  # pattern in a header, and the licence
    r"\bCC BY 4\.0\b": "CC BY 4.0",
    r"\bMIT\b": "MIT",
    r"\bpublic domain\b": "public domain",
}
MADE_HERE = re.compile(r"\bown (compilation|sentence|sentences|lists)\b|\bgenerator's\b|the groups of words/")
STUDIES = {
    "rekabsaz2021": "first_order",
    "spliethoever2021": "silhouette",
    "schroeder2021": "same, properties",
    "schroeder2023": "intrinsic",
    "schroeder2024": "downstream",
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


def find_source(path: Path) -> str:
    """Find the source in a header: the sentences that begin within 120 characters after "Source:"."""
    text = read_header(path).partition(" Licence: ")[0]
    if match := re.search(r"Sources?( of the words)?: ", text):
        text = text[match.end() :]
    end = re.search(r"(?<=[\w)\"])\. (?=[A-Z])", text[120:])
    return (text[: 120 + end.start()] if end else text).rstrip(". ")


def find_licences(path: Path) -> str:
    """Find the licences in a header; our own compilations have that of biassay, and facts have none."""
    text = read_header(path)
    names = [name for pattern, name in LICENCES.items() if re.search(pattern, text)]
    if path.parent.name in ("published", "statistics") and path.suffix == ".csv":
        return ", ".join(["facts", *names])
    if MADE_HERE.search(text) or path.parent.name in OWN:
        return ", ".join(["MIT (biassay's)", *(f"{name} (its sources')" for name in names)])
    if not names:
        raise ValueError(f"{path}: missing licence; expected one of: {', '.join(LICENCES.values())}, own")
    return ", ".join(names)


def format_rows(kind: str) -> list[str]:
    """Format one row per file of a kind."""
    files = sorted(path for path in (RESOURCES / kind).rglob("*") if path.suffix in (".yaml", ".csv"))
    escaped = {path: find_source(path).replace("|", "\\|") for path in files}
    return [f"| `{path.relative_to(RESOURCES)}` | {escaped[path]} | {find_licences(path)} |" for path in files]


def format_models() -> list[str]:
    """Format one row per language model, from the first paragraph and the licence of its README."""
    rows = []
    for path in sorted((RESOURCES / "models").glob("*/README.md")):
        text = path.read_text("utf-8")
        about = " ".join(text.split("\n\n")[1].split()).partition(". ")[0]
        licence = " ".join(re.search(r"\*\*Licence\*\*: (.*?)(?=\n- |\n\n)", text, re.DOTALL)[1].split())
        rows.append(f"| `{path.parent.relative_to(RESOURCES)}/` | {about} | {licence} |")
    return rows


def data_page() -> str:
    """Write the text of data.md."""
    parts = [(DOCS / "data.md").read_text("utf-8").partition("<!-- resources -->")[0] + "<!-- resources -->"]
    for kind, title in KINDS.items():
        if not (lines := format_models() if kind == "models" else format_rows(kind)):
            continue
        parts.append("\n".join([f"## {title}", "", "| file | source | licence |", "|---|---|---|", *lines]))
    return "\n\n".join(parts) + "\n"


def papers_page() -> str:
    """Write the text of papers.md: papers of studies, then of metrics, then others."""
    entries = references.read()
    cited = {key: [] for key in entries}
    for name in registry.names("metrics"):
        for key in metrics.load(name).METRIC.cite:
            cited[key].append(f"[`{name}`](metrics.md#{name})")
    lines = [
        "# Papers",
        "",
        "The papers behind the studies and metrics. `python docs/write_data.py` makes this page from the BibTeX file",
    ]
    lines += ["`resources/references.bib`.", "", "| paper | study | metrics |", "|---|---|---|"]
    for key, entry in entries.items():
        paper = f"{references.format_short(entry)}: " + references.plain_title(entry["title"])
        names = ", ".join(cited[key]) or "–"
        lines.append(f"| [{paper}]({references.link(entry)}) | {STUDIES.get(key, '–')} | {names} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    (DOCS / "data.md").write_text(data_page(), "utf-8")
    (DOCS / "papers.md").write_text(papers_page(), "utf-8")
