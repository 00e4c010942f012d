"""The estimate of a training's memory against the tensors that live at the same time in a step of all models."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from biassay.language_models import stacked  # noqa: E402
from biassay.language_models.masked_sentences import MaskedSentences  # noqa: E402
from biassay.language_models.stacked import memory  # noqa: E402
from biassay.language_models.stacked import run as runs  # noqa: E402
from tests.language_models import plain_training as plain  # noqa: E402
from tests.language_models.device_traffic import META, Living, stack_on_device  # noqa: E402
from tests.language_models.stacked_material import run_of  # noqa: E402

SIZES = {"hidden_size": 256, "num_hidden_layers": 4, "num_attention_heads": 4, "intermediate_size": 1024}
CONFIGS = {
    "bert": lambda: transformers.BertConfig(**SIZES),
    "roberta": lambda: transformers.RobertaConfig(**SIZES, pad_token_id=1, vocab_size=50265),
    "distilbert": lambda: transformers.DistilBertConfig(dim=256, n_layers=4, n_heads=4, hidden_dim=1024),
    "albert": lambda: transformers.AlbertConfig(**SIZES, embedding_size=128, hidden_act="gelu_new"),
}


class Dropped(torch.autograd.Function):
    """What our kernel for dropout keeps and makes; Triton has no form on meta."""

    @staticmethod
    def forward(ctx, x, rows, keys):
        ctx.save_for_backward(rows, keys)
        return torch.empty_like(x.contiguous())

    @staticmethod
    def backward(ctx, gradient):
        return torch.empty_like(gradient.contiguous()), None, None


@pytest.fixture
def updates(monkeypatch):
    """Updates have no form on meta, and take no memory but for gradients that are not laid out as the weights."""
    monkeypatch.setattr(torch, "_fused_adamw_", lambda *_, **__: None)
    module = SimpleNamespace(update=lambda _, gradients, *__: [part.contiguous() for part in gradients.values()])
    monkeypatch.setattr(stacked, "fused_adamw", module, raising=False)
    module = SimpleNamespace(drop=lambda x, rows, keys, *_: Dropped.apply(x, rows.contiguous(), keys))
    monkeypatch.setattr(stacked, "fused_dropout", module, raising=False)


@pytest.mark.parametrize("fused", [False, True])
@pytest.mark.parametrize("precision", ["fp32", "bf16"])
@pytest.mark.parametrize("batch", [8, 64])
@pytest.mark.parametrize("kind", CONFIGS)
def test_the_estimate_is_near_what_a_step_takes(updates, kind, batch, precision, fused):
    config, length = CONFIGS[kind](), 16
    with META:
        model = transformers.AutoModelForMaskedLM.from_config(config)
    lengths = np.full(batch, length)
    lengths[0] -= 1  # some padding
    data = MaskedSentences(np.full((batch, length), 7, np.int32), lengths, np.full(batch, 2), np.full(batch, 9))
    chunk, half = stack_on_device(model, [data] * 2, batch=batch, precision=precision, fused=fused), precision == "bf16"
    assert bool(chunk.stack.rounded) == (half and fused)
    groups = [tensor for group in vars(chunk.stack).values() for tensor in group.values()]
    with Living(groups) as living:
        chunk._advance(slice(None), 0, 1)
    taken = (sum(tensor.nbytes for tensor in groups) + living.most) / 2
    count = sum(part[0].numel() for part in chunk.stack.weights.values())
    of_pass = memory.activation_bytes(config, batch, length, half, fused)
    room = 1000 * taken / memory.SHARE
    fitting = memory.models_at_once(count, of_pass, torch.device("cuda"), half=half, available=room)
    assert 800 < fitting < 1200  # 1000 would be exact


@pytest.mark.parametrize(("kind", "fused"), [("bert", True), ("bert", False), ("mpnet", True)])
def test_a_run_counts_what_its_steps_take(tmp_path, monkeypatch, kind, fused):
    """Our own kernels are for what has a stacked form, and so are graphs, which take a step's memory again."""
    base, data, asked = plain.base(kind, tmp_path), [plain.sentences(9, 1), plain.sentences(4, 2)], []
    monkeypatch.setattr(runs, "is_fused", lambda _: fused)
    monkeypatch.setattr(runs.disk, "available_bytes", lambda _: 10**12)
    monkeypatch.setattr(memory, "activation_bytes", lambda *arguments: asked.append(arguments[1:]) or 7)
    monkeypatch.setattr(memory, "models_at_once", lambda *_, **told: asked.append(told) or 1)
    for graphs in (False, True):
        made = run_of(base, data, seeds=[1, 2], precision="bf16")
        made = replace(made, graphs=graphs)
        assert made._size(0) == 1
        ours, longest = fused and kind == "bert", max(int(part.lengths.max()) for part in data)
        assert asked.pop() == {"half": True, "workers": torch.get_num_threads(), "graphs": graphs and ours}
        assert asked.pop() == (4, longest, True, ours)
