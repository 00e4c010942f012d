"""The study's models and texts on a small scale, made up, and all tables that its scripts make of them."""

from itertools import product

import numpy as np
import pandas as pd
import yaml

from biassay.studies.downstream import tables
from biassay.studies.downstream.pairs import COLUMNS
from biassay.studies.downstream.texts import Texts
from tests.scripted import run

WORDS = {
    "gender": {"male": ["he", "man"], "female": ["she", "woman"]},
    "race": {"white": ["w", "ws"], "black": ["b", "bs"], "None": ["a", "as"]},
}
CLASSES = {"biographies": ["nurse", "pilot", "chef", "judge"], "comments": ["yes", "no"]}
OF = {"biographies": "gender", "comments": "race"}
SIZES = {"biographies": 40, "comments": 24}
GROUPINGS = {"biographies": "count", "comments": "share"}
METRICS = ["same", "weat", "gweat", "direct_bias", "direct_bias_1"]
VARIANTS = {"direct_bias_1": {"metric": "direct_bias", "options": {"n_directions": 1}}}
CHOSEN = {name: VARIANTS.get(name, {"metric": name, "options": {}}) for name in METRICS}
STRENGTHS = [0, 0, 0.5, 0.5, 1, 1]
COMPONENTS, SHARES, PERMUTATIONS, BOOTSTRAP, SEED, WIDTH = [1], [0.25, 0.1], 3, 40, 3, 6
PUBLISHED = """# made up
table,source,attribute,score,value,std
T3,bios,gender,same,0.66,
T3,crows,gender,weat,1.00,
T3,jigsaw,race,direct_bias,0.36,
titles,bios,gender,same,0.0454,0.0368
titles,bios,race,same,0.5,
"""
SOURCES = {"biographies": "bios", "comments": "jigsaw", "sentences": "crows"}
UNITS = {"tiny": ["tiny"], "planted": [f"planted_{i}" for i in range(6)], "deep": ["deep"]}
NAMES = [name for names in UNITS.values() for name in names]
TABLES = ["models", "classifiers", "classes", "shares", "differences", "bias", "ranking", "by_class", "by_pair"]
TABLES += ["correlations", "sets", "cases", "robustness", "titles", "reliability"]
PARTS = ("scores", "pair_scores", "subsets")


def texts(name, random):
    """Texts of groups, with classes, some of several and some of none; none is of a word."""
    n, attribute = SIZES[name], OF[name]
    groups = np.minimum(np.arange(n) % (len(WORDS[attribute]) + 2), len(WORDS[attribute]) - 1)  # the last has most
    chances = random.uniform(0.15, 0.85, (len(WORDS[attribute]), len(CLASSES[name])))
    labels = (random.random((n, len(CLASSES[name]))) < chances[groups]).astype(np.uint8)
    said = [f"text {number}" for number in range(n)]
    return Texts(attribute, list(WORDS[attribute]), CLASSES[name], said, said, groups, labels)


