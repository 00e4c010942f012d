"""BibTeX entries of the papers behind metrics, from resources/references.bib."""

from collections.abc import Iterable, Mapping

from biassay.core import registry
from biassay.measurement import metric as metrics
from biassay.words import references

FILE = "references.bib"


def find_keys(names: Iterable[str], *, own: bool = False) -> tuple[list[str], list[str]]:
    """Return the keys of the metrics' papers, each once and in order, and the names of unknown metrics.

    Variants, such as "ect_raw", begin with the metric's name. With `own`, names may be paths of .py files, which are
    run: only for names that the user typed, never for those of a table.
    """
    keys, unknown = [], []
    for name in names:
        if metric := (name if own and name.endswith(".py") else _find_metric(name)):
            keys += metrics.load(metric).METRIC.cite
        else:
            unknown.append(name)
    return list(dict.fromkeys(keys)), unknown


def format_bibtex(names: Iterable[str], *, own: bool = False) -> str:
    """Return the text of a .bib file with the metrics' papers, with a comment that names unknown metrics.

    Takes the same arguments as `find_keys`. Raises ValueError for a metric that cites a key missing in references.bib.
    """
    keys, unknown = find_keys(names, own=own)
    notes = [f"% No entry for {' '.join(', '.join(unknown).split())}.\n"] if unknown else []
    return "\n".join([*notes, *(format_entry(key, references.find(key)) for key in keys)])


def format_entry(key: str, fields: Mapping[str, str]) -> str:
    """Format an entry as BibTeX."""
    lines = [f"  {name} = {{{value}}},\n" for name, value in fields.items() if name != "kind"]
    return "".join([f"@{fields['kind']}{{{key},\n", *lines, "}\n"])


def _find_metric(name: str) -> str | None:
    """Return the metric of that name, or of which it names a variant; None if there is none."""
    matches = [metric for metric in registry.names("metrics") if name == metric or name.startswith(f"{metric}_")]
    return max(matches, key=len, default=None)
