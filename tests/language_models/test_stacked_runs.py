"""Runs of stacked training: arguments, result files, checkpoints, interruptions and broken files."""

import dataclasses
import itertools
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import torch
import transformers
from safetensors.torch import load_file, save_file

from biassay.language_models.stacked import run as runs
from biassay.language_models.stacked import training
from biassay.language_models.stacked.files import load_into
from tests.full_disk import full_disk
from tests.language_models import plain_training as plain

SEEDS = (4, 5, 6, 7)
OPTIONS = {"seeds": list(SEEDS), "epochs": 2, "batch": 4, "learning_rate": 1e-3, "dropout": 0.1}  # of 12 steps


@pytest.fixture(scope="module")
def data():
    return [plain.sentences(21, seed) for seed in SEEDS]


@pytest.fixture(scope="module")
def whole(base, data, tmp_path_factory):
    """Results of an uninterrupted training without checkpoints."""
    folder = tmp_path_factory.mktemp("whole")
    training.train(base, data, folder=folder, checkpoint_minutes=0, **OPTIONS)
    return folder


def same(folder, other):
    return (folder / "weights.safetensors").read_bytes() == (other / "weights.safetensors").read_bytes()


def interrupt(monkeypatch, base, data, at, **options):
    """Train until an interruption before the at-th step of a model."""
    usual, steps = runs.Group._step, itertools.count(1)

    def step(self, *given):
        if next(steps) == at:
            raise KeyboardInterrupt
        return usual(self, *given)

    with monkeypatch.context() as patch:
        patch.setattr(runs.Group, "_step", step)
        with pytest.raises(KeyboardInterrupt):
            training.train(base, data, **OPTIONS | options)


@pytest.fixture
def frequent(monkeypatch):
    """A checkpoint after every second step."""
    monkeypatch.setattr(runs, "MODEL_STEPS", 2 * len(SEEDS))
    return {"checkpoint_minutes": 1e-9}


@pytest.mark.parametrize("at", [1, 16, 38])
def test_an_interrupted_training_resumes_to_the_same_result(base, data, whole, tmp_path, monkeypatch, frequent, at):
    options = {"folder": tmp_path, **frequent}
    interrupt(monkeypatch, base, data, at, **options)
    assert not (tmp_path / "weights.safetensors").exists()
    advance, begun = runs.Group.advance, []
    monkeypatch.setattr(runs.Group, "advance", lambda self, **of: begun.append(of["first"]) or advance(self, **of))
    training.train(base, data, **OPTIONS | options)
    assert (begun[0] > 0) == (at > 1)
    assert same(tmp_path, whole)
    assert [path.name for path in tmp_path.iterdir()] == ["weights.safetensors"]


def test_a_checkpoint_of_another_kind_of_device_is_not_used(base, data, tmp_path, monkeypatch, frequent):
    options = {"folder": tmp_path, **frequent}
    interrupt(monkeypatch, base, data, 38, **options)
    monkeypatch.setattr(runs, "trains_separately", lambda _: False)  # as on a GPU
    advance, begun = runs.Group.advance, []
    monkeypatch.setattr(runs.Group, "advance", lambda self, **of: begun.append(of["first"]) or advance(self, **of))
    training.train(base, data, **OPTIONS | options)
    assert begun == [0, 2, 4, 6, 8, 10]


