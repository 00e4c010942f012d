"""Inputs of a metric: arrays of targets and groups, from arrays or from words and their vectors."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sized
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

import numpy as np
import pandas as pd

from biassay.core import arrays
from biassay.measurement.metric import Metric
from biassay.vectors import explicit_vectors, lookup
from biassay.vectors.embedding import Embedding

ZERO_VECTORS = "zero vectors"


@dataclass(frozen=True)
class Query:
    """Targets (n, d), groups (m_i, d), labels (n,) or None, and a report of used and missing words."""

    targets: np.ndarray
    groups: list[np.ndarray]
    labels: np.ndarray | None
    report: dict = field(default_factory=dict)


def from_arrays(metric: Metric, targets: object, groups: object, labels: object) -> Query:
    """Check arrays: targets (n, d), or norms (n,) for associations. A mapping of targets defines the labels."""
    if not isinstance(groups, Iterable):
        raise ValueError(f"groups: expected a list or a mapping of arrays (m, d), got {groups!r:.60}")
    groups = index_by_name("groups", groups.items() if isinstance(groups, Mapping) else enumerate(groups))
    if isinstance(targets, Mapping):
        lists = _index_lists(targets, labels)
        sizes = [len(rows) for rows in lists.values()]
        labels = np.repeat(_label_lists(lists, groups), sizes) if len(lists) > 1 else None
        targets = np.concatenate([arrays.as_array(f"targets {name}", rows) for name, rows in lists.items()])
    targets = _check_rows("targets", targets, 1 if metric.takes == "associations" else 2)
    are_norms = targets.ndim == 1
    checked = [_check_rows(f"groups {name}", rows, 2, with_zeros=are_norms) for name, rows in groups.items()]
    axis, unit, expected = (0, "rows", len(targets)) if are_norms else (1, "dimensions", targets.shape[1])
    for name, rows in zip(groups, checked, strict=True):
        if rows.shape[axis] != expected:
            raise ValueError(f"groups {name}: expected {expected} {unit}, as in targets, got {rows.shape[axis]}")
    if metric.paired:
        _check_pairs(checked)
    return Query(targets, checked, None if labels is None else arrays.as_array("labels", labels))


def from_words(
    metric: Metric, targets: object, groups: object, labels: object, vectors: object, min_share: float
) -> Query:
    """Look up the vectors of words; drop and report words without one, in the same way for all metrics."""
    lists, groups = _read_lists(targets, groups, labels)
    if metric.paired:
        _check_pairs(groups.values())
    target_words = list(chain(*lists.values()))
    if repeated := _find_repeated(target_words):
        raise ValueError(f"targets: expected every word once, got duplicates: {', '.join(repeated[:5])}")
    label_of = _read_labels(lists, groups, labels)
    if isinstance(vectors, str | Path):
        vectors = lookup.open_embedding(vectors) or vectors
    vector_of = lookup.find_vectors(vectors, [*target_words, *chain(*groups.values())])
    used_lists = {name: [word for word in words if word in vector_of] for name, words in lists.items()}
    used_groups, unpaired = _select_group_words(groups, vector_of, metric.paired)
    title = {name: f"groups {name}" if name in lists else name for name in groups}
    all_lists = lists | {title[name]: words for name, words in groups.items()}
    used = used_lists | {title[name]: words for name, words in used_groups.items()}
    for name, words in all_lists.items():
        _check_share(name, words, used[name], vector_of, min_share)
    used_targets = list(chain(*used_lists.values()))
    missing = {name: [word for word in words if word not in vector_of] for name, words in all_lists.items()}
    duplicates = {title[name]: _find_repeated(words) for name, words in used_groups.items()}
    report = {
        "words": used,
        "missing": {name: words for name, words in missing.items() if words},
        "unpaired": {title[name]: words for name, words in unpaired.items()},
        "duplicates": {name: words for name, words in duplicates.items() if words},
        "shared": _find_repeated(chain(*map(dict.fromkeys, used_groups.values()))),
        "overlap": sorted(set(used_targets) & set(chain(*used_groups.values()))),
    }
    used_labels = None if label_of is None else np.array([label_of[word] for word in used_targets])
    if metric.takes == "associations":
        return Query(*_compute_associations(vectors, used_targets, used_groups), used_labels, report)
    groups = [np.stack([vector_of[word] for word in words]) for words in used_groups.values()]
    return Query(np.stack([vector_of[word] for word in used_targets]), groups, used_labels, report)


def index_by_name(argument: str, pairs: Iterable[tuple[object, object]]) -> dict[str, object]:
    """Index lists by their names as texts; raise ValueError, which names the argument, if two names are equal."""
    pairs = [(str(name), values) for name, values in pairs]
    if repeated := _find_repeated([name for name, _ in pairs]):
        raise ValueError(f"{argument}: expected a different name for each list, got {repeated[0]!r} twice")
    return dict(pairs)


def _check_pairs(groups: Iterable[Sized]) -> None:
    """Raise ValueError unless groups as given, whose i-th words belong together, have equal lengths."""
    sizes = [len(group) for group in groups]
    if len(set(sizes)) > 1:
        raise ValueError(
            "groups: expected equal lengths, because the i-th words form pairs, got "
            f"{', '.join(map(str, sizes))}; use groups of equal length, or n_pairings=100 for random pairings"
        )


def _read_lists(targets: object, groups: object, labels: object) -> tuple[dict, dict]:
    """Read lists of target words and of group words by name."""
    if not isinstance(groups, Mapping):
        if not isinstance(groups, Sized) or len(groups):
            raise ValueError("groups: with vectors, expected a mapping of groups to words, as {'female': ['she'], …}")
        groups = {}
    lists = _index_lists(targets, labels) if isinstance(targets, Mapping) else {"targets": targets}
    return tuple(
        index_by_name(argument, ((name, _read_words(name, words)) for name, words in by_name.items()))
        for argument, by_name in (("targets", lists), ("groups", groups))
    )


def _read_words(name: object, values: object) -> list[str]:
    is_list = isinstance(values, Iterable) and not isinstance(values, str | set | frozenset)  # a set has no order
    words = list(values) if is_list else [None]
    if not all(isinstance(word, str) for word in words):
        raise ValueError(f"{name}: with vectors, expected a list of words, got {values!r:.60}")
    return words


def _select_group_words(groups: dict, vector_of: dict, paired: bool) -> tuple[dict, dict]:
    """Select group words with a vector, and list those dropped because a partner is missing."""
    used = {name: [word for word in words if word in vector_of] for name, words in groups.items()}
    if not paired:
        return used, {}
    complete = [all(word in vector_of for word in words) for words in zip(*groups.values(), strict=True)]
    together = {name: [word for word, keep in zip(groups[name], complete, strict=True) if keep] for name in groups}
    dropped = {
        name: [word for word, keep in zip(groups[name], complete, strict=True) if not keep and word in vector_of]
        for name in groups
    }
    return together, {name: words for name, words in dropped.items() if words}


def _compute_associations(vectors: object, words: list[str], groups: dict) -> tuple[np.ndarray, list[np.ndarray]]:
    """Compute norms ‖e_w‖ and explicit values with each group's words."""
    if not isinstance(vectors, Embedding) or vectors.link is None:
        raise ValueError("vectors: this metric takes associations; expected an Embedding with context vectors")
    with_norms = vectors if vectors.norms is not None else explicit_vectors.add_norms(vectors)
    norms = np.asarray(with_norms.norms[[vectors.index[word] for word in words]], np.float64)
    return norms, [explicit_vectors.explicit_values(vectors, vectors.rows(words), group) for group in groups.values()]


