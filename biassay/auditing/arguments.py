"""Checks of an audit's arguments: metrics, names of sources, and numbers."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import ModuleType

from biassay.auditing.scoring import Settings
from biassay.core import guard, options, registry
from biassay.measurement import metric as metric_modules

LIMITS = {
    key: options.Option(key, None, "int", (low, False, high, False))
    for key, low, high in (
        ("permutations", 19.0, 1e7),
        ("resamples", 20.0, 1e6),
        ("random_words", 0.0, 1e5),
        ("seed", 0.0, 2.0**32 - 1),
    )
}
PROCESSES = options.Option("processes", 1, "int", (1.0, False, 1024.0, False))


def load_metrics(names: Iterable[str] | None, own: Iterable[str] | Mapping[str, str]) -> dict[str, ModuleType]:
    """Load metrics by name and those of a user's own files.

    Parameters
    ----------
    names : names of metrics of biassay; None loads all of them.
    own : paths of .py files, or a mapping of name to path. A user's metric may not have the name of one of biassay,
        because the board describes metrics by name.

    Raises
    ------
    ValueError
        For an unknown name, a path that is no .py file, a name given twice, and if there is no metric at all.
    """
    shipped = registry.names("metrics")
    chosen = shipped if names is None else as_list("metrics", names)
    registry.check_names("metrics", chosen, shipped)
    modules = {name: metric_modules.load(name) for name in chosen}
    pairs = (
        own.items() if isinstance(own, Mapping) else [(Path(path).stem, path) for path in as_list("own_metrics", own)]
    )
    for name, path in pairs:
        if not str(path).endswith(".py"):
            raise ValueError(f"own_metrics: expected a .py file, got {path!r}; name biassay's metrics under metrics")
        if name in shipped or name in modules:
            raise ValueError(f"own_metrics: there is already a metric {name!r}; rename {path}")
        modules[name] = metric_modules.load(str(path))
    if not modules:
        raise ValueError("metrics: the list is empty; omit it for all metrics")
    return modules


def as_list(key: str, values: Iterable) -> list:
    """Return values as a list; raise ValueError for a single text or path in place of a list."""
    if isinstance(values, str | Path) or not isinstance(values, Iterable):
        raise ValueError(f"{key}: expected a list, got {values!r:.80}")
    return list(values)


def source_names(paths: Sequence[str | Path], names: Sequence[str] | None = None) -> list[str]:
    """Return the names of sources: `names`, or the shortest ends of the paths that are all different.

    Raises ValueError for a source given twice, and for `names` that are not one per source or not all different.
    """
    texts = [str(path).removeprefix("hf-inputs:").removeprefix("hf:").rstrip("/") for path in paths]
    for inputs in (False, True):
        alike = [text for text, path in zip(texts, paths, strict=True) if str(path).startswith("hf-inputs:") == inputs]
        guard.check_different("sources", alike)
    if names is not None:
        names = as_list("names", names)
        if len(names) != len(paths) or len(set(names)) < len(names):
            raise ValueError(f"names: expected {len(paths)} different names, one per source, got {names!r:.80}")
        return list(map(str, names))
    parts = [Path(text.encode("utf-8", "replace").decode()).parts for text in texts]  # a file name may not be UTF-8
    for length in range(1, max(map(len, parts)) + 1):
        ends = ["/".join(part[-length:]) for part in parts]
        if len(set(ends)) == len(ends):
            return ends
    return list(map(str, paths))


def check_settings(settings: Settings) -> None:
    """Raise ValueError for a number of permutations, resamples or random words, or a seed, out of its range."""
    for key, option in LIMITS.items():
        option.check(getattr(settings, key), key)
