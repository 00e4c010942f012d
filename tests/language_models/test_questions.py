"""Questions worked out once for many models, against the model's plain forward pass."""

from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")
from biassay.language_models import inference, loading, tokens, unmasking  # noqa: E402
from tests.language_models import plain_training as plain  # noqa: E402

TINY = Path("resources/models/bert-tiny-enwiki")
# Text with the asked words in brackets first, others to be hidden in braces; several pieces: hairdresser 3, jeweler 2
TEXTS = [
    "the [nurse] met a {man}.",
    "the [hairdresser] met a {man}.",
    "the [nurse] met a {man}.",
    "the [engineer] met a {woman}.",
    "the [engineer] met a {man}.",
    "the {jeweler} of our town met a [hairdresser].",
    "the {jeweler} of our town met a [jeweler].",
    "[women] and {hairdresser}s came.",
    "the [social worker] met a {man}.",
]


@pytest.fixture(scope="module")
def tiny():
    return loading.load(TINY, device="cpu")


def tokenised(tiny):
    texts, places = [], []
    for text in TEXTS:
        bare, found = "", {}
        for character in text:
            if character in "[{":
                found["[{".index(character)] = [len(bare)]
            elif character in "]}":
                found["]}".index(character)].append(len(bare))
            else:
                bare += character
        texts.append(bare)
        places.append([found[0], found[1]])
    return texts, np.array(places), tokens.tokenise(tiny.tokenizer, texts, np.array(places))


def expected(tiny, model, texts, places, place, hidden):
    """The mean log p of the pieces of a place, every sentence asked for itself."""
    found = []
    for text, spans in zip(texts, places, strict=True):
        inputs = tiny.tokenizer(text, return_tensors="pt", return_offsets_mapping=True)
        offsets, ids = inputs.pop("offset_mapping")[0].tolist(), inputs["input_ids"][0].clone()
        inside = [[a >= spans[p][0] and b <= spans[p][1] and a < b for a, b in offsets] for p in (0, 1)]
        for other in (place, *hidden):
            inputs["input_ids"][0][torch.tensor(inside[other])] = tiny.tokenizer.mask_token_id
        with torch.inference_mode():
            values = model(**inputs).logits[0].log_softmax(dim=-1)
        own = np.flatnonzero(inside[place])
        found.append(np.mean([float(values[at, ids[at]]) for at in own]))
    return found


@pytest.mark.parametrize(("place", "hidden"), [(0, ()), (0, [1]), (1, ()), (1, [0]), (0, [0])])
def test_answers_are_those_of_the_plain_model(tiny, monkeypatch, place, hidden):
    texts, places, found = tokenised(tiny)
    assert len(tiny.tokenizer.tokenize("jeweler")) == 2
    questions = unmasking.Queries.from_tokens(found, place, tiny.tokenizer.mask_token_id, hidden)
    answers = questions.run(tiny.model)
    assert answers.dtype == np.float32
    np.testing.assert_allclose(answers, expected(tiny, tiny.model, texts, places, place, hidden), atol=2e-4)
    np.testing.assert_array_equal(answers, unmasking.place_log_probabilities(tiny, found, place, hidden))
    monkeypatch.setitem(inference.TOKENS, "cpu", 30)
    np.testing.assert_allclose(questions.run(tiny.model), answers, atol=1e-4)


def test_like_sentences_are_asked_once(tiny):
    _, _, found = tokenised(tiny)
    apart = unmasking.Queries.from_tokens(found, 0, tiny.tokenizer.mask_token_id)
    assert (len(apart.ids), len(apart.rows)) == (7, 1 + 3 + 1 + 3 + 2 + 1 + 2)  # 0, 2 and 4 are one
    together = unmasking.Queries.from_tokens(found, 0, tiny.tokenizer.mask_token_id, [1])
    assert (len(together.ids), len(together.rows)) == (6, 1 + 3 + 3 + 2 + 1 + 2)  # and 3
    assert together.wanted.shape[1] == 4
    assert len(together.owner) == len(together.where) == 1 + 3 + 1 + 1 + 1 + 3 + 2 + 1 + 2
    assert together.lengths.tolist() == [(row != tiny.tokenizer.pad_token_id).sum() for row in together.ids]
    assert (together.ids[together.rows, together.columns] == tiny.tokenizer.mask_token_id).all()


def test_the_same_questions_of_another_model(tiny, tmp_path):
    texts, places, found = tokenised(tiny)
    questions = unmasking.Queries.from_tokens(found, 0, tiny.tokenizer.mask_token_id, [1])
    other = plain.load(TINY).eval()
    with torch.no_grad():
        for weight in other.parameters():
            weight += 0.05 * torch.randn(weight.shape, generator=torch.Generator().manual_seed(1))
    answers = questions.run(other)
    np.testing.assert_allclose(answers, expected(tiny, other, texts, places, 0, [1]), atol=5e-4)
    assert (np.abs(answers - questions.run(tiny.model)) > 0.01).all()


def test_a_word_at_a_text_s_start_alone_gets_a_capital(tiny, monkeypatch):
    asked = []
    monkeypatch.setattr(
        unmasking, "_words", lambda model, filled, spans, pieces: asked.append((filled, spans.tolist()))
    )
    monkeypatch.setattr(unmasking, "place_log_probabilities", lambda *_: np.zeros(4))
    unmasking.word_log_probabilities(tiny, ["x came.", "'x came.'"], np.array([(0, 1), (1, 2)]), ["he", "she"])
    texts = ["He came.", "She came.", "'he came.'", "'she came.'"]
    assert asked == [(texts, [[0, 2], [0, 3], [1, 3], [1, 4]])]


def test_fewer_positions_at_once_of_a_large_vocabulary(tiny, monkeypatch):
    usual, seen = inference.batches, []

    def batches(lengths, counts, tokens, positions):
        seen.append(positions)
        return usual(lengths, counts, tokens, positions)

    monkeypatch.setattr(inference, "batches", batches)
    given = np.full((4, 6), 1000), np.full(4, 6), np.arange(4), np.full(4, 2), np.full((4, 1), 1010)
    found = [inference.log_probabilities(tiny.model, *given)]
    for most in (3 * 30522 + 5, 30000):
        monkeypatch.setitem(inference.VALUES, "cpu", most)
        found.append(inference.log_probabilities(tiny.model, *given))
    assert seen == [512, 3, 1]
    for other in found[1:]:
        np.testing.assert_allclose(other, found[0], atol=1e-5)
    assert inference.VALUES["cuda"] // 250_002 * 250_002 * 4 < 1.1e9  # bytes of XLM-R's
