"""Checkpoints written in the background: what they hold, what they wait for, and what their errors and a kill do."""

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

from biassay.language_models.stacked import checkpoint, memory, training  # noqa: E402
from biassay.language_models.stacked import chunk as chunks  # noqa: E402
from biassay.language_models.stacked import run as runs  # noqa: E402
from biassay.language_models.stacked.checkpoint import Checkpoint, Saver  # noqa: E402
from biassay.language_models.stacked.optimizer import Stack  # noqa: E402
from tests.language_models import plain_training as plain  # noqa: E402

CPU = torch.device("cpu")
SIZES = (9, 21, 17, 24)
OPTIONS = {"seeds": [4, 5, 6, 7], "epochs": 2, "batch": 4, "learning_rate": 1e-3, "dropout": 0.1, "at_once": 3}
RESULTS = ("weights.safetensors", "losses.csv")
KILLED = """
import torch; torch.set_num_threads(1)
import sys
from biassay.language_models.stacked import checkpoint
from tests.language_models import test_background_checkpoints as tests

def write(self, name, rows, first=0, usual=checkpoint.Writer.write):
    if self.path.name == "checkpoint.draft" and name == "losses" and self.path.with_suffix(".safetensors").exists():
        print("amid", flush=True)
        sys.stdin.read()
    usual(self, name, rows, first)

checkpoint.Writer.write = write
tests.in_background(setattr)
tests.train(sys.argv[1], tests.data_sets(), sys.argv[2], checkpoint_every=4)
"""


def in_background(setting):
    setting(runs, "Saver", lambda path, fingerprint, _: Saver(path, fingerprint, True))


def data_sets():
    return [plain.sentences(n, n) for n in SIZES]


def train(base, data, folder, **options):
    training.train(base, data, folder=folder, **OPTIONS | options)


@pytest.fixture(scope="module")
def base(tmp_path_factory):
    return plain.base("bert", tmp_path_factory.mktemp("base"))


@pytest.fixture(scope="module")
def whole(base, tmp_path_factory):
    """A training in one go, without checkpoints."""
    folder = tmp_path_factory.mktemp("whole")
    train(base, data_sets(), folder, checkpoint_every=0)
    return folder


@pytest.fixture
def background(monkeypatch):
    """Checkpoints on a CPU as they are on a GPU; nothing of theirs may be left running."""
    in_background(monkeypatch.setattr)
    yield
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("checkpoint")]


def same(folder, other):
    return all((folder / name).read_bytes() == (other / name).read_bytes() for name in RESULTS)


def stack_of(value):
    return Stack(*({"a": torch.full((2, 3), float(value + i))} for i in range(3)))


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


@pytest.mark.fault(
    "a disk that fills up while a checkpoint is written in the background",
    "the training ends with the file's name; goes on from the checkpoint before",
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


def test_an_error_is_told_before_the_next_checkpoint(tmp_path, monkeypatch):
    monkeypatch.setattr(checkpoint, "replace", lambda *_: 1 / 0)
    with Saver(tmp_path / "c.safetensors", "x", True) as saver:
        saver.save(Checkpoint(0, 7, torch.zeros(2, 9), stack_of(0)))
        while not saver._writing.done():
            time.sleep(0.01)
        with pytest.raises(ZeroDivisionError):
            saver.check()


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
    "goes on from the checkpoint before; results equal to an unbroken training's",
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


def test_a_copy_is_made_only_where_there_is_room(tmp_path, monkeypatch):
    copied, usual = [], Checkpoint.copy
    monkeypatch.setattr(Checkpoint, "copy", lambda state: copied.append(state.step) or usual(state))
    state = Checkpoint(0, 7, torch.zeros(2, 9), stack_of(0))
    assert (state.size(), state._replace(stack=None).size()) == (3 * 2 * 3 * 4, 0)
    with Saver(tmp_path / "c.safetensors", "x", True) as saver:
        for step, free in enumerate((72 / memory.SHARE - 1, 72 / memory.SHARE + 1)):
            monkeypatch.setattr(memory, "free", lambda device, free=free: free)
            saver.save(state._replace(step=step))
            saver.wait()
            assert checkpoint.load(tmp_path / "c.safetensors", "x", CPU).step == step
    with Saver(tmp_path / "c.safetensors", "x", False) as saver:
        saver.save(state)
    assert copied == [1]


def test_the_background_is_for_gpus(base, tmp_path, monkeypatch):
    told = []
    monkeypatch.setattr(runs, "Saver", lambda *arguments: told.append(arguments[-1]) or Saver(*arguments))
    train(base, data_sets(), tmp_path)
    assert told == [False]


@pytest.mark.gpu
def test_what_is_written_from_a_gpu_is_the_state_of_its_step(tmp_path, gpu):
    stack = Stack.of({"a": torch.ones(3, 4)}, 2, gpu)
    with Saver(tmp_path / "c.safetensors", "x", True) as saver:
        saver.save(Checkpoint(1, 2, torch.zeros(4, 9), stack))
        stack.weights["a"] += 5
        saver.wait()
    assert (checkpoint.load(tmp_path / "c.safetensors", "x", CPU).stack.weights["a"] == 1).all()
