"""A run of stacked training: its chunks, checkpoints, losses and messages, and what its settings reach."""

import math
from pathlib import Path

import pandas as pd
import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from safetensors.torch import load_file  # noqa: E402

from biassay.language_models.stacked import chunk as chunks  # noqa: E402
from biassay.language_models.stacked import run as runs  # noqa: E402
from biassay.language_models.stacked import training  # noqa: E402
from tests import progress  # noqa: E402
from tests.language_models import plain_training as plain  # noqa: E402

CPU = torch.device("cpu")
SIZES, SEEDS = (9, 21, 17, 24), (4, 5, 6, 7)  # sentences, of 3, 6, 5 and 6 batches of 4
OPTIONS = {"seeds": list(SEEDS), "epochs": 2, "batch": 4, "learning_rate": 1e-3, "dropout": 0.1, "at_once": 3}


@pytest.fixture(scope="module")
def base(tmp_path_factory):
    return plain.base("bert", tmp_path_factory.mktemp("base"))


@pytest.fixture(scope="module")
def data():
    return [plain.sentences(n, n) for n in SIZES]


@pytest.fixture(scope="module")
def whole(base, data, tmp_path_factory):
    """A training in one go."""
    folder = tmp_path_factory.mktemp("whole")
    training.train(base, data, folder=folder, checkpoint_every=0, **OPTIONS)
    return folder


def same(folder, other):
    return all((folder / n).read_bytes() == (other / n).read_bytes() for n in ("weights.safetensors", "losses.csv"))


def run_of(base, data, at_once=None, every=None, storage=torch.float32, seeds=SEEDS, **settings):
    given = {"epochs": 2, "batch": 4, "learning_rate": 1e-3, "warmup": 0.1, "weight_decay": 0.01, "dropout": 0.1}
    given |= {"max_norm": None, "precision": "fp32"}
    model = training.load(base, 0.1)
    chosen = chunks.Settings(**given | settings)
    return runs.Run(model, data, list(seeds), chosen, Path("out"), CPU, storage, every, 10.0, at_once)


def test_losses_are_by_model_and_step(whole):
    table = pd.read_csv(whole / "losses.csv")
    assert list(table) == ["model", "step", "loss"]
    assert [part.step.tolist() for _, part in table.groupby("model")] == [list(range(n)) for n in (6, 12, 10, 12)]
    assert (table.loss - math.log(plain.VOCABULARY)).abs().max() < 3


@pytest.mark.fault(
    "a training broken off before, while or after a checkpoint is written",
    "goes on from its last checkpoint; results equal to an unbroken training's",
)
@pytest.mark.parametrize("at", [1, 6, 16, 34, 35, 40])
def test_a_training_broken_anywhere_goes_on_to_the_same_result(base, data, whole, tmp_path, monkeypatch, at):
    """The models of most steps come first: 1, 3 and 2, twelve rounds, then model 0."""
    usual, taken = chunks.Chunk._step, []

    def breaks(self, jobs, stack, step):
        taken.append((jobs[0].number, step))
        if len(taken) == at:
            raise KeyboardInterrupt
        return usual(self, jobs, stack, step)

    options = OPTIONS | {"folder": tmp_path, "checkpoint_every": 5}
    monkeypatch.setattr(chunks.Chunk, "_step", breaks)
    with pytest.raises(KeyboardInterrupt):
        training.train(base, data, **options)
    assert not (tmp_path / "weights.safetensors").exists()
    before = len(taken)
    training.train(base, data, **options)
    assert same(tmp_path, whole)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["losses.csv", "weights.safetensors"]
    again = sorted(set(taken[: before - 1]) & set(taken[before:]))  # no more than five steps of a model, and no others
    assert all(len([step for number, step in again if number == model]) <= 5 for model in range(4))


def test_checkpoints_are_written_when_told(base, data, whole, tmp_path, monkeypatch):
    saved, usual = [], runs.checkpoint.save

    def save(path, state, fingerprint):
        stack = state.stack and len(state.stack.weights["cls.predictions.bias"])
        saved.append((state.first, state.step, stack, int(state.losses.isfinite().sum())))
        usual(path, state, fingerprint)

    monkeypatch.setattr(runs.checkpoint, "save", save)
    training.train(base, data, folder=tmp_path / "four", checkpoint_every=4, **OPTIONS)
    assert saved == [(0, 4, 3, 12), (0, 8, 3, 24), (3, 0, None, 34), (3, 4, 1, 38), (4, 0, None, 40)]
    saved.clear()
    training.train(base, data, folder=tmp_path / "none", checkpoint_every=0, **OPTIONS)
    assert saved == []
    assert same(tmp_path / "four", whole)
    assert same(tmp_path / "none", whole)


