"""When a run of stacked training writes checkpoints and looks at losses, and how it resuming from them."""

import pandas as pd
import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from biassay.language_models.stacked import chunk as chunks  # noqa: E402
from biassay.language_models.stacked import run as runs  # noqa: E402
from biassay.language_models.stacked import training  # noqa: E402
from tests import progress  # noqa: E402
from tests.language_models.stacked_material import OPTIONS, same  # noqa: E402


@pytest.mark.fault(
    "a training interrupted before, while or after a checkpoint is written",
    "resumes from its last checkpoint; results equal those of an uninterrupted training",
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