def test_checkpoints_are_written_as_often_as_set(base, data, tmp_path, monkeypatch):
    saved, now, advance = [], [0.0], runs.Group.advance

    def advance_slowly(self, first, last):
        now[0] += 60 * (last - first)  # a step of the four models takes four minutes
        return advance(self, first, last)

    monkeypatch.setattr(runs.Run, "_save", lambda self, step, *_: saved.append(step))
    monkeypatch.setattr(runs.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(runs.Group, "advance", advance_slowly)
    monkeypatch.setattr(runs, "MODEL_STEPS", 3)
    for name, options, expected in (
        ("minutes", {}, [3, 6, 9]),
        ("longer", {"checkpoint_minutes": 20}, [5, 10]),
        ("none", {"checkpoint_minutes": 0}, []),
    ):
        saved.clear()
        training.train(base, data, folder=tmp_path / name, **OPTIONS | options)
        assert saved == expected


@pytest.mark.parametrize("free", [10**9, 10**5])
def test_models_that_exceed_the_memory_are_an_error(base, data, tmp_path, monkeypatch, free):
    monkeypatch.setattr(runs.psutil, "virtual_memory", lambda: SimpleNamespace(available=free))
    n_weights = sum(weight.numel() for weight in plain.load(base).parameters())
    required = n_weights * (12 * 4 + 4) / 1e9  # one thread
    message = rf"4 models of {n_weights:,} weights need at least {required:.2f} GB .* chunk"
    with pytest.raises(ValueError, match=message) if free < required * 1e9 else nullcontext():
        training.train(base, data, folder=tmp_path, **OPTIONS | {"epochs": 1})


def run_of(model, data, seeds=SEEDS, storage=torch.float32, **changes):
    settings = dataclasses.replace(runs.Settings(2, 4, 1e-3, 0.1, 0.01, 0.1, None, "fp32"), **changes)
    return runs.Run(model, data, list(seeds), settings, Path("out"), torch.device("cpu"), storage, 10.0)


def test_a_result_depends_on_every_setting_the_data_the_base_and_the_code(base, data, monkeypatch):
    changes = [
        {"epochs": 3}, {"batch": 5}, {"learning_rate": 2e-3}, {"warmup": 0.2}, {"weight_decay": 0.0}, {"dropout": 0.2},
        {"max_norm": 1.0}, {"precision": "bf16"}, {"storage": torch.float16}, {"seeds": (4, 5, 7, 6)},
        {"data": data[::-1]}, {"vocabulary": tuple(range(60))},
    ]  # fmt: skip
    for name, values in vars(data[0]).items():
        first = dataclasses.replace(data[0], **{name: values + (values == values.flat[0])})
        changes.append({"data": [first, *data[1:]]})
    model = training.load(base, 0.1)
    fingerprints = [run_of(**{"model": model, "data": data} | change).fingerprint for change in ({}, *changes)]
    with torch.no_grad():
        model.cls.predictions.bias[3] += 1e-3
    fingerprints.append(run_of(model, data).fingerprint)
    monkeypatch.setattr(torch, "__version__", "0")
    fingerprints.append(run_of(model, data).fingerprint)
    monkeypatch.setattr(runs.code, "compute_digest", lambda path: "0")
    fingerprints.append(run_of(model, data).fingerprint)
    assert len(set(fingerprints)) == len(fingerprints) == 20


def test_a_finished_training_is_kept_and_another_one_replaced(base, tmp_path):
    options, path = {"folder": tmp_path, "epochs": 1}, tmp_path / "weights.safetensors"
    training.train(base, [plain.sentences(8, 1)], seeds=[1], **options)
    before = path.stat().st_mtime_ns
    training.train(base, [plain.sentences(8, 1)], seeds=[1], **options)
    assert path.stat().st_mtime_ns == before
    training.train(base, [plain.sentences(8, 1)], seeds=[2], **options)
    assert path.stat().st_mtime_ns > before


def test_a_training_that_diverges_names_the_model(base, data, tmp_path):
    with pytest.raises(ValueError, match=r"model \d \(seed \d\): .*(loss|largest value).*learning_rate"):
        training.train(base, data, folder=tmp_path, **OPTIONS | {"learning_rate": 1e5, "storage": "float16"})
    assert not (tmp_path / "weights.safetensors").exists()


@pytest.mark.parametrize(
    "change", [lambda content: content[:-5], lambda content: content.replace(b"fingerprint", b"fingerprant")]
)
def test_a_broken_checkpoint_is_named(base, data, tmp_path, monkeypatch, frequent, change):
    interrupt(monkeypatch, base, data, 20, folder=tmp_path, **frequent)
    path = tmp_path / "checkpoint.pt"
    path.write_bytes(change(path.read_bytes()))
    with pytest.raises(ValueError, match=r"checkpoint\.pt: broken checkpoint; remove it"):
        training.train(base, data, folder=tmp_path, **OPTIONS)


def test_a_full_disk_is_an_error_that_leaves_the_last_checkpoint(base, data, whole, tmp_path, monkeypatch, frequent):
    interrupt(monkeypatch, base, data, 20, folder=tmp_path, **frequent)
    for name, options in (("checkpoint.pt", frequent), ("weights.safetensors", {})):
        with pytest.raises(OSError, match=rf"{name}: .*is the disk full"), full_disk(5000):
            training.train(base, data, folder=tmp_path, **OPTIONS | options)
    assert not list(tmp_path.glob("*.draft"))
    training.train(base, data, folder=tmp_path, **OPTIONS)
    assert same(tmp_path, whole)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (plain.sentences(21, 1, longest=45), "data set 1: .* 40 tokens .* got 4"),
        (plain.sentences(20, 1), r"data set 1 has 20 sentences; expected as many as data set 0 \(21\)"),
    ],
)
def test_data_that_cannot_be_trained_on_are_named(base, data, tmp_path, wrong, message):
    with pytest.raises(ValueError, match=message):
        training.train(base, [data[0], wrong], seeds=[1, 2], folder=tmp_path)


