"""Training and scoring on a GPU compared with a CPU: within 1e-3, because sums have no fixed order."""

import numpy as np
import pytest

from biassay.language_models import head_training, heads, loading
from biassay.language_models.stacked.files import load_into
from biassay.language_models.stacked.training import train
from biassay.metrics import pll
from tests.language_models import plain_training as plain

pytestmark = pytest.mark.gpu


@pytest.mark.parametrize(("kind", "dropout"), [(kind, 0.0 if kind == "mpnet" else 0.1) for kind in plain.CONFIGS])
def test_losses_equal_those_of_a_cpu(tmp_path, gpu, kind, dropout):
    base, data = plain.base(kind, tmp_path / "base"), [plain.sentences(21, seed) for seed in (1, 2, 3)]
    options = {"seeds": [5, 0, 2], "epochs": 4, "batch": 8, "learning_rate": 2e-3, "max_norm": 1.0, "dropout": dropout}
    for name, more in (("cpu", {"device": "cpu"}), ("gpu", {"device": gpu.type}), ("bf16", {"precision": "bf16"})):
        train(base, data, folder=tmp_path / name, **options, **more)
    model, losses = plain.load(base), {"cpu": [], "gpu": [], "bf16": []}
    for name, of_models in losses.items():
        for i, part in enumerate(data):
            load_into(model, tmp_path / name, i)
            of_models.append(plain.loss(model, part))
    np.testing.assert_allclose(losses["gpu"], losses["cpu"], atol=1e-3)
    np.testing.assert_allclose(losses["bf16"], losses["cpu"], atol=0.1)


def test_pseudo_log_likelihoods_equal_those_of_a_cpu(gpu, tiny):
    texts = ["She repaired the engine.", "She left."], ["He repaired the engine.", "He left."]
    on_gpu = loading.load("resources/models/bert-tiny-enwiki", device=gpu.type)
    np.testing.assert_allclose(pll.scores(on_gpu, *texts), pll.scores(tiny, *texts), atol=1e-4)


def test_heads_equal_those_of_a_cpu(gpu, monkeypatch):
    monkeypatch.setattr(head_training, "RECALLS", (-1.0, 2.0))
    random = np.random.default_rng(1)
    labels = (random.random((80, 3)) < 0.4).astype(np.float32)
    vectors = (labels @ random.standard_normal((3, 12)) + random.standard_normal((2, 80, 12))).astype(np.float32)
    results = [heads.cross_validate(vectors, labels, np.arange(80) % 2, device=device, rates=[1e-2])
               for device in ("cpu", gpu.type)]  # fmt: skip
    np.testing.assert_allclose(results[1].probabilities, results[0].probabilities, atol=1e-2)
