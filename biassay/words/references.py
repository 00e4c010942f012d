"""The papers behind metrics, studies and word lists: resources/references.bib."""

import re
from pathlib import Path

from biassay.core import registry
from biassay.words import resources

ENTRY = re.compile(r"@(\w+)\{([\w-]+),\n(.*?)^\}\n?", re.MULTILINE | re.DOTALL)
FIELD = re.compile(r"  (\w+) = \{(.*)\},")
LINKS = {"doi": "https://doi.org/", "eprint": "https://arxiv.org/abs/", "url": ""}  # the first field present is used


def read(path: str | Path | None = None) -> dict[str, dict[str, str]]:
    """Read the entries of a BibTeX file, in the order of the file.

    Parameters
    ----------
    path
        A BibTeX file with one field per line; by default the file shipped with biassay.

    Returns
    -------
    dict
        The fields of each entry by its key. The field `kind` holds the type of the entry, such as "article".

    Raises
    ------
    ValueError
        For text outside entries, a duplicate key, and an entry without title, author, year or link (doi, eprint, url).
    """
    path = Path(path) if path else resources.shipped_path("references.bib")
    text = "".join(line for line in path.read_text("utf-8").splitlines(keepends=True) if not line.startswith("%"))
    if rest := ENTRY.sub("", text).split():
        raise ValueError(f"{path}: {' '.join(rest)[:60]!r} is outside of an entry; write one field per line")
    entries: dict[str, dict[str, str]] = {}
    for kind, key, body in ENTRY.findall(text):
        if key in entries:
            raise ValueError(f"{path}: duplicate entry {key!r}")
        entries[key] = {"kind": kind.lower()} | _fields(path, key, body)
    return entries


def _fields(path: Path, key: str, body: str) -> dict[str, str]:
    """Read and check the fields of one entry."""
    fields = {}
    for line in body.splitlines():
        if not (match := FIELD.fullmatch(line)):
            raise ValueError(f"{path}: entry {key!r}: {line.strip()!r} is not a field; write `name = {{value}},`")
        fields[match[1].lower()] = match[2]
    missing = [name for name in ("title", "author", "year") if not fields.get(name)]
    if not any(fields.get(name) for name in LINKS):
        missing.append(f"one of {', '.join(LINKS)}")
    if missing:
        raise ValueError(f"{path}: entry {key!r}: missing {', '.join(missing)}")
    return fields


def find(key: str, entries: dict[str, dict[str, str]] | None = None) -> dict[str, str]:
    """Return the entry of a key; raise ValueError if there is none."""
    entries = read() if entries is None else entries
    if key not in entries:
        raise ValueError(registry.describe_unknown("references.bib has no entry", key, list(entries)))
    return entries[key]


def link(entry: dict[str, str]) -> str:
    """Return the link to a paper: its DOI, else arXiv, else its URL."""
    return next(prefix + entry[name] for name, prefix in LINKS.items() if entry.get(name))


def format_short(entry: dict[str, str]) -> str:
    """Format an entry as surnames and year, such as "Caliskan et al. 2017"."""
    names = [name.partition(",")[0].strip() for name in entry["author"].split(" and ")]
    authors = names[0] if len(names) == 1 else " and ".join(names) if len(names) == 2 else f"{names[0]} et al."
    return f"{authors} {entry['year']}"


def plain_title(title: str) -> str:
    """Return a title without BibTeX markup."""
    return title.replace("{", "").replace("}", "").replace("--", "–")
