"""The set-level value of every metric (word-level values if there is none), as plain loops of the formula.

A loop over targets and group words, of float64 arrays: `name(targets, groups, labels)`. `benchmarks/metrics.py`
times the metrics against these and asserts that the values are the same.
"""

from itertools import combinations

import numpy as np


def unit(v):
    return v / np.linalg.norm(v)


def cosine(v, w):
    return v @ w / (np.linalg.norm(v) * np.linalg.norm(w))


def s(w, group):
    return np.mean([cosine(w, a) for a in group])


def parts(values, labels):
    return [[value for value, label in zip(values, labels, strict=True) if label == i] for i in range(max(labels) + 1)]


def weat(targets, groups, labels):
    values = [s(w, groups[0]) - s(w, groups[1]) for w in targets]
    x, y = parts(values, labels)
    return (np.mean(x) - np.mean(y)) / np.std(values)


def weat_p_value(targets, groups, labels, draws=10_000):
    """Loop over random partitions; associations are computed once."""
    values = np.array([s(w, groups[0]) - s(w, groups[1]) for w in targets])
    x, y = parts(values, labels)
    random, reached = np.random.default_rng(1), 0
    for _ in range(draws):
        drawn = random.permutation(values)
        reached += drawn[: len(x)].mean() - drawn[len(x) :].mean() >= np.mean(x) - np.mean(y)
    return (reached + 1) / (draws + 1)


def gweat(targets, groups, labels):
    means = np.array([[np.mean([s(w, group) for w in part]) for group in groups] for part in parts(targets, labels)])
    return np.trace(means) - means.sum() / len(means)  # eq 3 with the products of differences multiplied out


def mac(targets, groups, labels):
    return np.mean([[np.mean([1 - cosine(w, a) for a in group]) for group in groups] for w in targets])


def components(groups):
    """Compute the principal components of the centred defining sets."""
    rows = []
    for words in zip(*groups, strict=True):
        units = [unit(word) for word in words]
        rows += [u - np.mean(units, axis=0) for u in units]
    return np.linalg.svd(np.array(rows), full_matrices=False)[2]


def direct_bias(targets, groups, labels):
    basis = components(groups)[: len(groups) - 1]
    return np.mean([np.sqrt(sum(cosine(w, b) ** 2 for b in basis)) for w in targets])


def ripa(targets, groups, labels):
    direction = components(groups)[0]
    return np.mean([abs(w @ direction) for w in targets])


def a_hat(group):
    return np.mean([unit(a) for a in group], axis=0)


def same(targets, groups, labels):
    means, basis = [a_hat(group) for group in groups], []
    for mean in means[1:]:
        rest = mean - means[0]
        for b in basis:
            rest = rest - (rest @ b) * b
        basis.append(unit(rest))
    return np.mean([np.sqrt(sum(cosine(w, b) ** 2 for b in basis)) for w in targets])


def signed(targets, groups):
    """Compute signed SAME values for every pair of groups."""
    pairs = combinations([a_hat(group) for group in groups], 2)
    return [[cosine(w, first - second) for w in targets] for first, second in pairs]


def same_skew(targets, groups, labels):
    values = [np.mean(pair) for pair in signed(targets, groups)]
    return values[0] if len(groups) == 2 else np.mean(np.abs(values))


def same_stereotype(targets, groups, labels):
    return np.mean([np.std(pair) for pair in signed(targets, groups)])


def ect(targets, groups, labels):
    from scipy.stats import spearmanr

    first, second = ([cosine(w, np.mean(group, axis=0)) for w in targets] for group in groups)
    return 1 - spearmanr(first, second).statistic


def rnd(targets, groups, labels):
    first, second = (a_hat(group) for group in groups)
    return np.mean([np.linalg.norm(first - unit(w)) - np.linalg.norm(second - unit(w)) for w in targets])


def rnsb(targets, groups, labels):
    from sklearn.linear_model import LogisticRegression

    classifier = LogisticRegression(tol=1e-10, max_iter=100_000).fit(targets, labels)
    negative = np.array([classifier.predict_proba([np.mean(group, axis=0)])[0, 1] for group in groups])
    shares = negative / negative.sum()
    return sum(p * np.log(p * len(shares)) for p in shares) / np.log(len(shares))


def clustering(targets, groups, labels):
    from sklearn.cluster import KMeans

    found = KMeans(2, n_init=10, random_state=1).fit_predict(np.array([unit(w) for w in targets]))
    return max(np.mean(found == labels), np.mean(found != labels))


def classification(targets, groups, labels):
    from sklearn.model_selection import StratifiedKFold, cross_val_predict
    from sklearn.svm import SVC

    rows = np.array([unit(w) for w in targets])
    folds = StratifiedKFold(5, shuffle=True, random_state=1)
    return np.mean(cross_val_predict(SVC(gamma=1 / rows.var(axis=0).sum()), rows, labels, cv=folds) == labels)


def neighbours(targets, groups, labels, n_neighbors=100):
    shares = []
    for i, w in enumerate(targets):
        others = sorted((j for j in range(len(targets)) if j != i), key=lambda j: -cosine(w, targets[j]))
        shares.append(np.mean([labels[j] == labels[i] for j in others[:n_neighbors]]))
    return np.mean(shares)


def first_order(targets, groups, labels):
    first, second = groups
    return [sum(first[i]) / targets[i] - sum(second[i]) / targets[i] for i in range(len(targets))]


def second_order_cosine(targets, groups, labels):
    first, second = (np.mean(group, axis=0) for group in groups)
    return [cosine(w, first) - cosine(w, second) for w in targets]


def second_order_nnd(targets, groups, labels):
    first, second = (unit(np.mean(group, axis=0)) for group in groups)
    return [np.linalg.norm(second - unit(w)) - np.linalg.norm(first - unit(w)) for w in targets]
