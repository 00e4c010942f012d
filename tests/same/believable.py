"""Believable tables of a grid of models with planted bias, for the tests of their analysis."""

from itertools import product

import numpy as np
import pandas as pd

SMALL = {"means": (0.3, 0.5, 0.7), "spreads": (0.1, 0.2, 0.3), "repeats": 2}  # 18 models
METRICS = ("weat", "same", "same_skew", "same_stereotype", "mac", "direct_bias", "ripa")
WORD = ("weat", "same", "mac", "direct_bias", "ripa")
DRAWS = 20


def write(folder, means, spreads, repeats, occupations=60, metrics=METRICS, seed=5, fail=0.1):
    """Write models.csv, bias.csv, directions.csv, scores/ and subsets/; `fail`: share of failed models."""
    random = np.random.default_rng(seed)
    models = pd.DataFrame(
        [
            {"distribution": i, "mean": mean, "spread": spread, "repeat": repeat, "seed": random.integers(2**32)}
            for i, (mean, spread) in enumerate(product(means, spreads))
            for repeat in range(repeats)
        ]
    )
    models.insert(0, "model", range(len(models)))
    planted = [np.clip(random.normal(m, s, occupations), 0, 1) for m, s in product(means, spreads)]
    training = random.binomial(21, np.array(planted)[models["distribution"]]) / 21
    failed = random.random(len(models)) < fail
    noise = np.where(failed, 0.3, 0.03)[:, None] * random.normal(size=training.shape)
    unmasking = np.clip(0.5 + 0.8 * (training - 0.5) + noise, 0.01, 0.99)
    models["r2"] = [np.corrcoef(x, y)[0, 1] ** 2 for x, y in zip(training, unmasking, strict=True)]
    models["learned"] = models["r2"] >= 0.7
    names = np.array([f"occupation {i}" for i in range(occupations)])
    for part in ("scores", "subsets"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    models.to_csv(folder / "models.csv", index=False)
    _long(names, training=training, unmasking=unmasking).to_csv(folder / "bias.csv", index=False)
    angle = np.abs(random.normal(14, 6, len(models)))
    _scores(folder, random, names, unmasking, angle, metrics)
    other = pd.DataFrame(
        {"model": models["model"], "first": "principal", "second": "he - she", "angle": 180 - 2 * angle}
    )
    pairs = pd.DataFrame({"model": models["model"], "first": "principal", "second": "mean", "angle": angle})
    pd.concat([pairs, other]).to_csv(folder / "directions.csv", index=False)
    return folder


def _scores(folder, random, names, unmasking, angle, metrics):
    """Write scores and subsets of each metric: SAME follows the bias with noise of a size of each model."""
    n, occupations = unmasking.shape
    spread = unmasking.std(axis=1, keepdims=True)
    own = np.abs(random.normal(1.2, 0.5, (n, 1))) * spread
    same = 0.15 * (unmasking - 0.5 + own * random.normal(size=(n, occupations)))
    pca = same * np.cos(np.radians(angle))[:, None] + 0.02 * angle[:, None] / 14 * random.normal(size=same.shape) + 0.02
    samples = {
        "weat": same * random.uniform(0.3, 0.7, (n, 1)), "same": same,
        "mac": 0.6 + 0.02 * random.normal(size=same.shape),
        "direct_bias": np.abs(pca), "ripa": pca * random.uniform(8, 16, (n, 1)),
    }  # fmt: skip
    first = np.arange(occupations) < occupations // 2
    values = {
        "weat": lambda s: (s[:, first].mean(axis=1) - s[:, ~first].mean(axis=1)) / s.std(axis=1),
        "same_skew": lambda s: s.mean(axis=1), "same_stereotype": lambda s: s.std(axis=1),
        "mac": lambda s: s.mean(axis=1),
    }  # fmt: skip
    for metric in metrics:
        of_words = samples.get(metric, same)
        reduce = values.get(metric, lambda s: np.abs(s).mean(axis=1))
        full = reduce(of_words)
        rows = pd.DataFrame({"model": range(n), "level": "set", "occupation": "", "value": full})
        if metric in WORD:
            long = _long(names, value=of_words).assign(level="word")
            rows = pd.concat([long[["model", "level", "occupation", "value"]], rows])
        rows.to_csv(folder / f"scores/{metric}.csv", index=False)
        error = np.full(n, 2.0) if metric == "weat" else of_words.std(axis=1)
        drawn = full[:, None] + random.normal(size=(n, DRAWS)) * error[:, None] / occupations**0.5
        subset = {"model": np.repeat(range(n), DRAWS), "subset": np.tile(range(DRAWS), n), "value": drawn.ravel()}
        pd.DataFrame(subset | {"full_value": np.repeat(full, DRAWS)}).to_csv(
            folder / f"subsets/{metric}.csv", index=False
        )


def _long(names, **values):
    n = len(next(iter(values.values())))
    rows = {"model": np.repeat(range(n), len(names)), "occupation": np.tile(names, n)}
    return pd.DataFrame(rows | {key: value.ravel() for key, value in values.items()})
