"""Metrics' parts written plainly, for tests that compare: loops over words, other decompositions."""

import numpy as np


def case(seed, n_groups=2, d=5):
    """Targets, groups of unequal size, labels in unequal shares; words of all lengths."""
    random = np.random.default_rng(seed)
    targets = random.standard_normal((9, d)) * random.uniform(0.2, 5, (9, 1))
    groups = [random.standard_normal((3 + 2 * i, d)) * random.uniform(0.2, 5, (3 + 2 * i, 1)) for i in range(n_groups)]
    return targets, groups, np.array([0, 1, 1, 0, 1, 1, 0, 1, 1])


def cos(v, w):
    return (v @ w) / np.sqrt((v @ v) * (w @ w))


def s(w, group):
    return sum(cos(w, a) for a in group) / len(group)


def mean_of_units(rows):
    return sum(row / np.sqrt(row @ row) for row in rows) / len(rows)


def same_direction(first, second):
    difference = mean_of_units(first) - mean_of_units(second)
    return difference / np.sqrt(difference @ difference)


def components(groups, k):
    """Eigenvectors of the scatter of the centred defining sets, the largest first; words without a partner left out."""
    scatter = np.zeros((groups[0].shape[1],) * 2)
    for i in range(max(map(len, groups))):
        words = [group[i] / np.linalg.norm(group[i]) for group in groups if i < len(group)]
        if len(words) > 1:
            for word in words:
                scatter += np.outer(word - np.mean(words, axis=0), word - np.mean(words, axis=0))
    return np.linalg.eigh(scatter)[1].T[::-1][:k]
