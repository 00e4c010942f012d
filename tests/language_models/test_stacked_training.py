"""What stacked training is told: arguments that reach the run, and those that will not do."""

from types import SimpleNamespace

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from biassay.language_models.masked_sentences import MaskedSentences  # noqa: E402
from biassay.language_models.stacked import chunk as chunks  # noqa: E402
from biassay.language_models.stacked import training  # noqa: E402
from biassay.language_models.stacked.training import load, train  # noqa: E402
from tests.language_models import plain_training as plain  # noqa: E402

CPU = torch.device("cpu")


def test_arguments_reach_the_run_by_their_names(tmp_path, monkeypatch):
    base, data, seeds, made = plain.base("bert", tmp_path / "base"), [plain.sentences(4, 1)] * 2, [4, 5], []
    monkeypatch.setattr(training, "Run", lambda *arguments: made.append(arguments) or SimpleNamespace(run=lambda: None))
    given = {
        "epochs": 3, "batch": 7, "learning_rate": 0.1, "warmup": 0.2, "weight_decay": 0.3, "dropout": 0.4,
        "max_norm": 0.5, "precision": "bf16",
    }  # fmt: skip
    others = {"storage": "float16", "device": "cpu", "checkpoint_every": 11, "checkpoint_minutes": 3, "at_once": 12}
    others |= {"graphs": True}
    training.train(base, data, seeds=seeds, folder=str(tmp_path), **given, **others)
    training.train(base, data, seeds=seeds, folder=tmp_path)
    (model, *told), (_, *usual) = made
    assert told == [data, seeds, chunks.Settings(**given), tmp_path, CPU, torch.float16, 11, 3, 12, True]
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    assert usual[3:] == [tmp_path, device, torch.float32, None, 10.0, None, False]
    assert usual[2] == chunks.Settings(5, 32, 5e-5, 0.1, 0.01, 0.1, None, "fp32")
    assert model.training
    drops = {module.p for module in model.modules() if isinstance(module, torch.nn.Dropout)}
    assert drops == {0.4}
    assert {parameter.dtype for parameter in model.parameters()} == {torch.float32}


def changed(n=4, **values):
    """Sentences of 12 tokens, the last one's last value changed in an array or two."""
    arrays = {
        "ids": np.full((n, 12), 5),
        "lengths": np.full(n, 12),
        "positions": np.full(n, 3),
        "labels": np.full(n, 6),
    }
    for name, value in values.items():
        arrays[name].flat[-1] = value
    return MaskedSentences(**arrays)


def test_the_last_values_that_fit_are_taken(tmp_path):
    base, last = plain.base("bert", tmp_path / "base"), plain.VOCABULARY - 1
    data = [changed(ids=last, labels=last, positions=11), plain.sentences(4, 1, longest=40)]
    data[1].lengths[-1] = 40
    train(base, data, seeds=[0, 1], folder=tmp_path / "out", epochs=1)
    assert (tmp_path / "out/weights.safetensors").exists()


def test_dropout_is_set_wherever_training_has_it(tmp_path):
    config = load(plain.base("distilbert", tmp_path), 0.4).config
    assert (config.dropout, config.attention_dropout, config.seq_classif_dropout) == (0.4, 0.4, 0.2)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"seeds": [1, 2]}, "got 1 and 2"),
        ({"precision": "fp8"}, "precision: unknown value 'fp8'"),
        ({"storage": "int8"}, "storage: unknown value 'int8'"),
        ({"data": [plain.sentences(4, 1, longest=45)]}, "data set 0: .* 40 tokens .* got 43"),
        ({"base": "nowhere"}, "nowhere: no such folder"),
        ({"data": [], "seeds": []}, "got 0 and 0"),
        ({"seeds": [-1]}, "seeds: .* got -1"),
        ({"data": [changed(n=0)]}, "data set 0 has no sentences"),
        ({"data": [changed(), changed(ids=plain.VOCABULARY)], "seeds": [1, 2]}, "data set 1: .* token ids below 60"),
        ({"data": [changed(labels=plain.VOCABULARY)]}, "data set 0: .* token ids below 60"),
        ({"data": [changed(positions=12)]}, "data set 0: a mask is after the end"),
    ],
)
def test_wrong_arguments_are_named(tmp_path, change, message):
    arguments = {"base": plain.base("bert", tmp_path / "base"), "data": [plain.sentences(4, 1)], "seeds": [1]}
    arguments |= {"folder": tmp_path / "out"}
    with pytest.raises(ValueError, match=message):
        train(**arguments | change)
