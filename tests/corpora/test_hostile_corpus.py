"""Encoded corpora that are broken or do not fit together, and what a full disk leaves of them."""

import numpy as np
import pytest

from biassay.corpora import corpus as corpora
from biassay.corpora.corpus import END, Corpus
from tests.full_disk import full_disk


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


@pytest.mark.parametrize("after", [3, 30, 160, 250])
def test_a_full_disk_leaves_no_corpus(tmp_path, after):
    (tmp_path / "text").write_text("a b a\nb a\nc a b\n" + "".join(f"word{i} " for i in range(20)))
    with pytest.raises(OSError, match=f"File too large: '{tmp_path}/"), full_disk(after):
        corpora.encode([str(tmp_path / "text")], str(tmp_path), min_count=1)
    assert [path.name for path in tmp_path.iterdir()] == ["text"]
