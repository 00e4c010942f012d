"""Trainings whose checkpoints are written in the background: what these hold, and what their errors and a kill do."""

import signal
import subprocess
import sys
import threading
import time
from functools import partial

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from safetensors import safe_open  # noqa: E402

from biassay.language_models.stacked import checkpoint  # noqa: E402
from biassay.language_models.stacked import chunk as chunks  # noqa: E402
from biassay.language_models.stacked import run as runs  # noqa: E402
from biassay.language_models.stacked.checkpoint import Saver  # noqa: E402
from tests.language_models.stacked_material import RESULTS, data_sets, in_background, same, train  # noqa: E402

KILLED = """
import torch; torch.set_num_threads(1)
import sys
from biassay.language_models.stacked import checkpoint
from tests.language_models import stacked_material as ours

def write(self, name, rows, first=0, usual=checkpoint.Writer.write):
    if self.path.name == "checkpoint.draft" and name == "losses" and self.path.with_suffix(".safetensors").exists():
        print("amid", flush=True)
        sys.stdin.read()
    usual(self, name, rows, first)

checkpoint.Writer.write = write
ours.in_background(setattr)
ours.train(sys.argv[1], ours.data_sets(), sys.argv[2], checkpoint_every=4)
"""


@pytest.fixture
def background(monkeypatch):
    """Checkpoints on a CPU as they are on a GPU; nothing of theirs may be left running."""
    in_background(monkeypatch.setattr)
    yield
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("checkpoint")]


def test_what_is_written_is_the_state_of_its_step(base, whole, tmp_path, monkeypatch):
    """Whether the training waits or not: files are the same, byte by byte, however slowly they are written."""
    kept, usual = {}, checkpoint.replace

    def keeps(where, draft, path):
        time.sleep(0.1)  # some steps of the training
        kept.setdefault(where, []).append(draft.read_bytes())
        usual(draft, path)

    for where in ("waits", "background"):
        monkeypatch.setattr(checkpoint, "replace", partial(keeps, where))
        train(base, data_sets(), tmp_path / where, checkpoint_every=4)
        in_background(monkeypatch.setattr)
        assert same(tmp_path / where, whole)
        assert sorted(path.name for path in (tmp_path / where).iterdir()) == sorted(RESULTS)
    assert len(kept["waits"]) == 5
    assert kept["background"] == kept["waits"]


@pytest.mark.fault(
    "a disk that fills up while a checkpoint is written in the background",
    "the training ends with an error that names the file, and resumes from the previous checkpoint",
)
@pytest.mark.parametrize("at", [1, 2, 5])
def test_an_error_of_writing_ends_the_training(base, whole, tmp_path, monkeypatch, background, at):
    """The first, one amid a training, and the last, after which there is no step."""
    written, usual = [], checkpoint.replace

    def fails(draft, path):
        written.append(draft)
        if len(written) == at:
            raise OSError(28, "No space left on device", str(draft))
        usual(draft, path)

    monkeypatch.setattr(checkpoint, "replace", fails)
    with pytest.raises(OSError, match=r"No space left on device: '.*checkpoint\.draft'"):
        train(base, data_sets(), tmp_path, checkpoint_every=4)
    assert len(written) == at
    assert (tmp_path / "checkpoint.safetensors").exists() == (at > 1)
    assert not (tmp_path / "weights.safetensors").exists()
    train(base, data_sets(), tmp_path, checkpoint_every=4)
    assert same(tmp_path, whole)


def test_a_training_that_breaks_leaves_nothing_running(base, whole, tmp_path, monkeypatch, background):
    usual, replace = chunks.Chunk._step, checkpoint.replace

    def breaks(self, jobs, stack, step):
        if step == 5:
            raise KeyboardInterrupt
        return usual(self, jobs, stack, step)

    def slow(draft, path):
        time.sleep(0.5)
        replace(draft, path)

    monkeypatch.setattr(chunks.Chunk, "_step", breaks)
    monkeypatch.setattr(checkpoint, "replace", slow)
    with pytest.raises(KeyboardInterrupt):
        train(base, data_sets(), tmp_path, checkpoint_every=4)
    monkeypatch.setattr(chunks.Chunk, "_step", usual)
    assert (tmp_path / "checkpoint.safetensors").exists()  # what was being written is complete
    train(base, data_sets(), tmp_path, checkpoint_every=4)
    assert same(tmp_path, whole)


@pytest.mark.fault(
    "SIGKILL while a checkpoint is written in the background",
    "resumes from the previous checkpoint; results equal those of an uninterrupted training",
)
def test_a_kill_while_one_is_written_leaves_the_one_before(base, whole, tmp_path):
    command = [sys.executable, "-c", KILLED, str(base), str(tmp_path)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdout.readline() == b"amid\n"
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert (tmp_path / "checkpoint.draft").exists()
    with safe_open(tmp_path / "checkpoint.safetensors", "pt") as file:
        assert file.metadata()["step"] == "4"
        assert int(file.get_tensor("losses").isfinite().sum()) == 12
    train(base, data_sets(), tmp_path, checkpoint_every=4)
    assert same(tmp_path, whole)


def test_the_background_is_for_gpus(base, tmp_path, monkeypatch):
    told = []
    monkeypatch.setattr(runs, "Saver", lambda *arguments: told.append(arguments[-1]) or Saver(*arguments))
    train(base, data_sets(), tmp_path)
    assert told == [False]
