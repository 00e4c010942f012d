"""Metrics of causal models by the plain forward pass: log-likelihood, AUL, LPBS; and which metric takes which kind."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from biassay import measure_language_model  # noqa: E402
from biassay.language_models import loading  # noqa: E402
from biassay.metrics import aul, log_likelihood, lpbs  # noqa: E402
from tests.language_models import decoders_of_ours as ours  # noqa: E402

STEREOTYPICAL = ["She is a nurse.", "He said that an economist worked as a historian.", "Her job was old"]
ANTISTEREOTYPICAL = ["He is a nurse.", "She said that an economist worked as a historian.", "His engine"]
PAIRS = {"stereotypical": STEREOTYPICAL, "antistereotypical": ANTISTEREOTYPICAL}


@pytest.fixture(scope="module", params=[("GPT2", True), ("GPT2", False), ("Llama", True)], ids=str)
def decoder(request):
    return ours.decoder(*request.param)


def plain(model, summary):
    return [
        [summary(ours.plainly(model, text)) for text in pair]
        for pair in zip(STEREOTYPICAL, ANTISTEREOTYPICAL, strict=True)
    ]


def test_log_likelihood_is_that_of_a_plain_pass(decoder):
    found = measure_language_model("log_likelihood", model=decoder, **PAIRS)
    by_hand = np.array(plain(decoder, sum))
    np.testing.assert_allclose(log_likelihood.scores(decoder, STEREOTYPICAL, ANTISTEREOTYPICAL), by_hand, atol=1e-4)
    np.testing.assert_allclose(found.word, by_hand[:, 0] - by_hand[:, 1], atol=1e-4)
    assert found.set == np.mean(by_hand[:, 0] > by_hand[:, 1])
    assert (by_hand < 0).all()


def test_per_token_and_aul_are_means(decoder):
    by_hand = plain(decoder, np.mean)
    np.testing.assert_allclose(
        log_likelihood.scores(decoder, STEREOTYPICAL, ANTISTEREOTYPICAL, per="token"), by_hand, atol=1e-5
    )
    np.testing.assert_allclose(aul.scores(decoder, STEREOTYPICAL, ANTISTEREOTYPICAL), by_hand, atol=1e-5)


def test_a_sentence_of_one_token_without_a_beginning_is_undefined():
    model = ours.decoder(bos=False)
    found = measure_language_model(
        "log_likelihood", model=model, stereotypical=["A", "She is"], antistereotypical=["She is", "He is"]
    )
    assert np.isnan(found.word).tolist() == [True, False]
    assert np.isnan(found.set)
    assert found.undefined["set"] == "a sentence has no token that follows another"


def target_given(model, text, target):
    """Sum of log p of the pieces of a target, found by its characters."""
    encoded = model.tokenizer(text, add_special_tokens=False, return_offsets_mapping=True)
    start = text.index(target)
    skipped = model.tokenizer.bos_token_id is None
    values = [np.nan] * skipped + ours.plainly(model, text)
    spans = encoded["offset_mapping"]
    return sum(value for value, (a, b) in zip(values, spans, strict=True) if a < start + len(target) and b > start)


def test_lpbs_is_the_target_given_the_group(decoder):
    targets = ["nurse", "economist"]
    found = lpbs.scores(decoder, STEREOTYPICAL[:2], ANTISTEREOTYPICAL[:2], targets=targets)
    by_hand = [
        [target_given(decoder, text, target) for text in pair]
        for *pair, target in zip(STEREOTYPICAL, ANTISTEREOTYPICAL, targets, strict=False)
    ]
    np.testing.assert_allclose(found, by_hand, atol=1e-4)
    assert found.dtype == np.float64
    # what stands behind the target is not asked, nor how many pieces the group's word has
    stereotypical, antistereotypical = (
        ["The zookeeper is a nurse and sang.", "He is a nurse"],
        ["The man is a nurse and sang.", "She is a nurse"],
    )
    assert lpbs.scores(decoder, stereotypical, antistereotypical, targets=["nurse"] * 2)[0, 0] == pytest.approx(
        target_given(decoder, "The zookeeper is a nurse", "nurse"), abs=1e-4
    )


def test_lpbs_of_a_target_before_the_group_is_refused(decoder):
    stereotypical, antistereotypical = (
        ["The nurse said that she sang.", *STEREOTYPICAL[:1]],
        ["The nurse said that he sang.", *ANTISTEREOTYPICAL[:1]],
    )
    with pytest.raises(ValueError, match=r"^'The nurse said that she sang\.': .* log_likelihood"):
        lpbs.scores(decoder, stereotypical, antistereotypical, targets=["nurse", "nurse"])


def test_each_kind_has_metrics_of_its_own(decoder):
    masked = loading.load("resources/models/bert-tiny-enwiki", device="cpu")
    assert masked.kind == "masked"
    for name, model, message in [
        ("pll", decoder, "pll: .* masked .* causal .*log_likelihood"),
        ("unmasking", decoder, "unmasking: .* masked .* causal"),
        ("log_likelihood", masked, "log_likelihood: .* causal .* masked .*pll"),
    ]:
        with pytest.raises(ValueError, match=message):
            measure_language_model(
                name, model=model, stereotypical=STEREOTYPICAL[:2], antistereotypical=ANTISTEREOTYPICAL[:2]
            )
