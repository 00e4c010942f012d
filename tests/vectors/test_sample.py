"""Random rows of a source beside the wanted words, from every format."""

import numpy as np
import pytest

from biassay.vectors.formats.sample import Sample
from biassay.vectors.readers import read_sample
from tests.vectors.test_readers import VECTORS, WORDS, sources


def test_the_sample_depends_on_the_seed_only():
    whole = Sample(50, 3).rows_between(0, 200_000)
    parts = Sample(50, 3)
    assert [
        row for start in range(0, 200_000, 777) for row in parts.rows_between(start, min(start + 777, 200_000))
    ] == whole
    single = Sample(50, 3)
    assert [row for row in range(1000) if row in single] == [row for row in whole if row < 1000]
    assert Sample(50, 4).rows_between(0, 200_000) != whole
    assert whole[:50] == list(range(50))  # as certain as density / (r + 1) ≥ 1
    expected = 50 * (1 + np.log(200_000 / 50))
    assert abs(len(whole) - expected) < 5 * np.sqrt(expected)
    tens = np.bincount(np.log10(np.array(whole[100:])).astype(int), minlength=6)
    assert 80 < tens[3] < 150  # 50 · ln 10 = 115 of every order of magnitude
    assert 80 < tens[4] < 150


def test_alphabetical_rows_have_the_same_chance():
    flat = Sample(50, 3)
    flat.flatten(100_000)
    found = np.array(flat.rows_between(0, 100_000))
    expected = 50 * (1 + np.log(100_000 / 50))
    assert abs(len(found) - expected) < 5 * np.sqrt(expected)
    assert abs(found.mean() - 50_000) < 5 * 28_868 / np.sqrt(len(found))


def test_every_source_gives_words_rows_and_the_rest(tmp_path):
    for name, source in sources(tmp_path).items():
        found = read_sample(source, ["man", "nobody", "the"], density=100, seed=1)
        assert found.words[:2] == ["man", "the"], name
        assert sorted(found.words) == sorted(WORDS), name
        places = [WORDS.index(word) for word in found.words]
        assert np.argsort(found.row_numbers).tolist() == np.argsort(places).tolist(), name
        if "numberbatch" not in name:  # which has rows of other languages between
            assert found.n_rows == len(WORDS), name
            assert found.row_numbers.tolist() == places, name
        assert found.vectors == pytest.approx(VECTORS[places], rel=1e-5), name
        none = read_sample(source, ["man", "the"], density=1e-12, seed=1)
        assert none.words == ["man", "the"], name
