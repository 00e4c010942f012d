"""Tables of the study's last scripts, written by these scripts from a small believable grid."""

from functools import partial
from itertools import product

import numpy as np
import pandas as pd
import pytest

from tests.same import believable
from tests.scripted import run

METRICS = ("weat", "same", "same_skew", "mac", "direct_bias", "ripa")
TABLES = (
    "correlations", "summary", "comparisons", "differences", "angles", "directions", "sets", "set_comparisons",
    "retraining_variability", "subsampling_variability",
)  # fmt: skip
PUBLISHED = """# made up, a value a row
output,metric,quantity,value
F6,weat,r2,0.41
F6,mac,r2,0.04
F6,direct_bias,r2,0.13
F7,direct_bias,angle_similar,10.9
F8,direct_bias,angle_worse,17.6
T2,direct_bias,difference,0.306
T2,unmasking,difference,0.096
F9,same_skew,r2_mean,0.21
F9,mac,r2_std,0.32
F9,ripa,r2_absolute,0.43
T3,mac,deviation,0.001
T3,same_skew,deviation,0.0022
F2,weat,effect_size_milder,1.73
F10,weat,r2_mean,0.54
"""
BOOTSTRAP, SEED = 60, 3
close = partial(pytest.approx, rel=1e-4, nan_ok=True)  # files have six figures


def write(folder):
    """A grid of 9 distributions × 2 models with gaps, 15 with learned bias, and all its tables: paths by name."""
    believable.write(folder, **believable.SMALL, occupations=12, metrics=METRICS, fail=0.25, seed=29)
    random = np.random.default_rng(8)
    change(
        folder / "bias.csv", lambda t: without(t, (t["model"] == 5) & (t["occupation"] == "occupation 3"), "training")
    )
    change(folder / "scores/mac.csv", lambda t: without(t, t["model"] == 9))
    change(folder / "scores/weat.csv", lambda t: without(t, (t["model"] == 7) & (t["occupation"] == "occupation 2")))
    change(folder / "scores/same.csv", lambda t: t.assign(value=t["value"].mask(t["model"] == 6, 0.25)))
    change(folder / "scores/ripa.csv", lambda t: t.assign(value=t["value"].mask(t["model"].isin([14, 15]), 0.0)))
    change(folder / "subsets/weat.csv", lambda t: without(t, random.random(len(t)) < 0.1))
    change(folder / "subsets/ripa.csv", lambda t: without(t, t["model"] == 8))
    (folder / "published.csv").write_text(PUBLISHED)
    paths = {name: folder / f"{name}.csv" for name in ("models", "bias", "published")}
    paths |= {part: [folder / f"{part}/{name}.csv" for name in METRICS] for part in ("scores", "subsets")}
    paths |= {"found_directions": folder / "directions.csv"}
    return paths | tabulate(paths, folder)


def tabulate(paths, folder):
    """Paths of the tables that the script writes."""
    out = {name: folder / f"{name}.out.csv" for name in TABLES}
    given = {name: paths[name] for name in ("models", "bias", "scores", "subsets", "published")}
    params = {"metrics": {name: name for name in METRICS}, "resamples": BOOTSTRAP, "seed": SEED}
    run("same/tabulate.py", input=given | {"angles": paths["found_directions"]}, params=params, output=out)
    return out


def change(path, how):
    how(pd.read_csv(path)).to_csv(path, index=False)


def without(table, rows, column="value"):
    """The table without values in some rows."""
    return table.assign(**{column: table[column].mask(rows)})


def read(paths):
    """Tables by name; of scores and subsets, by metric; scores_at: the scores' files by metric."""
    found = {name: pd.read_csv(path) for name, path in paths.items() if not isinstance(path, list)}
    of_metrics = {name: map(pd.read_csv, files) for name, files in paths.items() if isinstance(files, list)}
    found |= {name: dict(zip(METRICS, files, strict=True)) for name, files in of_metrics.items()}
    return found | {"scores_at": dict(zip(METRICS, paths["scores"], strict=True))}


def learned(found):
    """Numbers of the models that learned their bias, by distribution."""
    models = found["models"][found["models"]["learned"]]
    return {key: part["model"].tolist() for key, part in models.groupby("distribution")}


def bias(found, model, name):
    """p(male) by occupation, from bias.csv."""
    rows = found["bias"][found["bias"]["model"] == model].dropna(subset=name)
    return dict(zip(rows["occupation"], rows[name], strict=True))


def word(found, metric, model):
    """Scores by occupation, without undefined ones."""
    if metric == "unmasking":
        return bias(found, model, "unmasking")
    table = found["scores"][metric]
    rows = table[(table["level"] == "word") & (table["model"] == model)].dropna(subset="value")
    return dict(zip(rows["occupation"], rows["value"], strict=True))


def flipped(clusters):
    """Two-sided p of the mean of differences by cluster, over all sign flips of clusters."""
    sums = [sum(cluster) for cluster in clusters]
    found = [
        abs(sum(s * way for s, way in zip(sums, ways, strict=True))) for ways in product((1, -1), repeat=len(sums))
    ]
    return np.mean([value >= abs(sum(sums)) - 1e-12 for value in found])


def holm(p):
    """Holm's corrected p-values, computed from the smallest on, in the given order."""
    found, most = [0.0] * len(p), 0.0
    for rank, i in enumerate(sorted(range(len(p)), key=p.__getitem__)):
        most = max(most, min(1, p[i] * (len(p) - rank)))
        found[i] = most
    return found


def interval(clusters, statistic, n_resamples=None):
    """Bootstrap percentiles of a statistic over whole distributions; NaN for fewer than five."""
    if len(clusters) < 5:
        return np.nan, np.nan
    drawn = np.random.default_rng(SEED).integers(0, len(clusters), (n_resamples or BOOTSTRAP, len(clusters)))
    return tuple(np.percentile([statistic(flat(clusters[i] for i in row)) for row in drawn], [2.5, 97.5]))


def flat(groups):
    return [case for group in groups for case in group]