def test_checkpoints_are_as_far_apart_as_told_in_minutes(base, data, whole, tmp_path, monkeypatch):
    saved, now, usual, save = [], [0.0], chunks.Chunk.advance, runs.checkpoint.save

    def advance(self, first, last, pool):
        now[0] += 240 * (last - first)  # a step takes four minutes
        return usual(self, first, last, pool)

    def keeps(path, state, fingerprint):
        saved.append((state.first, state.step))
        save(path, state, fingerprint)

    monkeypatch.setattr(runs.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(chunks.Chunk, "advance", advance)
    monkeypatch.setattr(runs.checkpoint, "save", keeps)
    monkeypatch.setattr(runs, "MODEL_STEPS", 3)
    training.train(base, data, folder=tmp_path / "ten", **OPTIONS)
    assert saved == [(0, 3), (0, 6), (0, 9), (3, 0), (3, 3), (4, 0)]
    saved.clear()
    training.train(base, data, folder=tmp_path / "twenty", checkpoint_minutes=20, **OPTIONS)
    assert saved == [(0, 5), (0, 10), (3, 0), (4, 0)]
    assert same(tmp_path / "ten", whole)
    assert same(tmp_path / "twenty", whole)


def test_losses_are_looked_at_between_few_steps_and_before_a_checkpoint(base, data, whole, tmp_path, monkeypatch):
    taken, usual = [], chunks.Chunk.advance

    def advance(self, first, last, pool):
        taken.append((len(self.jobs), first, last))
        return usual(self, first, last, pool)

    monkeypatch.setattr(chunks.Chunk, "advance", advance)
    monkeypatch.setattr(runs, "MODEL_STEPS", 8)
    training.train(base, data, folder=tmp_path / "five", checkpoint_every=5, **OPTIONS)
    of_three = [(0, 2), (2, 4), (4, 5), (5, 7), (7, 9), (9, 10), (10, 12)]  # 8 steps of a model are 2 of three
    assert taken == [(3, *steps) for steps in of_three] + [(1, 0, 5), (1, 5, 6)]
    taken.clear()
    training.train(base, data, folder=tmp_path / "all", checkpoint_every=0, **OPTIONS | {"at_once": 4})
    assert taken == [(4, first, first + 2) for first in range(0, 12, 2)]
    assert same(tmp_path / "five", whole)
    assert same(tmp_path / "all", whole)


def test_progress_counts_the_steps_of_all_models_also_after_a_break(base, data, tmp_path, monkeypatch):
    begun, usual = progress.kept(monkeypatch, runs), chunks.Chunk.advance
    monkeypatch.setattr(runs.time, "monotonic", lambda: 7200.0)  # two hours after the start

    def breaks(self, first, last, pool):
        if first == 5:
            raise KeyboardInterrupt
        return usual(self, first, last, pool)

    options = OPTIONS | {"folder": tmp_path, "checkpoint_every": 5}
    monkeypatch.setattr(chunks.Chunk, "advance", breaks)
    with pytest.raises(KeyboardInterrupt):
        training.train(base, data, **options)
    monkeypatch.setattr(chunks.Chunk, "advance", usual)
    training.train(base, data, **options)
    assert [(one.total, one.done) for one in begun] == [(40, 15), (25, 25)]
    losses = pd.read_csv(tmp_path / "losses.csv")
    of_first = losses[losses.model.isin([1, 2, 3]) & (losses.step < 5)].loss.mean()
    assert begun[0].notes == [f"loss {of_first:.4f}, 0.75 models/hour"]  # 15 of 10 steps a model, in two hours
    assert begun[1].notes[-1].endswith("1.25 models/hour")


def test_models_in_memory_are_as_many_as_fit(base, data, tmp_path, monkeypatch, caplog):
    asked = []

    def at_once(*arguments, **options):
        asked.append((arguments, options))
        return 2

    monkeypatch.setattr(runs.memory, "models_at_once", at_once)
    torch.set_num_threads(1)
    training.train(base, data, folder=tmp_path, **OPTIONS | {"at_once": None, "epochs": 1})
    told = [message for message in caplog.messages if "at once" in message]
    assert told == ["2 models at once, 0 of 4 done", "2 models at once, 2 of 4 done"]
    model = plain.load(base)
    count = sum(parameter.numel() for parameter in model.parameters())
    longest = max(int(part.lengths.max()) for part in data)
    told = {"half": False, "workers": 1, "graphs": False}
    assert asked == [((count, runs.memory.activations(model.config, 4, longest), CPU), told)] * 2
    monkeypatch.setattr(runs.memory, "models_at_once", lambda *_, **__: 3)
    monkeypatch.setattr(runs.disk, "room", lambda _: 10**12)
    assert run_of(base, data)._size(0) == 2  # not 3 and 1
    monkeypatch.setattr(runs.disk, "room", lambda _: count * (24 + 4 * 4) / 0.95 + 1)
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
    assert caplog.messages[-1] == f"{whole}/weights.safetensors: trained already"


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
