"""BibTeX entries of the papers behind metrics, from resources/references.bib."""

from collections.abc import Iterable, Mapping

from biassay.measurement import metric as metrics
from biassay.support import registry
from biassay.words import references

FILE = "references.bib"


def keys(names: Iterable[str], *, own: bool = False) -> tuple[list[str], list[str]]:
    """Keys of the papers of metrics, each once, in order, and the names of what is no metric that is known here.

    names: of metrics, or of variants, which begin with their metric's name ("ect_raw"). own: they may be paths of the
    user's own files too, which are run; only for names that the user typed, never for those of a table.
    """
    found, unknown = [], []
    for name in names:
        if metric := (name if own and name.endswith(".py") else _metric(name)):
            found += metrics.load(metric).METRIC.cite
        else:
            unknown.append(name)
    return list(dict.fromkeys(found)), unknown


def text(names: Iterable[str], *, own: bool = False) -> str:
    """The entries of the papers of metrics, as the text of a .bib file; metrics that are not known are named in it.

    Names are those of `keys`. Raises ValueError for a metric that cites what references.bib lacks.
    """
    (wanted, unknown), known = keys(names, own=own), references.read()
    notes = [f"% No entry is known of {' '.join(', '.join(unknown).split())}.\n"] if unknown else []
    return "\n".join([*notes, *(entry(key, references.find(key, known)) for key in wanted)])


def entry(key: str, fields: Mapping[str, str]) -> str:
    """An entry as BibTeX, of its fields and its kind."""
    lines = [f"  {name} = {{{value}}},\n" for name, value in fields.items() if name != "kind"]
    return "".join([f"@{fields['kind']}{{{key},\n", *lines, "}\n"])


def _metric(name: str) -> str | None:
    """A metric by its name, or by that of a variant; None if there is no such."""
    known = [metric for metric in registry.names("metrics") if name == metric or name.startswith(f"{metric}_")]
    return max(known, key=len, default=None)
