"""A step of training waits for the device nowhere: one copy to it, and no value read from it."""

from contextlib import nullcontext

import numpy as np
import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from biassay.language_models import pretraining, transfer  # noqa: E402
from tests.language_models import plain_training as plain  # noqa: E402
from tests.language_models.device_traffic import META, Traffic, stack_on_device  # noqa: E402


@pytest.mark.parametrize("precision", ["fp32", "bf16"])
@pytest.mark.parametrize("kind", [kind for kind in plain.CONFIGS if kind != "mpnet"])
def test_a_stacked_step_is_one_copy_to_the_device(tmp_path, monkeypatch, kind, precision):
    rates = []
    monkeypatch.setattr(torch, "_fused_adamw_", lambda *_, lr, **__: rates.append(lr))  # has no form on meta
    model = plain.load(plain.base(kind, tmp_path))
    data = [plain.sentences(n, n) for n in (40, 40, 21)]
    chunk = stack_on_device(model, data, batch=8, precision=precision)
    with Traffic() as traffic:
        chunk._advance(slice(None), 0, 15)
    assert [len(job.batches) for job in chunk.jobs] == [15, 15, 9]
    assert traffic.crossings == ["aten._to_copy.default"] * 15
    assert traffic.reads == []
    assert {rate.device for rate in rates} == {META}
    assert {rate.dtype for rate in rates} == {torch.float32}  # as the kernel for GPUs takes it


def test_a_step_of_pretraining_is_one_copy_to_the_device(monkeypatch):
    monkeypatch.setattr(torch, "autocast", lambda *_, **__: nullcontext())  # has no form on meta
    tokenizer = transformers.AutoTokenizer.from_pretrained("resources/models/bert-tiny-enwiki")
    settings = pretraining.Settings(layers=2, width=16, heads=2, length=12)
    model = pretraining._model(tokenizer, settings, 1).to(META)
    ids = np.random.default_rng(1).integers(1000, 2000, (4, 12))
    with Traffic() as traffic:
        pretraining._loss(model, tokenizer, ids, [1, 7, 0]).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    assert traffic.crossings == ["aten._to_copy.default"]
    assert traffic.reads == []


def test_what_is_sent_together_comes_out_as_it_was():
    arrays = [np.arange(6).reshape(2, 3)[:, ::-1], np.array(7, np.float32), np.ones((3, 1), np.int32), np.empty((0, 2))]
    tensors = transfer.to_device(arrays, torch.device("cpu"))
    buffer = transfer.pack(tensors, pinned=False)
    assert len(buffer) == 48 + 16 + 16
    for found in (tensors, transfer.unpack(buffer, tensors), transfer.to_device(arrays, META)):
        assert [part.shape for part in found] == [array.shape for array in arrays]
        assert [part.dtype for part in found] == [torch.int64, torch.float32, torch.int32, torch.float64]
        if found[0].device != META:
            assert all(np.array_equal(part, array) for part, array in zip(found, arrays, strict=True))
