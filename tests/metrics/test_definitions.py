"""Metrics of means and distances against their definition written plainly, and against peers."""

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.stats import spearmanr

from biassay.metrics import ect, gweat, mac, rnd, rnsb, second_order_cosine, second_order_nnd, weat
from tests.metrics.plain_formulas import case, cos, mean_of_units, s

SEEDS = range(4)


@pytest.mark.parametrize("seed", SEEDS)
def test_weat(seed):
    targets, (a, b), labels = case(seed)
    values = [s(w, a) - s(w, b) for w in targets]
    np.testing.assert_allclose(weat.word_bias(targets, [a, b]), values)
    x, y = ([value for value, label in zip(values, labels, strict=True) if label == side] for side in (0, 1))
    difference = sum(x) / 3 - sum(y) / 6
    squares = sum((value - sum(values) / 9) ** 2 for value in values)
    assert weat.set_bias(targets, [a, b], labels) == pytest.approx(difference / np.sqrt(squares / 9))
    assert weat.set_bias(targets, [a, b], labels, ddof=1) == pytest.approx(difference / np.sqrt(squares / 8))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("n", [2, 4])
def test_gweat(seed, n):
    targets, groups, _ = case(seed, n)
    labels = np.array([0, 1, 2, 3, 0, 0, 0, 1, 2]) % n
    x = [mean_of_units([w for w, label in zip(targets, labels, strict=True) if label == i]) for i in range(n)]
    a = [mean_of_units(group) for group in groups]
    expected = sum((x[i] - sum(x) / n) @ (a[i] - sum(a) / n) for i in range(n))
    assert gweat.set_bias(targets, groups, labels) == pytest.approx(expected)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("n", [1, 2, 3])
def test_mac(seed, n):
    targets, groups, _ = case(seed, n)
    values = [sum(sum(1 - cos(w, a) for a in group) / len(group) for group in groups) / n for w in targets]
    np.testing.assert_allclose(mac.word_bias(targets, groups), values)
    assert mac.set_bias(targets, groups) == pytest.approx(sum(values) / 9)


@pytest.mark.parametrize("seed", SEEDS)
def test_ect(seed):
    targets, groups, _ = case(seed)
    targets = np.concatenate([targets, 3 * targets[:2]])  # ties
    first, second = ([round(cos(w, sum(group) / len(group)), 12) for w in targets] for group in groups)
    rho = spearmanr(first, second).statistic
    assert ect.set_bias(targets, groups, raw=True) == pytest.approx(rho)
    assert ect.set_bias(targets, groups) == pytest.approx(1 - rho)


@pytest.mark.parametrize("seed", SEEDS)
def test_rnd(seed):
    targets, (a, b), _ = case(seed)
    units = [w / np.linalg.norm(w) for w in targets]
    values = [np.linalg.norm(mean_of_units(a) - w) - np.linalg.norm(mean_of_units(b) - w) for w in units]
    np.testing.assert_allclose(rnd.word_bias(targets, [a, b]), values)
    assert rnd.set_bias(targets, [a, b]) == pytest.approx(sum(values) / 9)


@pytest.mark.parametrize("c", [1, 5])
@pytest.mark.parametrize("n", [2, 3])
def test_rnsb(c, n):
    targets, groups, labels = case(c, n)

    def loss(solution):
        signs = np.where(labels == 1, 1, -1)
        margins = signs * (targets @ solution[:-1] + solution[-1])
        return solution[:-1] @ solution[:-1] / 2 + c * np.log1p(np.exp(-margins)).sum()

    found = minimize(loss, np.zeros(6), method="BFGS", options={"gtol": 1e-7}).x
    for per_word in (False, True):
        rows = np.concatenate(groups) if per_word else np.array([group.mean(axis=0) for group in groups])
        p = 1 / (1 + np.exp(-(rows @ found[:-1] + found[-1])))
        p = p / p.sum()
        expected = sum(share * np.log(share / (1 / len(p))) for share in p) / np.log(len(p))
        value = rnsb.set_bias(targets, groups, labels, per_word=per_word, c=c)
        assert value == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("seed", SEEDS)
def test_second_order_factors(seed):
    targets, (f, m), _ = case(seed)
    v_f, v_m = f.sum(axis=0) / 3, m.sum(axis=0) / 5
    np.testing.assert_allclose(
        second_order_cosine.word_bias(targets, [f, m]), [cos(w, v_f) - cos(w, v_m) for w in targets]
    )
    far = [[np.linalg.norm(w / np.linalg.norm(w) - v / np.linalg.norm(v)) for v in (v_f, v_m)] for w in targets]
    np.testing.assert_allclose(second_order_nnd.word_bias(targets, [f, m]), [b - a for a, b in far])
