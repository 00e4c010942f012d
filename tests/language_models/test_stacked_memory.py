"""The estimate of a training's memory against the tensors that live at the same time in a step of all models."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from biassay.language_models.masked import Masked  # noqa: E402
from biassay.language_models.stacked import memory  # noqa: E402
from tests.language_models.device_traffic import META, Living, stack_on_device  # noqa: E402

SIZES = {"hidden_size": 256, "num_hidden_layers": 4, "num_attention_heads": 4, "intermediate_size": 1024}
CONFIGS = {
    "bert": lambda: transformers.BertConfig(**SIZES),
    "roberta": lambda: transformers.RobertaConfig(**SIZES, pad_token_id=1, vocab_size=50265),
    "distilbert": lambda: transformers.DistilBertConfig(dim=256, n_layers=4, n_heads=4, hidden_dim=1024),
    "albert": lambda: transformers.AlbertConfig(**SIZES, embedding_size=128, hidden_act="gelu_new"),
}


@pytest.mark.parametrize("precision", ["fp32", "bf16"])
@pytest.mark.parametrize("batch", [8, 64])
@pytest.mark.parametrize("kind", CONFIGS)
def test_the_estimate_is_near_what_a_step_takes(kind, batch, precision, monkeypatch):
    monkeypatch.setattr(torch, "_fused_adamw_", lambda *_, **__: None)  # has no form on meta, and takes no memory
    config, length = CONFIGS[kind](), 16
    with META:
        model = transformers.AutoModelForMaskedLM.from_config(config)
    lengths = np.full(batch, length)
    lengths[0] -= 1  # some padding
    data = Masked(np.full((batch, length), 7, np.int32), lengths, np.full(batch, 2), np.full(batch, 9))
    chunk = stack_on_device(model, [data] * 2, batch=batch, precision=precision)
    groups = [tensor for group in chunk.stack.groups().values() for tensor in group.values()]
    with Living(groups) as living:
        chunk._advance(slice(None), 0, 1)
    count, half = sum(part[0].numel() for part in chunk.stack.weights.values()), precision == "bf16"
    taken = memory.STATE * count + living.most / 2
    of_pass = memory.activations(config, batch, length, half)
    room = 1000 * taken / memory.SHARE
    fitting = memory.models_at_once(count, of_pass, torch.device("cuda"), half=half, free_bytes=room)
    assert 800 < fitting < 1200  # 1000 would be exact
