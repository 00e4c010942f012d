"""What scores make of planted bias: confounding by partners, and false positives without bias, by hand."""

import numpy as np
import pandas as pd
import pytest

from biassay.statistics.intervals import expanded_levels
from biassay.studies.first_order import planted_bias
from biassay.studies.first_order.tables import KEYS, SLOPES

JOBS = [f"job{i}" for i in range(14)]
OWN = dict(zip(JOBS, np.linspace(0.05, 0.95, 14), strict=True)) | {"clerk": 0.6, "queen": 1.0}
PARTNERS = {job: JOBS[(5 * i + 3) % 7] for i, job in enumerate(JOBS)} | {"queen": "clerk"}


def write_ground_truth(path, planted, partners=PARTNERS):
    """Write a table of which only the rows of gender and female count."""
    rows = [
        (bias, word, group, "f" if word == "queen" else "n", p if group == "female" else 1 - p, partners.get(word, ""))
        for word, p in planted.items()
        for bias, group in (("gender", "female"), ("gender", "male"), ("religion", "female"))
    ]
    columns = ["bias", "word", "group", "category", "probability", "partner"]
    pd.DataFrame(rows, columns=columns).to_csv(path, index=False)
    return str(path)


def test_percentages_of_neutral_occupations_with_and_without_a_partner(tmp_path):
    path = write_ground_truth(tmp_path / "truth.csv", {"a": 0.2, "b": 0.7, "queen": 1}, {"b": "a"})
    percentages = {name: values.to_dict() for name, values in planted_bias.read_percentages(path).items()}
    assert percentages == {"planted": {"a": 20, "b": 70}, "planted_confounded": {"b": 70}, "planted_clear": {"a": 20}}
    assert planted_bias.read_percentages(write_ground_truth(tmp_path / "c.csv", {"a": 0.5, "b": 0.5, "queen": 1})) == {}


def slopes(values):
    """Standardised slopes of the last column on the others."""
    values = (values - values.mean(axis=0)) / values.std(axis=0)
    return np.linalg.lstsq(values[:, :-1], values[:, -1])[0]


def test_confounding_is_the_slope_on_the_partner_given_the_own_probability(tmp_path):
    """Of words with a partner and a bias, on a corpus whose probabilities differ; 500 resamples of 8 partners."""
    words, place = [*reversed(JOBS), "queen", "elsewhere", "clerk"], ("wiki", "sg", "vectors", "cosine", "long")
    wiki = pd.Series(np.random.default_rng(1).standard_normal(len(words)), index=words)
    wiki["job3"] = np.nan
    biases = pd.DataFrame([wiki], index=pd.MultiIndex.from_tuples([place], names=KEYS))
    causes, equal = (
        planted_bias.read_own_and_partner(write_ground_truth(tmp_path / "truth.csv", planted))
        for planted in (OWN, dict.fromkeys(OWN, 0.5))
    )
    table = planted_bias.measure_confounding(biases, causes, 3)
    assert table[[*KEYS, "n"]].to_numpy().tolist() == [[*place, 14]]
    known = [word for word in words if word in PARTNERS and word != "job3"]
    values = np.array([(OWN[word], OWN[PARTNERS[word]], wiki[word]) for word in known])
    of_partner = [
        [i for i, word in enumerate(known) if PARTNERS[word] == name] for name in sorted({*PARTNERS.values()})
    ]
    drawn = np.random.default_rng(3).integers(0, 8, (500, 8))
    resampled = [slopes(values[[i for number in numbers for i in of_partner[number]]]) for numbers in drawn]
    expected = np.column_stack([slopes(values), *np.percentile(resampled, expanded_levels(8), axis=0)])
    assert table.loc[0, SLOPES].tolist() == pytest.approx(expected.ravel())
    assert planted_bias.measure_confounding(biases, equal, 3).empty
    few = planted_bias.measure_confounding(biases[list(PARTNERS)[:9]], causes, 3)
    assert few["n"].tolist() == [9 - ("job3" in list(PARTNERS)[:9])]
    assert few[SLOPES].isna().all(axis=None)


def test_false_positives_by_hand():
    """p of six tests: 0.001, 0.02 and 0.04 are below 0.05; by Holm 6 · 0.001 alone, because 5 · 0.02 = 0.1."""
    sg, glove = ("control", "sg", "vectors", "cosine"), ("control", "glove", "explicit", "first_order")
    table = pd.DataFrame(
        [
            (*sg, "tiny", "labor", 40, 0.3, 0.04, 0.1, 0.5),
            (*sg, "tiny", "census", 96, -0.1, 0.6, -0.4, 0.001),
            (*sg, "large", "labor", 40, 0.2, 0.05, 0.32, 0.02),  # 0.05 is not below 0.05
            (*glove, "tiny", "labor", 38, 0.05, 0.9, np.nan, np.nan),
        ],
        columns=[*KEYS, "statistics", "n", "spearman", "spearman_p", "pearson", "pearson_p"],
    )
    counted = planted_bias.count_false_positives(table)
    assert counted.iloc[:, 4:].to_numpy().tolist() == [
        [6, 0.5, pytest.approx(1 / 6), -0.4, "tiny", "census", "pearson", 96, 0.001],
        [1, 0, 0, 0.05, "tiny", "labor", "spearman", 38, 0.9],
    ]
    assert counted[KEYS[:4]].to_numpy().tolist() == [list(sg), list(glove)]
    assert planted_bias.count_false_positives(table[:0]).columns.tolist() == counted.columns.tolist()
