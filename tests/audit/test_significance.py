"""The false-positive rate of the tests, and the detection of a planted association."""

import numpy as np

from biassay.auditing.findings import FOUND, classify
from biassay.auditing.scoring import Settings, score
from biassay.measurement import metric as metrics
from tests.audit.example_vectors import question, used, vectors
from tests.audit.test_chance import FIT, ONE_STEP


def test_random_vectors_are_significant_in_no_more_than_one_case_in_twenty(monkeypatch):
    example = question(paired=True)
    settings = Settings(permutations=79, resamples=0, random_words=0, shuffles=2)
    monkeypatch.setattr("biassay.auditing.scoring.silhouettes", lambda *arguments: ([], {}))
    is_low = {name: [] for name in FIT}
    for seed in range(40):
        source = vectors(example, 0.0, seed=seed, pool=0)
        for name in FIT:
            (row,) = score(name, metrics.load(name), used(example, source), source, settings).rows
            is_low[name] += [] if np.isnan(row["p"]) else [row["p"] <= 0.05]
    shares = {name: np.mean(is_significant) for name, is_significant in is_low.items() if is_significant}
    assert np.mean(list(shares.values())) < 0.075
    assert max(shares.values()) <= 0.15  # 6 of 40: more has a chance of .003 at 5 %


def test_a_planted_association_is_found_with_its_direction():
    example = question(paired=True)
    source = vectors(example, 2.5)
    rows = {name: score(name, metrics.load(name), used(example, source), source, ONE_STEP).rows[0]
            for name in ("gweat", "rnsb", "second_order_cosine", "weat")}  # fmt: skip
    weat = rows.pop("weat")
    for name, row in rows.items():
        assert classify(row["p"], row["p_random"], row["value"]) == FOUND, name
        assert row["ci_low"] <= row["value"] <= row["ci_high"] or name == "rnsb"
        assert row["min_detectable_effect"] < abs(row["value"])
        assert row["direction"] == ("" if name == "rnsb" else "her nearer care")
    assert weat["p"] < 0.001
    assert weat["direction"] == "her nearer care"
    assert weat["random_q95"] > 1.5  # where groups are so far apart, d is near its bound for any two lists
