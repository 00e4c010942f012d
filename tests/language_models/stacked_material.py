"""Four trainings of a tiny model, all of one stack, and their runs and results."""

from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from biassay.language_models.stacked import chunk as chunks  # noqa: E402
from biassay.language_models.stacked import run as runs  # noqa: E402
from biassay.language_models.stacked import training  # noqa: E402
from biassay.language_models.stacked.checkpoint import Saver  # noqa: E402
from tests.language_models import plain_training as plain  # noqa: E402

CPU = torch.device("cpu")
SIZES, SEEDS = (9, 21, 17, 24), (4, 5, 6, 7)  # sentences, of 3, 6, 5 and 6 batches of 4
OPTIONS = {"seeds": list(SEEDS), "epochs": 2, "batch": 4, "learning_rate": 1e-3, "dropout": 0.1, "at_once": 3}
RESULTS = ("weights.safetensors", "losses.csv")


def data_sets():
    return [plain.sentences(n, n) for n in SIZES]


def train(base, data, folder, **options):
    training.train(base, data, folder=folder, **OPTIONS | options)


def in_background(setting):
    """Checkpoints on a CPU as they are on a GPU."""
    setting(runs, "Saver", lambda path, fingerprint, _: Saver(path, fingerprint, True))


def same(folder, other):
    return all((folder / name).read_bytes() == (other / name).read_bytes() for name in RESULTS)


def run_of(base, data, at_once=None, every=None, storage=torch.float32, seeds=SEEDS, **settings):
    given = {"epochs": 2, "batch": 4, "learning_rate": 1e-3, "warmup": 0.1, "weight_decay": 0.01, "dropout": 0.1}
    given |= {"max_norm": None, "precision": "fp32"}
    model = training.load(base, 0.1)
    chosen = chunks.Settings(**given | settings)
    return runs.Run(model, data, list(seeds), chosen, Path("out"), CPU, storage, every, 10.0, at_once)