def _index_lists(targets: Mapping, labels: object) -> dict[str, object]:
    """Index named lists of targets by their names as texts."""
    if labels is not None:
        raise ValueError("labels: the named lists of targets define the labels; omit this argument")
    if not targets:
        raise ValueError("targets: the mapping has no lists")
    return index_by_name("targets", targets.items())


def _label_lists(lists: dict, groups: dict) -> list[int]:
    """Return the label of each list: the number of the group of its name if the names are the same, or its own."""
    names = list(groups if set(lists) == set(groups) else lists)
    return [names.index(name) for name in lists]


def _read_labels(lists: dict[str, list[str]], groups: dict, labels: object) -> Mapping[str, int] | None:
    """Return the label of each target word: that of its list, or from labels by word or by position."""
    if len(lists) > 1:
        by_list = zip(_label_lists(lists, groups), lists.values(), strict=True)
        return {word: label for label, words in by_list for word in words}
    if labels is None:
        return None
    if isinstance(labels, str | set | frozenset) or not isinstance(labels, Iterable):
        raise ValueError(f"labels: expected a list, or a mapping of words to labels, got {labels!r:.60}")
    target_words = list(chain(*lists.values()))
    if isinstance(labels, pd.Series) and not isinstance(labels.index, pd.RangeIndex):
        labels = labels.to_dict()
    if isinstance(labels, Mapping):
        unlabelled = [word for word in target_words if word not in labels]
        if unlabelled:
            raise ValueError(f"labels: expected a label for every target, got none for {', '.join(unlabelled[:5])}")
        return labels
    labels = list(labels)
    if len(labels) != len(target_words):
        raise ValueError(f"labels: expected one per target, {len(target_words)}, got {len(labels)}")
    return dict(zip(target_words, labels, strict=True))


def _check_share(name: str, words: list[str], used: list[str], vector_of: dict, min_share: float) -> None:
    """Raise ValueError if too few words of a list can be used."""
    if not used or len(used) < min_share * len(words):
        missing = ", ".join([word for word in words if word not in vector_of][:5]) or "partners in other groups"
        raise ValueError(
            f"{name}: {len(used)} of {len(words)} words can be used; expected a share of at least {min_share} and one "
            f"word; missing: {missing if words else 'the list is empty'}"
        )


def _find_repeated(words: Iterable[str]) -> list[str]:
    return [word for word, count in Counter(words).items() if count > 1]


def _check_rows(name: str, rows: object, n_axes: int, *, with_zeros: bool = False) -> np.ndarray:
    """Check an array of rows (n, d) or norms (n,): numbers that are finite and, unless allowed, not zero in float32."""
    rows = arrays.as_array(name, rows)
    if rows.ndim != n_axes or not rows.size or rows.dtype.kind not in "fiu":
        expected = "rows of numbers (n, d)" if n_axes == 2 else "norms (n,)"
        advice = "; words need vectors=…" if rows.dtype.kind == "U" else ""
        raise ValueError(f"{name}: expected {expected}, got an array of {rows.dtype} of shape {rows.shape}{advice}")
    rows = arrays.as_floats(rows)
    faults = {
        "values that are not finite (NaN or infinite)": ~np.isfinite(rows),
        f"values beyond {arrays.LARGEST:.1e}, the largest float32": np.abs(rows) > arrays.LARGEST,
        ZERO_VECTORS: (np.abs(rows) < arrays.SMALLEST) & (not with_zeros),
    }
    if n_axes == 1:
        faults["norms below 0"] = rows < 0
    for fault, bad in faults.items():
        bad = bad if rows.ndim == 1 else (bad.all(axis=1) if fault == ZERO_VECTORS else bad.any(axis=1))
        if bad.any():
            raise ValueError(f"{name}: {fault} in rows {', '.join(map(str, np.flatnonzero(bad)[:5]))}")
    return rows
