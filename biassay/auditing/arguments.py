"""What an audit is asked with: metrics, what sources are called, and numbers, each checked."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from types import ModuleType

from biassay.auditing.scoring import Settings
from biassay.measurement import metric as loaded
from biassay.support import guard, registry


def modules(names: Iterable[str] | None, own: Iterable[str]) -> dict[str, ModuleType]:
    """Metrics by name, those of a user's own files too; all that come with biassay if none is named."""
    known = registry.names("metrics")
    chosen = known if names is None else list(names)
    registry.check_names("metrics", chosen, known)
    found = {name: loaded.load(name) for name in chosen}
    for path in own:
        name = Path(path).stem
        if not str(path).endswith(".py"):
            raise ValueError(f"metric: {path!r} is no .py file; name the metrics that come with biassay under metrics")
        if name in found:
            raise ValueError(f"metric: {name!r} is the name of a metric already; rename {path}")
        found[name] = loaded.load(str(path))
    return found


def names_of(paths: Sequence[str | Path], names: Sequence[str] | None = None) -> list[str]:
    """What sources are called: as given, else by the end of their paths, with as much before it as tells them apart."""
    texts = [str(path).removeprefix("hf-inputs:").removeprefix("hf:").rstrip("/") for path in paths]
    for inputs in (False, True):
        alike = [text for text, path in zip(texts, paths, strict=True) if str(path).startswith("hf-inputs:") == inputs]
        guard.check_different("sources", alike)
    if names is not None:
        if len(names) != len(paths) or len(set(names)) < len(names):
            raise ValueError(f"names: {len(names)} for {len(paths)} sources; one each, all different")
        return list(map(str, names))
    parts = [Path(text).parts for text in texts]
    for length in range(1, max(map(len, parts)) + 1):
        found = ["/".join(part[-length:]) for part in parts]
        if len(set(found)) == len(found):
            return found
    return list(map(str, paths))


def check(settings: Settings) -> None:
    """Raise ValueError for numbers of draws, or a seed, that are too small or none."""
    least = {"permutations": 19, "resamples": 20, "random_words": 0, "seed": 0}
    for key, low in least.items():
        value = getattr(settings, key)
        if not isinstance(value, int) or isinstance(value, bool) or value < low:
            raise ValueError(f"{key}: {value!r:.80} is no whole number from {low}")
