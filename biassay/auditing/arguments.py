"""What an audit is asked with: metrics, what sources are called, and numbers, each checked."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import ModuleType

from biassay.auditing.scoring import Settings
from biassay.measurement import metric as loaded
from biassay.support import guard, options, registry

NUMBERS = {
    key: options.Option(key, None, "int", (low, False, high, False))
    for key, low, high in (
        ("permutations", 19.0, 1e7),
        ("resamples", 20.0, 1e6),
        ("random_words", 0.0, 1e5),
        ("seed", 0.0, 2.0**32 - 1),
    )
}
PROCESSES = options.Option("processes", 1, "int", (1.0, False, 1024.0, False))


def modules(names: Iterable[str] | None, own: Iterable[str] | Mapping[str, str]) -> dict[str, ModuleType]:
    """Metrics by name, those of a user's own files too; all that come with biassay if none is named.

    A user's own may have no name of one that comes with biassay, which the board speaks of.
    """
    shipped = registry.names("metrics")
    chosen = shipped if names is None else listed("metrics", names)
    registry.check_names("metrics", chosen, shipped)
    found = {name: loaded.load(name) for name in chosen}
    pairs = (
        own.items() if isinstance(own, Mapping) else [(Path(path).stem, path) for path in listed("own_metrics", own)]
    )
    for name, path in pairs:
        if not str(path).endswith(".py"):
            raise ValueError(f"metric: {path!r} is no .py file; name the metrics that come with biassay under metrics")
        if name in shipped or name in found:
            raise ValueError(f"metric: {name!r} is the name of a metric already; rename {path}")
        found[name] = loaded.load(str(path))
    if not found:
        raise ValueError("metrics: none is named; leave metrics out for all that fit")
    return found


def listed(key: str, given: Iterable) -> list:
    """A list of what is given; raises ValueError for a single text, or a path, in place of a list."""
    if isinstance(given, str | Path) or not isinstance(given, Iterable):
        raise ValueError(f"{key}: expected a list, got {given!r:.80}")
    return list(given)


def names_of(paths: Sequence[str | Path], names: Sequence[str] | None = None) -> list[str]:
    """What sources are called: as given, else by the end of their paths, with as much before it as tells them apart."""
    texts = [str(path).removeprefix("hf-inputs:").removeprefix("hf:").rstrip("/") for path in paths]
    for inputs in (False, True):
        alike = [text for text, path in zip(texts, paths, strict=True) if str(path).startswith("hf-inputs:") == inputs]
        guard.check_different("sources", alike)
    if names is not None:
        names = listed("names", names)
        if len(names) != len(paths) or len(set(names)) < len(names):
            raise ValueError(f"names: {len(names)} for {len(paths)} sources; one each, all different")
        return list(map(str, names))
    parts = [Path(text.encode("utf-8", "replace").decode()).parts for text in texts]  # a file's name may be no text
    for length in range(1, max(map(len, parts)) + 1):
        found = ["/".join(part[-length:]) for part in parts]
        if len(set(found)) == len(found):
            return found
    return list(map(str, paths))


def check(settings: Settings) -> None:
    """Raise ValueError for numbers of draws, or a seed, that are out of their range or none."""
    for key, option in NUMBERS.items():
        option.check(getattr(settings, key), key)
