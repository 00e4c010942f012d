"""What the families return, by another path; their defaults; training as a script."""

import inspect

import numpy as np
import pytest
import scipy.sparse
from gensim.models import Word2Vec

from biassay.core import options as declarations
from biassay.core import registry
from biassay.corpora.corpus import END, Corpus
from biassay.counts import cooccurrence
from biassay.counts.pmi import pmi as plain_pmi
from biassay.embeddings import pmi_svd, skipgram
from biassay.vectors import explicit_vectors
from biassay.vectors.embedding import LINKS, Embedding
from tests import scripted

RANDOM = np.random.default_rng(8)
COUNTS = scipy.sparse.csr_array(RANDOM.poisson(1.5, (20, 20)) * 1.0)
WORDS = [f"w{i}" for i in range(20)]


@pytest.fixture
def corpus():
    """Words w0 … w9 that occur 240, 230, … times."""
    words = np.random.default_rng(1).permutation(np.repeat(range(10), range(240, 140, -10))).reshape(39, 50)
    tokens = np.concatenate([[*sentence, END] for sentence in words]).astype(np.int32)
    return Corpus(tokens, [f"w{i}" for i in range(10)], np.arange(240, 140, -10))


def test_skipgram_is_gensims(corpus, caplog):
    options = {"window": 3, "epochs": 2, "negative": 4, "sample": 0.05, "seed": 6}
    found = skipgram.train(corpus, dimensions=8, learning_rate=0.05, threads=1, **options)
    assert [m for m in caplog.messages if "done" in m] == ["epoch 1 of 2 done", "epoch 2 of 2 done"]
    model = Word2Vec(
        [[corpus.words[i] for i in sentence] for sentence in corpus.sentences()],
        sg=1, hs=0, vector_size=8, alpha=0.05, min_count=1, workers=1, **options,
    )  # fmt: skip
    assert model.wv.index_to_key == corpus.words
    assert (found.vectors == model.wv.vectors).all()
    assert (found.contexts == model.syn1neg).all()
    assert (found.words, found.link) == (corpus.words, "sigmoid")


def defaults(algorithm):
    """Options of a family's training with their defaults."""
    declared = declarations.read(registry.load("embeddings", algorithm).train)
    return {name: option.default for name, option in declared.items()}


def test_defaults_are_those_of_the_tools():
    gensims = {name: parameter.default for name, parameter in inspect.signature(Word2Vec).parameters.items()}
    ours = {name: defaults(name) for name in ("skipgram", "glove")}
    for name in ("window", "epochs", "negative", "sample", "seed"):
        assert ours["skipgram"][name] == gensims[name]
    assert ours["skipgram"]["learning_rate"] == gensims["alpha"]
    stanfords = {"epochs": 25, "x_max": 100.0, "alpha": 0.75, "learning_rate": 0.05}
    assert ours["glove"] == {"dimensions": 300, "seed": 1, "threads": 1, **stanfords}


def test_the_svd_splits_singular_values_evenly_and_the_largest_come_first():
    options = {"positive": True, "shift": 1.2, "smoothing": 0.6}
    found = pmi_svd.train(WORDS, COUNTS, dimensions=5, seed=3, **options)
    left, singular, right = np.linalg.svd(plain_pmi(COUNTS, **options).toarray())
    for vectors, exact in ((found.vectors, left), (found.contexts, right.T)):
        np.testing.assert_allclose(np.abs(vectors), np.abs(exact[:, :5] * np.sqrt(singular[:5])), atol=1e-3)
    best = left[:, :5] * singular[:5] @ right[:5]
    np.testing.assert_allclose(found.vectors @ found.contexts.T, best, atol=1e-3)
    assert found.link == "product"


def test_words_without_entries_have_the_vector_zero():
    options = {"positive": True, "shift": 2.5}  # of lower rank than the dimensions
    entries = plain_pmi(COUNTS, smoothing=0.75, **options).toarray()
    found = pmi_svd.train(WORDS, COUNTS, dimensions=18, **options)
    for vectors, matrix in ((found.vectors, entries), (found.contexts, entries.T)):
        assert 5 < matrix.any(axis=1).sum() < 15
        assert vectors.any(axis=1).tolist() == matrix.any(axis=1).tolist()


@pytest.mark.parametrize("algorithm", registry.names("embeddings"))
def test_results_are_repeatable_and_return_from_disk(algorithm, corpus, tmp_path):
    plugin = registry.load("embeddings", algorithm)
    small = {"dimensions": 3} if "dimensions" in defaults(algorithm) else {}
    given = (corpus,) if plugin.INPUT == "tokens" else (WORDS, COUNTS)
    first, second = (explicit_vectors.add_norms(plugin.train(*given, **small, seed=5)) for _ in range(2))
    first.save(tmp_path / "saved")
    assert first.vectors.dtype == np.float32
    assert first.link in LINKS
    if first.is_sparse:
        assert first.contexts is None
    else:
        assert first.vectors.shape == first.contexts.shape == (len(first.words), 3)
    for other in (second, Embedding.open(tmp_path / "saved")):
        assert (other.words, other.link) == (first.words, first.link)
        assert (other.rows(other.words) == first.rows(first.words)).all()
        np.testing.assert_array_equal(other.norms, first.norms)


def test_the_script_trains_and_adds_lengths_also_by_an_own_file(tmp_path, corpus):
    (tmp_path / "words.txt").write_text("\n".join(corpus.words) + "\n")
    (tmp_path / "data").mkdir()
    counts = cooccurrence.count(corpus, tmp_path / "data", window=2)
    rule = {"output": {"out": tmp_path / "out"}, "threads": 2}
    inputs = {"data": tmp_path / "data", "words": tmp_path / "words.txt"}
    params = {"algorithm": "pmi_svd", "options": {"dimensions": 4}, "seed": 5}
    scripted.run("embeddings/train.py", input=inputs, params=params, **rule)
    found, expected = Embedding.open(tmp_path / "out"), pmi_svd.train(corpus.words, counts, dimensions=4, seed=5)
    assert (found.words, found.vectors.tolist()) == (corpus.words, expected.vectors.tolist())
    assert (found.norms == explicit_vectors.add_norms(expected).norms).all()
    (tmp_path / "mine.py").write_text(
        "import numpy as np\nfrom biassay.vectors.embedding import Embedding\nINPUT = 'counts'\n"
        "def train(words, counts, *, seed=1, threads=1):\n"
        "    return Embedding(words, np.array([[seed, threads]] * len(words), np.float32))\n"
    )
    params = {"algorithm": str(tmp_path / "mine.py"), "options": {}, "seed": 7}
    scripted.run("embeddings/train.py", input=inputs, params=params, **rule)
    assert Embedding.open(tmp_path / "out").vectors[0].tolist() == [7, 2]
