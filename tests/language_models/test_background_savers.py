"""Checkpoints written in the background, one by one: what they wait for, copies of a state, and errors."""

import threading
import time

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from biassay.language_models.stacked import checkpoint, memory  # noqa: E402
from biassay.language_models.stacked.checkpoint import Checkpoint, Saver  # noqa: E402
from biassay.language_models.stacked.optimizer import Stack  # noqa: E402

CPU = torch.device("cpu")


def stack_of(value):
    return Stack(*({"a": torch.full((2, 3), float(value + i))} for i in range(3)))


def test_the_training_goes_on_while_one_is_written_and_the_next_waits(tmp_path, monkeypatch):
    began, go, usual = threading.Event(), threading.Event(), checkpoint.replace

    def waits(draft, path):
        began.set()
        assert go.wait(60)
        usual(draft, path)

    monkeypatch.setattr(checkpoint, "replace", waits)
    path, stack, losses = tmp_path / "c.safetensors", stack_of(0), torch.zeros(2, 9)
    with Saver(path, "x", True) as saver:
        saver.save(Checkpoint(0, 7, losses, stack))
        assert began.wait(60)
        saver.check()  # does not wait
        for part in (losses, *stack.weights.values()):
            part += 5
        second = threading.Thread(target=saver.save, args=[Checkpoint(0, 8, losses, stack)])
        second.start()
        second.join(0.2)
        assert second.is_alive()
        assert not path.exists()
        go.set()
        second.join(60)
        found = checkpoint.load(path, "x", CPU)
        saver.wait()
    assert found.step in (7, 8)  # the second may be there already
    assert found.stack.weights["a"].unique().tolist() == [0.0 if found.step == 7 else 5.0]
    found = checkpoint.load(path, "x", CPU)
    assert (found.step, found.stack.weights["a"][0, 0], found.losses[0, 0]) == (8, 5, 5)


def test_an_error_is_told_before_the_next_checkpoint(tmp_path, monkeypatch):
    monkeypatch.setattr(checkpoint, "replace", lambda *_: 1 / 0)
    with Saver(tmp_path / "c.safetensors", "x", True) as saver:
        saver.save(Checkpoint(0, 7, torch.zeros(2, 9), stack_of(0)))
        while not saver._writing.done():
            time.sleep(0.01)
        with pytest.raises(ZeroDivisionError):
            saver.check()


def test_a_copy_is_made_only_where_there_is_room(tmp_path, monkeypatch):
    copied, usual = [], Checkpoint.copy
    monkeypatch.setattr(Checkpoint, "copy", lambda state: copied.append(state.step) or usual(state))
    state = Checkpoint(0, 7, torch.zeros(2, 9), stack_of(0))
    assert (state.size(), state._replace(stack=None).size()) == (3 * 2 * 3 * 4, 0)
    with Saver(tmp_path / "c.safetensors", "x", True) as saver:
        for step, free in enumerate((72 / memory.SHARE - 1, 72 / memory.SHARE + 1)):
            monkeypatch.setattr(memory, "free_memory", lambda device, free=free: free)
            saver.save(state._replace(step=step))
            saver.wait()
            assert checkpoint.load(tmp_path / "c.safetensors", "x", CPU).step == step
    with Saver(tmp_path / "c.safetensors", "x", False) as saver:
        saver.save(state)
    assert copied == [1]


@pytest.mark.gpu
def test_what_is_written_from_a_gpu_is_the_state_of_its_step(tmp_path, gpu):
    stack = Stack.of({"a": torch.ones(3, 4)}, 2, gpu)
    with Saver(tmp_path / "c.safetensors", "x", True) as saver:
        saver.save(Checkpoint(1, 2, torch.zeros(4, 9), stack))
        stack.weights["a"] += 5
        saver.wait()
    assert (checkpoint.load(tmp_path / "c.safetensors", "x", CPU).stack.weights["a"] == 1).all()
