"""Metrics of language models: their contract, values against the plain forward pass, errors."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")
from scipy.spatial.distance import jensenshannon  # noqa: E402

from biassay import measure_language_model  # noqa: E402
from biassay.core import python_files, registry  # noqa: E402
from biassay.language_models import inference, loading  # noqa: E402
from biassay.measurement import metric as metrics  # noqa: E402
from tests.language_models import decoders_of_ours  # noqa: E402

FOLDER = "resources/models/bert-tiny-enwiki"
MODULES = {name: metrics.load(name) for name in registry.names("metrics")}
NAMES = [name for name, module in MODULES.items() if module.METRIC.takes == "language_model"]
CASES = [(name, kind) for name in NAMES for kind in MODULES[name].METRIC.models]
STEREOTYPICAL = ["She is a nurse.", "He repairs the old engine.", "My aunt, a hairdresser, sang with her friends."]
ANTISTEREOTYPICAL = ["He is a nurse.", "She repairs the old engine.", "My uncle, a hairdresser, sang with his friends."]
TARGETS = ["nurse", "engine"]


@pytest.fixture(scope="module")
def tiny():
    return loading.load(FOLDER, device="cpu")


@pytest.fixture(scope="module")
def models(tiny):
    return {"masked": tiny, "causal": decoders_of_ours.decoder()}


def asked(name, n=3):
    """The first n pairs, with what a metric needs besides."""
    n = n if name in ("aul", "log_likelihood", "pll") else min(n, 2)
    return {"stereotypical": STEREOTYPICAL[:n], "antistereotypical": ANTISTEREOTYPICAL[:n]} | (
        {"targets": TARGETS[:n]} if name == "lpbs" else {}
    )


def plain(tiny, ids):
    with torch.inference_mode():
        return tiny.model(input_ids=torch.tensor([ids])).logits[0].log_softmax(dim=-1).numpy()


def pseudo_log_likelihood(tiny, text, others):
    """One masked variant a pass, as the equation says; `others` are the words of the other sentence."""
    ids = tiny.tokenizer(text)["input_ids"]
    total = 0.0
    for place, token in enumerate(ids):
        if token in others and token not in tiny.tokenizer.all_special_ids:
            variant = [*ids[:place], tiny.tokenizer.mask_token_id, *ids[place + 1 :]]
            total += plain(tiny, variant)[place, token]
    return total


@pytest.mark.parametrize(("name", "kind"), CASES)
def test_contract(models, name, kind):
    declared, model = MODULES[name].METRIC, models[kind]
    assert declared.summary
    assert declared.source
    assert declared.exempt
    assert MODULES[name].scores.__doc__
    found = measure_language_model(name, model=model, **asked(name))
    assert found.metric == name
    assert found.word.shape == (len(asked(name)["stereotypical"]),)
    assert np.isfinite(found.word).all()
    bounds = found.ranges["set"]
    assert bounds.b_min is None or bounds.b_min <= found.set <= bounds.b_max
    exchanged = asked(name) | {
        "stereotypical": asked(name)["antistereotypical"],
        "antistereotypical": asked(name)["stereotypical"],
    }
    swapped = measure_language_model(name, model=model, **exchanged)
    signed = found.ranges["word"].signed
    np.testing.assert_allclose(swapped.word, -found.word if signed else found.word, atol=1e-5)
    assert swapped.set == pytest.approx(-found.set if bounds.signed else 1 - found.set if signed else found.set)
    if declared.aggregate:
        assert found.set == pytest.approx(found.word.mean())
    first = measure_language_model(name, model=model, **asked(name, 1))
    assert first.word[0] == pytest.approx(found.word[0], abs=1e-4)


def test_pll_is_that_of_a_plain_loop(tiny, monkeypatch):
    monkeypatch.setitem(inference.TOKENS, "cpu", 50)  # many batches
    found = MODULES["pll"].scores(tiny, STEREOTYPICAL, ANTISTEREOTYPICAL)
    for row, pair in enumerate(zip(STEREOTYPICAL, ANTISTEREOTYPICAL, strict=True)):
        shared = set.intersection(*(set(tiny.tokenizer(text)["input_ids"]) for text in pair))
        for column, text in enumerate(pair):
            assert found[row, column] == pytest.approx(pseudo_log_likelihood(tiny, text, shared), abs=1e-4)


def test_pll_of_sentences_that_share_nothing_is_undefined(tiny):
    found = measure_language_model(
        "pll",
        model=tiny,
        stereotypical=["Nurses sing", STEREOTYPICAL[0]],
        antistereotypical=["pilots", ANTISTEREOTYPICAL[0]],
    )
    assert np.isnan(found.word).tolist() == [True, False]
    assert np.isnan(found.set)


def test_lpbs_is_the_log_ratio_to_the_prior(tiny):
    found = measure_language_model("lpbs", model=tiny, **asked("lpbs"))
    she, he = tiny.tokenizer.convert_tokens_to_ids(["she", "he"])
    beside = plain(tiny, tiny.tokenizer("[MASK] is a nurse.")["input_ids"])[1]
    prior = plain(tiny, tiny.tokenizer("[MASK] is a [MASK].")["input_ids"])[1]
    assert found.word[0] == pytest.approx(beside[she] - prior[she] - (beside[he] - prior[he]), abs=1e-4)
    assert found.word[0] > 0
    assert found.set == pytest.approx(found.word.mean())


def test_unmasking_bias_is_the_divergence_from_uniform_behind_the_mask(tiny):
    texts = ["The [MASK] nurse sang.", "My friend is [MASK].", "[MASK] schools were built."]
    words = ["christian", "jewish", "hindu", "muslim"]
    groups = {word: [text.replace("[MASK]", word) for text in texts] for word in words}
    found = measure_language_model("unmasking", model=tiny, groups=groups)
    columns = tiny.tokenizer.convert_tokens_to_ids(words)
    for value, text, place in zip(found.word, texts, (2, 4, 1), strict=True):
        p = np.exp(plain(tiny, tiny.tokenizer(text)["input_ids"])[place, columns])
        assert value == pytest.approx(jensenshannon(p, [1, 1, 1, 1]) ** 2, abs=1e-5)
        assert 0.001 < value < 0.37
    assert found.ranges["word"].b_max == pytest.approx(0.380, abs=1e-3)
    turned = measure_language_model("unmasking", model=tiny, groups=dict(reversed(groups.items())))
    np.testing.assert_allclose(turned.word, found.word, atol=1e-6)


def test_a_metric_of_ones_own(tiny, tmp_path):
    path = tmp_path / "mine.py"
    text = (
        "import numpy as np\nfrom biassay import Level, Metric\n"
        "METRIC = Metric(summary='x', source='mine', takes='language_model', word=Level(None, None, signed=True))\n"
    )
    path.write_text(text)
    with pytest.raises(ValueError, match=r"mine.py: .*scores"):
        metrics.load(str(path))
    scores = "def scores(model, more, less):\n    return np.array([[len(a), len(b)] for a, b in zip(more, less)])\n"
    path.write_text(text + scores + "def word_bias(scores):\n    return scores[:, 0] - scores[:, 1]\n")
    found = measure_language_model(
        str(path), model=tiny, stereotypical=STEREOTYPICAL, antistereotypical=ANTISTEREOTYPICAL
    )
    assert found.word.tolist() == [1, -1, -1]
    assert found.set is None
    assert python_files.read_keywords(path, "METRIC")["takes"] == "language_model"
    assert python_files.read_keywords(path, "METRIC").get("groups") is None
