"""Files of trainings that are broken, and a disk that is full."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from safetensors.torch import load_file  # noqa: E402

from biassay.language_models.stacked import checkpoint  # noqa: E402
from biassay.language_models.stacked import chunk as chunks  # noqa: E402
from biassay.language_models.stacked.files import Writer, load_into  # noqa: E402
from biassay.language_models.stacked.optimizer import Stack  # noqa: E402
from tests.full_disk import full_disk  # noqa: E402
from tests.language_models import stacked_material  # noqa: E402

pytestmark = pytest.mark.bad_input("trained weights and checkpoints", "one error that names the file")

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


WEIGHTS = {"a": (3,), "b": (2,)}
EXPECTED = checkpoint.Expected(WEIGHTS, steps=[4, 9, 9, 6, 9], order=[1, 2, 4, 3, 0])  # models 1 and 2 are done


def state(**changes):
    """Two models more have gone through seven steps, of which one has six."""
    losses = torch.full((5, 9), torch.nan)
    losses[[1, 2]] = 1
    losses[4, :7] = losses[3, :6] = 2
    stack = Stack(*({name: torch.full((2, *WEIGHTS[name]), float(i)) for name in WEIGHTS} for i in range(3)))
    return checkpoint.Checkpoint(**{"first": 2, "step": 7, "losses": losses, "stack": stack} | changes)


def load(path, fingerprint="mine"):
    return checkpoint.load(path, fingerprint, torch.device("cpu"), EXPECTED)


def test_a_checkpoint_is_what_was_saved(tmp_path):
    path = tmp_path / "c.safetensors"
    checkpoint.save(path, state(), "mine")
    found = load(path)
    assert (found.first, found.step) == (2, 7)
    np.testing.assert_array_equal(found.losses, state().losses)
    assert found.stack.second["a"].tolist() == [[2, 2, 2]] * 2
    assert load(path, "other") is None
    between = state(step=0, stack=None)
    between.losses[[3, 4]] = torch.nan
    checkpoint.save(path, between, "mine")
    assert load(path)[:2] == (2, 0)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda content: content[:-5], "SafetensorError"),
        (lambda content: b"a text\n" * 99, "SafetensorError"),
        (lambda content: b"", "SafetensorError"),
        (lambda content: content.replace(b"losses", b"bosses"), "KeyError 'losses'"),
        (lambda content: content.replace(b"weights ", b"heights "), "heights"),
        (lambda content: content.replace(b'"step": "7"', b'"step": "x"'), "invalid literal"),
        (lambda content: content.replace(b'"step": "7"', b'"step": "9"'), "step is 9; expected 1 to 8"),
        (lambda content: content.replace(b"__metadata__", b"__netadata__"), "SafetensorError|TypeError"),
    ],
)
def test_a_broken_checkpoint_is_named(tmp_path, change, message):
    path = tmp_path / "c.safetensors"
    checkpoint.save(path, state(), "mine")
    path.write_bytes(change(path.read_bytes()))
    with pytest.raises(ValueError, match=rf"c\.safetensors: broken checkpoint; remove it .* \(.*{message}"):
        load(path)


def stack_of(change):
    stack = state().stack
    change(stack)
    return {"stack": stack}


def losses_of(change):
    losses = state().losses.clone()
    change(losses)
    return {"losses": losses}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"first": -1}, "first is -1; expected 0 to 3"),
        ({"first": 4}, "first is 4; expected 0 to 3"),
        ({"first": 1}, "losses do not belong to 1 finished models"),
        ({"step": -7}, "step is -7; expected 1 to 8"),
        ({"step": 0}, "step is 0; expected 1 to 8"),
        ({"step": 6}, "losses do not belong to 2 finished models and 6 steps"),
        ({"stack": None}, "step is 7; expected 0 to 0"),
        ({"losses": torch.ones(5, 8)}, r"losses have the shape \(5, 8\); expected \(5, 9\)"),
        ({"losses": torch.ones(4, 9)}, r"losses have the shape \(4, 9\)"),
        (losses_of(lambda losses: losses[0].fill_(1)), "losses do not belong"),
        (losses_of(lambda losses: losses[1, 3:4].fill_(torch.inf)), "losses do not belong"),
        (stack_of(lambda stack: stack.weights.update(a=torch.ones(2, 4))), r"a is torch.float32, \(2, 4\); expected"),
        (stack_of(lambda stack: stack.first.update(a=torch.ones(3, 3))), r"a is torch.float32, \(3, 3\); expected"),
        (stack_of(lambda stack: stack.second.pop("b")), "b differs"),
        (stack_of(lambda stack: stack.weights["b"][1:].fill_(torch.nan)), "b has values that are not finite"),
        (stack_of(lambda stack: stack.first["a"][1:].fill_(torch.inf)), "a has values that are not finite"),
        (stack_of(lambda stack: stack.second["a"][1:].fill_(-1)), "below 0"),
    ],
)
def test_a_checkpoint_that_this_training_cannot_have_left_is_refused(tmp_path, changes, message):
    path = tmp_path / "c.safetensors"
    checkpoint.save(path, state(**changes), "mine")
    with pytest.raises(ValueError, match=rf"c\.safetensors: broken checkpoint; remove it .* \(.*{message}"):
        load(path)


@pytest.mark.parametrize("change", [lambda path: path.unlink(), lambda path: path.write_bytes(path.read_bytes()[:-4])])
def test_weights_of_models_that_are_done_are_not_taken_for_zeros(base, data, tmp_path, monkeypatch, change):
    """The checkpoint says that models are done whose weights are missing."""
    usual = chunks.Chunk.advance

    def breaks(self, first, last, pool):
        if len(self.jobs) == 1:
            raise KeyboardInterrupt
        return usual(self, first, last, pool)

    with monkeypatch.context() as patch:
        patch.setattr(chunks.Chunk, "advance", breaks)
        with pytest.raises(KeyboardInterrupt):
            stacked_material.train(base, data, tmp_path)
    change(tmp_path / "weights.draft")
    for _ in range(2):
        with pytest.raises(ValueError, match=r"checkpoint\.safetensors: .* remove it .*weights\.draft: is missing"):
            stacked_material.train(base, data, tmp_path)
    (tmp_path / "checkpoint.safetensors").unlink()
    stacked_material.train(base, data, tmp_path)


def test_weights_that_are_not_finite_are_not_loaded(tmp_path):
    writer = Writer(trained(tmp_path), SHAPES, torch.float32, {"fingerprint": "x"})
    writer.write("b", torch.tensor([[0, torch.nan]]), 1)
    model = Small()
    load_into(model, tmp_path, 0)
    with pytest.raises(ValueError, match=r"weights\.safetensors: b of model 1 has values that are not finite"):
        load_into(model, tmp_path, 1)


def test_a_full_disk_names_the_file_of_weights(tmp_path):
    path = trained(tmp_path)
    writer = Writer(path, SHAPES, torch.float32, {"fingerprint": "x"})
    with pytest.raises(OSError, match=r"File too large: '.*weights\.safetensors'"), full_disk(100):
        writer.write("a", torch.ones(2, 3))
    assert np.isfinite(load_file(path)["a"].numpy()).all()
