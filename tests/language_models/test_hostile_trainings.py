"""Files of trainings that are broken, and a disk that is full."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from safetensors.torch import load_file  # noqa: E402

from biassay.language_models.stacked import checkpoint  # noqa: E402
from biassay.language_models.stacked.files import Writer, load_into  # noqa: E402
from biassay.language_models.stacked.optimizer import Stack  # noqa: E402
from tests.full_disk import full_disk  # noqa: E402

pytestmark = pytest.mark.bad_input("trained weights and checkpoints", "one error with the file's name")

SHAPES = {"a": (2, 3), "b": (2, 2)}


def trained(folder):
    """Weights of two models, as a training leaves them."""
    folder.mkdir(exist_ok=True)
    writer = Writer(folder / "weights.safetensors", SHAPES, torch.float32, {"fingerprint": "x"})
    for name, shape in SHAPES.items():
        writer.write(name, torch.ones(shape))
    return folder / "weights.safetensors"


class Small(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = torch.nn.Parameter(torch.zeros(3)), torch.nn.Parameter(torch.zeros(2))


@pytest.mark.parametrize(
    "change", [lambda b: b[:-4], lambda b: b"\xff" * 20, lambda b: b"", lambda b: b[:8] + b"x" + b[9:]]
)
def test_broken_weights_of_a_training_are_named(tmp_path, change):
    path = trained(tmp_path)
    model = Small()
    load_into(model, tmp_path, 1)
    assert model.a.tolist() == [1, 1, 1]
    path.write_bytes(change(path.read_bytes()))
    with pytest.raises(ValueError, match=r"weights\.safetensors: broken file of weights \(SafetensorError"):
        load_into(model, tmp_path, 1)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda content: content[:-5], "SafetensorError"),
        (lambda content: content.replace(b"losses", b"bosses"), "KeyError 'losses'"),
        (lambda content: content.replace(b"weights ", b"heights "), "TypeError"),
        (lambda content: content.replace(b'"step": "7"', b'"step": "x"'), "invalid literal"),
        (lambda content: content.replace(b"__metadata__", b"__netadata__"), "SafetensorError|TypeError"),
    ],
)
def test_a_broken_checkpoint_is_named(tmp_path, change, message):
    path, device = tmp_path / "c.safetensors", torch.device("cpu")
    stack = Stack(*({"a": torch.full((2, 3), float(i))} for i in range(3)))
    checkpoint.save(path, checkpoint.Checkpoint(4, 7, torch.zeros(2, 9), stack), "mine")
    found = checkpoint.load(path, "mine", device)
    assert (found.first, found.step, found.losses.shape) == (4, 7, (2, 9))
    assert found.stack.second["a"].tolist() == [[2, 2, 2]] * 2
    assert checkpoint.load(path, "other", device) is None
    path.write_bytes(change(path.read_bytes()))
    with pytest.raises(ValueError, match=rf"c\.safetensors: broken checkpoint; remove it to begin anew \(.*{message}"):
        checkpoint.load(path, "mine", device)


def test_a_full_disk_names_the_file_of_weights(tmp_path):
    path = trained(tmp_path)
    writer = Writer(path, SHAPES, torch.float32, {"fingerprint": "x"})
    with pytest.raises(OSError, match=r"File too large: '.*weights\.safetensors'"), full_disk(100):
        writer.write("a", torch.ones(2, 3))
    assert np.isfinite(load_file(path)["a"].numpy()).all()
