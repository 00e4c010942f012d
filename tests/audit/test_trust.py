"""Verdicts and reasons from the board's table."""

from biassay.auditing import conclusions

HEADER = ",".join(conclusions.BOARD_COLUMNS)


def board(tmp_path, *rows):
    (tmp_path / "board.csv").write_text("\n".join([HEADER, *rows]) + "\n")
    return conclusions.read_board(tmp_path / "board.csv")


def judge(tmp_path, *rows):
    verdict_table = conclusions.verdicts(["weat"], board(tmp_path, *rows))
    return verdict_table["verdict"].iloc[0], verdict_table["reasons"].iloc[0]


GOOD = ["weat,false_positive_rate,.04,,,300,draws,silhouette,", "weat,auc,.98,,,100,shuffles,silhouette,"]


def test_verdicts_by_limits(tmp_path):
    assert judge(tmp_path, *GOOD)[0] == "trusted"
    assert judge(tmp_path, *GOOD, "weat,power,.6,,,300,draws,s,")[0] == "trusted"
    assert judge(tmp_path, *GOOD, "weat,power,.4,,,300,draws,s,")[0] == "with care"
    assert judge(tmp_path, *GOOD, "weat,trustworthy,0,,,,,properties,")[0] == "with care"
    assert judge(tmp_path, *GOOD, "weat,trustworthy,1,,,,,properties,")[0] == "trusted"
    edges = {("false_positive_rate", "0.9"): "with care", ("false_positive_rate", "0.075"): "trusted", ("power",
    ".5"): "trusted",
             ("auc", ".75"): "with care", ("auc", ".9"): "trusted"}  # fmt: skip
    for (criterion, value), verdict in edges.items():
        rest = [row for row in GOOD if criterion not in row]
        assert judge(tmp_path, *rest, f"weat,{criterion},{value},,,300,draws,s,")[0] == verdict
    for criterion, sentences in conclusions.VERDICTS.items():
        assert sentences[0.0] in judge(tmp_path, *GOOD, f"weat,{criterion},0,,,,,properties,")[1]
        assert sentences[0.0] not in judge(tmp_path, *GOOD, f"weat,{criterion},1,,,,,properties,")[1]
    assert judge(tmp_path, GOOD[1], "weat,false_positive_rate,.1,,,300,draws,s,")[0] == "with care"
    assert judge(tmp_path, GOOD[1], "weat,false_positive_rate,.48,,,300,draws,s,")[0] == "with care"
    assert judge(tmp_path, GOOD[1], "weat,false_positive_rate,.95,,,300,draws,s,")[0] == "not trusted"
    assert judge(tmp_path, *GOOD, "weat,power,0,,,300,draws,s,")[0] == "with care"
    assert judge(tmp_path, GOOD[0], "weat,auc,.5,,,300,shuffles,s,")[0] == "not trusted"


def test_numbers_of_draws_are_told_where_they_are_known(tmp_path):
    assert "(1,200 draws)" in judge(tmp_path, GOOD[1], "weat,false_positive_rate,.98,,,1200,draws,s,")[1]
    for cells in (",draws", "300,", ","):
        reason = judge(tmp_path, GOOD[1], f"weat,false_positive_rate,.98,,,{cells},s,")[1].split(";")[0]
        assert "98 %" in reason
        assert "(" not in reason


def test_what_the_board_lacks_is_not_judged(tmp_path):
    assert judge(tmp_path, GOOD[0])[0] == "not judged"
    verdict, reasons = judge(tmp_path, "weat,false_positive_rate,,,,,,,no test of it", "mac,accuracy,.5,,,,,,")
    assert verdict == "not judged"
    assert reasons
    verdict_table = conclusions.verdicts(["weat"], None)
    assert verdict_table["verdict"].tolist() == ["not judged"]
    assert "no board" in verdict_table["reasons"].iloc[0]
