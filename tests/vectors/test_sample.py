"""Random rows of a source beside the wanted words, from every format."""

import numpy as np
import pytest

from biassay.vectors.formats.rows import Sample
from biassay.vectors.readers import read_sample
from tests.vectors.test_readers import VECTORS, WORDS, sources


def rows_below(n, sample):
    return [row for row in range(n) if row in sample]


def test_a_sample_depends_on_the_seed_only():
    rows = rows_below(200_000, Sample(50, 3))
    backwards = Sample(50, 3)
    assert [row for row in range(199_999, -1, -777) if row in backwards] == [
        r for r in range(199_999, -1, -777) if r in set(rows)
    ]
    assert rows_below(200_000, Sample(50, 4)) != rows
    assert rows[:50] == list(range(50))  # density / (r + 1) ≥ 1
    expected = 50 * (1 + np.log(200_000 / 50))
    assert abs(len(rows) - expected) < 5 * np.sqrt(expected)
    tens = np.bincount(np.log10(np.array(rows[100:])).astype(int), minlength=6)
    assert 80 < tens[4] < 150  # 50 · ln 10 = 115 of every order of magnitude
    flat = Sample(50, 3)
    flat.flatten(100_000)
    assert flat.probability == pytest.approx(50 * (1 + np.log(2000)) / 100_000, rel=1e-12)
    assert abs(np.mean(rows_below(100_000, flat)) - 50_000) < 5 * 28_868 / np.sqrt(expected)


def test_every_source_gives_words_rows_and_the_rest(tmp_path):
    for name, source in sources(tmp_path).items():
        found = read_sample(source, ["man", "nobody", "the"], density=100, seed=1)
        assert found.words[:2] == ["man", "the"], name
        assert sorted(found.words) == sorted(WORDS), name
        places = [WORDS.index(word) for word in found.words]
        if found.row_numbers is None:  # in no order by frequency
            assert name in ("numberbatch", "parquet", "file", "stream")
        else:
            assert found.row_numbers.tolist() == places, name
        if name != "numberbatch":  # which has rows of other languages between
            assert found.n_rows == len(WORDS), name
        else:
            german = read_sample(source, ["the", "man"], density=100, seed=1, language="de")
            assert german.words == ["the"]
            assert german.vectors == pytest.approx(VECTORS[1:2], rel=1e-5)
        assert found.vectors == pytest.approx(VECTORS[places], rel=1e-5), name
        none = read_sample(source, ["man", "the"], density=1e-12, seed=1)
        assert none.words == ["man", "the"], name


def test_an_alphabetical_text_file_gives_words_of_all_letters(tmp_path):
    files = (tmp_path / "sorted", tmp_path / "shuffled")
    words = [f"{row:04}" for row in range(2000)]
    for file, order in zip(files, (words, np.random.default_rng(1).permutation(words)), strict=True):
        file.write_text("2000 1\n" + "".join(f"w{word} 1\n" for word in order))
    flat, by_frequency = (read_sample(file, ["w0500"], density=20, seed=1) for file in files)
    assert flat.row_numbers is None
    assert len([word for word in flat.words if word < "w0200"]) < 30  # of about 112
    assert (by_frequency.row_numbers < 20).sum() >= 20
