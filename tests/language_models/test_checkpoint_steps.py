"""Models of earlier steps of a pretraining equal those of a training that stops there, whatever interrupts it."""

import json
from dataclasses import replace

import pytest

from tests import scripted

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")
from biassay.language_models import loading, pretraining, pretraining_checkpoints  # noqa: E402
from tests.language_models import plain_pretraining as plain  # noqa: E402

STEPS = (4, 10)


@pytest.fixture
def files(tmp_path):
    return plain.write(tmp_path)


def settings(files, **more):
    return replace(files.settings, checkpoint_steps=STEPS, **more)


def weights(folder):
    return loading.load(folder, device="cpu").model.state_dict()


def same(first, second):
    assert first.keys() == second.keys()
    for name, value in first.items():
        torch.testing.assert_close(second[name], value, rtol=0, atol=1e-6)


def stopped(files, step, monkeypatch):
    """Weights of a training that stops after a step."""
    found, usual = {}, pretraining._loss
    model = pretraining._model(files.tokenizer, files.settings, 3)

    def stops(model, tokenizer, ids, seed):
        if seed == [3, 7, step]:
            found.update({name: value.clone().half().float() for name, value in model.state_dict().items()})
            raise KeyboardInterrupt
        return usual(model, tokenizer, ids, seed)

    sequences = plain.sequences(12, 3)
    cut = max(1, round(0.01 * len(sequences)))
    with monkeypatch.context() as patch:
        patch.setattr(pretraining, "_loss", stops)
        with pytest.raises(KeyboardInterrupt):
            pretraining._fit(model, files.tokenizer, sequences[cut:], files.settings, 3, files.folder / "stopped.pt")
    (files.folder / "stopped.pt").unlink(missing_ok=True)
    return found


def train(files, name="model", **more):
    pretraining.train(files.text, files.folder / name, files.folder / "work/one.pt", settings(files, **more), seed=3)
    return files.folder / name


def test_a_checkpoint_equals_a_training_stopped_there(files, monkeypatch):
    out = train(files)
    for step in STEPS:
        folder = out / "steps" / str(step)
        same(weights(folder), stopped(files, step, monkeypatch))
        assert {path.name for path in folder.iterdir()} == {
            path.name for path in out.iterdir() if path.name not in ("steps", "training.json")
        }
        assert loading.load(folder).tokenizer.get_vocab() == loading.load(out).tokenizer.get_vocab()
    assert {path.name for path in (out / "steps").iterdir()} == {"4", "10"}
    assert json.loads((out / "training.json").read_text())["checkpoint_steps"] == [4, 10]
    assert not list((files.folder / "work").iterdir())
    pretraining.train(files.text, files.folder / "plain", files.folder / "plain.pt", files.settings, seed=3)
    same(weights(out), weights(files.folder / "plain"))
    assert not (files.folder / "plain/steps").exists()


@pytest.mark.fault(
    "pretraining interrupted while a checkpoint is written", "the checkpoints equal those of an uninterrupted training"
)
@pytest.mark.parametrize("place", [3, 7, 12])
def test_a_kill_changes_no_checkpoint(files, monkeypatch, place):
    """The states to resume from are of the steps 5 and 10; the workflow removes the model's folder."""
    whole, usual = train(files, "whole"), pretraining._loss

    def breaks(model, tokenizer, ids, seed):
        if seed == [3, 7, place]:
            raise KeyboardInterrupt
        return usual(model, tokenizer, ids, seed)

    with monkeypatch.context() as patch:
        patch.setattr(pretraining, "_loss", breaks)
        with pytest.raises(KeyboardInterrupt):
            train(files, "broken")
    names = {path.name for path in (files.folder / "work").iterdir()}
    assert names == {3: set(), 7: {"one.pt", "one_4.safetensors"},
                     12: {"one.pt", "one_4.safetensors", "one_10.safetensors"}}[place]  # fmt: skip
    out = train(files, "again")
    for part in ("", "steps/4", "steps/10"):
        same(weights(whole / part), weights(out / part))
    assert not list((files.folder / "work").iterdir())


def test_a_kill_while_checkpoints_are_published(files, monkeypatch):
    """The model's folder is lost, but not the files that it was made from."""
    whole, usual, copied = train(files, "whole"), pretraining_checkpoints.shutil.copyfile, []

    def breaks(source, target, **options):
        copied.extend([source] if str(source).endswith(".safetensors") else [])
        if len(copied) == 2:
            raise KeyboardInterrupt
        return usual(source, target, **options)

    with monkeypatch.context() as patch:
        patch.setattr(pretraining_checkpoints.shutil, "copyfile", breaks)
        with pytest.raises(KeyboardInterrupt):
            train(files, "broken")
    assert {path.name for path in (files.folder / "work").iterdir()} == {
        "one.pt",
        "one_4.safetensors",
        "one_10.safetensors",
    }
    out = train(files, "again")
    for part in ("", "steps/4", "steps/10"):
        same(weights(whole / part), weights(out / part))


def test_other_checkpoint_steps_are_another_training(files, caplog):
    train(files)
    with caplog.at_level("INFO"):
        model = pretraining._model(files.tokenizer, files.settings, 3)
        checkpoint, sequences = files.folder / "c.pt", plain.sequences(12, 3)
        pretraining._fit(model, files.tokenizer, sequences, files.settings, 3, checkpoint)
        assert checkpoint.is_file()
        pretraining._fit(model, files.tokenizer, sequences, settings(files), 3, checkpoint)
    assert any(str(checkpoint) in message and "other settings" in message for message in caplog.messages)


@pytest.mark.parametrize("steps", [(0,), (14,), (5, 20), (-1, 5)])
def test_checkpoint_steps_out_of_range(files, steps):
    with pytest.raises(ValueError, match=r"^checkpoint_steps: .* 1 and 13, got \[.*\]$") as caught:
        replace(files.settings, checkpoint_steps=steps)
    assert str(list(steps)) in str(caught.value)
    assert replace(files.settings, checkpoint_steps=(1, 13)).checkpoint_steps == (1, 13)


def test_the_script_copies_a_checkpoint(tmp_path):
    for step in (5, 50):
        (tmp_path / f"base/steps/{step}").mkdir(parents=True)
        (tmp_path / f"base/steps/{step}/config.json").write_text(str(step))
    for _ in range(2):  # Snakemake may have made the folder
        scripted.run("language_models/copy_checkpoint.py", input={"pretrained": tmp_path / "base"},
                     output={"out": tmp_path / "out"}, params={"step": 50})  # fmt: skip
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["config.json"]
    assert (tmp_path / "out/config.json").read_text() == "50"
