"""Embeddings whose products are in half precision, as on a GPU: how far from single precision, and none is lost."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from biassay.language_models import encoding, inference, loading, tokens  # noqa: E402

TINY = "resources/models/bert-tiny-enwiki"
WORDS = ["nurse", "old pilot", "chef"]
TEXTS = [f"the {word} said that {pronoun} would come" for word in WORDS for pronoun in ("she", "he")]


@pytest.fixture(scope="module")
def model():
    return loading.load(TINY, device="cpu")


@pytest.fixture(scope="module")
def sentences(model):
    return tokens.tokenise(model.tokenizer, TEXTS, np.array([[[4, 4 + len(word)]] for word in WORDS for _ in range(2)]))


def parts(encoded):
    return np.stack([getattr(encoded, name) for name in encoding.POOLINGS]).astype(float)


def far(found, expected):
    """The largest distance of two embeddings, as a share of the length."""
    return (np.linalg.norm(found - expected, axis=2) / np.linalg.norm(expected, axis=2)).max()


def check(model, sentences, alone):
    exact = parts(encoding.encode(alone, sentences, 0, storage=np.float32, half=False))
    for storage in (np.float32, np.float16):
        found = encoding.encode(model, sentences, 0, storage=storage, half=True)
        assert found.mean.dtype == storage
        assert 1e-6 < far(parts(found), exact) < 2e-3
    assert far(parts(encoding.encode(model, sentences, 0, half=False)), exact) < 4e-4


def test_half_precision_moves_embeddings_by_a_thousandth(model, sentences):
    check(model, sentences, model)


@pytest.mark.gpu
def test_half_precision_on_a_gpu(gpu, model, sentences):
    on_gpu = loading.load(TINY, device=gpu.type)
    check(on_gpu, sentences, model)
    default = encoding.encode(on_gpu, sentences, 0)
    assert far(parts(default), parts(encoding.encode(on_gpu, sentences, 0, half=True))) < 1e-4


def test_on_a_cpu_products_are_in_single_precision(model, sentences):
    default = encoding.encode(model, sentences, 0)
    assert default.mean.dtype == np.float16
    assert np.array_equal(parts(default), parts(encoding.encode(model, sentences, 0, half=False)))


def test_sentences_that_overflow_are_embedded_in_single_precision(model, sentences, monkeypatch):
    usual = inference.hidden_states

    def overflows(body, ids, lengths, half=False):
        for rows, hidden in usual(body, ids, lengths, half):
            hidden = hidden.clone()
            if half:
                hidden[rows == 2] = float("inf")
            yield rows, hidden

    monkeypatch.setattr(inference, "hidden_states", overflows)
    found, exact = (
        parts(encoding.encode(model, sentences, 0, storage=np.float32, half=half)) for half in (True, False)
    )
    assert far(found[:, [2]], exact[:, [2]]) < 1e-6
    assert far(found, exact) > 1e-6
