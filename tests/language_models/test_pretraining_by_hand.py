"""Pretraining, against a plain loop of torch; its breaks; its script."""

import json
import math
from dataclasses import asdict, replace

import numpy as np
import pytest

from tests import progress, scripted

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
from biassay.language_models import loading, pretraining, pretraining_checkpoints  # noqa: E402
from tests.language_models import plain_pretraining as plain  # noqa: E402


@pytest.fixture
def files(tmp_path):
    return plain.write(tmp_path)


def plain_training(settings, seed):
    """The model, its held-out loss and the number of sequences."""
    sequences = plain.sequences(settings.length, seed)
    cut = max(1, round(0.01 * len(sequences)))
    torch.manual_seed(seed)
    model = transformers.BertForMaskedLM(
        transformers.BertConfig(
            vocab_size=len(plain.PIECES), hidden_size=settings.width, num_hidden_layers=settings.layers,
            num_attention_heads=settings.heads, intermediate_size=4 * settings.width, hidden_dropout_prob=0,
            attention_probs_dropout_prob=0, max_position_embeddings=settings.length, pad_token_id=0,
        )
    ).train()  # fmt: skip
    groups = [
        {"params": [p for p in model.parameters() if (p.ndim > 1) == decays], "weight_decay": 0.01 * decays}
        for decays in (True, False)
    ]
    adamw = torch.optim.AdamW(groups, lr=settings.learning_rate, betas=(0.9, 0.98))
    warm = round(0.1 * settings.steps)
    order = []
    for epoch in range(9):
        order += np.random.default_rng([seed, 6, epoch]).permutation(len(sequences) - cut).tolist()
    for step in range(settings.steps):
        rows = order[step * settings.batch : (step + 1) * settings.batch]
        inputs, labels = plain.mask(sequences[cut:][rows], np.random.default_rng([seed, 7, step]))
        part = (step + 1) / warm if step < warm else (settings.steps - step) / (settings.steps - warm)
        for group in adamw.param_groups:
            group["lr"] = settings.learning_rate * part
        adamw.zero_grad()
        model(input_ids=inputs, labels=labels).loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        adamw.step()
    losses = []
    for i in range(0, cut, settings.batch):
        part = sequences[i : min(i + settings.batch, cut)]
        inputs, labels = plain.mask(part, np.random.default_rng([seed, 8, i]))
        losses += [model.eval()(input_ids=inputs, labels=labels).loss.item()] * len(part)
    return model, float(np.mean(losses)), len(sequences)


def test_training_is_that_of_a_plain_loop(files, monkeypatch):
    begun = progress.kept(monkeypatch, pretraining)
    settings = replace(files.settings, batch=5, steps=40)  # more than an epoch; the three held out are one batch
    out = files.folder / "model"
    loss = pretraining.train(files.text, out, files.folder / "deep/checkpoint.pt", settings, seed=3)
    model, expected, n = plain_training(settings, 3)
    assert loss == pytest.approx(expected, rel=1e-3)
    found = loading.load(out, device="cpu").model.state_dict()
    for name, value in model.half().state_dict().items():
        torch.testing.assert_close(
            found[name].float(), value.float(), atol=4e-3, rtol=4e-3, msg=lambda m, n=name: n + m
        )
    assert json.loads((out / "training.json").read_text()) == {
        "held_out_loss": loss, "subword_tokens_of_corpus": n * 12, "subword_tokens_seen": 40 * 5 * 12,
        **asdict(settings), "checkpoint_steps": [],
    }  # fmt: skip
    assert (begun[0].total, begun[0].done) == (40, 40)
    assert all(note.startswith("loss ") for note in begun[0].notes)


def test_the_held_out_loss_weighs_sequences_not_batches(files):
    settings, sequences = files.settings, plain.sequences(12, 1)[:8]
    model = pretraining._model(files.tokenizer, settings, 1)
    found = pretraining._held_out_loss(model, files.tokenizer, sequences, 5, 2)
    losses = []
    for i, n in ((0, 5), (5, 3)):
        inputs, labels = plain.mask(sequences[i : i + 5], np.random.default_rng([2, 8, i]))
        losses += [model(input_ids=inputs, labels=labels).loss.item()] * n
    assert found == pytest.approx(np.mean(losses), rel=1e-5)
    assert not model.training


