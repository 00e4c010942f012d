"""The tables that the study's last scripts read and write, made by these scripts from a small believable grid."""

from functools import partial

import numpy as np
import pandas as pd
import pytest
from scipy.spatial.distance import jensenshannon
from scipy.stats import pearsonr

from tests.intrinsic import believable
from tests.same.study import change, without
from tests.scripted import run

PUBLISHED = """# made up, a value a row
output,attribute,metric,value,std
F2,,unmasking,0.7,
T3,religion,unmasking,0.08,0.03
T4,gender,weat,1.358,
T4,religion,direct_bias_1,0.486,
T4,gender,unmasking (root),0.291,
"""
BOOTSTRAP, SEED, SHARE, TEMPLATE_DRAWS = 60, 3, 0.7, 40
TABLES = (
    "correlations", "words", "signs", "comparisons", "sets", "set_comparisons", "reliability", "reliability_curve",
    "retraining_variability", "intersections", "joint_groups", "power", "min_detectable_effect",
)  # fmt: skip
close = partial(pytest.approx, rel=1e-4, abs=2e-6, nan_ok=True)  # files have six figures


def write(folder):
    """A grid with gaps, models for detection, and all tables of it: paths by name."""
    believable.write(folder)
    change_text(
        folder / "scores/weat.csv", lambda t: without(t, (t["model"] == 3) & (t["occupation"] == "occupation 9"))
    )
    change_text(folder / "scores/mac.csv", lambda t: without(t, t["model"] == 4))
    change_text(folder / "scores/same.csv", lambda t: t.assign(value=t["value"].mask(t["model"] == 6, 0.25)))
    change_text(folder / "scores/neighbours.csv", lambda t: without(t, (t["model"] == 2) & (t["labels"] == "noisy")))
    change(folder / "subsets/neighbours.csv", lambda t: without(t, (t["model"] == 13) & (t["subset"] < 3)))
    return tabulate(folder)


def change_text(path, how):
    how(pd.read_csv(path, keep_default_na=False)).to_csv(path, index=False)


def tabulate(folder, metrics=None, pairs=(("gender", "religion"),)):
    """All tables; paths of these and of what they are made of."""
    metrics = believable.METRICS if metrics is None else metrics
    (folder / "published.csv").write_text(PUBLISHED)
    paths = {part: [folder / f"{part}/{name}.csv" for name in metrics] for part in ("scores", "subsets")}
    paths |= {name: folder / f"{name}.csv" for name in ("models", "bias", "plan", "published")}
    out = {name: folder / f"{name}.out.csv" for name in TABLES}
    params = {"metrics": metrics, "resamples": BOOTSTRAP, "seed": SEED, "pairs": [list(pair) for pair in pairs],
              "reliability": {"share": SHARE, "samples": TEMPLATE_DRAWS}, "n_subsets": believable.DRAWS}  # fmt: skip
    encoded = {"encoded": [folder / "encoded/0", folder / "encoded/1"]}
    run("intrinsic/tabulate.py", input=paths | encoded, params=params, output=out)
    return paths | out | {"folder": folder}


def read(paths):
    text = partial(pd.read_csv, keep_default_na=False, na_values={"value": [""]})
    found = {
        name: pd.read_csv(path) for name, path in paths.items() if str(path).endswith(".csv") and name != "published"
    }
    return found | {part: dict(zip(believable.METRICS, map(text, paths[part]), strict=True))
                    for part in ("scores", "subsets")}  # fmt: skip


def distributions(found, purpose="grid"):
    """Numbers of the models by distribution."""
    models = found["models"][found["models"]["purpose"] == purpose]
    return {key: part["model"].tolist() for key, part in models.groupby("distribution")}


def probabilities(found, model, attribute, bias):
    """Probabilities of groups, a list of them by occupation."""
    rows = found["bias"][(found["bias"]["model"] == model) & (found["bias"]["attribute"] == attribute)]
    return {word: of[bias].tolist() for word, of in rows.groupby("occupation")}


def divergence(p):
    """Jensen–Shannon divergence of probabilities from equal ones, in nats."""
    return jensenshannon(p, np.full(len(p), 1 / len(p))) ** 2


def words(found, attribute, name, model):
    """Divergences, or scores as they are, by occupation, without those that have none."""
    if name in ("data", "unmasking"):
        return {word: divergence(p) for word, p in probabilities(found, model, attribute, name).items()}
    table = found["scores"][name]
    rows = table[(table["attribute"] == attribute) & (table["level"] == "word") & (table["model"] == model)]
    return dict(zip(rows["occupation"], rows["value"], strict=True))


def correlation(first, second):
    """Pearson's r over what both mappings have a value of; NaN where one side is constant."""
    pairs = [(first[key], second[key]) for key in first if key in second]
    x, y = np.array([pair for pair in pairs if np.isfinite(pair).all()]).reshape(-1, 2).T
    if len(x) < 3 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return np.nan
    return pearsonr(x, y)[0]
