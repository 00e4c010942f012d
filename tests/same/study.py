"""A small grid of models with planted bias, with gaps, and the tables that the study's script makes of it."""

import numpy as np
import pandas as pd

from tests.scripted import run

METRICS = ("weat", "same", "same_skew", "mac", "direct_bias", "ripa")
WORD = [metric for metric in METRICS if metric != "same_skew"]
OCCUPATIONS = [f"occupation {i}" for i in range(12)]
SUBSETS, RESAMPLES, SEED = 20, 60, 3
TABLES = (
    "correlations", "summary", "comparisons", "differences", "angles", "directions", "sets", "set_comparisons",
    "retraining_variability", "subsampling_variability",
)  # fmt: skip
PUBLISHED = """# made up, a value a row
output,metric,quantity,value
F6,weat,r2,0.41
F6,mac,r2,0.04
F7,direct_bias,angle_similar,10.9
F8,direct_bias,angle_worse,17.6
T2,direct_bias,difference,0.306
F9,same_skew,r2_mean,0.21
F9,ripa,r2_absolute,0.43
T3,mac,deviation,0.001
F2,weat,effect_size_milder,1.73
"""


def write(folder):
    """Write 9 distributions × 2 models, 15 with learned bias, and all tables of them; return paths by name."""
    random = np.random.default_rng(29)
    models = pd.DataFrame({"model": range(18), "distribution": np.repeat(range(9), 2), "mean": 0.5, "spread": 0.2})
    models["repeat"] = models["model"] % 2
    planted = random.uniform(0, 1, (9, 12))
    training = random.binomial(21, planted[models["distribution"]]) / 21
    models["learned"] = ~models["model"].isin([4, 11, 17])
    noise = np.where(models["learned"], 0.03, 0.3)[:, None] * random.normal(size=training.shape)
    unmasking = np.clip(0.5 + 0.8 * (training - 0.5) + noise, 0.01, 0.99)
    models["r2"] = [np.corrcoef(x, y)[0, 1] ** 2 for x, y in zip(training, unmasking, strict=True)]
    models.to_csv(folder / "models.csv", index=False)
    bias = _long(training).rename(columns={"value": "training"}).assign(unmasking=unmasking.ravel())
    bias.to_csv(folder / "bias.csv", index=False)
    angles = pd.DataFrame({"model": range(18), "first": "principal", "angle": random.normal(14, 4, 18)})
    other = angles.assign(second="pronoun", angle=180 - 2 * angles["angle"])
    pd.concat([angles.assign(second="mean"), other]).to_csv(folder / "found_angles.csv", index=False)
    (folder / "published.csv").write_text(PUBLISHED)
    stereotypes = ["male"] * 3 + ["female"] + [""] * 8
    pd.DataFrame({"word": OCCUPATIONS, "stereotype": stereotypes}).to_csv(folder / "occupations.csv", index=False)
    paths = {name: folder / f"{name}.csv" for name in ("models", "bias", "published", "found_angles", "occupations")}
    paths |= {part: [folder / f"{part}_{name}.csv" for name in METRICS] for part in ("scores", "subsets")}
    for metric, scores, subsets in zip(METRICS, paths["scores"], paths["subsets"], strict=True):
        _write_scores(random, metric, unmasking, scores, subsets)
    out = {name: folder / f"{name}.out.csv" for name in TABLES}
    given = {name: paths[name] for name in ("models", "bias", "scores", "subsets", "published", "occupations")}
    params = {"metrics": {name: name for name in METRICS}, "resamples": RESAMPLES, "seed": SEED}
    run("same/tabulate.py", input=given | {"angles": paths["found_angles"]}, params=params, output=out)
    return paths | out


def _write_scores(random, metric, unmasking, scores_out, subsets_out):
    """Scores that follow the bias with noise; WEAT, SAME and MAC have gaps."""
    words = unmasking - 0.5 + 0.15 * random.normal(size=unmasking.shape)
    if metric == "weat":
        words[7, 2] = np.nan
    elif metric == "same":
        words[6] = 0.25
    elif metric == "mac":
        words = 0.6 + 0.1 * words
        words[9] = np.nan
    elif metric == "direct_bias":
        words = np.abs(words)
    sets = words.mean(axis=1) if metric in ("weat", "same_skew", "mac") else np.abs(words).mean(axis=1)
    rows = pd.DataFrame({"model": range(18), "level": "set", "occupation": "", "value": sets})
    if metric in WORD:
        rows = pd.concat([_long(words).assign(level="word"), rows])
    rows.to_csv(scores_out, index=False)
    values = sets[:, None] + random.normal(0, 0.1, (18, SUBSETS))
    if metric == "weat":
        values[:, :2] = np.nan
    subsets = {"model": np.repeat(range(18), SUBSETS), "subset": np.tile(range(SUBSETS), 18), "value": values.ravel()}
    pd.DataFrame(subsets).assign(full_value=np.repeat(sets, SUBSETS)).to_csv(subsets_out, index=False)


def _long(values):
    rows = {"model": np.repeat(range(len(values)), 12), "occupation": OCCUPATIONS * len(values)}
    return pd.DataFrame(rows | {"value": values.ravel()})


def read(paths):
    """Tables by name; scores and subsets by metric."""
    found = {name: pd.read_csv(path) for name, path in paths.items() if name in (*TABLES, "models", "bias")}
    by_metric = {name: map(pd.read_csv, paths[name]) for name in ("scores", "subsets")}
    return found | {name: dict(zip(METRICS, tables, strict=True)) for name, tables in by_metric.items()}
