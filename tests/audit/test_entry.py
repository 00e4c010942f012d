"""An audit in Python: its tables, output, files and errors."""

import json

import numpy as np
import pandas as pd
import pytest

import biassay
from biassay.auditing import entry, result
from tests.audit.conftest import QUICK

OWN = """
import numpy as np
from biassay import Level, Metric, weat
METRIC = Metric(summary="root mean square of s", source="mine", set=Level(0.0, 2.0))
def set_bias(targets, groups):
    return float(np.sqrt(np.mean(weat.word_bias(targets, groups) ** 2)))
"""


def test_a_row_a_source_test_and_metric(joint_audit):
    assert list(joint_audit.table.columns) == entry.COLUMNS
    assert set(joint_audit.table["source"]) == {"planted/vectors.txt", "fair/vectors.txt"}
    assert not joint_audit.table.duplicated(["source", "test", "metric", "level"]).any()
    for _, rows in joint_audit.table.groupby("source"):
        assert {"weat", "same", "ripa", "rnsb", "second_order_cosine", "classification"} <= set(rows["metric"])
        tested = rows[rows["sides"] == "groups and targets"].sort_values("p")
        lowest = tested.iloc[0]
        assert lowest["p_holm"] == pytest.approx(min(1, lowest["p"] * tested["p"].notna().sum()))
    assert joint_audit.table["value"].notna().all()


def test_the_planted_association_is_concluded_and_the_other_is_not(joint_audit):
    planted, fair = joint_audit.summary.set_index("source").loc[
        ["planted/vectors.txt", "fair/vectors.txt"], "conclusion"
    ]
    assert planted.startswith("association found by ")
    assert planted.endswith("her nearer care")
    assert fair.startswith("no association found by any of ")


def test_words_are_ranked_by_same(joint_audit):
    words = joint_audit.words[joint_audit.words["source"] == "planted/vectors.txt"]
    assert words["rank"].tolist() == list(range(1, 17))
    assert words["value"].is_monotonic_decreasing
    assert set(words.head(6)["list"]) == {"care"}
    assert set(words.head(6)["nearer_group"]) == {"her"}
    assert words.iloc[-1][["list", "nearer_group"]].tolist() == ["craft", "his"]


def test_silhouettes_end_at_the_value(joint_audit):
    for row in joint_audit.table.itertuples():
        curves = joint_audit.silhouettes[
            (joint_audit.silhouettes["source"] == row.source) & (joint_audit.silhouettes["metric"] == row.metric)
        ]
        if row.metric in ("weat", "same", "mac", "gweat"):
            assert len(curves) > 4
            last = curves[curves["growing"] == "targets"].iloc[-1]
            assert last[["min", "max"]].tolist() == pytest.approx([row.value] * 2)
            assert 0 < row.share_needed <= 1


def test_the_same_seed_gives_the_same_and_another_others(files):
    path, test = files[0], str(files[2])
    options = {"tests": [test], "metrics": ["gweat", "same"], **QUICK}
    first, again, other = (entry.audit(path, seed=seed, **options).table for seed in (3, 3, 4))
    pd.testing.assert_frame_equal(first, again)
    assert first["value"].tolist() == other["value"].tolist()
    assert first["ci_low"].tolist() != other["ci_low"].tolist()


def test_processes_change_nothing(files, tmp_path):
    (tmp_path / "mine.py").write_text(OWN)
    options = {"tests": [str(files[2])], "metrics": ["gweat", "second_order_cosine", "tpr_gap"], **QUICK}
    one, two = (entry.audit(files[0], own_metrics=[tmp_path / "mine.py"], processes=n, **options) for n in (1, 2))
    assert one.table["metric"].unique().tolist() == ["gweat", "second_order_cosine", "mine"]
    for name in ("table", "silhouettes", "skipped", "summary"):
        pd.testing.assert_frame_equal(getattr(one, name), getattr(two, name))


