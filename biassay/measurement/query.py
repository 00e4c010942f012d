"""What a metric is asked: arrays of targets and groups, with the words that they stand for."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sized
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from biassay.measurement.metric import Metric
from biassay.support import arrays
from biassay.vectors import explicit_vectors, lookup
from biassay.vectors.embedding import Embedding


@dataclass(frozen=True)
class Query:
    """Targets (n, d), groups (m_i, d) and labels (n,) or None; report: words used, missing and the like."""

    targets: np.ndarray
    groups: list[np.ndarray]
    labels: np.ndarray | None
    report: dict = field(default_factory=dict)


def from_arrays(metric: Metric, targets: object, groups: object, labels: object) -> Query:
    """Check arrays: targets (n, d), or of associations (n,) lengths; a mapping of them gives the labels."""
    named = isinstance(groups, Mapping)
    groups = index_by_name("groups", groups.items() if named else enumerate(groups))
    if isinstance(targets, Mapping):
        lists = _in_order(targets, groups, labels)
        sizes = [len(rows) for rows in lists.values()]
        labels = np.repeat(np.arange(len(lists)), sizes) if len(lists) > 1 else None
        targets = np.concatenate([arrays.as_array(f"targets {name}", rows) for name, rows in lists.items()])
    targets = _checked("targets", targets, 1 if metric.takes == "associations" else 2)
    checked = [_checked(f"groups {name}", rows, 2) for name, rows in groups.items()]
    for name, rows in zip(groups, checked, strict=True):
        if targets.ndim == 2 and rows.shape[1:] != targets.shape[1:]:
            raise ValueError(f"groups {name}: of {rows.shape[-1]} dimensions, but targets of {targets.shape[1]}")
    return Query(targets, checked, None if labels is None else arrays.as_array("labels", labels))


def from_words(
    metric: Metric, targets: object, groups: object, labels: object, vectors: object, min_share: float
) -> Query:
    """Look words up; drop and report those without a vector, under one policy for all metrics."""
    lists, groups = _lists(targets, groups, labels)
    wanted = [word for words in lists.values() for word in words]
    if twice := _twice(wanted):
        raise ValueError(f"targets: listed more than once: {', '.join(twice[:5])}; a target counts once")
    of_word = _labels_of_lists(lists) if isinstance(targets, Mapping) else _labels(wanted, labels)
    if isinstance(vectors, str | Path):
        vectors = lookup.open_embedding(vectors) or vectors
    found = lookup.find_vectors(vectors, [*wanted, *(word for words in groups.values() for word in words)])
    used_lists = {name: [word for word in words if word in found] for name, words in lists.items()}
    used, unpaired = _used(groups, found, metric.paired)
    title = {name: f"groups {name}" if name in lists else name for name in groups}
    everything = lists | {title[name]: words for name, words in groups.items()}
    left = used_lists | {title[name]: words for name, words in used.items()}
    for name, words in everything.items():
        _enough(name, words, left[name], found, min_share)
    kept = [word for words in used_lists.values() for word in words]
    missing = {name: [word for word in words if word not in found] for name, words in everything.items()}
    report = {
        "words": left,
        "missing": {name: words for name, words in missing.items() if words},
        "unpaired": {title[name]: words for name, words in unpaired.items()},
        "duplicates": {title[name]: twice for name, words in used.items() if (twice := _twice(words))},
        "shared": _twice([word for words in used.values() for word in dict.fromkeys(words)]),
        "overlap": sorted(set(kept) & {word for words in used.values() for word in words}),
    }
    numbers = None if of_word is None else np.array([of_word[word] for word in kept])
    if metric.takes == "associations":
        return Query(*_associations(vectors, kept, used), numbers, report)
    groups = [np.stack([found[word] for word in words]) for words in used.values()]
    return Query(np.stack([found[word] for word in kept]), groups, numbers, report)


def index_by_name(what: str, pairs: Iterable[tuple[object, object]]) -> dict[str, object]:
    """Lists by their names, as texts. Raises ValueError, which begins with `what`, where two have the same name."""
    pairs = [(str(name), given) for name, given in pairs]
    if twice := _twice([name for name, _ in pairs]):
        raise ValueError(f"{what}: two lists have the name {twice[0]!r}; give each list a name of its own")
    return dict(pairs)


def check_pairs(metric: str, groups: list[np.ndarray]) -> None:
    """Raise ValueError unless groups (m_i, d) whose i-th words belong together are equally long."""
    sizes = [len(group) for group in groups]
    if len(set(sizes)) > 1:
        raise ValueError(
            f"{metric}: pairs the groups' i-th words, but the groups have {', '.join(map(str, sizes))} of them; give "
            "groups of equal length, or n_pairings=100 for the mean over as many random pairings"
        )


def _lists(targets: object, groups: object, labels: object) -> tuple[dict, dict]:
    """Lists of target words and of group words, by name."""
    if not isinstance(groups, Mapping):
        if not isinstance(groups, Sized) or len(groups):
            raise ValueError("groups: with vectors, a mapping group → words, such as {'female': ['she'], …}")
        groups = {}
    lists = _in_order(targets, groups, labels) if isinstance(targets, Mapping) else {"targets": targets}
    return tuple(
        index_by_name(what, ((name, _words(name, given)) for name, given in of.items()))
        for what, of in (("targets", lists), ("groups", groups))
    )


def _words(name: object, given: object) -> list[str]:
    """The words of a list; ValueError for what is none."""
    words = list(given) if isinstance(given, Iterable) and not isinstance(given, str) else [None]
    if not all(isinstance(word, str) for word in words):
        raise ValueError(f"{name}: with vectors, a list of words, not {given!r:.60}")
    return words


def _used(groups: dict, found: dict, paired: bool) -> tuple[dict, dict]:
    """Attribute words with a vector; where words belong together, all partners of a missing word go with it."""
    used = {name: [word for word in words if word in found] for name, words in groups.items()}
    if not paired or len({len(words) for words in groups.values()}) != 1:
        return used, {}
    whole = [all(word in found for word in words) for words in zip(*groups.values(), strict=True)]
    together = {name: [word for word, keep in zip(groups[name], whole, strict=True) if keep] for name in groups}
    lost = {name: [word for word in used[name] if word not in together[name]] for name in groups}
    return together, {name: words for name, words in lost.items() if words}


def _associations(vectors: object, words: list[str], groups: dict) -> tuple[np.ndarray, list[np.ndarray]]:
    """Lengths ‖e_w‖ and explicit values with each group's words."""
    if not isinstance(vectors, Embedding) or vectors.link is None:
        raise ValueError("vectors: the metric takes associations, which only an Embedding with context vectors has")
    with_norms = vectors if vectors.norms is not None else explicit_vectors.add_norms(vectors)
    norms = np.asarray(with_norms.norms[[vectors.index[word] for word in words]], np.float64)
    return norms, [explicit_vectors.explicit_values(vectors, vectors.rows(words), group) for group in groups.values()]