def test_stored_weights_go_only_into_a_model_like_the_base(base, whole, tmp_path):
    model = plain.load(base)
    load_into(model, whole, 3)
    stored = load_file(whole / "weights.safetensors")
    assert torch.equal(model.cls.predictions.bias, stored["cls.predictions.bias"][3])
    roberta = training.load(plain.base("roberta", tmp_path / "roberta"), 0.4)
    assert (roberta.config.hidden_dropout_prob, roberta.config.attention_probs_dropout_prob) == (0.4, 0.4)
    small = transformers.BertConfig(**plain.SIZES | {"intermediate_size": 8}, num_hidden_layers=2)
    for other, number, message in (
        (model, 4, "from 0 to 3, got 4"),
        (roberta, 0, "expected weights of this RobertaForMaskedLM"),
        (transformers.BertForMaskedLM(small), 0, r"expected the shape \(8"),
    ):
        with pytest.raises(ValueError, match=rf"weights\.safetensors: .*{message}"):
            load_into(other, whole, number)
    with pytest.raises(ValueError, match=r"weights\.safetensors: no such file"):
        load_into(model, tmp_path, 0)


def test_broken_weights_are_named(tmp_path):
    model = torch.nn.ParameterDict({"a": torch.zeros(3)})
    path = tmp_path / "weights.safetensors"
    save_file({"a": torch.tensor([[1, 2, 3], [4, 5, torch.nan]])}, path)
    load_into(model, tmp_path, 0)
    assert model["a"].tolist() == [1, 2, 3]
    with pytest.raises(ValueError, match=r"weights\.safetensors: a of model 1 has values that are not finite"):
        load_into(model, tmp_path, 1)
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(ValueError, match=r"weights\.safetensors: broken file of weights"):
        load_into(model, tmp_path, 0)


@pytest.mark.parametrize("kind", ["bert", "roberta", "distilbert", "albert"])
def test_a_limited_vocabulary_trains_as_a_base_model_without_other_tokens(kind, tmp_path):
    """Compared with transformers' class on a model whose tables lack the other tokens; their rows stay as they are."""
    base, data = plain.base(kind, tmp_path / "base"), plain.sentences(40, 5)
    data = dataclasses.replace(data, ids=np.where(data.ids > 4, 5 + data.ids % 20, data.ids))
    kept = np.array([0, 1, *range(4, 40)])
    number = np.searchsorted(kept, np.arange(40))
    settings = {"epochs": 3, "batch": 8, "learning_rate": 1e-2}
    training.train(base, [data], seeds=[7], folder=tmp_path, dropout=0.0, vocabulary=kept, **settings)
    trained, before, small = (plain.load(base) for _ in range(3))
    load_into(trained, tmp_path, 0)
    is_table = {name for name, weight in small.named_parameters() if len(weight) == plain.VOCABULARY}
    assert len(is_table) == 2
    config = small.config.__class__(**small.config.to_dict() | {"vocab_size": len(kept)})
    smaller = type(small)(config).train()
    smaller.load_state_dict({
        name: weight[kept] if len(weight) == plain.VOCABULARY else weight for name, weight in small.state_dict().items()
    })  # fmt: skip
    renumbered = dataclasses.replace(data, ids=number[data.ids], labels=number[data.labels])
    plain.train(smaller, renumbered, seed=7, **settings)
    whole, others = dict(before.named_parameters()), np.setdiff1d(np.arange(plain.VOCABULARY), kept)
    with torch.no_grad():
        for name, weight in trained.named_parameters():
            if name in is_table:
                assert torch.equal(weight[others], whole[name][others])
                weight.data = weight[kept]
    plain.assert_alike(smaller, trained)


def test_a_limited_vocabulary_that_does_not_fit_is_an_error(base, data, tmp_path):
    kept = np.arange(4, plain.VOCABULARY - 1)
    with pytest.raises(ValueError, match=r"data set [0-3]: a token is not in the vocabulary of 55 tokens"):
        training.train(base, data, folder=tmp_path, vocabulary=kept, **OPTIONS)
    other = plain.base("mpnet", tmp_path / "mpnet")
    with pytest.raises(ValueError, match=r"vocabulary: MPNetForMaskedLM cannot be stacked.*expected all"):
        training.train(other, data, folder=tmp_path, vocabulary=np.arange(plain.VOCABULARY), **OPTIONS)
