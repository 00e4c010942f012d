"""Every cell of the tables of words, recomputed from models, bias and scores with plain loops."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest

from tests.intrinsic import believable, study
from tests.intrinsic.study import close, correlation, distributions, probabilities, words
from tests.same.study import flat, flipped, holm, interval

NAMES = {
    attribute: [
        "data",
        "unmasking",
        *(name for name in believable.METRICS if attribute in believable.WORDS.get(name, [])),
    ]
    for attribute in believable.GROUPS
}


def absolute(found, attribute, name, model):
    """Scores of occupations as they are compared with divergences."""
    signed = attribute in believable.SIGNED.get(name, [])
    return {word: abs(value) if signed else value for word, value in words(found, attribute, name, model).items()}


def of_models(found, attribute, first, second):
    """r by distribution, a list of models' that have one, over the absolute values of scores with a sign."""
    rows = []
    for models in distributions(found).values():
        r = [correlation(*(absolute(found, attribute, name, model) for name in (first, second)))
             for model in models]  # fmt: skip
        rows.append([value for value in r if not np.isnan(value)])
    return rows


def check(row, clusters):
    """A row of a table of means of r, by r of the models of each distribution."""
    clusters = [cluster for cluster in clusters if cluster]
    r = flat(clusters)
    assert row["models"] == len(r)
    assert [row["r_mean"], row["r_std"]] == [close(np.mean(r)), close(np.std(r, ddof=1))]
    assert [row["low"], row["high"]] == close(interval(clusters, np.mean))


def test_words(made):
    _, found = made
    pairs = [(attribute, *pair) for attribute, names in NAMES.items() for pair in combinations(names, 2)]
    table = found["words"]
    assert list(zip(table["attribute"], table["first"], table["second"], strict=True)) == pairs
    for (_, row), (attribute, first, second) in zip(table.iterrows(), pairs, strict=True):
        check(row, of_models(found, attribute, first, second))
    assert set(table["n"]) == {len(believable.OCCUPATIONS)}
    models = table.set_index(["attribute", "first", "second"])["models"]
    assert models["gender", "data", "weat"] == 12
    assert models["gender", "data", "mac"] == models["gender", "data", "same"] == 11  # one without values, one constant


def test_correlations_of_models(made):
    _, found = made
    table = found["correlations"]
    assert len(table) == 12 * len(found["words"])
    by_model = found["models"].set_index("model")["distribution"]
    assert (table["distribution"] == table["model"].map(by_model)).all()
    keys = table.set_index(["attribute", "first", "second", "model"])
    missing = keys.loc[("gender", "unmasking", "weat", 3)]
    assert missing["n"] == len(believable.OCCUPATIONS) - 1
    first, second = (absolute(found, "gender", name, 3) for name in ("unmasking", "weat"))
    assert missing["r"] == close(correlation(first, second))
    assert np.isnan(keys.loc[("religion", "data", "same", 6), "r"])
    assert keys.loc[("religion", "data", "mac", 4), "n"] == 0


def test_signs_are_compared_with_the_first_group(made):
    _, found = made
    table = found["signs"]
    order = [("data", "unmasking"), ("data", "weat"), ("data", "same"), ("unmasking", "weat"), ("unmasking", "same")]
    assert list(zip(table["first"], table["second"], strict=True)) == order
    assert set(table["attribute"]) == {"gender"}

    def values(name, model):
        if name in ("data", "unmasking"):
            return {word: p[0] for word, p in probabilities(found, model, "gender", name).items()}
        return words(found, "gender", name, model)

    for _, row in table.iterrows():
        r = [[correlation(values(row["first"], model), values(row["second"], model)) for model in models]
             for models in distributions(found).values()]  # fmt: skip
        check(row, [[value for value in of if not np.isnan(value)] for of in r])
    assert table["r_mean"].min() > 0.5  # scores are positive towards male, which stands first


