"""Pretraining compared with a plain torch loop; interruptions, stored steps, broken files."""

import json
import math
import pickle
from dataclasses import asdict, replace
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

import numpy as np
import pytest
import torch
import transformers
from safetensors.torch import load_file

from biassay.language_models import loading, pretraining
from biassay.language_models import pretraining_data as data
from tests import scripted
from tests.language_models.broken_folders import Trap

LINES = [f"The {w} {v} the old {o}." for w in ("nurse", "pilot") for v in ("saw", "heard") for o in ("dog", "car")] * 40
WORDS = [*data.SPECIAL, "the", "nurse", "pilot", "saw", "heard", "old", "dog", "car", "."]
SMALL = {"layers": 1, "width": 16, "heads": 2, "length": 12, "batch": 24, "steps": 14, "learning_rate": 0.02}


@pytest.fixture
def files(tmp_path):
    """A text, a vocabulary of its words, settings with it, and its tokenizer."""
    (tmp_path / "text.txt").write_text("\n".join(LINES) + "\n")
    (tmp_path / "words.txt").write_text("\n".join(WORDS) + "\n")
    (tmp_path / "tokenizer").mkdir()
    text, vocabulary = [str(tmp_path / "text.txt")], str(tmp_path / "words.txt")
    tokenizer = data.make_tokenizer(tmp_path / "tokenizer", vocabulary, text, False, SMALL["length"])
    settings = pretraining.Settings(vocabulary=vocabulary, save_every=3, checkpoint_steps=(4, 10), **SMALL)
    return SimpleNamespace(text=text, folder=tmp_path, settings=settings, tokenizer=tokenizer)


def train(files, name="model", seed=3, **changes):
    """Pretrain; return the folder of the model."""
    settings = replace(files.settings, **changes)
    pretraining.train(files.text, files.folder / name, files.folder / "work/one.pt", settings, seed=seed)
    return files.folder / name


def weights(folder):
    return load_file(folder / "model.safetensors")


def assert_same(first, second):
    assert first.keys() == second.keys()
    for name, value in first.items():
        torch.testing.assert_close(second[name], value, rtol=0, atol=1e-6)


def make_sequences(length, seed):
    """Ids of the words, a [SEP] after each line, cut into lengths, with a [CLS] before each."""
    ids = [WORDS.index(word) for line in LINES for word in [*line[:-1].lower().split(), ".", "[SEP]"]]
    cut = [ids[i : i + length - 1] for i in range(0, len(ids) - length + 2, length - 1)]
    return np.random.default_rng([seed, 5]).permutation(np.array([[WORDS.index("[CLS]"), *part] for part in cut]))


def mask(ids, random):
    """Labels −100 except where a token is masked; 80 % of these are masks, 10 % any token."""
    chosen = (random.random(ids.shape) < 0.15) & ~np.isin(ids, [WORDS.index("[CLS]"), WORDS.index("[SEP]")])
    inputs, labels = ids.copy(), np.where(chosen, ids, -100)
    fate = random.random(chosen.sum())
    other = random.integers(0, len(WORDS), chosen.sum())
    inputs[chosen] = np.where(fate < 0.8, WORDS.index("[MASK]"), np.where(fate < 0.9, other, ids[chosen]))
    return torch.from_numpy(inputs).long(), torch.from_numpy(labels).long()


def train_plainly(settings, seed):
    """The model by a plain loop, its held-out loss and the number of sequences."""
    sequences = make_sequences(settings.length, seed)
    held_out, sequences = np.split(sequences, [max(1, round(0.01 * len(sequences)))])
    torch.manual_seed(seed)
    model = transformers.BertForMaskedLM(
        transformers.BertConfig(
            vocab_size=len(WORDS), hidden_size=settings.width, num_hidden_layers=settings.layers,
            num_attention_heads=settings.heads, intermediate_size=4 * settings.width, hidden_dropout_prob=0,
            attention_probs_dropout_prob=0, max_position_embeddings=settings.length, pad_token_id=0,
        )
    ).train()  # fmt: skip
    groups = [
        {"params": [p for p in model.parameters() if (p.ndim > 1) == decays], "weight_decay": 0.01 * decays}
        for decays in (True, False)
    ]
    adamw = torch.optim.AdamW(groups, lr=settings.learning_rate, betas=(0.9, 0.98))
    order = np.concatenate([np.random.default_rng([seed, 6, i]).permutation(len(sequences)) for i in range(9)])
    warm = round(0.1 * settings.steps)
    for step in range(settings.steps):
        rows = order[step * settings.batch : (step + 1) * settings.batch]
        inputs, labels = mask(sequences[rows], np.random.default_rng([seed, 7, step]))
        share = (step + 1) / warm if step < warm else (settings.steps - step) / (settings.steps - warm)
        for group in adamw.param_groups:
            group["lr"] = settings.learning_rate * share
        adamw.zero_grad()
        model(input_ids=inputs, labels=labels).loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        adamw.step()
    inputs, labels = mask(held_out, np.random.default_rng([seed, 8, 0]))
    return model, model.eval()(input_ids=inputs, labels=labels).loss.item(), len(sequences) + len(held_out)


