"""Parts that two sentences share, log p of every token by causal models, and how scores are compared."""

import numpy as np
import pytest

from biassay.language_models import inference, likelihoods, tokens
from biassay.language_models.loading import LanguageModel
from tests.language_models import decoders_of_ours as ours
from tests.language_models import tokenizers_of_ours

TEXTS = [
    "She job as a nurse said that he worked as an economist.",
    "She job as a nurse said that",
    "He is a chef.",
    "Her",
    "He is a chef.",
]


@pytest.mark.parametrize("kind", ours.CONFIGS)
@pytest.mark.parametrize("bos", [True, False])
def test_every_token_of_a_causal_model_is_as_in_a_pass_of_its_sentence(kind, bos, monkeypatch):
    model = ours.decoder(kind, bos)
    sentences = tokens.tokenise(model.tokenizer, TEXTS, np.zeros((len(TEXTS), 0, 2), np.int64), causal=True)
    own = likelihoods.text_tokens(model, sentences)
    values = likelihoods.token_log_probabilities(model, sentences, own)
    assert values.shape == sentences.ids.shape
    monkeypatch.setitem(inference.POSITIONS, "cpu", 1)
    np.testing.assert_allclose(likelihoods.token_log_probabilities(model, sentences, own), values, atol=2e-5)
    for row, text in enumerate(TEXTS):
        length = sentences.lengths[row]
        np.testing.assert_allclose(values[row, 1:length], ours.plainly(model, text), atol=2e-5)
        assert np.isnan(values[row, [0, *range(length, values.shape[1])]]).all()
        assert (sentences.ids[row, 0] == 0) == bos


@pytest.fixture
def words():
    return LanguageModel(tokenizers_of_ours.subword_tokens(), None)


def test_the_parts_that_two_sentences_share(words):
    stereotypical, antistereotypical = ["She is a nurse.", "Old men sing"], ["He is a good nurse!", "Old women sing"]
    sentences = likelihoods.tokenise_pairs(words, stereotypical, antistereotypical)
    assert len(sentences) == 4
    assert words.tokenizer.decode(sentences.ids[3, : sentences.lengths[3]]) == "[CLS] old women sing [SEP]"
    assert likelihoods.matching_blocks(sentences, 0) == [
        ("equal", 0, 1, 0, 1), ("replace", 1, 2, 1, 2), ("equal", 2, 4, 2, 4), ("insert", 4, 4, 4, 5),
        ("equal", 4, 5, 5, 6), ("replace", 5, 6, 6, 7), ("equal", 6, 7, 7, 8),
    ]  # fmt: skip
    assert [kind for kind, *_ in likelihoods.matching_blocks(sentences, 1)] == ["equal", "replace", "equal"]
    texts = [[f"{word} {'the ' * 250} {word}"] for word in ("nurse", "pilot")]  # frequent words are matched too
    long = likelihoods.matching_blocks(likelihoods.tokenise_pairs(words, *texts), 0)
    assert [block[:3] for block in long[1:4]] == [("replace", 1, 2), ("equal", 2, 252), ("replace", 252, 253)]


def test_unknown_tokens_belong_to_the_text(words):
    sentences = likelihoods.tokenise_pairs(words, ["She ✂ left"], ["Left"])
    own = likelihoods.text_tokens(words, sentences).tolist()
    assert own == [[False, True, True, True, False], [False, True, False, False, False]]
    assert sentences.ids[0, 2] == words.tokenizer.unk_token_id


def test_pairs_are_compared_beyond_rounding():
    scores = np.array([[-1.0, -2.0], [-2.0, -1.0], [-1.0, -1.00009], [-1.0, -1.00011]])
    np.testing.assert_allclose(likelihoods.score_differences(scores), [1, -1, 0.00009, 0.00011])
    assert likelihoods.preference_share(scores) == 2.5 / 4
    assert likelihoods.preference_share(np.array([[1e-4, 0.0]])) == 0.5  # a tie
    assert likelihoods.preference_share(np.array([[1.0, 0.0], [1, 2], [3, 3], [3, 3], [4, 3], [5, 1]])) == 4 / 6
    assert np.isnan(likelihoods.preference_share(np.array([[1.0, np.nan], [2.0, 1.0]])))
