"""Rates of audits with any finding, on vectors with and without an association."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binomtest

from biassay.auditing import findings, scoring
from biassay.measurement import metric as metrics
from tests.audit.example_vectors import question, used, vectors

METRICS = ["gweat", "mac", "ripa", "same", "same_skew", "weat"]  # fast ones


@pytest.fixture(autouse=True)
def _no_silhouettes(monkeypatch):
    monkeypatch.setattr(scoring, "silhouettes", lambda *arguments: (pd.DataFrame(), {}))


def audit(example, source):
    """The table of metrics of an audit with one test."""
    settings = scoring.Settings(permutations=99, resamples=0, random_words=99)
    words = used(example, source)
    scores = [scoring.score(name, metrics.load(name), words, source, settings) for name in METRICS]
    rows = [{"test": "ours", "reason": ""} | row for score in scores for row in score.rows]
    return findings.add_findings(pd.DataFrame(rows))


def count_found(strength, n):
    """Count audits with any metric found, in which random words are the targets and are moved towards the groups.

    The groups lie apart, so permuted groups alone often find an association with random words.
    """
    n_found = 0
    example = question(paired=True)
    for seed in range(n):
        source = vectors(example, 1.2, seed=seed, pool=400)
        random = np.random.default_rng(seed)
        others = random.permutation(source.pool)
        lists = {name: others[8 * place :][:8].tolist() for place, name in enumerate(("care", "craft"))}
        for name, sign in (("care", strength), ("craft", -strength)):
            for word in lists[name]:
                source.rows[word] = source.rows[word] + sign * np.eye(12)[0]
        used = {word for words in lists.values() for word in words}
        source = replace(source, pool=[word for word in source.pool if word not in used])
        table = audit(replace(example, targets=lists), source)
        n_found += (table["finding"] == findings.FOUND).any()
    return n_found


def test_random_words_as_targets_are_found_in_no_more_than_one_audit_in_twenty():
    n_found = count_found(0.0, 60)
    assert binomtest(n_found, 60).proportion_ci(0.99).low <= 0.05


def test_planted_targets_are_found_in_most_audits():
    n_found = count_found(2.0, 20)
    assert binomtest(n_found, 20).proportion_ci(0.99).low > 0.5
