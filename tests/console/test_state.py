"""Names of jobs, their progress by their logs, and the remaining time of a run by a clock of ours."""

import json
import os
from collections import defaultdict

import pytest

from biassay.console import jobs, run, verdicts
from biassay.console.run import Run

PROGRESS = (
    "08:00:05 training: 1,200 of 7,200 steps of a model (17 %), 65 s, about 5 min left, loss 2, 402 models/hour\n"
)


class Clock:
    now = 1000.0

    def __call__(self):
        return self.now


@pytest.fixture
def state():
    return Run({"train": 1, "score": 4, "all": 1}, defaultdict(float, train=60.0, score=10.0), clock=Clock())


def test_a_job_is_named_by_stage_rule_wildcards_and_seed():
    both = {"pair": "planted", "metric": "ect"}
    assert jobs.name_job("measure_silhouettes", both, ["elsewhere.log"]) == "measure_silhouettes planted ect"
    assert jobs.name_job("plan_same", {}, []) == "plan_same"
    log = "results/seeds/12/logs/same/0.log"
    assert jobs.name_job("seed_12_train_same", {"chunk": "0"}, [log]) == "same: train_same 0, seed 12"


def test_the_newest_progress_near_the_end_of_a_log_counts(tmp_path):
    log = tmp_path / "a.log"
    log.write_text(PROGRESS.replace("17", "14") + PROGRESS + "08:00:06 something else\n")
    newest = (0.17, "1,200 of 7,200 steps of a model (17 %)", "402 models/hour")
    assert jobs.read_progress(str(log)) == newest
    log.write_text("08:00:05 counting: 3 of 3 M tokens (100 %), 7 s, about 0 s left\n")
    assert jobs.read_progress(str(log)) == (1.0, "3 of 3 M tokens (100 %)", "")
    log.write_text(PROGRESS + "noise\n" * jobs.TAIL)
    assert jobs.read_progress(str(log)) is None


def test_the_end_of_a_log_has_a_users_error_or_the_traceback_of_ours(tmp_path):
    log = tmp_path / "a.log"
    log.write_text("\n".join([*map(str, range(50)), "08:00:00 Error: a: bad", "Traceback (most recent call last):"]))
    assert jobs.read_end(str(log)) == [*map(str, range(36, 50)), "08:00:00 Error: a: bad"]
    log.write_text("08:00:00 Uncaught exception\nTraceback (most recent call last):\n  x\nKeyError: 1\n")
    assert jobs.read_end(str(log))[-1] == "KeyError: 1"
    assert jobs.read_end(str(tmp_path / "none.log")) == []


def run_job(state, number, rule, seconds):
    state.begin(number, rule, {}, ["results/logs/same/a.log"])
    state.clock.now += seconds
    state.finish(number)


def test_the_time_left_is_by_known_durations_at_the_pace_of_finished_jobs_of_similar_length(state):
    assert state.left() == 100.0
    assert state.share() == 0.0
    run_job(state, 0, "train", 6.0)  # a tenth of the known duration, which says nothing about short jobs
    assert state.left() == 40.0
    run_job(state, 1, "score", 30.0)
    assert state.left() == 90.0
    run_job(state, 2, "seed_2_score", 40.0)
    assert state.left() == 70.0
    assert state.share() == pytest.approx(76 / 146)
    assert state.count() == "3 of 6"
    assert state.stages == {"same"}


def test_a_slow_machine_slows_jobs_of_other_rules_and_of_unknown_length():
    state = Run({"score": 3, "other": 10, "new": 1}, defaultdict(lambda: 2.0, score=1.0, other=3.0), 2, Clock())
    for number in range(3):  # one at a time, on two cores
        run_job(state, number, "score", 9.0)
    assert state.left() == pytest.approx(10 * 3 * (3 + 27) / (3 + 3) + 2 * (2 + 27) / (2 + 3))


