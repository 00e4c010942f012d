"""Metrics of language models: their contract, and values of masked and causal models against plain forward passes."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from biassay import measure_language_model  # noqa: E402
from biassay.language_models import loading  # noqa: E402
from biassay.metrics import aul, log_likelihood, lpbs  # noqa: E402
from tests.language_models import decoders_of_ours as decoders  # noqa: E402
from tests.metrics.test_contract import ALL, OWN  # noqa: E402

MODULES = {name: module for name, module in ALL.items() if module.METRIC.takes == "language_model"}
CASES = [(name, kind) for name, module in MODULES.items() for kind in module.METRIC.models]
STEREOTYPICAL = ["She is a nurse.", "He repairs the old engine.", "My aunt, a hairdresser, sang with her friends."]
ANTISTEREOTYPICAL = ["He is a nurse.", "She repairs the old engine.", "My uncle, a hairdresser, sang with his friends."]


@pytest.fixture(scope="module")
def tiny():
    return loading.load("resources/models/bert-tiny-enwiki", device="cpu")


@pytest.fixture(scope="module", params=[True, False], ids=["bos", "no bos"])
def decoder(request):
    return decoders.decoder(bos=request.param)


def pairs(first=STEREOTYPICAL, second=ANTISTEREOTYPICAL, n=3):
    return {"stereotypical": first[:n], "antistereotypical": second[:n]}


@pytest.mark.parametrize(("name", "kind"), CASES)
def test_contract(tiny, name, kind):
    declared, model = MODULES[name].METRIC, {"masked": tiny, "causal": decoders.decoder()}[kind]
    assert declared.exempt
    assert MODULES[name].scores.__doc__

    def measure(first, second, n=2):
        options = {"targets": ["nurse", "engine"][:n]} if name == "lpbs" else {}
        return measure_language_model(OWN.get(name, name), model=model, **pairs(first, second, n), **options)

    found, swapped = measure(STEREOTYPICAL, ANTISTEREOTYPICAL), measure(ANTISTEREOTYPICAL, STEREOTYPICAL)
    limits, signed = found.ranges["set"], found.ranges["word"].signed
    assert found.word.shape == (2,)
    assert np.isfinite(found.word).all()
    assert limits.b_min is None or limits.b_min <= found.set <= limits.b_max
    np.testing.assert_allclose(swapped.word, -found.word if signed else found.word, atol=1e-5)
    assert swapped.set == pytest.approx(-found.set if limits.signed else 1 - found.set if signed else found.set)
    assert not declared.aggregate or found.set == pytest.approx(found.word.mean())
    assert measure(STEREOTYPICAL, ANTISTEREOTYPICAL, 1).word[0] == pytest.approx(found.word[0], abs=1e-4)


def test_log_likelihood_and_aul_of_a_causal_model(decoder):
    first, second = [*STEREOTYPICAL[:2], "Her job was old"], [*ANTISTEREOTYPICAL[:2], "His engine"]
    tokens = [[decoders.plainly(decoder, text) for text in pair] for pair in zip(first, second, strict=True)]
    sums, means = (np.array([[f(values) for values in pair] for pair in tokens]) for f in (np.sum, np.mean))
    np.testing.assert_allclose(log_likelihood.scores(decoder, first, second), sums, atol=1e-4)
    np.testing.assert_allclose(log_likelihood.scores(decoder, first, second, per="token"), means, atol=1e-5)
    np.testing.assert_allclose(aul.scores(decoder, first, second), means, atol=1e-5)
    found = measure_language_model("log_likelihood", model=decoder, **pairs(first, second))
    np.testing.assert_allclose(found.word, sums[:, 0] - sums[:, 1], atol=1e-4)
    assert found.set == np.mean(sums[:, 0] > sums[:, 1])


def test_a_sentence_of_one_token_without_a_beginning_is_undefined():
    model = decoders.decoder(bos=False)
    found = measure_language_model("log_likelihood", model=model, **pairs(["A", "She is"], ["She is", "He is"]))
    assert np.isnan([*found.word, found.set]).tolist() == [True, False, True]
    assert found.undefined["set"].startswith("a sentence has no token with a probability")


def test_lpbs_of_a_causal_model_is_the_target_given_the_group(decoder):
    """Subword tokens before or after the target do not count."""
    texts = ["The zookeeper is a nurse and sang.", "He is a nurse"], ["The man is a nurse and sang.", "She is a nurse"]
    found = lpbs.scores(decoder, *texts, targets=["nurse"] * 2)
    for row, column in np.ndindex(2, 2):
        text = texts[column][row]
        spans = decoder.tokenizer(text, add_special_tokens=False, return_offsets_mapping=True)["offset_mapping"]
        values = [np.nan] * (decoder.tokenizer.bos_token_id is None) + decoders.plainly(decoder, text)
        start = text.index("nurse")
        inside = [value for value, (a, b) in zip(values, spans, strict=True) if a < start + len("nurse") and b > start]
        assert found[row, column] == pytest.approx(sum(inside), abs=1e-4)
    with pytest.raises(ValueError, match=r"^'The nurse said that she sang\.': .* log_likelihood"):
        lpbs.scores(decoder, ["The nurse said that she sang."], ["The nurse said that he sang."], targets=["nurse"])


def test_each_kind_of_model_has_its_metrics(tiny):
    with pytest.raises(ValueError, match=r"pll: .* masked .* causal .*log_likelihood"):
        measure_language_model("pll", model=decoders.decoder(), **pairs())


def test_log_likelihood_of_a_masked_model_is_that_of_plain_passes(tiny):
    """Every token but the special ones is masked in turn."""
    found = log_likelihood.scores(tiny, STEREOTYPICAL, ANTISTEREOTYPICAL)
    with torch.inference_mode():
        for (row, column), value in np.ndenumerate(found):
            ids = tiny.tokenizer((STEREOTYPICAL, ANTISTEREOTYPICAL)[column][row], return_tensors="pt")["input_ids"]
            total = 0.0
            for place in range(1, ids.shape[1] - 1):
                masked = ids.clone()
                masked[0, place] = tiny.tokenizer.mask_token_id
                total += tiny.model(input_ids=masked).logits[0, place].double().log_softmax(-1)[ids[0, place]].item()
            assert value == pytest.approx(total, abs=1e-4)
            mean = log_likelihood.scores(tiny, STEREOTYPICAL, ANTISTEREOTYPICAL, per="token")[row, column]
            assert mean == pytest.approx(total / (ids.shape[1] - 2), abs=5e-5)  # of float32 in other batches
