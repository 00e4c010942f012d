"""Encoded corpora that are broken or do not fit together, and what a full disk leaves of them."""

import json

import numpy as np
import pytest

from biassay.corpora import corpus as corpora
from biassay.corpora import counterfactual
from biassay.corpora.corpus import END, FILES, Corpus
from tests.full_disk import full_disk

pytestmark = pytest.mark.bad_input(
    "texts, dumps, encoded corpora",
    "one error with file and position; time and memory are limited by the file's actual size",
)


def save(folder, name, content):
    path = folder / name
    if isinstance(content, np.ndarray):
        np.save(path, content)
    elif content is None:
        path.unlink()
    else:
        path.write_bytes(content)


def encode(folder):
    (folder / "text").write_text("a b a\nb a\nc a b\n")
    corpora.encode([str(folder / "text")], str(folder), min_count=1)
    return Corpus.open(folder)


IDS = np.array([0, 1, 0, END, 1, 0, END, 2, 0, 1, END], np.int32)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("tokens.npy", np.where(IDS == 2, 3, IDS), "from 0 to 2, .*got ids from -1 to 3"),
        ("tokens.npy", np.where(IDS == 2, 10**9, IDS), "got ids from -1 to 1000000000"),
        ("tokens.npy", np.where(IDS == 2, -2, IDS), "got ids from -2 to 1"),
        ("tokens.npy", IDS[:-1], "-1 after each sentence, got ids from -1 to 2, the last 1"),
        ("tokens.npy", IDS.astype(float), "is float64 of shape .11,.; expected integers, any"),
        ("tokens.npy", IDS.reshape(1, -1), "is int32 of shape .1, 11.; expected integers, any"),
        ("tokens.npy", b"\x93NUMPY", "broken .npy file"),
        ("counts.npy", np.array([4, 3]), "is int64 of shape .2,.; expected integers, 3"),
        ("counts.npy", np.array([4, 3, 0]), "expected counts ≥ 1, got 0"),
        ("counts.npy", np.array([4, 3, 1.5]), "is float64 of shape .3,.; expected integers, 3"),
        ("words.txt", b"a\nb\n", r"tokens\.npy: expected ids from 0 to 1"),
        ("words.txt", b"a\nb\nb\n", "has the word 'b' 2 times"),
        ("words.txt", b"a\nb\n\xff\n", "not UTF-8 text"),
    ],
)
def test_an_encoded_corpus_is_checked(tmp_path, name, content, message):
    assert encode(tmp_path).tokens.tolist() == IDS.tolist()
    save(tmp_path, name, content)
    with pytest.raises(ValueError, match=message) as raised:
        Corpus.open(tmp_path)
    assert str(raised.value).startswith(str(tmp_path))


@pytest.mark.parametrize("name", ["tokens.npy", "words.txt", "counts.npy"])
def test_a_file_that_a_corpus_lacks_is_named(tmp_path, name):
    encode(tmp_path)
    (tmp_path / name).unlink()
    with pytest.raises(FileNotFoundError) as raised:
        Corpus.open(tmp_path)
    assert str(raised.value.filename) == str(tmp_path / name)


def test_an_empty_corpus_is_one(tmp_path):
    for name, content in [("tokens.npy", IDS[:0]), ("counts.npy", IDS[:0]), ("words.txt", b"\n")]:
        save(tmp_path, name, content)
    assert list(Corpus.open(tmp_path).sentences()) == []


@pytest.mark.parametrize("after", [3, 30, 160, 250])
def test_a_full_disk_leaves_no_corpus(tmp_path, after):
    (tmp_path / "text").write_text("a b a\nb a\nc a b\n" + "".join(f"word{i} " for i in range(20)))
    with pytest.raises(OSError, match=f"File too large: '{tmp_path}/"), full_disk(after):
        corpora.encode([str(tmp_path / "text")], str(tmp_path), min_count=1)
    assert [path.name for path in tmp_path.iterdir()] == ["text"]


@pytest.mark.parametrize(
    ("content", "message"), [(b"{", "broken summary of a corpus"), (b"3", "broken summary .*TypeErr")]
)
def test_a_broken_summary_is_named_before_words_are_turned(tmp_path, content, message):
    encode(tmp_path)
    save(tmp_path, "summary.json", content)
    with pytest.raises(ValueError, match=rf"summary\.json: {message}"):
        counterfactual.swap(tmp_path, [], tmp_path / "out", seed=1)


def test_a_full_disk_leaves_no_counterfactual(tmp_path, monkeypatch):
    monkeypatch.setattr(counterfactual, "MIN_COUNT", 1)
    encode(tmp_path)
    (tmp_path / "lists.yaml").write_text("source: test\npaired: true\ngroups: {x: [a], y: [b]}\n")
    out = tmp_path / "out"
    out.mkdir()
    for after in (100, 171):
        with pytest.raises(OSError, match=f"File too large: '{out}/"), full_disk(after):
            counterfactual.swap(tmp_path, [str(tmp_path / "lists.yaml")], out, seed=1)
        assert list(out.iterdir()) == []
    counterfactual.swap(tmp_path, [str(tmp_path / "lists.yaml")], out, seed=1)
    assert sorted(path.name for path in out.iterdir()) == sorted(FILES)
    assert json.loads((out / "summary.json").read_text())["tokens"] == 8


def test_more_of_a_word_than_there_are_tokens_is_refused(tmp_path):
    (tmp_path / "text.txt").write_text("one two two .\n")
    (tmp_path / "corpus").mkdir()
    corpora.encode([str(tmp_path / "text.txt")], str(tmp_path / "corpus"), min_count=1)
    path = tmp_path / "corpus/counts.npy"
    counts = np.load(path)
    counts[0] = 10**15
    np.save(path, counts)
    with pytest.raises(ValueError, match=r"counts\.npy: expected counts ≤ \d+, .*got 1,000,000,000,000,000"):
        Corpus.open(tmp_path / "corpus")
