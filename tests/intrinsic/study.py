"""Small models with bias of several groups, their scores with gaps, and the tables that the study's script makes."""

import numpy as np
import pandas as pd

from tests.scripted import run

GROUPS = {"gender": ["male", "female"], "religion": ["muslim", "christian", "jewish"]}  # not in the alphabet's order
OCCUPATIONS = [f"occupation {i}" for i in (7, 3, 9, 1, 8, 2, 6, 4)]  # nor are these
N = len(OCCUPATIONS)
SENTENCES = {"gender": 9, "religion": 6}
SEVERAL = ["same", "mac", "direct_bias_published"]  # take several groups
WORDS = {"gender": ["weat", *SEVERAL], "religion": SEVERAL}
METRICS = {name: name.removesuffix("_published") for name in [*WORDS["gender"], "neighbours"]}
SUBSETS, RESAMPLES, SEED, SHARE, SAMPLES = 7, 60, 3, 0.7, 40
PUBLISHED = """# made up, a value a row
output,attribute,metric,value,std
F2,,unmasking,0.7,
T3,religion,unmasking,0.08,0.03
T4,gender,weat,1.358,
T4,religion,direct_bias_published,0.486,
T4,gender,unmasking (root),0.291,
"""
TABLES = (
    "correlations", "words", "signs", "comparisons", "attribute_comparisons", "sets", "set_comparisons", "reliability",
    "reliability_curve", "retraining_variability", "power", "min_detectable_effect",
)  # fmt: skip


def write_models(folder, distributions=6, repeats=2, strengths=(0.0, 0.4, 1.0), of_strength=3):
    """Write plan.csv, models.csv, bias.csv and encoded/ of a grid and, of each strength, models for detection."""
    random = np.random.default_rng(4)
    rows = [("grid", i, 1.0, repeat) for i in range(distributions) for repeat in range(repeats)]
    for i, strength in enumerate(strengths):
        rows += [("detection", distributions + i, strength, repeat) for repeat in range(of_strength)]
    models = pd.DataFrame(rows, columns=["purpose", "distribution", "strength", "repeat"]).rename_axis("model")
    models = models.reset_index().assign(seed=100 + 3 * models.index)
    models.assign(chunk="job " + (models["model"] % 2).astype(str), place=models["model"]).to_csv(
        folder / "plan.csv", index=False
    )
    bias = pd.concat([_write_model(folder, random, model) for model in models.itertuples()])
    bias.to_csv(folder / "bias.csv", index=False)
    r = random.uniform(0.6, 0.99, len(models))
    models = models.assign(r=r, r_gender=r / 2, r_religion=r / 3, attempts=1, learned=r >= 0.85)
    models.to_csv(folder / "models.csv", index=False)
    return models, bias


def _write_model(folder, random, model):
    """A model's answers in encoded/, and its bias: peaked groups, which its answers follow with noise."""
    parts, strength = [], (0.2 + 0.3 * model.distribution) * model.strength
    for name, groups in GROUPS.items():
        k = len(groups)
        planted = np.exp(strength * np.random.default_rng([model.distribution, k]).normal(size=(N, k)))
        planted /= planted.sum(axis=1, keepdims=True)
        answers = np.log(planted)[:, None] + random.normal(scale=0.4, size=(N, SENTENCES[name], k)) - 3
        place = folder / f"encoded/job {model.model % 2}/{model.model}/{name}"
        place.mkdir(parents=True)
        np.save(place / "unmasking.npy", answers)
        values = {"planted": planted, "data": np.stack([random.multinomial(30, p) / 30 for p in planted]),
                  "unmasking": shares(answers).mean(axis=1)}  # fmt: skip
        rows = {"model": model.model, "attribute": name, "occupation": np.repeat(OCCUPATIONS, k), "group": groups * N}
        parts.append(pd.DataFrame(rows | {key: value.ravel() for key, value in values.items()}))
    return pd.concat(parts)


def shares(log_p):
    """Probabilities among the groups, of log p of each: (…, groups)."""
    p = np.exp(log_p)
    return p / p.sum(axis=-1, keepdims=True)


def write_scores(folder, metric, models, bias):
    """Write a metric's scores, by the skew to the first group or the spread, with gaps, and values of halves."""
    random, rows, halves = np.random.default_rng(len(metric)), [], []
    for (number, attribute), of_model in bias.groupby(["model", "attribute"], sort=False):
        if metric == "weat" and attribute != "gender":
            continue
        p = of_model["unmasking"].to_numpy().reshape(N, -1)
        is_signed = metric in ("weat", "same") and attribute == "gender"
        values = (p[:, 0] - 0.5 if is_signed else p.std(axis=1)) + 0.1 * random.normal(size=N)
        if metric != "neighbours":
            values = np.full(N, 0.25) if (metric, number) == ("same", 6) else values
            values[2] = np.nan if (metric, number) == ("weat", 3) else values[2]
            rows += [(number, attribute, "", "word", *row) for row in zip(OCCUPATIONS, values, strict=True)]
        is_detection = models["purpose"][number] == "detection"
        kinds = [""] if metric not in ("weat", "neighbours") else ["planted"] if is_detection else ["noisy", "ideal"]
        for kind in kinds:
            size = np.nanmean(np.abs(values)) * random.normal(1, 0.2) * (-1 if metric == "weat" and number % 2 else 1)
            size = np.nan if (metric, number, kind) == ("neighbours", 2, "noisy") else size
            rows.append((number, attribute, kind, "set", "", size))
        if is_detection:
            drawn = 0.5 * models["strength"][number] + 0.2 * random.normal(size=SUBSETS)
            drawn = {"weat": drawn * random.choice([1, -1], size=SUBSETS), "mac": 1 - drawn}.get(metric, drawn)
            drawn[:3] = np.nan if (metric, number) == ("neighbours", 13) else drawn[:3]
            halves += [(number, attribute, kinds[-1], subset, value) for subset, value in enumerate(drawn)]
    table = pd.DataFrame(rows, columns=["model", "attribute", "labels", "level", "occupation", "value"])
    table["value"] = table["value"].mask((table["model"] == 4) & (metric == "mac"))
    table.to_csv(folder / f"scores_{metric}.csv", index=False)
    columns = ["model", "attribute", "labels", "subset", "value"]
    pd.DataFrame(halves, columns=columns).to_csv(folder / f"subsets_{metric}.csv", index=False)


def write(folder):
    """Write models, scores and all tables of them; return paths by name."""
    models, bias = write_models(folder)
    for metric in METRICS:
        write_scores(folder, metric, models, bias)
    (folder / "published.csv").write_text(PUBLISHED)
    given = {name: folder / f"{name}.csv" for name in ("plan", "models", "bias")}
    scores = {part: [folder / f"{part}_{name}.csv" for name in METRICS] for part in ("scores", "subsets")}
    out = {name: folder / f"{name}.out.csv" for name in TABLES}
    variants = {name: {"metric": metric, "options": {}} for name, metric in METRICS.items()}
    params = {"variants": variants, "resamples": RESAMPLES, "seed": SEED,
              "reliability": {"share": SHARE, "samples": SAMPLES}, "n_subsets": SUBSETS}  # fmt: skip
    encoded = {"encoded": [folder / "encoded/job 0", folder / "encoded/job 1"], "published": folder / "published.csv"}
    run("intrinsic/tabulate.py", input=given | scores | encoded, params=params, output=out)
    return given | out | {"folder": folder} | {name: folder / f"scores_{name}.csv" for name in METRICS}