def test_a_metric_that_breaks_is_told_by_file_and_line(files, tmp_path):
    head = "def set_bias(targets, groups):"
    (tmp_path / "mine.py").write_text(OWN.replace(head, f"{head}\n    return 1 / 0"))
    line = OWN[: OWN.index(head)].count("\n") + 2
    for n in (1, 2):
        with pytest.raises(ValueError, match=rf"mine\.py, line {line}: ZeroDivisionError: division by zero$"):
            entry.audit(files[0], tests=[str(files[2])], own_metrics=[tmp_path / "mine.py"], processes=n, **QUICK)


def test_a_metric_of_ones_own(files, tmp_path):
    (tmp_path / "mine.py").write_text(OWN)
    audit = entry.audit(files[0], tests=[str(files[2])], metrics=["weat"], own_metrics=[tmp_path / "mine.py"], **QUICK)
    assert audit.table["metric"].tolist() == ["weat", "mine"]
    assert audit.trust.set_index("metric").loc["mine", "verdict"] == "not judged"
    assert 0 < audit.table.set_index("metric").loc["mine", "p"] <= 1


def test_what_is_written_is_read_again(joint_audit, tmp_path):
    page = joint_audit.write(tmp_path / "out")
    assert page == tmp_path / "out/index.html"
    assert sorted(path.name for path in page.parent.iterdir()) == sorted(
        [*result.FILES.values(), "audit.json", "index.html"]
    )
    again = result.read(tmp_path / "out")
    for name in result.TABLES:
        pd.testing.assert_frame_equal(getattr(again, name), getattr(joint_audit, name), check_dtype=False)
    assert json.loads((tmp_path / "out/audit.json").read_text())["is"] == "biassay audit"
    metrics = pd.read_csv(tmp_path / "out/metrics.csv")
    assert metrics["value"].to_numpy() == pytest.approx(joint_audit.table["value"].to_numpy(float), rel=1e-4)
    joint_audit.write(tmp_path / "out")  # an audit is replaced
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]


def test_a_page_that_fails_leaves_nothing(joint_audit, tmp_path, monkeypatch):
    from biassay.auditing import page

    monkeypatch.setattr(page, "text", lambda audit: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        joint_audit.write(tmp_path / "out")
    assert not list(tmp_path.iterdir())


def test_infinite_values_survive_json(joint_audit, tmp_path):
    table = joint_audit.table.copy()
    table.loc[0, "min_detectable_effect"] = np.inf
    result.Audit(**{name: getattr(joint_audit, name) for name in result.TABLES if name != "table"}, table=table,
                 sources=joint_audit.sources, settings=joint_audit.settings).write(tmp_path / "out")  # fmt: skip
    assert np.isinf(result.read(tmp_path / "out").table.loc[0, "min_detectable_effect"])
    with pytest.raises(ValueError, match=r"audits: .*planted/vectors\.txt"):
        result.join([joint_audit, joint_audit])


@pytest.mark.parametrize(("options", "message"), [
    ({"tests": ["wheat"]}, "tests: unknown name 'wheat'"),
    ({"metrics": ["wheat"]}, "metrics: unknown name 'wheat' .did you mean 'weat'"),
    ({"own_metrics": ["weat"]}, r"own_metrics: .*\.py.*'weat'"),
    ({"names": ["a", "b"]}, r"names: .*\['a', 'b'\]"),
    ({"permutations": 3}, "permutations: expected an integer"),
    ({"processes": 0}, "processes: expected an integer"),
    ({"processes": True}, "processes: expected an integer"),
    ({"seed": -1}, "seed: expected an integer"),
    ({"rank_by": "ect"}, "rank_by: ect"),
    ({"metrics": ["tpr_gap"]}, "ours: .*tpr_gap: it takes predictions"),
])  # fmt: skip
def test_what_is_asked_wrongly_is_told(files, options, message):
    with pytest.raises(ValueError, match=message):
        entry.audit(files[0], **{"tests": [str(files[2])], **QUICK, **options})


def test_too_few_words_are_told(files):
    with pytest.raises(ValueError, match="has none of the"):
        entry.audit(files[0], **QUICK)
    assert biassay.audit is entry.audit
