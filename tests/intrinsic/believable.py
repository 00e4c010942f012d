"""Believable tables of models with bias of several groups, for the tests of their analysis."""

import numpy as np
import pandas as pd

GROUPS = {"gender": ["male", "female"], "religion": ["muslim", "christian", "jewish"]}
OCCUPATIONS = [
    f"occupation {i}" for i in (7, 3, 9, 1, 8, 2, 6, 4)
]  # neither they nor groups are in the alphabet's order
SENTENCES = {"gender": 9, "religion": 6}
SIGNED = {"weat": ["gender"], "same": ["gender"]}
METRICS = {"weat": "weat", "same": "same", "mac": "mac", "direct_bias_1": "direct_bias", "neighbours": "neighbours"}
WORDS = {name: list(GROUPS) for name in ("same", "mac", "direct_bias_1")} | {"weat": ["gender"]}
LABELLED = {"weat": ["gender"], "neighbours": list(GROUPS)}
DISTRIBUTIONS, REPEATS, DRAWS = 6, 2, 7
STRENGTHS = (0.0, 0.4, 1.0)


def models(distributions=DISTRIBUTIONS, repeats=REPEATS, strengths=STRENGTHS, of_strength=3):
    """A grid of models and, of each strength, some for detection."""
    rows = [("grid", i, 1.0, repeat) for i in range(distributions) for repeat in range(repeats)]
    rows += [("detection", distributions + i, strength, repeat)
             for i, strength in enumerate(strengths) for repeat in range(of_strength)]  # fmt: skip
    found = pd.DataFrame(rows, columns=["purpose", "distribution", "strength", "repeat"])
    return found.assign(model=range(len(found)), seed=100 + 3 * found.index, chunk=found.index % 2)


def write(folder, seed=4, metrics=METRICS, **grid):
    """Write plan.csv, models.csv, bias.csv, encoded/, scores/ and subsets/; the table of models."""
    random, table = np.random.default_rng(seed), models(**grid)
    biases = pd.concat([of_model(folder, random, model) for model in table.itertuples()])
    biases.to_csv(folder / "bias.csv", index=False)
    table.to_csv(folder / "plan.csv", index=False)
    r = {"r": random.uniform(0.6, 0.99, len(table)), "r_gender": random.uniform(0, 1, len(table)),
         "r_religion": random.uniform(0, 1, len(table)), "attempts": random.integers(1, 4, len(table))}  # fmt: skip
    table = table.drop(columns="chunk").assign(**r, learned=r["r"] >= 0.85)
    table.to_csv(folder / "models.csv", index=False)
    for name in ("scores", "subsets"):
        (folder / name).mkdir(exist_ok=True)
    for metric in metrics:
        scores(random, table, biases, metric).to_csv(folder / f"scores/{metric}.csv", index=False)
        subsets(random, table, metric).to_csv(folder / f"subsets/{metric}.csv", index=False)
    return table


def of_model(folder, random, model):
    """A model's answers in encoded/, and its bias: peaked groups, which its answers follow with noise."""
    parts, n = [], len(OCCUPATIONS)
    for name, groups in GROUPS.items():
        k, sharp = len(groups), (0.2 + 0.3 * model.distribution) * model.strength
        planted = np.exp(sharp * np.random.default_rng([model.distribution, k]).normal(size=(n, k)))
        planted /= planted.sum(axis=1, keepdims=True)
        data = np.stack([random.multinomial(30, p) / 30 for p in planted])
        answers = np.log(planted)[:, None] + random.normal(scale=0.4, size=(n, SENTENCES[name], k)) - 3
        place = folder / f"encoded/{model.chunk}/{model.model}/{name}"
        place.mkdir(parents=True)
        np.save(place / "unmasking.npy", answers.astype(np.float32))
        unmasking = np.mean([shares(of_occupation) for of_occupation in answers.swapaxes(0, 1)], axis=0)
        if name == "religion":
            given = np.log(planted)[:, None, None] + random.normal(scale=0.5, size=(n, 4, len(GROUPS["gender"]) + 1, k))
            np.save(place / "given_gender.npy", given)
        parts.append(pd.DataFrame({"model": model.model, "attribute": name, "occupation": np.repeat(OCCUPATIONS, k),
                                   "group": groups * n, "planted": planted.ravel(), "data": data.ravel(),
                                   "unmasking": unmasking.ravel()}))  # fmt: skip
    return pd.concat(parts)


def shares(log_p):
    """Probabilities among the groups, of log p of each: (…, groups)."""
    p = np.exp(log_p.astype(np.float32).astype(float))
    return p / p.sum(axis=-1, keepdims=True)


def scores(random, table, biases, metric):
    """A metric's scores of occupations, by the skew to the first group or the spread, and of sets."""
    parts = []
    for (model, attribute), of in biases.groupby(["model", "attribute"], sort=False):
        p = of["unmasking"].to_numpy().reshape(len(OCCUPATIONS), -1)
        skew = p[:, 0] - 1 / p.shape[1]
        values = skew if attribute in SIGNED.get(metric, []) else p.std(axis=1)
        values = 0.3 * values + 0.03 * random.normal(size=len(values))
        purpose = table.set_index("model").loc[model, "purpose"]
        kinds = ("noisy", "ideal") if purpose == "grid" else ("planted",)
        size = np.abs(values).mean()
        if attribute in WORDS.get(metric, []):
            parts += [(model, attribute, "", "word", word, value)
                      for word, value in zip(OCCUPATIONS, values, strict=True)]  # fmt: skip
        if attribute in LABELLED.get(metric, []):
            for kind in kinds:
                value = size * random.normal(1, 0.2) * (random.choice([1, -1]) if metric == "weat" else 1)
                parts.append((model, attribute, kind, "set", "", value))
                if metric == "neighbours":
                    parts.append((model, attribute, kind, "leaking", "", value + 0.3))
        elif attribute in WORDS.get(metric, []):
            parts.append((model, attribute, "", "set", "", size))
    return pd.DataFrame(parts, columns=["model", "attribute", "labels", "level", "occupation", "value"])


def subsets(random, table, metric):
    """Values of random halves, of the models for detection."""
    rows = []
    for model in table[table["purpose"] == "detection"].itertuples():
        for attribute in GROUPS if metric != "weat" else ["gender"]:
            labels = "planted" if attribute in LABELLED.get(metric, []) else ""
            drawn = 0.5 * model.strength + 0.2 * random.normal(size=DRAWS)
            if metric == "weat":
                drawn *= random.choice([1, -1], size=DRAWS)  # both signs are bias
            if metric == "mac":
                drawn = 1 - drawn  # and so are both sides of 1
            rows += [(model.model, attribute, labels, subset, value) for subset, value in enumerate(drawn)]
    return pd.DataFrame(rows, columns=["model", "attribute", "labels", "subset", "value"])
