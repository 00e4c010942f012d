"""The generator plants what its truth says."""

from pathlib import Path

import numpy as np
import pytest

from biassay.corpora import plain_text
from biassay.corpora.generator import Generator

RESOURCES = Path("resources")


def generator(**options):
    statistics = [RESOURCES / "statistics" / f"{name}.csv" for name in ("labor", "census")]
    return Generator(RESOURCES / "words", RESOURCES / "templates" / "corpus.yaml", statistics, **options)


@pytest.fixture(scope="module")
def written():
    biased, control = generator(), generator(control=True)
    texts = [list(g.sentences(60_000)) for g in (biased, control)]
    return biased, control, *texts


def test_one_seed_one_text():
    first, second, other = (list(generator(seed=seed).sentences(3000)) for seed in (1, 1, 2))
    assert first == second
    assert first != other


def test_labour_figures_are_planted(written):
    rows = written[0].ground_truth().query("bias == 'gender' and group == 'female'").set_index("word")
    assert rows.loc["carpenter", ["probability", "origin"]].tolist() == [0.02, "labor"]
    assert rows.loc["dentist", "origin"] == "census"
    assert rows.loc["actress", ["probability", "origin"]].tolist() == [0.97, "meaning"]


def test_twin_differs_in_group_words_only(written):
    biased, _, text_1, text_2 = written
    groups = {w for words in biased._slots.values() for pair in words for w in pair}
    groups |= {w for lists in biased.groups.values() for words in lists.values() for w in words}
    differences = 0
    for left, right in zip(text_1, text_2, strict=True):
        pairs = list(zip(plain_text.split_words(left), plain_text.split_words(right), strict=True))
        changed = {word for pair in pairs if pair[0] != pair[1] for word in pair}
        assert changed <= groups
        differences += bool(changed)
    assert differences > 500


def test_twin_is_balanced(written):
    ground_truth = written[1].ground_truth()
    gender = ground_truth[(ground_truth["bias"] == "gender") & (ground_truth["group"] == "female")]
    assert (gender["probability"] == 0.5).all()
    assert np.average(gender["observed"].fillna(0), weights=gender["sentences"]) == pytest.approx(0.5, abs=0.04)
    religion = ground_truth[ground_truth["bias"] == "religion"]
    assert np.ptp(religion["probability"]) == 0