def test_a_running_job_counts_by_its_log_or_by_its_time(state, tmp_path):
    log = tmp_path / "logs/same/train/0.log"
    log.parent.mkdir(parents=True)
    state.begin(0, "train", {"chunk": 0}, [str(log)])
    state.clock.now += 30.0
    assert state.left() == 30 + 40
    assert state.running_lines() == ["same: train 0, 30 s"]
    log.write_text("08:00:00 training: 8 of 10 steps (75 %), 30 s, about 8 s left, 402 models/hour\n")
    assert state.left() == 10 + 40
    assert state.running_lines() == ["same: train 0, 30 s, 8 of 10 steps (75 %), 402 models/hour"]
    log.unlink()
    state.clock.now += 1e6 - 30
    assert state.left() == 40
    log.write_text(PROGRESS)
    job, line = state.finish(0)
    assert job.name == "same: train 0"
    assert line == "1 of 6  same: train 0, 12 days, 402 models/hour; about 40 s left"


def test_a_failed_job_is_no_longer_running(state):
    state.begin(3, "score", {"metric": "weat"}, ["results/logs/same/weat.log"])
    assert state.fail(3, "score", ["results/logs/same/weat.log"]) == "same: score weat"
    assert state.fail(9, "train", []) == "train"
    assert [name for name, _ in state.failed] == ["same: score weat", "train"]
    assert not state.running
    assert state.finish(3) is None
    assert state.done == 0
    state.begin(10, "score", {"metric": "weat"}, ["results/logs/same/weat.log"])  # Snakemake tries it again
    assert [name for name, _ in state.failed] == ["train"]


@pytest.mark.parametrize(
    ("planned", "cores", "expected"),
    [
        ({"score": 4}, 2, 20.0),
        ({"score": 4, "train": 1}, 4, 60.0),
        ({"seed_2_score": 1, "unknown": 3}, 1, 16.0),
        ({}, 2, 0.0),
    ],
)
def test_a_run_takes_its_jobs_over_its_cores_but_at_least_its_longest_job(planned, cores, expected):
    durations = defaultdict(lambda: 2.0, score=10.0, train=60.0)
    assert Run(planned, durations, cores).left() == pytest.approx(expected)


def test_durations_are_recorded_for_the_next_run(state, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shipped = run.read_durations()
    assert shipped["train_same"] > 10
    for number in (0, 1):
        state.begin(number, "score", {}, [])
        state.clock.now += 2.0 + number
        state.finish(number)
    state.record_durations()
    assert state.elapsed == 5.0
    assert run.read_durations() == shipped | {"score": 2.5, "train": 60.0, "all": 0.0}
    for damaged in ("", "[1]", json.dumps({"score": "x"})):
        run.RECORD.write_text(damaged)
        assert run.read_durations() == shipped


@pytest.mark.parametrize(("rows", "expected"), [("Yes.\nLater.\n", ["same: Yes."]), ("", [])])
def test_the_first_answer_of_a_study_is_shown(tmp_path, monkeypatch, rows, expected):
    monkeypatch.chdir(tmp_path)
    assert verdicts.lines({"same"}) == []
    (tmp_path / "results/same").mkdir(parents=True)
    (tmp_path / "results/same/findings.csv").write_text("sentence\n" + rows)
    assert verdicts.lines({"same"}) == [*expected, "Results in results/same/."]


def test_only_a_page_of_this_run_or_without_newer_answers_is_to_be_opened(tmp_path, monkeypatch):
    folder = tmp_path / "local/mine"
    for study in ("same", "intrinsic"):
        (folder / "results" / study).mkdir(parents=True)
        (folder / "results" / study / "findings.csv").touch()
    monkeypatch.chdir(folder)
    assert verdicts.lines({"same"}) == ["Results in results/intrinsic/, results/same/."]
    verdicts.PAGE.write_text('<a href="board/same.html">')
    assert verdicts.lines(start=tmp_path) == ["Open local/mine/results/index.html in a browser."]
    os.utime("results/intrinsic/findings.csv", (2**30, 2**30))  # the page is of a configuration without this study
    assert verdicts.lines(start=tmp_path) == ["Open local/mine/results/index.html in a browser."]
    os.utime("results/same/findings.csv", (2**31, 2**31))
    results, page = verdicts.lines(start=tmp_path)
    assert results == "Results in local/mine/results/same/."
    assert page.startswith("local/mine/results/index.html is of an earlier run; ")
    assert verdicts.lines(is_current=True) == ["Open results/index.html in a browser."]