def pairs(random):
    """Pairs of two groups each, of one attribute and the other in turn, all groups first."""
    rows = []
    for number in range(30):
        attribute = ["gender", "race"][number % 2]
        groups = list(WORDS[attribute])
        stereotypical = groups[number // 2 % len(groups)]
        antistereotypical = random.choice([name for name in groups if name != stereotypical])
        sentences = f"stereotypical {number}", f"antistereotypical {number}"
        occupation = f"occupation {number // 2 % 6}"
        rows.append((attribute, stereotypical, antistereotypical, "stereo", *sentences, "[MASK]", occupation))
    return pd.DataFrame(rows, columns=COLUMNS)


def model(folder, random, of_texts, of_pairs, strength, scored):
    """Vectors of a model: groups lie along axes of their own, and texts towards their group by its strength."""
    axes = {name: np.eye(WIDTH)[i : i + 3] for i, name in ((0, "gender"), (2, "race"))}
    for name, groups in WORDS.items():
        terms = [axes[name][i] + 0.2 * random.normal(size=WIDTH) for i, of in enumerate(groups.values()) for _ in of]
        save(folder / "group_words" / f"{name}.npy", terms)
    for name, found in of_texts.items():
        for version, more in (("scrubbed", 0.0), ("raw", 0.6)):
            towards = (strength + more) * axes[OF[name]][found.groups]
            save(folder / "texts" / name / f"{version}.npy", towards + random.normal(size=(len(found), WIDTH)))
        save(folder / "texts" / name / "titles.npy", random.normal(size=(len(found.classes), WIDTH)))
    save(folder / "pairs/sentences/masked.npy", random.normal(size=(len(of_pairs), WIDTH)))
    if scored:
        scores = random.normal([2.5 * strength - 30, -30], 3, (len(of_pairs), 2))
        scores[[0, 2]] = scores[[0, 2], :1] + [[0, 0], [5e-5, 0]]  # alike, but for rounding
        if strength == 1:
            scores[1] = np.nan  # a pair without a value
        save(folder / "pairs/sentences/scores.npy", scores)


def save(path, array):
    path.parent.mkdir(parents=True, exist_ok=True)
    np.save(path, np.asarray(array, np.float32))


def heads(folder, names, strengths, random, of_texts):
    """Write classifiers and their classes: one model's do not count of one kind, and have no gap."""
    rows, of_classes = [], []
    for (name, strength), (key, found) in product(zip(names, strengths, strict=True), of_texts.items()):
        for version, k in product(("scrubbed", "raw"), [0, *COMPONENTS]):
            case = (key, OF[key], name, version, k)
            is_missed = (found.groups > 0) & (np.arange(len(found)) % 10 < 10 * strength * (version == "raw"))
            probabilities = np.where(is_missed[:, None], 0.0, np.ones((1 + len(COMPONENTS), *found.labels.shape)))
            folds = np.arange(len(found)) % 2
            (folder / name / key).mkdir(parents=True, exist_ok=True)
            np.savez(folder / f"{name}/{key}/{version}.npz", probabilities=probabilities, folds=folds)
            is_valid = not (name == "planted_5" and k == 0) and not (name == "tiny" and key == "biographies")
            sign = 1 if key == "comments" else random.choice([-1, 1], len(found.classes))
            gaps = sign * np.abs(0.6 * strength - 0.03 * k + 0.05 * random.normal(size=len(found.classes)))
            gap = np.abs(gaps).mean() if is_valid or name != "tiny" else np.nan
            rows.append((*case, 0.6 + 0.3 * random.random(), 0.5, 0.6, gap, gap, is_valid, "0.01/0.1", "1/2", 2))
            for place, (label, of) in enumerate(zip(found.classes, gaps, strict=True)):
                of_classes.append((*case, label, 0.7, 0.6, 0.6, of, of, of - 0.1, of + 0.1, "9/9", place == 0))
    folder.mkdir(parents=True, exist_ok=True)
    pd.DataFrame(rows, columns=tables.CLASSIFIERS).to_csv(folder / "classifiers.csv", index=False)
    pd.DataFrame(of_classes, columns=tables.CLASSES).to_csv(folder / "classes.csv", index=False)


def write(folder, sets=("biographies", "comments"), pair_sets=("sentences",), units=UNITS):
    """Write texts, pairs, encoded models and heads, as far as asked for; what the scripts are given, by name."""
    random = np.random.default_rng(5)
    (folder / "defining.yaml").write_text(yaml.safe_dump(WORDS, sort_keys=False))
    (folder / "published.csv").write_text(PUBLISHED)
    of_texts, of_pairs = {name: texts(name, random) for name in CLASSES}, pairs(random)
    for name in ("pairs", "sheets"):
        (folder / name).mkdir()
    of_pairs.to_csv(folder / "pairs/sentences.csv", index=False)
    for name, found in of_texts.items():
        found.save(folder / "texts" / name)
        found.make_datasheet().to_csv(folder / f"sheets/{name}.csv", index=False)
    for unit, names in units.items():
        table = pd.DataFrame({"name": names, "job": unit, "kind": "encoder" if unit == "deep" else "masked"})
        strengths = [0.4]
        if unit == "planted":
            strengths, seeds = STRENGTHS, range(2**32 - 6, 2**32)
            table = table.assign(model=range(6), strength=strengths, repeat=[0, 1] * 3, seed=seeds)
            table = table.assign(learned_gender=table["strength"] * 0.8, learned_race=table["strength"] * 0.6)
        for name, strength in zip(names, strengths, strict=True):
            model(folder / "encoded" / unit / name, random, of_texts, of_pairs, strength, unit != "deep")
        table.to_csv(folder / "encoded" / unit / "models.csv", index=False)
        heads(folder / "heads" / unit, names, strengths, random, {name: of_texts[name] for name in sets})
    return tabulate(folder, list(sets), list(pair_sets), list(units))


def tabulate(folder, sets, pair_sets, units):
    """All tables, each by its script: paths by name, those of metrics as lists."""
    given = {
        "encoded": [folder / "encoded" / unit for unit in units],
        "words": folder / "defining.yaml",
        "texts": [folder / "texts" / name for name in sets],
        "pairs": [folder / "pairs" / f"{name}.csv" for name in pair_sets],
    }
    scored = {part: [folder / part / f"{name}.csv" for name in METRICS] for part in PARTS}
    for part in PARTS:
        (folder / part).mkdir()
    params = {"texts": sets, "pairs": pair_sets, "n_directions": COMPONENTS, "seed": SEED, "groupings": GROUPINGS}
    params["directions_from"] = "words"
    params["robustness"] = {"shares": SHARES, "permutations": PERMUTATIONS}
    for number, metric in enumerate(METRICS):
        out = {part: paths[number] for part, paths in scored.items()}
        run("downstream/score.py", input=given, params=params | {"chosen": CHOSEN[metric]}, output=out)
    params = {"sheets": sets, "pairs": pair_sets, "sources": SOURCES, "n_resamples": BOOTSTRAP, "seed": SEED}
    params |= {"texts": sets, "bases": {"tiny": "tiny", "planted": "tiny", "deep": "tiny"}}
    params |= {"variants": CHOSEN, **dict.fromkeys(PARTS, METRICS)}
    given["heads"] = [folder / "heads" / unit for unit in units] if sets else []
    given |= {"sheets": [folder / f"sheets/{name}.csv" for name in sets], "published": folder / "published.csv"}
    out = {name: folder / f"{name}.csv" for name in TABLES}
    run("downstream/analyse.py", input=given | scored, params=params, output=out)
    return given | scored | out


def load(folder, name, part):
    """Stored vectors of a model."""
    unit = "planted" if name.startswith("planted") else name
    return np.load(folder / "encoded" / unit / name / f"{part}.npy").astype(float)


def words_of(folder, name, attribute):
    """Vectors of each group's words."""
    return np.split(load(folder, name, f"group_words/{attribute}"), len(WORDS[attribute]))
