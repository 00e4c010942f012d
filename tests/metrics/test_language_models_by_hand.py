"""AUL, PLL, LPBS and unmasking bias by hand: a tokenizer that splits at spaces, probabilities that follow a rule."""

import numpy as np
import pytest

from biassay.language_models import inference
from biassay.language_models.loading import LanguageModel
from biassay.metrics import aul, log_likelihood, lpbs, pll, unmasking

START, END, PAD, MASK, UNKNOWN = range(5)
NUMBERS = {word: 11 + i for i, word in enumerate(["she", "he", "is", "a", "nurse", "pilot", "no", "hair", "##dresser"])}


class Spaces:
    """Words as numbers from 11 on, hairdresser in two pieces; a token at the start and the end."""

    name_or_path, pad_token_id, mask_token_id, unk_token_id, model_max_length = "spaces", PAD, MASK, UNKNOWN, 99
    all_special_ids, unk_token, added_tokens_decoder = (START, END, PAD, MASK, UNKNOWN), "[UNK]", {}

    def __call__(self, texts, return_offsets_mapping):
        encoded = {"input_ids": [], "offset_mapping": []}
        for text in texts:
            ids, spans, at = [START], [(0, 0)], 0
            for word in text.split():
                start = text.index(word, at)
                for piece in ("hair", "##dresser") if word == "hairdresser" else (word,):
                    at = start + len(piece.removeprefix("##"))
                    ids.append(NUMBERS.get(piece.lower(), UNKNOWN))
                    spans.append((start, at))
                    start = at
            encoded["input_ids"].append([*ids, END])
            encoded["offset_mapping"].append([*spans, (0, 0)])
        return encoded

    def convert_ids_to_tokens(self, ids):
        return [str(number) for number in ids]

    def decode(self, ids):
        return " ".join(self.convert_ids_to_tokens(ids))


@pytest.fixture
def model(monkeypatch):
    """log p of a token: minus its number times 1 + the masks of the sentence; `asked` are the sentences' columns."""
    asked = []

    def log_probabilities(model, ids, lengths, rows, columns, wanted):
        asked.extend((ids[row].tolist(), int(column)) for row, column in zip(rows, columns, strict=True))
        assert (columns < lengths[rows]).all()
        return (-wanted * (1 + (ids == MASK).sum(axis=1)[rows])[:, None]).astype(np.float32)

    monkeypatch.setattr(inference, "log_probabilities", log_probabilities)
    return LanguageModel(Spaces(), asked)


def test_aul_is_the_mean_over_the_sentence_s_own_tokens(model):
    # she is a nurse: 11 13 14 15; he is no nurse: 12 13 17 15; a pilot: 14 16
    found = aul.scores(model, ["she is a nurse", "a pilot"], ["he is no nurse", "a is pilot"])
    np.testing.assert_allclose(found, [[-53 / 4, -57 / 4], [-15, -43 / 3]])
    np.testing.assert_allclose(aul.word_bias(found), [1, -15 + 43 / 3])
    assert aul.set_bias(found) == 0.5
    assert not any(MASK in ids for ids, _ in model.model)
    found = aul.scores(model, [""], ["a"])  # a sentence without tokens of its own
    np.testing.assert_allclose(found, [[np.nan, -14]])
    assert np.isnan(aul.set_bias(found))


@pytest.mark.parametrize("metric", [aul, log_likelihood, pll])
def test_pairs_that_the_tokenizer_cannot_tell_apart_have_no_value(model, metric):
    stereotypical = ["xyz is a nurse", "She is a nurse", "she is a pilot", "she is xyz pilot"]
    antistereotypical = ["abc is a nurse", "she is a nurse", "xyz is a pilot", "he is xyz pilot"]
    found = metric.scores(model, stereotypical, antistereotypical)
    assert np.isnan(found).tolist() == [[True, True]] * 3 + [[False, False]]


def test_pll_is_the_sum_over_shared_tokens_each_masked_in_turn(model):
    # shared: is a nurse, 13 + 14 + 15 with one mask each; then she is pilot, and is alone, of which one side is longer
    stereotypical = ["she is a nurse", "she is a pilot", "is"]
    antistereotypical = ["he is a nurse", "she is no no pilot", "nurse is a pilot"]
    found = pll.scores(model, stereotypical, antistereotypical)
    np.testing.assert_allclose(found, -2.0 * np.array([[42, 42], [40, 40], [13, 13]]))
    assert all(ids[column] == MASK and ids.count(MASK) == 1 for ids, column in model.model)
    columns = [column for _, column in model.model]
    assert columns == [2, 3, 4, 1, 2, 4, 1, 2, 3, 4, 1, 2, 5, 2]
    assert pll.word_bias(found).tolist() == [0, 0, 0]
    assert pll.set_bias(found) == 0.5  # ties


def test_lpbs_is_the_log_ratio_to_the_prior(model):
    # one mask beside the target, two in the prior: −2·11 + 3·11 = 11 for she, 12 for he; groups at any place
    stereotypical, antistereotypical = ["she is a nurse", "a Pilot is she"], ["he is a nurse", "a Pilot is he"]
    found = lpbs.scores(model, stereotypical, antistereotypical, targets=["nurse", "pilot"])
    np.testing.assert_allclose(found, [[11, 12], [11, 12]])
    assert found.dtype == np.float64
    masked = sorted(tuple(np.flatnonzero(np.array(ids) == MASK)) for ids, _ in model.model)
    assert set(masked) == {(1,), (4,), (1, 4), (2, 4)}
    np.testing.assert_allclose(lpbs.word_bias(found), [-1, -1])
    assert lpbs.set_bias(np.array([[11.0, 12], [3, 1], [2, 2]])) == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"targets": None}, "targets: .*got None"),
        ({"targets": ["nurse"], "multi_token": "first"}, "multi_token: unknown value 'first'"),
        ({"targets": ["urse"]}, "'she is a nurse': .*'urse'.* 0 times"),
    ],
)
def test_lpbs_says_what_is_wrong(model, options, message):
    with pytest.raises(ValueError, match=message):
        lpbs.scores(model, ["she is a nurse"], ["he is a nurse"], **options)
    with pytest.raises(ValueError, match=r"'नर'.* 0 times"):  # male; नर्स is nurse
        lpbs.scores(model, ["वह नर्स है"], ["वह नर्स है"], targets=["नर"])


def test_unmasking_bias_of_three_groups(model):
    # one mask: −2·11 for she, −2·12 for he, −2·16 for pilot, at any place
    lists = ["she is a nurse", "no, she"], ["he is a nurse", "no, he"], ["pilot is a nurse", "no, pilot"]
    found = unmasking.scores(model, *lists)
    np.testing.assert_allclose(found, [[-22, -24, -32]] * 2)
    assert found.dtype == np.float64
    assert {tuple(np.flatnonzero(np.array(ids) == MASK)) for ids, _ in model.model} == {(1,), (2,)}
    p = np.exp([0, -2, -10]) / (1 + np.exp(-2) + np.exp(-10))
    middle = (p + 1 / 3) / 2
    by_hand = (p * np.log(p / middle)).sum() / 2 + np.log(1 / 3 / middle).sum() / 6
    np.testing.assert_allclose(unmasking.word_bias(found), [by_hand] * 2)
    assert unmasking.set_bias(found) == pytest.approx(by_hand)
