"""The silhouette study on two small vector files: results, what is rerun, a metric of one's own, bad input."""

import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from tests.running import copy_project, planned, snakemake

RESULTS = "results/silhouette/mine"
GROUPS = {"female": ["she", "woman", "Anna", "her"], "male": ["he", "man", "Adam", "his"]}
TARGETS = {"family": ["home", "child", "wedding", "parent", "cousin"], "career": ["office", "salary", "firm", "job"]}
OWN = (
    "import numpy as np\nfrom biassay import Level, Metric, weat\n"
    "METRIC = Metric(summary='twice', source='mine', groups=(2, 2), set=Level(-4, 4, signed=True, labels=True),\n"
    "                scored='groups')\n"
    "def set_bias(targets, groups, labels):\n    return 2 * weat.set_bias(targets, groups, labels)\n"
)
CONFIG = {
    "reference_pairs": {
        "mine": {
            "biased": {"file": "biased.txt"},
            "unbiased": {"file": "unbiased.txt"},
            "lists": {"gender": "lists/gender.yaml"},
        }
    },
    "own_metrics": {"twice": "twice.py"},
    "silhouette": {
        "pairs": ["mine"],
        "metrics": ["weat", "twice", "same", "ect_raw", "gweat", "clustering"],
        "shuffles": 5,
    },
}


def write_lists(folder, groups=GROUPS, targets=TARGETS):
    """A file of groups and the file of targets beside it."""
    (folder / "lists").mkdir(exist_ok=True)
    lines = [f"  {name}: [{', '.join(words)}]" for name, words in groups.items()]
    (folder / "lists/gender.yaml").write_text(
        "paired: true\ngroups:\n" + "\n".join(lines) + "\ntargets: targets.yaml\n"
    )
    (folder / "lists/targets.yaml").write_text(
        "".join(f"{name}: [{', '.join(words)}]\n" for name, words in targets.items())
    )


def write_vectors(folder):
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


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    folder = tmp_path_factory.mktemp("silhouette") / "project"
    copy_project(folder)
    write_lists(folder)
    write_vectors(folder)
    (folder / "twice.py").write_text(OWN)
    result = snakemake(folder, "silhouette", config=CONFIG)
    assert result.returncode == 0, result.stderr
    return folder


@pytest.fixture
def project(finished, tmp_path):
    return Path(shutil.copytree(finished, tmp_path / "project"))


def changed(**silhouette):
    return CONFIG | {"silhouette": CONFIG["silhouette"] | silhouette}


def test_scores_are_sensible(finished):
    table = pd.read_csv(finished / f"{RESULTS}/scores.csv").set_index(["metric", "list"])
    weat, twice = table.xs("weat"), table.xs("twice")
    np.testing.assert_allclose(twice["value_biased"], 2 * weat["value_biased"], rtol=1e-5)  # without the fast path
    for column in ("robustness_biased", "robustness_unbiased", "accuracy", "auc", "words_needed_biased"):
        np.testing.assert_allclose(twice[column], weat[column], rtol=1e-5)
    assert (table.loc["same", "auc"] > 0.8).all()
    assert weat["n_words"].to_dict() == {"groups": 6, "targets": 9}  # "his" is missing, so "her" goes too
    assert table.loc["gweat", "relative"].all()
    assert [kind for metric, kind in table.index if metric == "clustering"] == ["targets"]
    missing = pd.read_csv(finished / f"{RESULTS}/missing.csv").set_index("group")
    assert missing.loc[["female", "male"], "unused_words"].tolist() == ["her", "his"]


def test_every_result_is_there(finished):
    folder = finished / RESULTS
    curves = pd.read_csv(folder / "silhouettes.csv")
    last = curves[(curves["metric"] == "weat") & (curves["n_words"] == 6) & (curves["list"] == "groups")]
    np.testing.assert_allclose(last["min"], last["max"], atol=1e-9)  # all shuffles end with all words
    assert len(pd.read_csv(folder / "convergence.csv")) == 5 * 11
    false_positives = pd.read_csv(folder / "false_positives.csv").set_index(["metric", "test", "bias", "share"])
    assert set(false_positives.index.get_level_values("metric")) == {*CONFIG["silhouette"]["metrics"]} - {"clustering"}
    parts = false_positives.loc["weat", "its own permutation test", "gender", 0.5]
    assert (parts["n_biased"], parts["n_unbiased"]) == (5, 5)
    assert parts.name in false_positives.index
    tests = pd.read_csv(folder / "comparisons.csv")
    assert set(tests["score"]) == {"accuracy", "auc", "steadiness"}
    own = tests[(tests["first"] == "weat") & (tests["second"] == "twice")]
    np.testing.assert_allclose(own["difference"], 0, atol=1e-6)  # twice WEAT, of twice the range
    assert (own["p_holm"] > 0.9).all()
    for name in ("robustness.csv", "accuracy.csv", "summary.html", "silhouettes.html", "figures/gender.svg"):
        assert (folder / name).stat().st_size > 100


def test_a_changed_metric_or_list_reruns_what_depends_on_it(project):
    assert planned(project, "silhouette", config=CONFIG) == {}
    path = project / "biassay/metrics/gweat.py"
    path.write_text(path.read_text() + "\nCHANGED = 1\n")
    assert planned(project, "silhouette", config=CONFIG)["measure_silhouettes"] == 1
    path = project / "biassay/studies/silhouette/shuffles.py"
    path.write_text(path.read_text() + "\nCHANGED = 1\n")
    changed_shuffles = planned(project, "silhouette", config=CONFIG)
    assert (changed_shuffles["compare_silhouettes"], changed_shuffles["tabulate_silhouettes"]) == (1, 1)
    write_lists(project, targets=TARGETS | {"career": ["office", "salary", "firm"]})
    assert planned(project, "silhouette", config=CONFIG)["measure_silhouettes"] == 6


SAMPLE_ONLY = "from biassay import Level, Metric\nMETRIC = Metric('', '', word=Level(0, 1))\ndef word_bias(t, a): ..."


@pytest.mark.parametrize(
    ("groups", "own", "config", "message"),
    [
        ({"female": ["zzyzx"], "male": ["he"]}, OWN, CONFIG, "female: none of the 1 words is in both models"),
        (
            GROUPS,
            OWN,
            changed(steps={"groups": 2, "targets": 20}),
            "lists/gender.yaml: family: expected at least 10 words, half of silhouette.steps.targets, got 5",
        ),
        (
            GROUPS,
            OWN,
            changed(steps={"groups": 3, "targets": 6}),
            "config: silhouette.steps.groups: expected an even number",
        ),
        (GROUPS, SAMPLE_ONLY, CONFIG, "config: silhouette.metrics: twice has no set level"),
        (GROUPS, OWN.replace("Level(-4, 4", "Level(3.9, 4"), CONFIG, "expected values from 3.9 to 4, got "),
    ],
)
def test_bad_input_gives_one_clear_message_and_no_output(project, groups, own, config, message):
    write_lists(project, groups)
    (project / "twice.py").write_text(own)
    shutil.rmtree(project / RESULTS)
    result = snakemake(project, f"{RESULTS}/scores.csv", config=config)
    assert result.returncode != 0
    assert message in result.stderr, result.stderr
    assert "Traceback" not in result.stderr
    assert not (project / RESULTS / "scores.csv").exists()
