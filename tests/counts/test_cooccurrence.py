"""Co-occurrence counts, against a naive count; windows whose sums fit into 64 bits, to the last one."""

from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given, settings
from hypothesis import strategies as st

from biassay.corpora import corpus
from biassay.corpora.corpus import END, Corpus
from biassay.counts import cooccurrence, storage
from biassay.counts.weights import WEIGHTINGS, window_weights
from tests import scripted

WEIGHTS = {
    "linear": lambda k, window: Fraction(window - k + 1, window),
    "harmonic": lambda k, window: Fraction(1, k),
    "flat": lambda k, window: Fraction(1),
}
SENTENCES = st.lists(st.lists(st.integers(0, 5), min_size=1, max_size=12), min_size=1, max_size=15)


def corpus_of(sentences, words=6):
    tokens = np.array([token for sentence in sentences for token in [*sentence, END]], np.int32)
    return Corpus(tokens, [str(i) for i in range(words)], np.bincount(tokens[tokens != END], minlength=words))


def naive(sentences, window, weighting, words=6):
    counts = [[Fraction(0)] * words for _ in range(words)]
    for sentence in sentences:
        for i, word in enumerate(sentence):
            for j in range(max(0, i - window), min(len(sentence), i + window + 1)):
                if i != j:
                    counts[word][sentence[j]] += WEIGHTS[weighting](abs(i - j), window)
    return np.array(counts, float)


@settings(max_examples=15)
@given(sentences=SENTENCES, window=st.integers(1, 6), weighting=st.sampled_from(WEIGHTINGS))
def test_equals_a_naive_count_exactly(tmp_path_factory, sentences, window, weighting):
    folder = tmp_path_factory.mktemp("counts")
    counted = cooccurrence.count(corpus_of(sentences), folder, window=window, weighting=weighting)
    assert (counted.toarray() == naive(sentences, window, weighting)).all()
    assert (counted.data > 0).all()


def test_blocks_of_rows_and_threads_change_nothing(tmp_path, monkeypatch):
    random = np.random.default_rng(0)
    corpus = corpus_of([random.integers(0, 50, 20).tolist() for _ in range(200)], words=50)
    whole = cooccurrence.count(corpus, tmp_path, sample=0.01).toarray()
    monkeypatch.setattr(cooccurrence, "BLOCK", 60)
    for threads in (2, 1000):  # more than there are cores
        assert (cooccurrence.count(corpus, tmp_path, sample=0.01, threads=threads).toarray() == whole).all()


def test_the_script_counts_a_corpus(tmp_path):
    """scripts/counts/count_cooccurrences.py, with weights that a swapped option would change."""
    (tmp_path / "text.txt").write_text("a fox saw a dog\nthe cat ran ran\n" * 30)
    (tmp_path / "corpus").mkdir()
    corpus.encode([str(tmp_path / "text.txt")], tmp_path / "corpus", min_count=1, boundaries="line")
    given, options = {"tokens": tmp_path / "corpus/tokens.npy"}, {"window": 2, "weighting": "linear", "sample": 0.05}
    script, params = "counts/count_cooccurrences.py", {"options": options, "seed": 3}
    scripted.run(script, input=given, output={"out": tmp_path / "counted"}, params=params)
    (tmp_path / "expected").mkdir()
    expected = cooccurrence.count(Corpus.open(tmp_path / "corpus"), tmp_path / "expected", **options, seed=3).toarray()
    assert (storage.load(tmp_path / "counted").toarray() == expected).all()


def test_subsampling_keeps_the_share_that_word2vec_keeps():
    corpus = corpus_of([[0] * 90 + [1] * 10] * 1000, words=2)
    kept = cooccurrence.subsample(corpus, 0.1, seed=1)
    share = np.sqrt(0.1 / 0.9) + 0.1 / 0.9
    assert (kept == 0).mean() * len(kept) / 90_000 == pytest.approx(share, abs=0.01)
    assert (kept == 1).sum() == 10_000
    assert (kept == END).sum() == 1000
    assert (cooccurrence.subsample(corpus, 0.1, seed=1) == kept).all()


def test_a_matrix_is_saved_and_opened(tmp_path):
    unsorted = scipy.sparse.csr_array(([1.0, 2, 3], [2, 0, 1], [0, 2, 2, 3]), shape=(3, 3))
    storage.save(unsorted, tmp_path)
    assert storage.load(tmp_path).toarray().tolist() == [[2, 0, 1], [0, 0, 0], [0, 3, 0]]
    assert not storage.load(tmp_path).data.flags.writeable  # a file, not memory
    with pytest.raises(ValueError, match=r"indptr\.npy: is .*shape \(4,\); expected integers, 3"):
        storage.load(tmp_path, 2)


@pytest.mark.parametrize(
    ("weighting", "weights", "expected_unit"),
    [("linear", [5, 4, 3, 2, 1], 5), ("harmonic", [60, 30, 20, 15, 12], 60), ("flat", [1] * 5, 1)],
)
def test_a_window_is_refused_from_the_very_word_on_that_could_pass_64_bits(weighting, weights, expected_unit):
    most = (2**63 - 1) // (2 * sum(weights))  # of a word that is at every distance on both sides of itself
    found, unit = window_weights(5, weighting, most)
    assert (found.tolist(), unit) == ([0, *weights], expected_unit)
    for count, limit in ((most + 1, 4), (2**62, 0)):
        with pytest.raises(ValueError, match=rf"window 5: {weighting} .* {count:,} times; .*most {limit}") as error:
            window_weights(5, weighting, count)
        assert ("another weighting" in str(error.value)) == (weighting == "harmonic")