def test_training_equals_a_plain_loop(files):
    settings = replace(files.settings, batch=5, steps=40, checkpoint_steps=())  # more than an epoch
    out = files.folder / "model"
    loss = pretraining.train(files.text, out, files.folder / "deep/checkpoint.pt", settings, seed=3)
    model, expected, n = train_plainly(settings, 3)
    assert loss == pytest.approx(expected, rel=1e-3)
    stored = loading.load(out, device="cpu").model.state_dict()
    for name, value in model.half().state_dict().items():
        torch.testing.assert_close(stored[name].float(), value.float(), atol=4e-3, rtol=4e-3)
    assert json.loads((out / "training.json").read_text()) == {
        "held_out_loss": loss, "subword_tokens_of_corpus": n * 12, "subword_tokens_seen": 40 * 5 * 12,
        **asdict(settings), "checkpoint_steps": [],
    }  # fmt: skip
    assert not (files.folder / "deep/checkpoint.pt").exists()
    assert loss < 0.8 * math.log(len(WORDS))  # it learns


def test_the_held_out_loss_weighs_sequences_not_batches(files, monkeypatch):
    model, losses = pretraining._model(files.tokenizer, files.settings, 1), iter([1.0, 3.0])
    monkeypatch.setattr(pretraining, "_loss", lambda *_: torch.tensor(next(losses)))
    assert pretraining._held_out_loss(model, files.tokenizer, np.zeros((8, 12)), 5, 2) == (5 * 1 + 3 * 3) / 8


def at_step(step, change):
    """Change the loss, or the model, at a step within the `with` statement."""
    usual = pretraining._loss

    def loss(model, tokenizer, ids, seed):
        value = usual(model, tokenizer, ids, seed)
        return change(model, value) if seed == [3, 7, step] else value

    return mock.patch.object(pretraining, "_loss", loss)


def interrupt(model, loss):
    raise KeyboardInterrupt


@pytest.mark.parametrize(("step", "stored"), [(5, []), (13, [4, 10])])
def test_an_interrupted_training_resumes_to_the_same_models(files, step, stored):
    """Checkpoints are written after steps 3, 6, 9, 12, weights kept after 4 and 10."""
    whole, checkpoint = train(files, "whole"), files.folder / "work/one.pt"
    with at_step(step, interrupt), pytest.raises(KeyboardInterrupt):
        train(files, "interrupted")
    parts = torch.load(checkpoint, weights_only=True)
    assert (parts["step"], list(parts["stored"])) == (3 * (step // 3), stored)
    with at_step(2, interrupt):  # which it does not take again
        out = train(files, "interrupted")
    assert not checkpoint.exists()
    for part in ("", "steps/4", "steps/10"):
        assert_same(weights(whole / part), weights(out / part))


def test_a_stored_step_is_a_model_of_its_own(files):
    stored = {}

    def keep(model, loss):
        stored.update({name: value.detach().clone().half() for name, value in model.state_dict().items()})
        return loss

    with at_step(4, keep):
        out = train(files)
    folder = out / "steps/4"
    assert_same(weights(folder), {name: stored[name] for name in weights(folder)})
    assert not (folder / "training.json").exists()
    assert loading.load(folder, device="cpu").kind == "masked"
    assert_same(weights(train(files, "plain", checkpoint_steps=())), weights(out))


OTHER_LINES = [*LINES[:-9], *["The pilot saw the old dog."] * 9]  # as many


@pytest.mark.parametrize(("lines", "changes"), [(LINES, {"learning_rate": 0.01}), (OTHER_LINES, {})])
def test_a_checkpoint_of_other_settings_or_another_text_is_ignored(files, lines, changes):
    with at_step(7, interrupt), pytest.raises(KeyboardInterrupt):
        train(files)
    (files.folder / "text.txt").write_text("\n".join(lines) + "\n")
    other = weights(train(files, "other", **changes))
    assert_same(weights(train(files, "alone", **changes)), other)


def test_a_checkpoint_of_other_code_is_ignored(files, monkeypatch):
    with at_step(7, interrupt), pytest.raises(KeyboardInterrupt):
        train(files)
    monkeypatch.setattr(pretraining.code, "compute_digest", lambda path: "0")
    with at_step(2, interrupt), pytest.raises(KeyboardInterrupt):  # which it takes again
        train(files)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"checkpoint_steps": (0,)}, "^checkpoint_steps: .* 1 and 13"),
        ({"checkpoint_steps": (5, 14)}, "13, got"),
        ({"heads": 3}, "^heads: .* 16, got 3"),
    ],
)
def test_settings_out_of_range_are_named(files, changes, message):
    with pytest.raises(ValueError, match=message):
        replace(files.settings, **changes)


