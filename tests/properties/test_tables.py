"""A metric of one's own is judged; its verdicts and others stand in the table, beside the published ones."""

import csv
import json
import logging
from itertools import cycle

import numpy as np
import pandas as pd
import pytest

from tests.properties.handmade import PRINTED, example, tabulated, verdict
from tests.scripted import run

COLUMNS = ["metric", "level", "n_groups", "property", "verdict", "reason", "n_evaluations", "min_distance",
           "counterexamples",
           "published", "agrees"]  # fmt: skip
OWN = """
import numpy as np
from biassay import Level, Metric
METRIC = Metric(summary="first number", source="mine", word=Level(-1.0, 1.0))
def word_bias(targets, groups):
    return targets[:, 0] / np.linalg.norm(targets, axis=1)
"""


def test_a_metric_of_ones_own_is_judged(tmp_path, caplog):
    """A metric that looks at the first number only calls words fair that are nearer one group."""
    (tmp_path / "own.py").write_text(OWN)
    params = {"metric": str(tmp_path / "own.py"), "n_starts": 1, "seed": 2}
    with caplog.at_level(logging.INFO):
        run("properties/check.py", params=params, output={"verdicts": tmp_path / "own.json"})
    text = (tmp_path / "own.json").read_text()
    assert text.startswith('[\n {\n  "level": "word"')
    found = json.loads(text)
    assert [(v["level"], v["n_groups"], v["property"], v["verdict"]) for v in found] == [
        ("word", 2, "comparable", "yes"), ("word", 2, "trustworthy", "no")
    ]  # fmt: skip
    assert "word level, 2 groups, comparable: yes (extremes -1.000 and 1.000 in all " in caplog.text
    (shown,) = found[1]["examples"]
    (target,), groups = shown["targets"], [np.array(group) for group in shown["groups"]]
    near = [np.mean(group @ target / np.linalg.norm(group, axis=1)) / np.linalg.norm(target) for group in groups]
    assert abs(near[0] - near[1]) > 0.1
    assert target[0] / np.linalg.norm(target) == pytest.approx(shown["value"], abs=1e-6)
    assert shown["value"] == pytest.approx(0, abs=1e-4)


def test_starts_and_seed_reach_the_search(tmp_path):
    calls = []
    replace = {
        "biassay.studies.properties.verdicts.check_metric": lambda module, **given: calls.append((module, given)) or []
    }
    run("properties/check.py", params={"metric": "mac", "n_starts": 6, "seed": 2}, replace=replace,
        output={"verdicts": tmp_path / "mac.json"})  # fmt: skip
    ((module, given),) = calls
    assert (module.__name__, given) == ("biassay.metrics.mac", {"n_starts": 6, "seed": 2})


def test_every_column_of_the_table(tmp_path):
    shown = example([[1.0, 0.0]], [1], 0.5)
    verdicts = {
        "weat": [verdict("set", "stereotype", "no", examples=[shown, shown]), verdict("set", "skew", "no")],
        "mine": [verdict("set", "skew", "yes", groups=3, min_distance=0.1234), verdict("word", "comparable", "yes")],
    }
    path, _ = tabulated(tmp_path, verdicts)
    table = pd.read_csv(path, keep_default_na=False)
    assert list(table) == COLUMNS
    assert table.iloc[:, :8].to_numpy().tolist() == [
        ["weat", "set", 2, "stereotype", "no", "set stereotype", 7, ""],
        ["weat", "set", 2, "skew", "no", "set skew", 7, ""],
        ["mine", "set", 3, "skew", "yes", "set skew", 7, "0.123"],
        ["mine", "word", 2, "comparable", "yes", "word comparable", 7, ""],
    ]
    assert [json.loads(text) if text else [] for text in table["counterexamples"]] == [[shown, shown], [], [], []]
    assert table["published"].tolist() == ["conditional", "no", "", ""]
    assert table["agrees"].tolist() == ["False", "True", "", ""]


def test_published_verdicts_stand_beside_their_own_rows(tmp_path):
    """Every printed verdict, beside a verdict of another kind; those on three groups have none."""
    with open(PRINTED, encoding="utf-8") as file:
        printed = list(csv.DictReader(line for line in file if not line.startswith("#")))
    verdicts = {row["metric"]: [] for row in reversed(printed)}
    for row, said in zip(printed, cycle(["no", "yes", "conditional", "not applicable", "yes"])):
        verdicts[row["metric"]] += [verdict(row["level"], row["property"], said, groups) for groups in (3, 2)]
    table = pd.read_csv(tabulated(tmp_path, verdicts)[0]).set_index(["metric", "level", "property", "n_groups"])
    assert len(table) == 2 * len(printed) == 64
    for row in printed:
        key = (row["metric"], row["level"], row["property"])
        found = table.loc[(*key, 2)]
        assert found["published"] == row["published"]
        assert found["agrees"] == (found["verdict"] == row["published"])
        assert table.loc[(*key, 3), ["published", "agrees"]].isna().all()
    assert 0 < table["agrees"].sum() < 32


def test_files_and_metrics_are_as_many(tmp_path):
    path, files = tabulated(tmp_path, {"mac": [verdict("set", "skew", "no")]})
    with pytest.raises(ValueError, match="shorter"):
        run("properties/tabulate.py", input={"verdicts": files, "published": PRINTED},
            params={"metrics": ["mac", "weat"]}, output={"table": path})  # fmt: skip
