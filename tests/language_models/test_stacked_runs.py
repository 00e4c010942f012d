"""A run of stacked training: its losses, memory and messages, and what its settings reach."""

import math

import pandas as pd
import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from safetensors.torch import load_file  # noqa: E402

from biassay.language_models.stacked import chunk as chunks  # noqa: E402
from biassay.language_models.stacked import run as runs  # noqa: E402
from biassay.language_models.stacked import training  # noqa: E402
from tests.language_models import plain_training as plain  # noqa: E402
from tests.language_models.stacked_material import CPU, OPTIONS, run_of  # noqa: E402


def test_losses_are_by_model_and_step(whole):
    table = pd.read_csv(whole / "losses.csv")
    assert list(table) == ["model", "step", "loss"]
    assert [part.step.tolist() for _, part in table.groupby("model")] == [list(range(n)) for n in (6, 12, 10, 12)]
    assert (table.loss - math.log(plain.VOCABULARY)).abs().max() < 3


def test_models_in_memory_are_as_many_as_fit(base, data, tmp_path, monkeypatch, caplog):
    asked = []

    def at_once(*arguments, **options):
        asked.append((arguments, options))
        return 2

    monkeypatch.setattr(runs.memory, "models_at_once", at_once)
    torch.set_num_threads(1)
    training.train(base, data, folder=tmp_path, **OPTIONS | {"at_once": None, "epochs": 1})
    told = [message for message in caplog.messages if "at once" in message]
    assert told == ["training 2 models at once, 0 of 4 finished", "training 2 models at once, 2 of 4 finished"]
    model = plain.load(base)
    count = sum(parameter.numel() for parameter in model.parameters())
    longest = max(int(part.lengths.max()) for part in data)
    told = {"half": False, "workers": 1, "graphs": False}
    assert asked == [((count, runs.memory.activation_bytes(model.config, 4, longest), CPU), told)] * 2
    monkeypatch.setattr(runs.memory, "models_at_once", lambda *_, **__: 3)
    monkeypatch.setattr(runs.disk, "available_bytes", lambda _: 10**12)
    assert run_of(base, data)._size(0) == 2  # not 3 and 1
    monkeypatch.setattr(runs.disk, "available_bytes", lambda _: count * (24 + 4 * 4) / 0.95 + 1)
    assert run_of(base, data)._size(0) == 1
    assert run_of(base, data, every=0)._size(0) == 2
    assert run_of(base, data, at_once=3)._size(0) == 3


def test_a_result_depends_on_every_setting_on_the_data_and_on_the_base(base, data, tmp_path):
    other = plain.base("bert", tmp_path / "other", dropout=0.0)
    changes = [
        {"epochs": 3}, {"batch": 5}, {"learning_rate": 2e-3}, {"warmup": 0.2}, {"weight_decay": 0.0}, {"dropout": 0.2},
        {"max_norm": 1.0}, {"precision": "bf16"}, {"storage": torch.float16}, {"seeds": (4, 5, 7, 6)},
        {"data": data[::-1]},
    ]  # fmt: skip
    for name in ("ids", "lengths", "positions", "labels"):
        parts = {part: getattr(data[0], part).copy() for part in ("ids", "lengths", "positions", "labels")}
        parts[name].flat[0] += 1
        changes.append({"data": [type(data[0])(**parts), *data[1:]]})
    found = [run_of(**{"base": base, "data": data} | change).fingerprint for change in ({}, *changes)]
    weights = run_of(base, data)
    with torch.no_grad():
        weights.model.cls.predictions.bias[3] += 1e-3
    found += [weights._fingerprint()]
    assert len(set(found)) == len(found) == 17
    assert run_of(base, data, at_once=2, every=3).fingerprint == run_of(other, data).fingerprint == found[0]


def test_a_finished_training_is_not_done_again(base, data, whole, caplog, monkeypatch):
    monkeypatch.setattr(chunks.Chunk, "_step", None)
    training.train(base, data, folder=whole, **OPTIONS)
    assert caplog.messages[-1] == f"{whole}/weights.safetensors is complete; nothing to train"


def test_tf32_is_on_while_it_is_asked_for(base, data, whole, tmp_path, monkeypatch):
    usual, seen = chunks.Chunk.advance, []

    def advance(self, *arguments):
        seen.append(torch.backends.cuda.matmul.allow_tf32)
        return usual(self, *arguments)

    monkeypatch.setattr(chunks.Chunk, "advance", advance)
    for precision in ("tf32", "fp32"):
        training.train(base, data, folder=tmp_path / precision, precision=precision, **OPTIONS)
        assert same_values(tmp_path / precision, whole)
    assert seen == [True] * (len(seen) // 2) + [False] * (len(seen) // 2)
    assert not torch.backends.cuda.matmul.allow_tf32


def same_values(folder, other):
    """The same but for the fingerprint in the notes."""
    files = [load_file(path / "weights.safetensors") for path in (folder, other)]
    return all(torch.equal(files[0][name], files[1][name]) for name in files[1])
