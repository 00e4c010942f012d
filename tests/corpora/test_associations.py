"""What the generator plants: probabilities, partners and traits, on small lists."""

import numpy as np
import pytest

from biassay.corpora import associations
from tests.corpora import planted

ROWS = [("ada", "n", "sea"), ("ben", "n", "law"), ("nun", "f", "law"), ("monk", "m", "law"), ("cat", "n", "sea")]


def plan(folder, rows=ROWS, statistics=(), seed=1, **options):
    return associations.plan_occupations(planted.write(folder, rows), list(statistics), seed=seed, **options)


def test_a_probability_is_a_statistic_the_meaning_or_drawn(tmp_path):
    first = planted.statistics(tmp_path, "first", {"ada": 20, "nun": 50})
    second = planted.statistics(tmp_path, "second", {"ada": 90, "ben": 75, "elsewhere": 1})
    found = plan(tmp_path, statistics=[first, second], seed=4).set_index("word")
    drawn = np.random.default_rng([4, 1]).uniform(0.05, 0.95, len(ROWS))
    assert found["probability"].to_dict() == {"ada": 0.2, "ben": 0.75, "nun": 0.97, "monk": 0.03, "cat": drawn[4]}
    assert found["origin"].tolist() == ["first", "second", "meaning", "meaning", "random"]


def test_plans_of_other_strengths_differ_in_probabilities_only(tmp_path):
    rows = [(f"w{i}", "nnfm"[i % 4], ("sea", "law")[i % 2]) for i in range(40)]
    biased, quarter, control = (plan(tmp_path, rows, strength=strength) for strength in (1.0, 0.25, 0.0))
    assert (control.pop("probability") == 0.5).all()
    probability = biased.pop("probability")
    assert probability.nunique() == 22
    np.testing.assert_allclose(quarter.pop("probability") - 0.5, (probability - 0.5) / 4)
    assert biased.equals(control)
    assert biased.equals(quarter)


@pytest.mark.parametrize(("share", "number"), [(0.0, 0), (0.26, 5), (0.5, 10), (1.0, 0)])
def test_so_many_get_a_partner_from_the_rest(tmp_path, share, number):
    rows = [(f"w{i}", "n" if i % 2 else "mf"[i % 3 == 0], ("sea", "law")[i % 3 == 0]) for i in range(40)]
    found = plan(tmp_path, rows, confounded=share).set_index("word")
    confounded = found[found["partner"] != ""]
    assert len(confounded) == number  # with all confounded, nobody is left to be a partner
    partners = found.loc[confounded["partner"]]
    assert set(partners["partner"]) <= {""}
    assert {*confounded["mark"], *partners["mark"]} <= {"n"}
    assert (confounded["domain"].to_numpy() == partners["domain"].to_numpy()).all()


def test_the_partner_is_the_most_distant_of_six(tmp_path):
    found = plan(tmp_path, [(f"w{i}", "n", "sea") for i in range(12)])
    clear = found[found["partner"] == ""].set_index("word")["probability"]
    confounded = found[found["partner"] != ""]
    assert len(clear) == len(confounded) == 6
    for row in confounded.itertuples():
        assert (clear - row.probability).abs().idxmax() == row.partner


def test_traits_follow_how_pleasant_a_group_is_spoken_of(tmp_path):
    lists = planted.write(tmp_path, ROWS)
    found = associations.plan_traits(lists, "ethnicity", seed=3)
    random = np.random.default_rng([3, 2, len("ethnicity")])
    pleasantness = random.uniform(0.1, 0.9, 3)
    for (_, row), category in zip(found.iterrows(), ["pleasant"] * 2 + ["unpleasant"] * 3, strict=True):
        level = pleasantness if category == "pleasant" else 1 - pleasantness
        scattered = level * random.gamma(shape=4, scale=0.25, size=3)  # of mean 1
        assert row["category"] == category
        np.testing.assert_allclose(row[["ea", "eb", "ec"]].astype(float), scattered / scattered.sum())
    assert found["word"].tolist() == ["kind", "calm", "rude", "vain", "mean"]
    even, half = (associations.plan_traits(lists, "ethnicity", seed=3, strength=strength) for strength in (0.0, 0.5))
    groups = ["ea", "eb", "ec"]
    np.testing.assert_allclose(even[groups], 1 / 3)
    np.testing.assert_allclose(2 * half[groups], even[groups] + found[groups])
    assert even[["word", "category"]].equals(found[["word", "category"]])
