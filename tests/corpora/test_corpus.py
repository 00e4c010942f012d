"""Encoding of corpora, against a naive encoding."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biassay.corpora import corpus as corpora
from biassay.corpora.corpus import END, Corpus

SENTENCES = st.lists(st.lists(st.sampled_from("abcdefg"), min_size=1, max_size=8), min_size=1, max_size=30)


def encode(folder, sentences, **options):
    path = folder / "text.txt"
    path.write_text("\n".join(" ".join(sentence) for sentence in sentences))
    corpora.encode([str(path)], str(folder), **{"min_count": 1, **options})
    return Corpus.open(folder)


@settings(deadline=None, max_examples=40)
@given(sentences=SENTENCES, min_count=st.integers(1, 4))
def test_equals_a_naive_encoding(tmp_path_factory, sentences, min_count):
    folder = tmp_path_factory.mktemp("corpus")
    counts = Counter(word for sentence in sentences for word in sentence)
    kept = sorted((w for w in counts if counts[w] >= min_count), key=lambda w: (-counts[w], w))
    if not kept:
        with pytest.raises(ValueError, match=r"text\.txt: no word occurs"):
            encode(folder, sentences, min_count=min_count)
        return
    corpus = encode(folder, sentences, min_count=min_count)
    assert corpus.words == kept
    assert corpus.counts.tolist() == [counts[word] for word in kept]
    decoded = [[corpus.words[i] for i in sentence] for sentence in corpus.sentences()]
    naive = [[word for word in sentence if word in kept] for sentence in sentences]
    assert decoded == [sentence for sentence in naive if sentence]


def test_chunks_end_with_sentences(tmp_path, monkeypatch):
    monkeypatch.setattr(corpora, "CHUNK", 10)
    sentences = [["a", "b", "c"]] * 20
    corpus = encode(tmp_path, sentences)
    assert all(chunk[-1] == END for chunk in corpus.chunks())
    assert np.concatenate(list(corpus.chunks())).tolist() == corpus.tokens.tolist()
    assert len(list(corpus.sentences())) == 20


def test_long_sentences_come_in_pieces(tmp_path):
    corpus = encode(tmp_path, [["a"] * 25])
    assert [len(piece) for piece in corpus.sentences(longest=10)] == [10, 10, 5]


def test_sentences_do_not_reach_over_files(tmp_path):
    for name in ("1.txt", "2.txt"):
        (tmp_path / name).write_text("a b")
    corpora.encode([str(tmp_path / "1.txt"), str(tmp_path / "2.txt")], str(tmp_path), min_count=1)
    assert Corpus.open(tmp_path).tokens.tolist() == [0, 1, END, 0, 1, END]


def test_nothing_is_left_of_a_failed_encoding(tmp_path):
    (tmp_path / "bad.txt").write_bytes(b"good words then \xff\xfe")
    with pytest.raises(ValueError, match=r"bad\.txt"):
        corpora.encode([str(tmp_path / "bad.txt")], str(tmp_path), min_count=1)
    assert [path.name for path in tmp_path.iterdir()] == ["bad.txt"]
