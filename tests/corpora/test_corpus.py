"""Encoding of corpora, against a naive encoding."""

import json
import re
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biassay.corpora import corpus as corpora
from biassay.corpora.corpus import END, Corpus
from tests import scripted
from tests.full_disk import full_disk

SENTENCES = st.lists(st.lists(st.sampled_from("abcdefg"), min_size=1, max_size=8), min_size=1, max_size=30)


def encode(folder, sentences, **options):
    path = folder / "text.txt"
    path.write_text("\n".join(" ".join(sentence) for sentence in sentences))
    corpora.encode([str(path)], str(folder), **{"min_count": 1, **options})
    return Corpus.open(folder)


@settings(max_examples=25)
@given(sentences=SENTENCES, min_count=st.integers(1, 4))
def test_equals_a_naive_encoding(tmp_path_factory, sentences, min_count):
    folder = tmp_path_factory.mktemp("corpus")
    counts = Counter(word for sentence in sentences for word in sentence)
    kept = sorted((w for w in counts if counts[w] >= min_count), key=lambda w: (-counts[w], w))
    read = f"{min_count} times or more ({counts.total():,} tokens, {len(counts):,} distinct words)"
    if not kept:
        with pytest.raises(ValueError, match=rf"text\.txt: no word occurs {re.escape(read)}"):
            encode(folder, sentences, min_count=min_count)
        return
    corpus = encode(folder, sentences, min_count=min_count)
    assert corpus.words == kept
    assert corpus.counts.tolist() == [counts[word] for word in kept]
    decoded = [[corpus.words[i] for i in sentence] for sentence in corpus.sentences()]
    naive = [[word for word in sentence if word in kept] for sentence in sentences]
    assert decoded == [sentence for sentence in naive if sentence]
    assert corpus.tokens.dtype == np.int32
    assert json.loads((folder / "summary.json").read_text()) == {
        "tokens_read": counts.total(), "tokens": sum(map(len, naive)), "sentences": len(decoded),
        "words_read": len(counts), "words": len(kept), "min_count": min_count,
    }  # fmt: skip


def test_blocks_and_chunks_change_nothing(tmp_path, monkeypatch):
    random = np.random.default_rng(3)
    sentences = ["abcdefghij"[i] for i in random.zipf(1.5, 108_000) % 10]
    sentences = [sentences[start : start + 9] for start in range(0, len(sentences), 9)]
    (tmp_path / "whole").mkdir()
    whole = encode(tmp_path / "whole", sentences, min_count=3)
    monkeypatch.setattr(corpora.plain_text, "BLOCK", 10_000)
    monkeypatch.setattr(corpora, "CHUNK", 1000)
    corpus = encode(tmp_path, sentences, min_count=3)
    assert corpus.words == whole.words
    assert corpus.counts.tolist() == whole.counts.tolist()
    assert np.array_equal(corpus.tokens, whole.tokens)


def test_the_script_reads_text_and_articles_of_wikiextractor(tmp_path):
    (tmp_path / "1.txt").write_text("<doc>\nShe saw. He saw.\n</doc>\n")
    (tmp_path / "2.txt").write_text("<doc>\nShe left. \u0301\n")
    files = {"input": {"text": [tmp_path / "1.txt", tmp_path / "2.txt"]}, "output": {"tokens": tmp_path / "tokens.npy"}}
    for source, boundaries, min_count, expected in (
        ("text", "sentence", 1, ["doc", "she saw", "he saw", "doc", "doc", "she left"]),
        ("wikiextractor", "line", 2, ["she saw saw", "she"]),
    ):
        options = {"source": source, "min_count": min_count, "boundaries": boundaries}
        scripted.run("corpora/encode.py", **files, params={"options": options})
        corpus = Corpus.open(tmp_path)
        assert [" ".join(corpus.words[i] for i in sentence) for sentence in corpus.sentences()] == expected
    (tmp_path / "2.txt").write_text('{"id": "1", "text": "She left."}\n')
    with pytest.raises(ValueError, match=r"2\.txt: no <doc"):
        scripted.run("corpora/encode.py", **files, params={"options": options})


def test_chunks_end_with_sentences(monkeypatch):
    tokens = np.array([0, 1, END, 1, END, 0, 0, 1, END], np.int32)
    corpus = Corpus(tokens, ["a", "b"], np.array([3, 3]))
    for size, expected in (
        (2, [[0, 1, END], [1, END], [0, 0, 1, END]]),  # not even a sentence
        (5, [[0, 1, END, 1, END], [0, 0, 1, END]]),
    ):
        monkeypatch.setattr(corpora, "CHUNK", size)
        assert [chunk.tolist() for chunk in corpus.chunks()] == expected
        assert list(corpus.sentences()) == [[0, 1], [1], [0, 0, 1]]


IDS = np.array([0, 1, 0, END, 1, 0, END, 2, 0, 1, END], np.int32)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("tokens.npy", np.where(IDS == 2, 3, IDS), "from 0 to 2, .*got ids from -1 to 3"),
        ("tokens.npy", IDS[:-1], "-1 after each sentence, got ids from -1 to 2, the last 1"),
        ("tokens.npy", IDS.astype(float), "is float64 of shape .11,.; expected integers, any"),
        ("counts.npy", np.array([4, 3, 0]), "expected counts ≥ 1, got 0"),
        ("counts.npy", np.array([40, 3, 1]), "expected counts ≤ 11, .* got 40"),
        ("words.txt", "a\nb\n", r"tokens\.npy: expected ids from 0 to 1"),
    ],
)
def test_files_that_do_not_fit_are_named(tmp_path, name, content, message):
    assert encode(tmp_path, ["aba", "ba", "cab"]).tokens.tolist() == IDS.tolist()
    if isinstance(content, str):
        (tmp_path / name).write_text(content)
    else:
        np.save(tmp_path / name, content)
    with pytest.raises(ValueError, match=message) as raised:
        Corpus.open(tmp_path)
    assert str(raised.value).startswith(str(tmp_path))


def test_nothing_remains_of_a_failed_encoding(tmp_path):
    (tmp_path / "bad.txt").write_bytes(b"good words then \xff\xfe")
    with pytest.raises(ValueError, match=r"bad\.txt"):
        corpora.encode([str(tmp_path / "bad.txt")], str(tmp_path), min_count=1)
    (tmp_path / "bad.txt").write_text("a b a\nb a\nc a b\n" + "".join(f"word{i} " for i in range(20)))
    for after in (3, 160, 250):
        with pytest.raises(OSError, match=f"File too large: '{tmp_path}/"), full_disk(after):
            corpora.encode([str(tmp_path / "bad.txt")], str(tmp_path), min_count=1)
        assert [path.name for path in tmp_path.iterdir()] == ["bad.txt"]
