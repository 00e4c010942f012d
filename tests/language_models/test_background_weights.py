"""Weights of models that are done, written in the background while the next ones are trained."""

import signal
import subprocess
import sys
import threading

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from safetensors import safe_open  # noqa: E402

from biassay.language_models.stacked import chunk as chunks  # noqa: E402
from biassay.language_models.stacked import files, memory  # noqa: E402
from tests.language_models import plain_training as plain  # noqa: E402
from tests.language_models.stacked_material import data_sets, in_background, same, train  # noqa: E402

KILLED = """
import torch; torch.set_num_threads(1)
import sys
from biassay.language_models.stacked import files
from tests.language_models import stacked_material as ours

def write(self, name, rows, first=0, usual=files.Writer.write):
    if self.path.name == "weights.draft" and first == 3:
        print("amid", flush=True)
        sys.stdin.read()
    usual(self, name, rows, first)

files.Writer.write = write
ours.in_background(setattr)
ours.train(sys.argv[1], ours.data_sets(), sys.argv[2], checkpoint_every=4)
"""


@pytest.fixture
def weights(monkeypatch):
    """Calls of writing weights go through here: a function of the model's number, on the thread that writes."""
    hooks, usual = [], files.Writer.write

    def write(self, name, rows, first=0):
        if self.path.name == "weights.draft":
            for hook in hooks:
                hook(first)
        usual(self, name, rows, first)

    monkeypatch.setattr(files.Writer, "write", write)
    return hooks


def noted(path):
    with safe_open(path, "pt") as file:
        return tuple(int(file.metadata()[key]) for key in ("first", "step"))


@pytest.mark.parametrize("every", [0, 5])
def test_the_next_models_are_trained_meanwhile(base, whole, tmp_path, monkeypatch, weights, every):
    in_background(monkeypatch.setattr)
    steps, began, usual, found = [], threading.Event(), chunks.Chunk._step, []

    def step(self, jobs, stack, number):
        steps.append((len(self.jobs), number))
        if steps[-1] == (1, 2):  # of the last model
            began.set()
        return usual(self, jobs, stack, number)

    def waits(model):
        if model != 0:  # of the first three
            assert began.wait(60)
            found.append(noted(tmp_path / "checkpoint.safetensors") if every else None)

    weights.append(waits)
    monkeypatch.setattr(chunks.Chunk, "_step", step)
    train(base, data_sets(), tmp_path, checkpoint_every=every)
    assert set(found) == {(0, 10) if every else None}
    assert same(tmp_path, whole)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["losses.csv", "weights.safetensors"]


@pytest.mark.parametrize("room", [True, False])
def test_they_are_copied_only_where_there_is_room(base, whole, tmp_path, monkeypatch, weights, room):
    in_background(monkeypatch.setattr)
    size = 4 * sum(parameter.numel() for parameter in plain.load(base).parameters())
    monkeypatch.setattr(memory, "free_memory", lambda _: (3 * size) / memory.SHARE + (1 if room else -1))
    writers = {}
    weights.append(lambda model: writers.setdefault(model, threading.current_thread().name.split("_")[0]))
    train(base, data_sets(), tmp_path, checkpoint_every=0)
    assert writers == {0: "checkpoint"} | dict.fromkeys((1, 2, 3), "checkpoint" if room else "MainThread")
    assert same(tmp_path, whole)


@pytest.mark.fault(
    "a disk that fills up while weights are written in the background",
    "the training ends with an error that names the file, and resumes from the previous checkpoint",
)
@pytest.mark.parametrize("model", [2, 0])
def test_an_error_of_writing_ends_the_training(base, whole, tmp_path, monkeypatch, weights, model):
    in_background(monkeypatch.setattr)

    def fails(number):
        if number == model:
            raise OSError(28, "No space left on device", str(tmp_path / "weights.draft"))

    weights.append(fails)
    with pytest.raises(OSError, match=r"No space left on device: '.*weights\.draft'"):
        train(base, data_sets(), tmp_path, checkpoint_every=5)
    assert noted(tmp_path / "checkpoint.safetensors") == ((0, 10) if model else (3, 5))
    weights.clear()
    train(base, data_sets(), tmp_path, checkpoint_every=5)
    assert same(tmp_path, whole)


@pytest.mark.fault(
    "SIGKILL while weights are written in the background",
    "resumes from the previous checkpoint; results equal those of an uninterrupted training",
)
def test_a_kill_while_they_are_written_leaves_the_checkpoint_before(base, whole, tmp_path):
    command = [sys.executable, "-c", KILLED, str(base), str(tmp_path)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdout.readline() == b"amid\n"
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert noted(tmp_path / "checkpoint.safetensors") == (0, 8)
    train(base, data_sets(), tmp_path, checkpoint_every=4)
    assert same(tmp_path, whole)
