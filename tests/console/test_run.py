"""What is done and left of a run, by a clock of ours."""

import pytest

from biassay.console.run import Run


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def run():
    return Run({"train": 1, "score": 4, "all": 1}, {"train": 60.0, "score": 10.0, "all": 0.0}, 100.0, clock=Clock())


def test_before_anything_ends_the_forecast_is_left(run):
    assert run.left() == 100.0
    assert run.count() == "0 of 6"


def test_shares_go_by_seconds_not_by_jobs(run):
    for number in range(4):
        run.begin(number, "score", {"metric": number}, [f"results/logs/same/{number}.log"])
        run.end(number)
    assert run.share() == 0.4
    assert run.count() == "4 of 6"


def test_as_the_run_goes_on_its_own_speed_counts(run):
    run.begin(0, "score", {}, ["results/logs/same/a.log"])
    run.clock.now = 30.0
    run.end(0)  # a tenth, after 30 s, where 10 were foreseen
    assert run.left() == pytest.approx((0.6 * 100 + 0.4 * 300) * 0.9)
    for number in (1, 2):
        run.begin(number, "score", {}, ["results/logs/same/a.log"])
        run.clock.now += 30.0
        run.end(number)
    assert run.left() == pytest.approx(300 * 0.7)


def test_a_running_job_counts_by_its_log_else_by_its_time(run, tmp_path):
    log = tmp_path / "logs/same/train/0.log"
    log.parent.mkdir(parents=True)
    run.begin(0, "train", {"chunk": 0}, [str(log)])
    run.clock.now = 30.0
    assert run.share() == pytest.approx(0.3)
    assert run.running_lines() == ["same: train 0, 30 s"]
    log.write_text("08:00:00 training: 8 of 10 steps (80 %), 30 s, about 8 s left, 402 models/hour\n")
    assert run.share() == pytest.approx(0.48)
    assert run.running_lines() == ["same: train 0, 30 s, 8 of 10 steps (80 %), 402 models/hour"]
    run.clock.now = 1e6
    log.unlink()
    assert run.share() == pytest.approx(0.57)  # never wholly done before it has ended
    job = run.end(0)
    assert run.ended_line(job).startswith("1 of 6  same: train 0, 12 days; about ")


def test_a_line_of_a_training_has_its_models_an_hour(run, tmp_path):
    log = tmp_path / "logs/same/train/0.log"
    log.parent.mkdir(parents=True)
    log.write_text("08:00:00 training: 10 of 10 steps (100 %), 30 s, about 0 s left, 402 models/hour\n")
    run.begin(0, "train", {}, [str(log)])
    run.clock.now = 30.0
    assert "same: train, 30 s, 402 models/hour; about" in run.ended_line(run.end(0))


def test_a_failure_is_kept_and_no_longer_runs(run):
    run.begin(3, "score", {"metric": "weat"}, ["results/logs/same/weat.log"])
    assert run.fail(3, "score", ["results/logs/same/weat.log"]).name == "score weat"
    assert not run.running
    run.fail(9, "train", [])  # nobody saw it begin
    assert [job.name for job, _ in run.failed] == ["score weat", "train"]
    assert run.done == 0
    assert run.end(3) is None
