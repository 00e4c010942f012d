"""The study's table of how metrics rank models, through the script, against plain loops over pairs of models."""

import numpy as np
import pandas as pd
import pytest

from biassay.statistics.paired_tests import correct_holm
from biassay.studies.downstream import ranking as rankings
from scripts.downstream import rank
from tests.downstream import study

close = pytest.approx


def pairs_of(bias):
    """Who is below and who is above, in plain loops."""
    known = [b for b in bias.values() if np.isfinite(b)]
    low, high = np.mean(known) - np.std(known), np.mean(known) + np.std(known)
    return [(i, j) for i, a in bias.items() for j, b in bias.items() if a < low and b > high]


def right(pairs, score):
    """Ties count half; what debiasing leaves is rounding."""
    ties = [abs(score[j] - score[i]) < 1e-12 for i, j in pairs]
    return (
        np.mean([0.5 if tie else score[j] > score[i] for tie, (i, j) in zip(ties, pairs, strict=True)])
        if pairs
        else np.nan
    )


@pytest.mark.parametrize("metric", study.METRICS)
def test_ranking_by_bias_downstream(made, metric):
    ranking, bias = made[1]["ranking"], made[1]["bias"]
    scores = made[1]["scores"]
    scores = scores[(scores["metric"] == metric) & (scores["level"] == "set")]
    rows = ranking[(ranking["ground_truth"] == "downstream") & (ranking["score"] == metric)]
    assert len(rows) == (5 if metric == "weat" else 10)
    for row in rows.itertuples():
        of = scores[(scores["set"] == row.set) & (scores["attribute"] == row.attribute)
                    & (scores["version"] == row.version)]  # fmt: skip
        of = of[(of["group_words"] == row.group_words) | (of["n_directions"] == 0)]
        score = {(s.model, s.n_directions): abs(s.value) for s in of.itertuples()}
        of = bias[(bias["set"] == row.set) & (bias["attribute"] == row.attribute) & (bias["version"] == row.version)]
        known = {(b.model, b.n_directions): b.bias if b.is_valid else np.nan for b in of.itertuples()}
        pairs = pairs_of(known)
        assert row.n_pairs == len(pairs)
        undefined = any(np.isnan(score[case]) for pair in pairs for case in pair)
        assert row.ranking_accuracy == close(np.nan if undefined else right(pairs, score), nan_ok=True, rel=1e-5)
        assert (row.n_low_bias, row.n_high_bias) == (len({i for i, _ in pairs}), len({j for _, j in pairs}))
        assert row.n_cases == sum(map(np.isfinite, known.values()))
        assert row.n_models == len({model for (model, _), b in known.items() if np.isfinite(b)})


def test_ranking_by_planted_strength(made):
    ranking, bias, scores = (made[1][name] for name in ("ranking", "bias", "scores"))
    strength = dict(zip(study.UNITS["planted"], study.STRENGTHS, strict=True))
    rows = ranking[ranking["ground_truth"] == "planted"]
    assert (rows["group_words"] == "raw").all()
    assert rows["score"].value_counts().to_dict() == {"same": 6, "weat": 3, "gweat": 6, "direct_bias": 6,
                                                      "direct_bias_1": 6, "downstream": 6}  # fmt: skip
    for row in rows.itertuples():
        keys = {"set": row.set, "attribute": row.attribute, "version": row.version, "n_directions": 0}
        table = (
            bias[bias["is_valid"]]
            if row.score == "downstream"
            else scores[(scores["metric"] == row.score) & (scores["level"] == "set") & (scores["group_words"] == "raw")]
        )
        for key, chosen in keys.items():
            table = table[table[key] == chosen]
        values = table.set_index("model")["bias" if row.score == "downstream" else "value"].abs().to_dict()
        used = [name for name in strength if name in values]
        pairs = [(i, j) for i in used for j in used if strength[i] < strength[j]]
        lacks = row.score == "downstream" and row.set != "sentences"  # the classifier of one does not count
        assert row.n_pairs == len(pairs) == (8 if lacks else 12)
        assert row.ranking_accuracy == close(right(pairs, values), rel=1e-5)


