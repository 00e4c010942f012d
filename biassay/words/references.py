"""The papers behind metrics, studies and word lists: resources/references.bib."""

import re
from functools import cache

from biassay.core import registry
from biassay.words import resources

ENTRY = re.compile(r"@(\w+)\{([\w-]+),\n(.*?)^\}\n?", re.MULTILINE | re.DOTALL)
FIELD = re.compile(r"^  (\w+) = \{(.*)\},$", re.MULTILINE)
LINKS = {"doi": "https://doi.org/", "eprint": "https://arxiv.org/abs/", "url": ""}  # the first field present is used


@cache
def read() -> dict[str, dict[str, str]]:
    """Read the fields of each entry by its key; the field `kind` holds the type of the entry, such as "article"."""
    text = resources.shipped_path("references.bib").read_text("utf-8")
    return {key: {"kind": kind.lower(), **dict(FIELD.findall(body))} for kind, key, body in ENTRY.findall(text)}


def find(key: str) -> dict[str, str]:
    """Return the entry of a key; raise ValueError if there is none."""
    entries = read()
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
