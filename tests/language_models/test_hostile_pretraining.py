"""Pretrainings that diverge, and checkpoints of a pretraining that are broken."""

import pickle
from dataclasses import replace
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")
from biassay.language_models import pretraining  # noqa: E402
from tests.language_models import plain_pretraining as plain  # noqa: E402

pytestmark = pytest.mark.bad_input("trained weights and checkpoints", "one error that names the file")


@pytest.fixture
def files(tmp_path):
    found = plain.write(tmp_path)
    found.settings = replace(found.settings, save_every=3, checkpoint_steps=(2, 4))
    return found


def train(files):
    return pretraining.train(files.text, files.folder / "model", files.folder / "work/one.pt", files.settings, seed=3)


def breaking(monkeypatch, step, change):
    """Something that happens to the loss, or to the model, at a step."""
    usual = pretraining._loss

    def loss(model, tokenizer, ids, seed):
        found = usual(model, tokenizer, ids, seed)
        return change(model, found) if seed == [3, 7, step] else found

    monkeypatch.setattr(pretraining, "_loss", loss)


def interrupt(model, loss):
    raise KeyboardInterrupt


def spoil(value):
    """A change of one weight, which the loss of the step does not show."""

    def change(model, loss):
        with torch.no_grad():
            model.bert.embeddings.position_embeddings.weight[1, 2] = value
        return loss

    return change


@pytest.mark.parametrize(
    ("step", "change", "named"),
    [
        (3, lambda model, loss: loss * torch.nan, "step 3 of 14"),
        (12, lambda model, loss: loss * torch.inf, "step 12 of 14"),
        (13, spoil(torch.nan), "model: the held-out loss is nan"),
        (13, spoil(1e6), "after step 14"),  # infinite in float16
        (1, spoil(1e6), "after step 2"),
        (2, spoil(-torch.inf), "after step 3"),
    ],
)
def test_a_model_that_is_not_finite_is_not_written(files, monkeypatch, step, change, named):
    breaking(monkeypatch, step, change)
    with pytest.raises(ValueError, match=rf"{named}; lower learning_rate \(0\.02\)"):
        train(files)
    assert not list((files.folder / "model").iterdir())
    for path in (files.folder / "work").iterdir() if (files.folder / "work").exists() else []:
        assert int(path.stem.split("_")[1] if "_" in path.stem else torch.load(path)["step"]) <= step


@pytest.fixture
def interrupted(files, monkeypatch):
    """Checkpoint of step 6, and weights of steps 2 and 4."""
    with monkeypatch.context() as patch:
        breaking(patch, 7, interrupt)
        with pytest.raises(KeyboardInterrupt):
            train(files)
    return files.folder / "work/one.pt"


class Trap:
    def __reduce__(self):
        return Path.touch, (Path("sprung"),)


def changed(change):
    """A change of what the checkpoint holds."""

    def rewrite(path):
        parts = torch.load(path)
        change(parts)
        torch.save(parts, path)

    return rewrite


@pytest.mark.parametrize(
    "change",
    [
        lambda path: path.write_bytes(path.read_bytes()[:-400]),
        lambda path: path.write_bytes(b""),
        lambda path: path.write_text("a text"),
        lambda path: path.write_bytes(pickle.dumps(Trap())),
        lambda path: torch.save({"identity": Trap()}, path),
        lambda path: torch.save([1], path),
        lambda path: path.with_name("one_4.safetensors").unlink(),
        lambda path: path.with_name("one_2.safetensors").write_bytes(b"\0" * 100),
        changed(lambda parts: parts.update(step=-3)),
        changed(lambda parts: parts.update(step=30)),
        changed(lambda parts: parts.update(step=5)),
        changed(lambda parts: parts.update(step="6")),
        changed(lambda parts: parts.update(step=9)),
        changed(lambda parts: parts.pop("step")),
        changed(lambda parts: parts["model"].pop("bert.embeddings.LayerNorm.bias")),
        changed(lambda parts: parts["model"].update(more=torch.ones(2))),
        changed(lambda parts: parts["model"]["bert.embeddings.LayerNorm.bias"].fill_(torch.nan)),
        changed(lambda parts: parts["model"].update({"bert.embeddings.LayerNorm.bias": torch.ones(3)})),
        changed(lambda parts: parts["model"].update({"bert.embeddings.LayerNorm.bias": "text"})),
        changed(lambda parts: parts["optimiser"]["state"].pop(3)),
        changed(lambda parts: parts["optimiser"]["state"][3].update(exp_avg=torch.ones(1))),
        changed(lambda parts: parts["optimiser"]["state"][3]["exp_avg"].fill_(torch.inf)),
        changed(lambda parts: parts["optimiser"]["state"][3]["exp_avg_sq"].fill_(-1)),
        changed(lambda parts: parts["optimiser"]["state"][3]["step"].fill_(7)),
        changed(lambda parts: parts["optimiser"]["param_groups"][0].update(betas=(0.5, 0.5))),
        changed(lambda parts: parts["optimiser"]["param_groups"].pop()),
    ],
)
def test_a_broken_checkpoint_is_named(files, interrupted, change):
    change(interrupted)
    with pytest.raises(ValueError, match=r"work/one\.pt: broken checkpoint; remove it") as raised:
        train(files)
    told = f"{raised.value}{raised.value.__cause__}"
    assert "weights_only" not in told
    assert "still be loaded" not in told
    assert not Path("sprung").exists()
    interrupted.unlink()
    train(files)


def test_a_checkpoint_of_other_settings_is_ignored(files, interrupted):
    files.settings = replace(files.settings, learning_rate=0.01)
    train(files)
    assert not interrupted.exists()