def spoil(value):
    """Change one weight, which the loss of the step does not show."""

    def change(model, loss):
        with torch.no_grad():
            model.bert.embeddings.position_embeddings.weight[1, 2] = value
        return loss

    return change


@pytest.mark.parametrize(
    ("step", "change", "message"),
    [
        (5, lambda model, loss: loss * torch.nan, "step 5 of 14"),
        (13, spoil(torch.nan), "model: the held-out loss is nan"),
        (3, spoil(1e6), "after step 4"),  # infinite in float16
        (2, spoil(-torch.inf), "step 3 of 14"),
    ],
)
def test_a_model_that_is_not_finite_is_not_written(files, step, change, message):
    with at_step(step, change), pytest.raises(ValueError, match=rf"{message}; lower learning_rate \(0\.02\)"):
        train(files)
    assert not list((files.folder / "model").iterdir())


@pytest.mark.parametrize(
    "change",
    [
        lambda path: path.write_bytes(path.read_bytes()[:-400]),
        lambda path: path.write_bytes(pickle.dumps(Trap(Path("sprung")))),
        lambda path: torch.save({key: value for key, value in torch.load(path).items() if key != "model"}, path),
    ],
)
def test_a_broken_checkpoint_is_named(files, change):
    with at_step(7, interrupt), pytest.raises(KeyboardInterrupt):
        train(files)
    change(files.folder / "work/one.pt")
    with pytest.raises(ValueError, match=r"work/one\.pt: broken checkpoint; remove it") as caught:
        train(files)
    assert "weights_only" not in f"{caught.value}{caught.value.__cause__}"
    assert not Path("sprung").exists()


@pytest.mark.parametrize("lines", [20_000, 7])
def test_text_becomes_sequences_line_by_line(files, monkeypatch, lines):
    assert files.tokenizer.model_max_length == 12
    assert [files.tokenizer.convert_tokens_to_ids(token) for token in data.SPECIAL] == [0, 1, 2, 3, 4]
    monkeypatch.setattr(data, "LINES", lines)
    arguments = files.tokenizer, files.text, False
    assert data.sequences(*arguments, 12, 4).tolist() == make_sequences(12, 4).tolist()
    for length in (1281, 1280):  # 2560 tokens
        assert data.sequences(*arguments, length, 4).shape == (2, length)
    with pytest.raises(ValueError, match=r"text\.txt: .* 1282 .* got 2560"):
        data.sequences(*arguments, 1282, 4)


def test_lines_have_no_markup_and_none_is_empty(tmp_path):
    (tmp_path / "1.txt").write_text("<doc>\na\n\nb\n  \n</doc>\n")
    assert list(data.lines([str(tmp_path / "1.txt")], True)) == [["a", "b"]]


def test_one_token_at_least_is_masked(files):
    assert data.mask(np.array([[2, 7, 3]]), files.tokenizer, np.random.default_rng(0))[1].tolist() == [1]


def test_a_learned_vocabulary_has_the_most_frequent_letters_and_is_the_same_every_time(tmp_path, monkeypatch):
    monkeypatch.setattr(data, "ALPHABET", 4)
    (tmp_path / "text.txt").write_text("aab aab ab, ab! xa xa c\n" * 5 + "zz\n")
    learned = data._learn(40, [str(tmp_path / "text.txt")], False)
    assert all(data._learn(40, [str(tmp_path / "text.txt")], False) == learned for _ in range(3))
    assert learned[:7] == ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "##a", "##b"]
    letters = {token for token in learned if len(token.removeprefix("##")) == 1}
    # 35 a, 20 b, 10 x, then ! and , and c, 5 each; only letters inside words follow
    assert {"a", "b", "x", "!"} <= letters <= {"a", "b", "x", "!", "##a", "##b", "##x"}
    assert "aab" in learned
    assert len(data._learn(12, [str(tmp_path / "text.txt")], False)) == 12


@pytest.mark.parametrize(
    ("words", "message"), [("nurse\nman\nnurse\n", "line 3: .*'nurse'"), ("nurse\n", r"expected .*\[PAD\]")]
)
def test_a_broken_vocabulary_is_named(tmp_path, words, message):
    (tmp_path / "words.txt").write_text(words)
    with pytest.raises(ValueError, match=rf"words\.txt.*{message}"):
        data.make_tokenizer(tmp_path, str(tmp_path / "words.txt"), [], False, 16)


def test_the_script_copies_a_stored_step(tmp_path):
    for step in (5, 50):
        (tmp_path / f"base/steps/{step}").mkdir(parents=True)
        (tmp_path / f"base/steps/{step}/config.json").write_text(str(step))
    for _ in range(2):  # Snakemake may have made the folder
        scripted.run("language_models/copy_checkpoint.py", input={"pretrained": tmp_path / "base"},
                     output={"out": tmp_path / "out"}, params={"step": 50})  # fmt: skip
    assert (tmp_path / "out/config.json").read_text() == "50"
