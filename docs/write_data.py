"""Write data.md and papers.md, where everything shipped comes from: `python docs/write_data.py`.

The rows come from the heads of the files in resources/ (`source:` of YAML, comments of CSV), the papers from
references.bib.
"""

import re
from pathlib import Path

import yaml

from biassay.measurement import metric as metrics
from biassay.support import registry
from biassay.words import references

DOCS = Path(__file__).resolve().parent
RESOURCES = DOCS.parent / "resources"
KINDS = {
    "words": "Word lists",
    "statistics": "Statistics of occupations",
    "templates": "Sentence templates",
    "published": "Figures printed in papers, as facts",
    "audit": "Tests of the audit",
    "models": "Language models",
}
OWN = ("audit",)  # kinds that are biassay's throughout
LICENCES = {  # what a head says of a licence, and the licence
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


def head(path: Path) -> str:
    """What a file says of itself, in one line: the key `source` of YAML, else the comments above all else."""
    text = yaml.safe_load(path.read_text("utf-8")).get("source", "") if path.suffix == ".yaml" else ""
    if not text:
        lines = path.read_text("utf-8").splitlines()
        first = next(number for number, line in enumerate(lines) if not line.startswith("#"))
        text = " ".join(line.lstrip("# ") for line in lines[:first])
    if not text.strip():
        raise ValueError(f"{path}: says nothing of its source; write `source:` (YAML) or comments above the rows (CSV)")
    return " ".join(text.split())


def source(path: Path) -> str:
    """The head from where it names the source on: the sentences that begin within its first 120 letters."""
    text = head(path).partition(" Licence: ")[0]
    if found := re.search(r"Sources?( of the words)?: ", text):
        text = text[found.end() :]
    end = re.search(r"(?<=[\w)\"])\. (?=[A-Z])", text[120:])
    return (text[: 120 + end.start()] if end else text).rstrip(". ")


def licences(path: Path) -> str:
    """The licences that a head names; of biassay what is our own; facts have none."""
    text = head(path)
    found = [name for pattern, name in LICENCES.items() if re.search(pattern, text)]
    if path.parent.name in ("published", "statistics") and path.suffix == ".csv":
        return ", ".join(["facts", *found])
    if MADE_HERE.search(text) or path.parent.name in OWN:
        return ", ".join(["MIT (biassay's)", *(f"{name} (its sources')" for name in found)])
    if not found:
        raise ValueError(f"{path}: says nothing of its licence; known: {', '.join(LICENCES.values())}, own")
    return ", ".join(found)


def rows(kind: str) -> list[str]:
    """A row a file of a kind."""
    files = sorted(path for path in (RESOURCES / kind).rglob("*") if path.suffix in (".yaml", ".csv"))
    escaped = {path: source(path).replace("|", "\\|") for path in files}
    return [f"| `{path.relative_to(RESOURCES)}` | {escaped[path]} | {licences(path)} |" for path in files]


def models() -> list[str]:
    """A row a language model, from its README's first paragraph and licence."""
    found = []
    for path in sorted((RESOURCES / "models").glob("*/README.md")):
        text = path.read_text("utf-8")
        about = " ".join(text.split("\n\n")[1].split()).partition(". ")[0]
        licence = " ".join(re.search(r"\*\*Licence\*\*: (.*?)(?=\n- |\n\n)", text, re.DOTALL)[1].split())
        found.append(f"| `{path.parent.relative_to(RESOURCES)}/` | {about} | {licence} |")
    return found


def data_page() -> str:
    """The text of data.md."""
    parts = [(DOCS / "data.md").read_text("utf-8").partition("<!-- resources -->")[0] + "<!-- resources -->"]
    for kind, title in KINDS.items():
        if not (lines := models() if kind == "models" else rows(kind)):
            continue
        parts.append("\n".join([f"## {title}", "", "| file | source | licence |", "|---|---|---|", *lines]))
    return "\n\n".join(parts) + "\n"


def papers_page() -> str:
    """The text of papers.md: the studies' papers first, then those of metrics, then the others."""
    entries = references.read()
    cited = {key: [] for key in entries}
    for name in registry.names("metrics"):
        for key in metrics.load(name).METRIC.cite:
            cited[key].append(f"[`{name}`](metrics.md#{name})")
    lines = [
        "# Papers",
        "",
        "What the studies and metrics come from. As BibTeX: `resources/references.bib`, from which",
    ]
    lines += ["this page is made (`python docs/write_data.py`).", "", "| paper | study | metrics |", "|---|---|---|"]
    for key, entry in entries.items():
        who = f"{references.format_short(entry)}: " + references.plain_title(entry["title"])
        named = ", ".join(cited[key]) or "–"
        lines.append(f"| [{who}]({references.link(entry)}) | {STUDIES.get(key, '–')} | {named} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    (DOCS / "data.md").write_text(data_page(), "utf-8")
    (DOCS / "papers.md").write_text(papers_page(), "utf-8")