def test_comparisons(made):
    _, found = made
    table = found["comparisons"]
    families = [(attribute, ground_truth) for attribute in NAMES for ground_truth in ("data", "unmasking")]
    assert list(table[["attribute", "against"]].drop_duplicates().itertuples(index=False, name=None)) == families
    for attribute, against in families:
        tests = table[(table["attribute"] == attribute) & (table["against"] == against)]
        assert list(zip(tests["first"], tests["second"], strict=True)) == list(combinations(NAMES[attribute][2:], 2))
        expected = []
        for _, row in tests.iterrows():
            clusters = differences(found, attribute, against, row["first"], row["second"])
            all_of = flat(clusters)
            assert [row["n"], row["clusters"]] == [len(all_of), len(clusters)]
            assert row["difference"] == close(np.mean(all_of))
            assert [row["low"], row["high"]] == close(interval(clusters, np.mean, n_resamples=9999))
            expected.append(flipped(clusters))
        np.testing.assert_allclose(tests["p"], expected, rtol=1e-5)
        np.testing.assert_allclose(tests["p_holm"], holm(expected), rtol=1e-5)


def differences(found, attribute, against, first, second):
    """Differences of r, of the models of each distribution that have both."""
    rows = []
    for models in distributions(found).values():
        of = []
        for model in models:
            ground_truth = words(found, attribute, against, model)
            r = [correlation(ground_truth, absolute(found, attribute, name, model)) for name in (first, second)]
            of += [r[0] - r[1]] if not np.isnan(r).any() else []
        rows += [of] if of else []
    return rows


def test_four_distributions_have_no_intervals(tmp_path):
    believable.write(tmp_path, distributions=4)
    paths = study.tabulate(tmp_path)
    for name in ("words", "signs", "comparisons", "sets", "set_comparisons", "intersections"):
        assert pd.read_csv(paths[name])[["low", "high"]].isna().all(axis=None), name
    assert pd.read_csv(paths["comparisons"])["p"].min() == 2 / 2**4


COMPARED = ["first", "second", "n", "clusters", "difference", "low", "high", "p", "p_holm"]
CHANGED = ["mean", "std", "models", "disagreement"]
DIFFERENCES = ["difference_from_first", "difference", "std_difference", "within_std", "sign_flip_rate"]
MEANS = ["attribute", "first", "second", "models", "n", "r_mean", "r_std", "low", "high"]


@pytest.mark.parametrize(
    ("name", "columns"),
    [
        ("correlations", ["attribute", "first", "second", "model", "distribution", "r", "n"]),
        ("words", [*MEANS, "published_max"]),
        ("signs", MEANS),
        ("comparisons", ["attribute", "against", *COMPARED]),
        ("sets", ["attribute", "labels", "first", "second", "models", "distributions", "r", "low", "high", "p"]),
        ("set_comparisons", ["attribute", "labels", "against", *COMPARED]),
        ("reliability", ["attribute", "n_sentences", "n_sampled", *CHANGED, "min_sentences", "published"]),
        ("reliability_curve", ["attribute", "n", *CHANGED]),
        ("retraining_variability", ["attribute", "metric", "distributions", *DIFFERENCES, "published"]),
        ("intersections", ["first", "second", "statistic", "models", "mean", "low", "high"]),
        ("joint_groups", ["first", "second", "first_group", "second_group", "p_model", "p_data"]),
        (
            "power",
            ["attribute", "metric", "strength", "divergence", "models", "n_subsets", "detection_rate", "undefined"],
        ),
        ("min_detectable_effect", ["attribute", "metric", "strength", "divergence", "max_detection_rate", "undefined"]),
    ],
)
def test_columns(made, name, columns):
    assert list(made[1][name]) == columns


def test_what_unmasking_reached_in_the_paper(made):
    words = made[1]["words"]
    shown = (words["first"] == "data") & (words["second"] == "unmasking")
    assert words["published_max"][shown].tolist() == [0.7] * words["attribute"].nunique()
    assert words["published_max"][~shown].isna().all()