def test_corrected_p_and_published_values(made):
    table = made[1]["ranking"]
    for _, of in table.groupby("ground_truth"):
        np.testing.assert_allclose(of["p_holm"], correct_holm(of["p"].to_numpy()), rtol=1e-4)
    known = table.dropna(subset="published")
    found = {
        (row.ground_truth, row.set, row.attribute, row.version, row.score, row.published) for row in known.itertuples()
    }
    assert found == {
        ("downstream", "biographies", "gender", "scrubbed", "same", 0.66),
        ("downstream", "comments", "race", "scrubbed", "direct_bias", 0.36),
        ("downstream", "sentences", "gender", "", "weat", 1.0),
    }


# accuracy and p of a test, by whether bias was planted and the score that all models have; 5 and 6 are bias downstream
TESTED = {
    (False, 1): (0.9, 0.01), (False, 2): (0.6, 0.04), (False, 3): (0.9, 0.03), (False, 4): (0.8, np.nan),
    (True, 1): (0.2, 0.02), (True, 2): (0.8, 0.5), (True, 3): (0.9, 0.2), (True, 4): (np.nan, np.nan),
    (True, 5): (1.0, 0.001), (True, 6): (0.7, 0.1),
}  # fmt: skip


def test_p_is_corrected_within_a_kind_of_bias_and_ranks_are_within_a_set(tmp_path, monkeypatch):
    """Holm's p on paper: 3 tests of bias downstream, whatever the set, and 5 of planted bias; the most accurate is 1st.

    What is debiased, or of models without planted bias, has no part in the rankings by planted bias.
    """
    models = pd.DataFrame({"name": list("abc"), "strength": [0, 1, np.nan]})
    cases = pd.DataFrame([("gender", "scrubbed", name, model, k) for k in (0, 1) for name in ("bios", "web")
                          for model in "cba"],
                         columns=["attribute", "version", "set", "model", "n_directions"])  # fmt: skip
    web = cases["set"] == "web"
    bias = cases.assign(bias=np.where(cases["n_directions"] == 1, 90, 5 + web), is_valid=True)
    bias.to_csv(tmp_path / "bias.csv", index=False)
    for metric, first in (("same", 1), ("mac", 3)):
        scores = cases.assign(group_words="raw", level="set", value=first + web, **{"class": ""})
        scores.to_csv(tmp_path / f"{metric}.csv", index=False)
    models.to_csv(tmp_path / "models.csv", index=False)
    (tmp_path / "published.csv").write_text(study.PUBLISHED)
    given = []

    def evaluate(scores, bias, known, n_resamples, *, seed):
        given.append((known, scores.shape, bias.ravel().tolist(), n_resamples, seed))
        accuracy, p = TESTED[known, int(scores[0, 0])]
        return {"ranking_accuracy": accuracy, "p": p, "n_pairs": 1}

    monkeypatch.setattr(rankings, "evaluate_ranking", evaluate)
    paths = {name: str(tmp_path / f"{name}.csv") for name in ("models", "bias", "published", "same", "mac", "out")}
    scores, sources = {name: paths[name] for name in ("same", "mac")}, {"bios": "bios", "web": "generated"}
    rank.main(paths["models"], paths["bias"], scores, paths["published"], sources, 30, 7, paths["out"])
    table = pd.read_csv(paths["out"]).set_index(["ground_truth", "score", "set"])
    found = {key: [row["p_holm"], row["rank"]] for key, row in table.iterrows()}
    assert found == {
        ("downstream", "same", "bios"): [0.03, 1], ("downstream", "same", "web"): [0.06, 2],
        ("downstream", "mac", "bios"): [0.06, 1], ("downstream", "mac", "web"): close([np.nan, 1], nan_ok=True),
        ("planted", "same", "bios"): [0.08, 3], ("planted", "same", "web"): [0.5, 1],
        ("planted", "mac", "bios"): [0.4, 2], ("planted", "mac", "web"): close([np.nan] * 2, nan_ok=True),
        ("planted", "downstream", "bios"): [0.005, 1], ("planted", "downstream", "web"): [0.3, 2],
    }  # fmt: skip
    assert table["published"].dropna().to_dict() == {("downstream", "same", "bios"): 0.66}
    assert [of for of in given if of[0]] == [(True, (2, 1), [1, 0], 30, 7)] * 6  # in the scores b is before a
    downstream = [of for of in given if not of[0]]
    assert downstream == [(False, (3, 2), [value, 90] * 3, 30, 7) for value in (5, 6)] * 2
