"""Stacked training gives what training each model alone by a plain transformers loop gives."""

import numpy as np
import pandas as pd
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

import plain_training as plain  # noqa: E402

from biassay import stacked  # noqa: E402

SETTINGS = {"epochs": 10, "batch": 8, "learning_rate": 2e-3}
KEY_BIASES = ("key.bias", "k_lin.bias", "attn.k.bias")


@pytest.mark.parametrize("kind", plain.CONFIGS)
@pytest.mark.parametrize("max_norm", [None, 0.5])
def test_a_model_trained_in_a_stack_equals_the_same_trained_alone(tmp_path, kind, max_norm):
    base = plain.base(kind, tmp_path / "base")
    data, seeds = [plain.sentences(n, n) for n in (40, 37, 21)], [5, 0, 9]
    stacked.train(base, data, seeds=seeds, folder=tmp_path / "out", dropout=0, max_norm=max_norm, **SETTINGS)
    losses = pd.read_csv(tmp_path / "out/losses.csv")
    for i, (part, seed) in enumerate(zip(data, seeds, strict=True)):
        alone, together = plain.load(base), plain.load(base)
        expected = plain.train(alone, part, seed=seed, max_norm=max_norm, **SETTINGS)
        stacked.load_into(together, tmp_path / "out", i)
        assert len(expected) >= 30
        np.testing.assert_allclose(losses.loss[losses.model == i], expected, atol=1e-4)
        np.testing.assert_allclose(plain.logits(together, part), plain.logits(alone, part), atol=1e-4)
        others = dict(alone.named_parameters())
        for name, weight in together.named_parameters():
            if not name.endswith(KEY_BIASES):  # their true gradient is zero; AdamW makes steps of rounding errors
                torch.testing.assert_close(weight, others[name], atol=1e-4, rtol=0, msg=lambda m, n=name: f"{n}: {m}")
    assert losses.loss.groupby(losses.model).last().max() < losses.loss.groupby(losses.model).first().min()
