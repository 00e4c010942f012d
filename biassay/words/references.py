"""The papers behind metrics, studies and word lists: resources/references.bib, read and written out."""

import re
from pathlib import Path

from biassay.support import registry
from biassay.words import resources

ENTRY = re.compile(r"@(\w+)\{([\w-]+),\n(.*?)^\}\n?", re.MULTILINE | re.DOTALL)
FIELD = re.compile(r"  (\w+) = \{(.*)\},")
PLACES = {"doi": "https://doi.org/", "eprint": "https://arxiv.org/abs/", "url": ""}  # of a paper, best first
VENUES = ("journal", "booktitle", "howpublished")


def read(path: str | Path | None = None) -> dict[str, dict[str, str]]:
    """The fields of every entry by its key, `kind` (as "article") among them, in the file's order.

    path: a BibTeX file with a field a line, by default the one that comes with biassay. Raises ValueError, naming the
    file and the key or the line, for what is no entry, for a key given twice, and for an entry without title, author,
    year or a place to find it (doi, eprint, url).
    """
    path = Path(path) if path else resources.shipped_path("references.bib")
    text = "".join(line for line in path.read_text("utf-8").splitlines(keepends=True) if not line.startswith("%"))
    if rest := ENTRY.sub("", text).split():
        raise ValueError(f"{path}: {' '.join(rest)[:60]!r} belongs to no entry; an entry has a field a line")
    entries: dict[str, dict[str, str]] = {}
    for kind, key, body in ENTRY.findall(text):
        if key in entries:
            raise ValueError(f"{path}: {key} is there twice")
        entries[key] = {"kind": kind.lower()} | _fields(path, key, body)
    return entries


def _fields(path: Path, key: str, body: str) -> dict[str, str]:
    """The fields of one entry, checked."""
    fields = {}
    for line in body.splitlines():
        if not (match := FIELD.fullmatch(line)):
            raise ValueError(f"{path}: {key}: {line.strip()!r} is no field; write `name = {{value}},`")
        fields[match[1].lower()] = match[2]
    missing = [name for name in ("title", "author", "year") if not fields.get(name)]
    if not any(fields.get(name) for name in PLACES):
        missing.append(f"one of {', '.join(PLACES)}")
    if missing:
        raise ValueError(f"{path}: {key} lacks {', '.join(missing)}")
    return fields


def find(key: str, entries: dict[str, dict[str, str]] | None = None) -> dict[str, str]:
    """The entry of a key; raises ValueError, naming the choices, if there is none."""
    entries = read() if entries is None else entries
    if key not in entries:
        raise ValueError(registry.describe_unknown("references.bib has no entry", key, list(entries)))
    return entries[key]


def link(entry: dict[str, str]) -> str:
    """Where the paper is found: its DOI, else arXiv, else the address given."""
    return next(place + entry[name] for name, place in PLACES.items() if entry.get(name))


def format_short(entry: dict[str, str]) -> str:
    """Surnames and year, as "Caliskan et al. 2017"."""
    names = [name.partition(",")[0].strip() for name in entry["author"].split(" and ")]
    said = names[0] if len(names) == 1 else " and ".join(names) if len(names) == 2 else f"{names[0]} et al."
    return f"{said} {entry['year']}"


def format_full(entry: dict[str, str]) -> str:
    """The paper in a line: authors, year, title, where it appeared, where it is found."""
    names = [name.split(",") for name in entry["author"].split(" and ")]
    authors = [" ".join(part.strip() for part in reversed(name)) for name in names]
    venue = next((entry[name] for name in VENUES if name in entry), "")
    if not venue and entry.get("archiveprefix"):
        venue = f"{entry['archiveprefix']} {entry['eprint']}"
    parts = [
        f"{', '.join(authors)} ({entry['year']})",
        plain_title(entry["title"]),
        *([venue] if venue else []),
        link(entry),
    ]
    return " ".join(part if part.endswith(("?", ".", "!")) else f"{part}." for part in parts[:-1]) + f" {parts[-1]}"


def plain_title(title: str) -> str:
    """A title without BibTeX's braces, as it is read."""
    return title.replace("{", "").replace("}", "").replace("--", "–")
