"""The board's verdicts on metrics, and their reasons."""

import io

import pandas as pd
import pytest

from biassay.auditing import trust

HEADER = "metric,criterion,value,low,high,n,unit,page,note"
GOOD = ["weat,false_positive_rate,.04,,,300,draws,silhouette,", "weat,auc,.98,,,100,shuffles,silhouette,"]


def judge(*rows):
    table = trust.judge_metrics(["weat"], pd.read_csv(io.StringIO("\n".join([HEADER, *rows]))))
    return table["verdict"].iloc[0], table["reasons"].iloc[0]


@pytest.mark.parametrize(("criterion", "value", "verdict"), [
    ("power", 0.5, "trusted"), ("power", 0.4, "with care"), ("comparable", 0, "trusted"),
    ("trustworthy", 0, "with care"), ("trustworthy", 0.5, "trusted"), ("false_positive_rate", 0.05, "trusted"),
    ("false_positive_rate", 0.0, "trusted"), ("false_positive_rate", 0.1, "with care"),
    ("false_positive_rate", 0.95, "not trusted"),
    ("auc", 0.9, "trusted"), ("auc", 0.75, "with care"), ("auc", 0.5, "not trusted"),
])  # fmt: skip
def test_verdicts_by_limits(criterion, value, verdict):
    rest = [row for row in GOOD if criterion not in row]
    assert judge(*rest, f"weat,{criterion},{value},,,300,draws,s,")[0] == verdict


def test_a_false_positive_rate_is_too_high_with_its_whole_interval_and_an_auc_is_that_of_the_worst_case():
    fpr, auc = "weat,false_positive_rate,0.1,{},.2,100,draws,s,", "weat,auc,.95,{},1,100,shuffles,s,"
    assert judge(fpr.format(0.05), GOOD[1])[0] == "trusted"
    assert judge(fpr.format(0.051), GOOD[1])[0] == "with care"
    for smallest, verdict, percent in (
        (0.9, "trusted", 90), (0.89, "with care", 89), (0.7453, "not trusted", 74), (0.29, "not trusted", 29),
    ):  # fmt: skip
        found, reasons = judge(GOOD[0], auc.format(smallest))
        assert found == verdict
        assert f"({percent} % or more" in reasons


def test_a_test_without_power_for_one_kind_of_bias_is_used_with_care_and_the_kind_is_named():
    kinds = '"gender 1.00, ethnicity 0.00; groups reassigned"'
    verdict, reasons = judge(*GOOD, f"weat,power,0,0,.04,100,draws,s,{kinds}")
    assert verdict == "with care"
    assert "ethnicity 0.00" in reasons
    of_targets = "weat,false_positive_rate_targets,1,.9,1,100,draws,s,"  # another form than the audit's
    assert judge(*GOOD, of_targets)[0] == "trusted"


def test_reasons_name_the_number_of_samples_where_it_is_known():
    assert judge(*GOOD)[0] == "trusted"
    assert "(1,200 draws)" in judge(GOOD[1], "weat,false_positive_rate,.98,,,1200,draws,s,")[1]
    for cells in (",draws", "300,", ","):
        reason = judge(GOOD[1], f"weat,false_positive_rate,.98,,,{cells},s,")[1].split(";")[0]
        assert "98 %" in reason
        assert "(" not in reason


def test_a_metric_without_the_required_criteria_is_not_judged():
    assert judge(GOOD[0])[0] == "not judged"
    assert judge("weat,auc,.3,0,1,100,shuffles,s,")[0] == "not trusted"
    verdict, reasons = judge("weat,false_positive_rate,,,,,,,no test of it", "mac,accuracy,.5,,,,,,")
    assert verdict == "not judged"
    assert reasons
    without_board = trust.judge_metrics(["weat"], None).iloc[0]
    assert without_board["verdict"] == "not judged"
    assert "no board" in without_board["reasons"]


def test_the_board_that_comes_with_biassay_judges_metrics():
    table = trust.judge_metrics(["ect", "weat", "unmasking"], trust.read_board()).set_index("metric")
    assert table["verdict"].to_dict() == {"ect": "not trusted", "weat": "with care", "unmasking": "not judged"}
    assert table["false_positive_rate"].dropna().to_dict() == {"ect": 1.0, "weat": 0.7}
