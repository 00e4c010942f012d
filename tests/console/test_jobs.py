"""Names of jobs, and what their logs say."""

import pytest

from biassay.console import jobs


@pytest.mark.parametrize(
    ("rule", "wildcards", "expected"),
    [
        ("score_same", {"metric": "weat"}, "score_same weat"),
        ("measure_silhouettes", {"pair": "planted", "metric": "ect"}, "measure_silhouettes planted ect"),
        ("plan_same", {}, "plan_same"),
        ("seed_12_train_same", {"chunk": "0"}, "train_same 0, seed 12"),
    ],
)
def test_a_job_is_named_by_rule_wildcards_and_seed(rule, wildcards, expected):
    assert jobs.name(rule, wildcards) == expected


@pytest.mark.parametrize(
    ("logs", "expected"),
    [
        (["results/logs/same/scores/weat.log"], "same"),
        (["results/seeds/2/logs/corpora/biased/encode.log"], "corpora"),
        (["elsewhere.log"], ""),
        ([], ""),
    ],
)
def test_its_stage_is_in_its_logs_path(logs, expected):
    assert jobs.stage(logs) == expected


def test_it_stands_where_its_newest_line_of_progress_says(tmp_path):
    log = tmp_path / "a.log"
    log.write_text(
        "08:00:00 training: 1,024 of 7,200 steps of a model (14 %), 60 s, about 6 min left, loss 2.1, 398 models/hour\n"
        "08:00:05 training: 1,200 of 7,200 steps of a model (17 %), 65 s, about 5 min left, loss 2.0, 402 models/hour\n"
        "08:00:06 something else\n"
    )
    found = jobs.standing(str(log))
    assert found == jobs.Standing(0.17, "1,200 of 7,200 steps of a model (17 %)", "402 models/hour")
    log.write_text("08:00:05 counting: 1.33 of 1.33 M tokens (100 %), 7 s, about 0 s left\n")
    assert jobs.standing(str(log)) == jobs.Standing(1.0, "1.33 of 1.33 M tokens (100 %)", "")
    assert jobs.standing(str(tmp_path / "none.log")) is None


def test_of_a_long_log_only_the_end_is_read(tmp_path):
    log = tmp_path / "a.log"
    log.write_text("08:00:00 x: 1 of 2 y (50 %), 1 s, about 1 s left\n" + "noise\n" * jobs.NEWEST)
    assert jobs.standing(str(log)) is None


def test_the_last_lines_end_with_a_users_error_or_with_the_traceback_of_ours(tmp_path):
    log = tmp_path / "a.log"
    log.write_text(
        "\n".join([*map(str, range(50)), "08:00:00 Error: a: bad", "Traceback (most recent call last):", "x"])
    )
    assert jobs.last_lines(str(log)) == [*map(str, range(36, 50)), "08:00:00 Error: a: bad"]
    assert jobs.last_lines(str(log), whole=True)[-1] == "x"
    log.write_text("08:00:00 Uncaught exception\nTraceback (most recent call last):\n  x\nKeyError: 1\n")
    assert jobs.last_lines(str(log))[-1] == "KeyError: 1"
    assert jobs.last_lines(str(tmp_path / "none.log")) == []