def test_what_is_saved_when_and_what_is_taken_up_again(files, monkeypatch, caplog):
    saved, usual = [], pretraining_checkpoints.save

    def save(model, optimiser, identity, step, path):
        saved.append(step)
        usual(model, optimiser, identity, step, path)
        if step == 10 and len(saved) == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr(pretraining_checkpoints, "save", save)
    begun, checkpoint = progress.kept(monkeypatch, pretraining), files.folder / "made/checkpoint.pt"
    given = (files.text, files.folder / "model", checkpoint)
    with pytest.raises(KeyboardInterrupt):
        pretraining.train(*given, replace(files.settings, steps=15))
    assert [path.name for path in checkpoint.parent.iterdir()] == ["checkpoint.pt"]
    pretraining.train(*given, replace(files.settings, steps=15))
    assert saved == [5, 10]  # none at the end
    assert any("step 10" in message and str(checkpoint) in message for message in caplog.messages)
    assert [(one.total, one.done) for one in begun] == [(15, 10), (5, 5)]
    assert not checkpoint.exists()


@pytest.mark.parametrize("change", [{"seed": 2}, {"learning_rate": 0.01}, {"width": 32}])
def test_a_checkpoint_of_another_training_is_left(files, change, caplog):
    checkpoint, found = files.folder / "checkpoint.pt", {}
    for name, changes in (("first", {}), ("second", change), ("alone", change)):
        if name == "alone":
            checkpoint.unlink()
        seed = changes.get("seed", 1)
        settings = replace(files.settings, **{key: value for key, value in changes.items() if key != "seed"})
        model = pretraining._model(files.tokenizer, settings, 1)
        if name == "first":  # leaves its last checkpoint
            settings = replace(settings, steps=6)
        pretraining._fit(model, files.tokenizer, plain.sequences(12, 1), replace(settings, steps=6), seed, checkpoint)
        found[name] = model.state_dict()
    assert any(str(checkpoint) in message and "other settings" in message for message in caplog.messages)
    for name, value in found["alone"].items():
        assert torch.equal(found["second"][name], value)


def test_the_rate_of_short_trainings():
    assert [pretraining._rate(step, 2) for step in range(2)] == [1, 1]
    assert [pretraining._rate(step, 20) for step in (0, 1, 2, 11, 19)] == [0.5, 1, 1, 0.5, 1 / 18]
    assert pretraining._rate(0, 1) == 1


def test_a_model_begins_by_its_seed_and_leaves_torchs_generator(files):
    before = torch.random.get_rng_state()
    models = [pretraining._model(files.tokenizer, files.settings, seed).state_dict() for seed in (1, 1, 2)]
    assert torch.equal(before, torch.random.get_rng_state())
    name = "bert.embeddings.word_embeddings.weight"
    assert torch.equal(models[0][name], models[1][name])
    assert not torch.equal(models[0][name], models[2][name])


def test_the_script_pretrains_as_told(files, tmp_path):
    settings = asdict(replace(files.settings, steps=4))
    rule = {"settings": settings, "markup": False, "seed": 5, "checkpoint": str(tmp_path / "one/checkpoint.pt")}
    scripted.run(
        "language_models/pretrain.py", input={"text": files.text}, output={"out": tmp_path / "out"}, params=rule
    )
    loss = pretraining.train(
        files.text, tmp_path / "again", tmp_path / "c.pt", pretraining.Settings(**settings), seed=5
    )
    for name in ("model.safetensors", "training.json", "vocab.txt"):
        assert (tmp_path / "out" / name).read_bytes() == (tmp_path / "again" / name).read_bytes()
    assert 0 < loss < 2 * math.log(len(plain.PIECES))


def test_the_script_downloads_what_is_pinned(tmp_path):
    called = []
    scripted.run(
        "language_models/download.py", output={"out": tmp_path / "model"},
        params={"hub": "some/model", "revision": "abc"},
        replace={"biassay.language_models.hub.download": lambda *arguments: called.append(arguments)},
    )  # fmt: skip
    assert called == [("some/model", "abc", str(tmp_path / "model"))]
