"""Stacked training gives what training each model alone by a plain transformers loop gives."""

import numpy as np
import pytest
import torch

from biassay.language_models.stacked import batches, dropout, encoder
from biassay.language_models.stacked.architectures import find_architecture
from biassay.language_models.stacked.files import load_into
from biassay.language_models.stacked.schedule import mix_seeds
from biassay.language_models.stacked.training import train
from tests.language_models import plain_training as plain

SETTINGS = {"epochs": 3, "batch": 8, "learning_rate": 2e-3}


@pytest.mark.parametrize(("kind", "max_norm"), [*((kind, None) for kind in plain.CONFIGS), ("bert", 0.5)])
def test_a_model_trained_in_a_stack_equals_the_same_trained_alone(tmp_path, in_one_pass, kind, max_norm):
    base = plain.base(kind, tmp_path / "base")
    data, seeds = [plain.sentences(21, seed) for seed in (1, 2)], [5, 0]
    if kind == "bert" and not in_one_pass:
        torch.set_num_threads(2)  # a thread a model
    options = {"max_norm": max_norm, **SETTINGS}
    train(base, data, seeds=seeds, folder=tmp_path / "out", dropout=0, weight_decay=0.5, **options)
    torch.set_num_threads(1)
    for i, (part, seed) in enumerate(zip(data, seeds, strict=True)):
        alone, together = plain.load(base), plain.load(base)
        plain.train(alone, part, seed=seed, decay=0.5, **options)
        load_into(together, tmp_path / "out", i)
        np.testing.assert_allclose(plain.logits(together, part), plain.logits(alone, part), atol=1e-4)
        plain.assert_alike(together, alone)


@pytest.mark.parametrize("kind", [kind for kind in plain.CONFIGS if kind != "mpnet"])
def test_dropout_is_where_the_model_has_it(tmp_path, kind):
    model, draws = plain.load(plain.base(kind, tmp_path, dropout=0.2)), 2000
    data, architecture = plain.sentences(3, 1), find_architecture(model)
    weights = {name: weight.detach().expand(draws, *weight.shape) for name, weight in model.named_parameters()}
    batch = batches.stack_batches([data] * draws, torch.device("cpu"))
    random = dropout.Dropout(0.2, [mix_seeds(seed, 3) for seed in range(draws)])
    with torch.no_grad():
        words = weights[architecture.embeddings[0]][0][batch.ids]
        logits = encoder.Encoder(architecture, weights, random, torch.float32).logits(words, batch)
        torch.manual_seed(0)
        repeated = {key: value.repeat(draws, 1) for key, value in plain.inputs(data, model).items()}
        rows, positions = torch.arange(3 * draws), torch.from_numpy(data.positions).repeat(draws)
        expected = model(**repeated).logits[rows, positions].view(draws, 3, -1)
    spread = expected.std(0)
    assert ((logits.mean(0) - expected.mean(0)) / spread).abs().max() < 4.5 * (2 / draws) ** 0.5
    assert (logits.std(0) / spread).median() == pytest.approx(1, abs=0.025)


@pytest.mark.parametrize("kind", ["bert", "mpnet"])
def test_a_model_is_the_same_in_whatever_stack(tmp_path, in_one_pass, kind):
    base = plain.base(kind, tmp_path / "base")
    long, short = plain.sentences(12, 1, longest=30), plain.sentences(12, 2, longest=9)
    options = {**SETTINGS, "epochs": 2, "dropout": 0.1, "checkpoint_minutes": 0}
    train(base, [short], seeds=[7], folder=tmp_path / "alone", **options)
    train(base, [long, short, long], seeds=[1, 7, 2], folder=tmp_path / "all", **options)
    alone, other = plain.load(base), plain.load(base)
    load_into(alone, tmp_path / "alone", 0)
    load_into(other, tmp_path / "all", 1)
    plain.assert_alike(other, alone, atol=1e-4 if in_one_pass else 0)


def test_bf16_and_half_storage_stay_near_single_precision(tmp_path, base, in_one_pass):
    data = [plain.sentences(24, 1), plain.sentences(24, 2)]
    options = {"seeds": [1, 2], "epochs": 3, "batch": 8, "learning_rate": 1e-3, "dropout": 0}
    train(base, data, folder=tmp_path / "single", **options)
    train(base, data, folder=tmp_path / "bf16", precision="bf16", storage="bfloat16", **options)
    train(base, data, folder=tmp_path / "half", storage="float16", **options)
    single, bf16, half = models = [plain.load(base) for _ in range(3)]
    for model, name in zip(models, ("single", "bf16", "half"), strict=True):
        load_into(model, tmp_path / name, 1)
    assert plain.loss(bf16, data[1]) == pytest.approx(plain.loss(single, data[1]), abs=0.1)
    plain.assert_alike(half, single.half().float(), atol=0)
