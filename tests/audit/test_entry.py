"""An audit in Python: its tables, files and errors."""

import json
import os
import shutil
from dataclasses import replace

import jsonschema
import numpy as np
import pandas as pd
import pytest

import biassay
from biassay.auditing import entry, page, result
from docs.generated import audit_schema
from tests.audit.conftest import HEAD, OWN, QUICK

PLANTED, FAIR = "planted/vectors.txt", "fair/vectors.txt"


def test_one_row_per_source_test_and_metric(joint_audit):
    assert list(joint_audit.table.columns) == result.TABLES["table"]
    assert set(joint_audit.table["source"]) == {PLANTED, FAIR}
    assert not joint_audit.table.duplicated(["source", "test", "metric", "level"]).any()
    for _, rows in joint_audit.table.groupby("source"):
        assert {"weat", "same", "ripa", "rnsb", "second_order_cosine", "classification"} <= set(rows["metric"])
    assert joint_audit.table["value"].notna().all()


def test_the_planted_association_is_found_and_the_other_is_not(joint_audit):
    summary = joint_audit.summary.set_index("source")
    assert summary.loc[PLANTED, "n_counted_found"] > 0
    assert summary.loc[PLANTED, "conclusion"].endswith("her nearer care")
    assert summary.loc[FAIR, "n_counted_found"] == 0
    rows = joint_audit.table[joint_audit.table["source"] == PLANTED].set_index("metric")
    gweat, cosine, rnsb = (rows.loc[name] for name in ("gweat", "second_order_cosine", "rnsb"))
    assert gweat["finding"] == cosine["finding"] == "found"
    assert gweat["cluster"] == cosine["cluster"] != rnsb["cluster"]
    assert gweat["min_detectable_effect"] < gweat["value"]
    assert (gweat["direction"], rnsb["direction"]) == ("her nearer care", "")
    assert rows.loc["weat", "random_q95"] > 1.5  # where groups are so far apart, d is near its bound for any two lists


def test_a_metric_without_a_bound_can_be_audited_alone(files):
    found = entry.audit(files[0], tests=[files[2]], metrics=["gweat"], **QUICK)
    assert found.table["p_corrected"].notna().all()
    assert found.table["b_max"].isna().all()


def test_silhouettes_end_at_the_value(joint_audit):
    curves = joint_audit.silhouettes.groupby(["source", "metric", "growing"]).last()
    for row in joint_audit.table[joint_audit.table["metric"].isin(["weat", "same", "mac", "gweat"])].itertuples():
        last = curves.loc[row.source, row.metric, "targets"]
        assert last[["min", "max"]].tolist() == pytest.approx([row.value] * 2)
        assert 0 < row.share_needed <= 1


def test_threads_change_nothing_seeds_change_intervals_and_a_metric_of_ones_own_is_not_judged(files, tmp_path):
    (tmp_path / "mine.py").write_text(OWN)
    options = {"tests": [str(files[2])], "metrics": ["gweat", "second_order_cosine", "tpr_gap"], **QUICK}
    one, two, other = (entry.audit(files[0], own_metrics=[tmp_path / "mine.py"], **options, **changes)
                       for changes in ({}, {"threads": 2}, {"seed": 4}))  # fmt: skip
    assert one.table["metric"].unique().tolist() == ["gweat", "second_order_cosine", "mine"]
    assert one.skipped["metric"].tolist() == ["tpr_gap"]
    for name in ("table", "silhouettes", "skipped", "summary"):
        pd.testing.assert_frame_equal(getattr(one, name), getattr(two, name))
    assert one.table["value"].tolist() == other.table["value"].tolist()
    assert one.table["ci_low"].tolist() != other.table["ci_low"].tolist()
    assert one.trust.set_index("metric").loc["mine", "verdict"] == "not judged"
    assert 0 < one.table.set_index("metric").loc["mine", "p"] <= 1


def test_a_metric_that_breaks_is_named(files, tmp_path):
    (tmp_path / "mine.py").write_text(OWN.replace(HEAD, f"{HEAD}\n    return 1 / 0"))
    own = {"metrics": ["mac"], "own_metrics": [tmp_path / "mine.py"]}
    with pytest.raises(ValueError, match="line 6: ZeroDivisionError") as error:
        entry.audit(files[0], tests=[str(files[2])], **own, threads=2, **QUICK)
    assert "mine.py" in str(error.value)


def test_a_written_audit_is_read_again(joint_audit, tmp_path):
    table = joint_audit.table.copy()
    table.loc[0, "min_detectable_effect"] = np.inf
    audit = replace(joint_audit, table=table)
    assert audit.write(tmp_path / "out") == tmp_path / "out/index.html"
    assert {path.name for path in (tmp_path / "out").iterdir()} == set(result.OWN) - {result.EVERY_EVAL_EVER}
    jsonschema.validate(json.loads((tmp_path / "out/audit.json").read_text()), audit_schema.make_schema())
    again = result.read(tmp_path / "out")
    for name in result.TABLES:
        pd.testing.assert_frame_equal(getattr(again, name), getattr(audit, name), check_dtype=False)
    metrics = pd.read_csv(tmp_path / "out/metrics.csv")
    assert metrics["value"].to_numpy() == pytest.approx(table["value"].to_numpy(float), rel=1e-4)
    audit.write(tmp_path / "out")  # an audit is replaced
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    with pytest.raises(ValueError, match=r"audits: .*planted/vectors\.txt"):
        result.join([joint_audit, joint_audit])


def test_a_page_that_fails_leaves_nothing(joint_audit, tmp_path, monkeypatch):
    monkeypatch.setattr(page, "render", lambda *_, **__: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        joint_audit.write(tmp_path / "out")
    assert not list(tmp_path.iterdir())


def test_a_test_without_metrics_is_named(files):
    with pytest.raises(ValueError, match=r"ours: .*tpr_gap: it takes predictions"):
        entry.audit(files[0], tests=[str(files[2])], metrics=["tpr_gap"], **QUICK)
    assert biassay.audit is entry.audit


def test_a_file_whose_name_is_no_text_is_audited(files, tmp_path):
    source = os.fsencode(tmp_path) + b"/v\xff.txt"
    shutil.copy(files[0], source)
    audit = entry.audit(os.fsdecode(source), tests=[str(files[2])], metrics=["mac"], **QUICK)
    assert "v?.txt" in audit.write(tmp_path / "out").read_text("utf-8")
    assert set(result.read(tmp_path / "out").table["source"]) == {"v?.txt"}
    assert "v?.txt" in str(audit)
