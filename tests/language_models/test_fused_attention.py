"""Attention by torch's fused kernels, where there is no dropout, against the plain form; both on a CPU."""

import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from safetensors.torch import load_file  # noqa: E402

from biassay.language_models import loading  # noqa: E402
from biassay.language_models.stacked import encoder, step_gradients  # noqa: E402
from biassay.language_models.stacked.architectures import find_architecture  # noqa: E402
from biassay.language_models.stacked.batches import prepare_step  # noqa: E402
from biassay.language_models.stacked.optimizer import Stack  # noqa: E402
from biassay.language_models.stacked.run import PRECISIONS  # noqa: E402
from biassay.language_models.stacked.training import train  # noqa: E402
from tests.language_models import plain_training as plain  # noqa: E402
from tests.language_models.device_traffic import Traffic, stack_on_device  # noqa: E402
from tests.language_models.test_stacked import KEY_BIASES  # noqa: E402

CPU = torch.device("cpu")
KINDS = [kind for kind in plain.CONFIGS if kind != "mpnet"]


@pytest.fixture
def calls(monkeypatch):
    """The switch as on a GPU, and the shapes of masks that torch's attention was given."""
    found, usual = [], torch.nn.functional.scaled_dot_product_attention

    def attention(*parts, attn_mask):
        found.append(None if attn_mask is None else tuple(attn_mask.shape))
        return usual(*parts, attn_mask=attn_mask)

    monkeypatch.setattr(torch.nn.functional, "scaled_dot_product_attention", attention)
    monkeypatch.setattr(encoder, "uses_fused_attention", lambda _: True)
    return found


def gradients(kind, folder, parts, precision="fp32", dropout=0.0):
    model = plain.load(plain.base(kind, folder))
    stack = Stack.of(dict(model.named_parameters()), len(parts), CPU)
    way = step_gradients.StackedGradients(find_architecture(model), dropout, PRECISIONS[precision])
    step = prepare_step(parts, [1] * len(parts), [0.1] * len(parts), 0, CPU)
    return way.gradients(stack, step)


@pytest.mark.parametrize("padded", [True, False])
@pytest.mark.parametrize("precision", ["fp32", "bf16"])
@pytest.mark.parametrize("kind", KINDS)
def test_losses_and_gradients_are_those_of_the_plain_form(tmp_path, monkeypatch, calls, kind, precision, padded):
    """Two models, one of fewer and shorter sentences, or all of one length, which needs no mask."""
    parts = [plain.sentences(5, 1), plain.sentences(4, 2, longest=9)]
    if not padded:
        parts = [plain.sentences(5, seed, longest=4) for seed in (1, 2)]
    losses, found = gradients(kind, tmp_path, parts, precision)
    layers = 4 if kind == "albert" else 2
    assert calls == [(10, 1, 1, 12) if padded else None] * layers
    monkeypatch.setattr(encoder, "uses_fused_attention", lambda _: False)
    expected, of_weights = gradients(kind, tmp_path, parts, precision)
    assert len(calls) == layers
    near = 1e-5 if precision == "fp32" else 0.05
    torch.testing.assert_close(losses, expected, atol=near, rtol=0)
    for name, gradient in of_weights.items():
        torch.testing.assert_close(found[name], gradient, atol=near, rtol=0, msg=lambda m, n=name: f"{n}: {m}")


@pytest.mark.parametrize("kind", KINDS)
def test_a_training_is_that_of_the_plain_form(tmp_path, monkeypatch, calls, kind):
    base, data = plain.base(kind, tmp_path / "base"), [plain.sentences(n, n) for n in (21, 40)]
    options = {"seeds": [5, 0], "epochs": 2, "batch": 8, "learning_rate": 1e-3, "dropout": 0.0, "device": "cpu"}
    train(base, data, folder=tmp_path / "fused", **options)
    assert calls
    monkeypatch.setattr(encoder, "uses_fused_attention", lambda _: False)
    train(base, data, folder=tmp_path / "plain", **options)
    found, expected = (load_file(tmp_path / name / "weights.safetensors") for name in ("fused", "plain"))
    for name, weights in expected.items():
        if not name.endswith(KEY_BIASES):
            torch.testing.assert_close(found[name], weights, atol=1e-4, rtol=0)


def test_with_dropout_and_on_a_cpu_attention_is_in_the_plain_form(tmp_path, monkeypatch, calls):
    parts = [plain.sentences(5, 1)]
    gradients("bert", tmp_path, parts, dropout=0.1)
    monkeypatch.undo()
    assert encoder.uses_fused_attention(torch.device("cuda"))
    assert not encoder.uses_fused_attention(CPU)
    assert calls == []


def test_a_step_is_one_copy_to_the_device(tmp_path, monkeypatch, calls):
    monkeypatch.setattr(torch, "_fused_adamw_", lambda *_, **__: None)  # has no form on meta
    model = plain.load(plain.base("bert", tmp_path))
    chunk = stack_on_device(model, [plain.sentences(40, n) for n in (1, 2)], batch=8, precision="bf16", dropout=0.0)
    with Traffic() as traffic:
        chunk._advance(slice(None), 0, 3)
    assert len(calls) == 6
    assert traffic.crossings == ["aten._to_copy.default"] * 3
    assert traffic.reads == []


def test_models_that_are_asked_attend_by_torch_too():
    model = loading.load("resources/models/bert-tiny-enwiki", device="cpu").model
    assert model.config._attn_implementation == "sdpa"