def _in_order(targets: Mapping, groups: Mapping, labels: object) -> dict[str, object]:
    """Lists of targets, which are the labels; in the order of the groups if they bear their names."""
    if labels is not None:
        raise ValueError("labels: targets in named lists have their labels from the lists; leave labels out")
    of_name = index_by_name("targets", targets.items())
    order = index_by_name("groups", groups.items())
    return {name: of_name[name] for name in (order if set(of_name) == set(order) else of_name)}


def _labels_of_lists(lists: dict[str, list[str]]) -> dict[str, int] | None:
    """Labels from the lists that words stand in; a single list says nothing."""
    if len(lists) == 1:
        return None
    return {word: number for number, words in enumerate(lists.values()) for word in words}


def _labels(wanted: list[str], labels: object) -> Mapping[str, int] | None:
    """Label of each target word, from labels by word or by position."""
    if labels is None:
        return None
    if isinstance(labels, Mapping):
        lacking = [word for word in wanted if word not in labels]
        if lacking:
            raise ValueError(f"labels: none for {', '.join(lacking[:5])}")
        return labels
    if len(labels) != len(wanted):
        raise ValueError(f"labels: {len(labels)} for {len(wanted)} targets; one label a target")
    return dict(zip(wanted, labels, strict=True))


def _enough(name: str, words: list[str], left: list[str], found: dict, min_share: float) -> None:
    """Raise ValueError if too few words of a list are left."""
    if not left or len(left) < min_share * len(words):
        lost = ", ".join([word for word in words if word not in found][:5]) or "partners of its words in other groups"
        raise ValueError(
            f"{name}: {len(left)} of {len(words)} words can be used, less than the share of {min_share} asked for; "
            f"missing: {lost if words else 'the list is empty'}"
        )


def _twice(words: list[str]) -> list[str]:
    return [word for word, count in Counter(words).items() if count > 1]


def _checked(name: str, rows: object, dimensions: int) -> np.ndarray:
    """An array of rows (n, d), or of lengths (n,), each of them finite and not zero, as float32 has them."""
    rows = arrays.as_array(name, rows)
    if rows.ndim != dimensions or not rows.size or rows.dtype.kind not in "fiu":
        needed = "rows of numbers (n, d)" if dimensions == 2 else "lengths (n,)"
        words = "; words need vectors=…" if rows.dtype.kind == "U" else ""
        raise ValueError(f"{name}: {needed}, not an array of {rows.dtype} of shape {rows.shape}{words}")
    rows = arrays.as_floats(rows)
    faults = {
        "not finite (NaN or infinite)": ~np.isfinite(rows),
        f"beyond {arrays.LARGEST:.1e}, the largest number of float32": np.abs(rows) > arrays.LARGEST,
        "zero vectors": np.abs(rows) < arrays.SMALLEST,
    }
    for what, bad in faults.items():
        bad = bad if rows.ndim == 1 else (bad.all(axis=1) if what == "zero vectors" else bad.any(axis=1))
        if bad.any():
            raise ValueError(f"{name}: rows that are {what}: {', '.join(map(str, np.flatnonzero(bad)[:5]))}")
    return rows
