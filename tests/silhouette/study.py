"""The study on two small vector files: its scripts, and all files that they write."""

from pathlib import Path

import numpy as np
import pandas as pd

from scripts.silhouette import collect_words, measure, score
from tests.running import ROOT

GROUPS = {
    "female": ["she", "woman", "Anna", "her", "girl", "aunt"],
    "male": ["he", "man", "Adam", "his", "boy", "uncle"],
}
TARGETS = {"family": ["home", "child", "wedding", "parent", "cousin"], "career": ["office", "salary", "firm", "job"]}
OWN = (
    "import numpy as np\nfrom biassay import Level, Metric, weat\n"
    "METRIC = Metric(summary='twice', source='mine', groups=(2, 2), set=Level(-4, 4, signed=True, labels=True),\n"
    "                scored='groups')\n"
    "def set_bias(targets, groups, labels):\n    return 2 * weat.set_bias(targets, groups, labels)\n"
)
METRICS = ("weat", "same", "gweat", "clustering", "twice")
PUBLISHED = ROOT / "resources/published/silhouette.csv"
TABLES = ("silhouettes", "scores", "convergence", "false_positives", "p_values", "comparisons")
TESTS = {"share": 0.9, "permutations": 19}


def write_inputs(folder):
    """Vectors in which targets lean towards groups, and others in which they do not; the second lack a word."""
    random = np.random.default_rng(1)
    for name, lean in (("biased", 2.0), ("unbiased", 0.0)):
        rows = {}
        for side, lists in ((1, ("female", "family")), (-1, ("male", "career"))):
            for word in GROUPS[lists[0]] + TARGETS[lists[1]]:
                rows[word] = random.standard_normal(8) + 3
                rows[word][0] += side * (2.0 if word in GROUPS[lists[0]] else lean)
        if name == "unbiased":
            del rows["his"]
        (folder / f"{name}.txt").write_text("".join(f"{w} {' '.join(map(str, row))}\n" for w, row in rows.items()))
    lists = [f"  {name}: [{', '.join(words)}]\n" for name, words in GROUPS.items()]
    (folder / "gender.yaml").write_text(f"paired: true\ngroups:\n{''.join(lists)}targets: targets.yaml\n")
    (folder / "targets.yaml").write_text("".join(f"{name}: [{', '.join(part)}]\n" for name, part in TARGETS.items()))
    (folder / "twice.py").write_text(OWN)


def run_score(folder, variants, values, tests):
    """Score metrics by their files of values, by name, and of tests; return the tables by name."""
    outs = {f"{name}_out": str(folder / f"{name}.csv") for name in (*TABLES, "robustness", "accuracy")}
    score.main(values, tests, variants, 1, str(PUBLISHED), **outs)
    return {name: pd.read_csv(folder / f"{name}.csv") for name in TABLES}


def files_of_tests(folder):
    """Paths of the files of tests by metric."""
    return {name: str(Path(folder) / f"{name}_tests.csv") for name in METRICS}


def write(folder):
    """Write all files of the study to a folder; return the tables by name."""
    write_inputs(folder)
    biased, unbiased, vectors = (str(folder / name) for name in ("biased.txt", "unbiased.txt", "words/vectors.npz"))
    lists = {"gender": str(folder / "gender.yaml")}
    collect_words.main(biased, unbiased, lists, [], vectors, str(folder / "missing.csv"))
    files = dict(zip(METRICS, METRICS, strict=True)) | {"twice": str(folder / "twice.py")}
    variants = [{"metric": metric, "options": {}, "range": None} for metric in files.values()]
    values = {name: str(folder / f"{name}.npz") for name in METRICS}
    tests = list(files_of_tests(folder).values())
    measure.main(vectors, variants, 5, {"groups": 2, "targets": 6}, TESTS, 1, list(values.values()), tests)
    return run_score(folder, variants, values, tests) | {"missing": pd.read_csv(folder / "missing.csv")}
