"""What two sentences of a pair share, and how their scores are compared."""

import numpy as np
import pytest

pytest.importorskip("transformers")
from biassay.language_models import likelihoods
from biassay.language_models.loading import LanguageModel
from tests.language_models import tokenizers_of_ours


@pytest.fixture
def words():
    return LanguageModel(tokenizers_of_ours.subword_tokens(), None)


def test_what_two_sentences_share(words):
    stereotypical, antistereotypical = ["She is a nurse.", "Old men sing"], ["He is a good nurse!", "Old women sing"]
    sentences = likelihoods.tokenise_pairs(words, stereotypical, antistereotypical)
    assert len(sentences) == 4
    assert words.tokenizer.decode(sentences.ids[3, : sentences.lengths[3]]) == "[CLS] old women sing [SEP]"
    assert likelihoods.matching_blocks(sentences, 0) == [
        ("equal", 0, 1, 0, 1), ("replace", 1, 2, 1, 2), ("equal", 2, 4, 2, 4), ("insert", 4, 4, 4, 5),
        ("equal", 4, 5, 5, 6), ("replace", 5, 6, 6, 7), ("equal", 6, 7, 7, 8),
    ]  # fmt: skip
    assert [kind for kind, *_ in likelihoods.matching_blocks(sentences, 1)] == ["equal", "replace", "equal"]


def test_a_long_sentences_frequent_words_are_matched_too(words):
    texts = [f"{word} {'the ' * 250} {word}" for word in ("nurse", "pilot")]
    found = likelihoods.matching_blocks(likelihoods.tokenise_pairs(words, *([text] for text in texts)), 0)
    assert [block[:3] for block in found] == [
        ("equal", 0, 1), ("replace", 1, 2), ("equal", 2, 252), ("replace", 252, 253), ("equal", 253, 254),
    ]  # fmt: skip


def test_own_tokens_are_the_texts_unknown_ones_too(words):
    sentences = likelihoods.tokenise_pairs(words, ["She ✂ left"], ["Left"])
    assert likelihoods.text_tokens(words, sentences).tolist() == [
        [False, True, True, True, False],
        [False] + [True] + [False] * 3,
    ]
    assert sentences.ids[0, 2] == words.tokenizer.unk_token_id


def test_pairs_are_compared_beyond_rounding():
    scores = np.array([[-1.0, -2.0], [-2.0, -1.0], [-1.0, -1.00009], [-1.0, -1.00011]])
    np.testing.assert_allclose(likelihoods.score_differences(scores), [1, -1, 0.00009, 0.00011])
    assert likelihoods.preference_share(scores) == 0.5
    assert isinstance(likelihoods.preference_share(scores), float)
    assert likelihoods.preference_share(np.array([[1e-4, 0.0]])) == 0
    assert np.isnan(likelihoods.preference_share(np.array([[1.0, np.nan], [2.0, 1.0]])))
