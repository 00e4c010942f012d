"""BibTeX entries of the papers behind metrics, from resources/references.bib."""

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from biassay.measurement import metric as metrics
from biassay.support import registry
from biassay.words import resources

FILE = "references.bib"


@cache
def entries() -> dict[str, str]:
    """All entries by key, as they are written; ValueError for a key that stands twice."""
    path = Path(resources.shipped("words")).parent / FILE
    found = {}
    for entry in re.split(r"^(?=@)", path.read_text("utf-8"), flags=re.MULTILINE)[1:]:
        key = re.match(r"@\w+\{([^,\s]+),", entry)
        body = re.match(r"@.*?^\}", entry, re.MULTILINE | re.DOTALL)
        if not key or not body or key[1] in found:
            raise ValueError(f"{path}: {entry[:60]!r} is no entry, or has the key of another")
        found[key[1]] = body[0] + "\n"
    return found


def keys(names: Iterable[str]) -> tuple[list[str], list[str]]:
    """Keys of the papers of metrics, each once, in order, and the names of what is no metric that is known here.

    names: of metrics, paths of files of one's own, or of variants, which begin with their metric's name ("ect_raw").
    """
    found, unknown = [], []
    for name in names:
        if metric := _metric(name):
            found += metrics.load(metric).METRIC.cite
        else:
            unknown.append(name)
    return list(dict.fromkeys(found)), unknown


def text(names: Iterable[str]) -> str:
    """The entries of the papers of metrics, as the text of a .bib file; metrics that are not known are named in it."""
    wanted, unknown = keys(names)
    if lacking := [key for key in wanted if key not in entries()]:
        raise ValueError(f"{FILE}: has no entry {', '.join(lacking)}, which a metric cites")
    notes = [f"% No entry is known of {', '.join(unknown)}.\n"] if unknown else []
    return "\n".join([*notes, *(entries()[key] for key in wanted)])


def _metric(name: str) -> str | None:
    """A metric by its name, or by that of a variant; None if there is no such."""
    if name.endswith(".py"):
        return name
    known = [metric for metric in registry.names("metrics") if name == metric or name.startswith(f"{metric}_")]
    return max(known, key=len, default=None)
