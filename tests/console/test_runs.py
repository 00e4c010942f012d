"""What a run says, by real runs of a small workflow."""

import re

import pytest

from tests.console import workflow

LINE = r"\d\d:\d\d:\d\d \d of 4  "
LEFT = r", \d+ s; about \d+ s left"


def lines(text):
    return [line for line in text.splitlines() if line]


def test_a_line_a_job_then_verdicts_and_the_page(tmp_path):
    workflow.make(tmp_path)
    (tmp_path / "results/same").mkdir(parents=True)
    (tmp_path / "results/same/findings.csv").write_text(
        "result,sentence,test,n\nfigures/words,A title.,,\n,WEAT follows the ground truth.,Spearman,18 "
        "models\n,Second.,,\n"
    )
    (tmp_path / "results/index.html").write_text("")
    done = workflow.run(tmp_path)
    assert done.returncode == 0, done.stderr
    said = lines(done.stderr)
    assert re.fullmatch(r"4 jobs, about \d+ s", said[0])
    for line, name in zip(said[1:3], ("weat", "mac"), strict=True):
        assert re.fullmatch(rf"{LINE}same: score_same (weat|mac){LEFT}", line), name
    assert re.fullmatch(rf"{LINE}same: plot_same{LEFT}", said[3])
    assert re.fullmatch(LINE.replace(r"\d of 4", "4 of 4") + "all, 0 s", said[4])
    assert re.fullmatch(r"All 4 jobs done in \d+ s\.", said[5])
    assert said[6:] == ["same: WEAT follows the ground truth.", "Open results/index.html in a browser."]
    assert "\x1b" not in done.stderr
    assert "\r" not in done.stderr
    log = (tmp_path / "results/logs/same/scores/weat.log").read_text()
    assert "scoring: 3,600 of 7,200 steps (50 %), 0 s, about 0 s left, loss 2, 417 models/hour" in log
    again = workflow.run(tmp_path)
    assert lines(again.stderr)[0].startswith("Nothing to be done")
    assert lines(again.stderr)[1:] == said[6:]


def test_a_failure_names_its_job_and_log_and_shows_the_error_once(tmp_path):
    workflow.make(tmp_path, "raise ValueError(f'{snakemake.wildcards.metric}: a bad word')")
    done = workflow.run(tmp_path)
    assert done.returncode == 1
    said = done.stderr
    name = re.search(r"FAILED same: score_same (\w+)\n", said)[1]
    log = f"results/logs/same/scores/{name}.log"
    assert f"  log: {log}, last lines:\n" in said
    assert said.count(f"Error: {name}: a bad word") == 1
    assert "Traceback" not in said
    assert "Traceback" in (tmp_path / log).read_text()
    assert said.rstrip().endswith(
        f"1 job failed, 0 of 4 done:\n  score_same {name}: {log}\nThe same command resumes the run."
    )


def test_our_own_error_shows_its_traceback(tmp_path):
    workflow.make(tmp_path, "{}['x']")
    said = workflow.run(tmp_path).stderr
    assert "Uncaught exception" in said
    assert said.count("KeyError: 'x'") == 1


def test_all_failures_are_named_at_the_end(tmp_path):
    workflow.make(tmp_path, "raise ValueError('a bad word')")
    said = workflow.run(tmp_path, "--keep-going").stderr
    end = said[said.index("2 jobs failed, 0 of 4 done:") :]
    assert {"score_same weat", "score_same mac"} == set(re.findall(r"^  (.*):", end, re.MULTILINE))


@pytest.mark.fault("SIGKILL of a job", "the console names the job, its log, and that it was killed")
def test_a_job_that_is_killed_says_how_it_ended(tmp_path):
    workflow.make(tmp_path, "import os; os.kill(os.getpid(), 9)")
    said = workflow.run(tmp_path).stderr
    assert re.search(r"FAILED same: score_same \w+\n  log: .*, last lines:\n.*3,600 of 7,200 steps", said)
    assert re.search(r"^  Command '.*' died with <Signals.SIGKILL: 9>\.$", said, re.MULTILINE)
    assert "RuleException" not in said


def test_an_error_before_the_log_begins_is_shown(tmp_path):
    workflow.make(tmp_path)
    (tmp_path / "score.py").write_text("import no_such_module\n")
    said = workflow.run(tmp_path).stderr
    assert said.count("ModuleNotFoundError: No module named 'no_such_module'") == 1
    assert " (empty or missing)" in said


def test_a_dry_run_says_each_job_why_and_what_it_would_take(tmp_path):
    workflow.make(tmp_path)
    done = workflow.run(tmp_path, "-n")
    said = lines(done.stdout)
    assert "score_same weat: Missing output files: results/same/scores/weat.csv" in said
    assert (
        len([line for line in said if line.startswith(("score_same ", "plot_same:", "all:"))]) == 5
    )  # one of the table
    assert re.search(r"^score_same +2$", done.stdout, re.MULTILINE)
    assert said[-2].startswith("Forecast: about ")
    assert not (tmp_path / "results").exists()


def test_verbose_is_what_snakemake_says_and_lines_of_jobs_name_them(tmp_path):
    workflow.make(tmp_path)
    said = workflow.run(tmp_path, "--verbose").stderr
    for text in ("rule score_same:", "    reason: Missing output files", "Job stats:", "4 of 4 steps (100%) done"):
        assert text in said
    assert "Selected jobs" not in said
    assert re.search(r"^\d\d:\d\d:\d\d same/scores/weat: scoring: 3,600 of 7,200 steps", said, re.MULTILINE)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--lint"], "Lints for rule score_same"),
        (["--dag"], "digraph snakemake_dag"),
        (["--unlock"], "Unlocked working directory."),
        (["nowhere.csv"], "MissingRuleException"),
        (["--quiet", "rules", "-n"], "score_same"),
    ],
)
def test_what_else_snakemake_does_it_says_as_ever(tmp_path, arguments, expected):
    workflow.make(tmp_path)
    done = workflow.run(tmp_path, *arguments)
    assert expected in done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    assert "Building DAG" not in done.stdout + done.stderr


def test_a_report_is_made(tmp_path):
    workflow.make(tmp_path)
    assert workflow.run(tmp_path).returncode == 0
    done = workflow.run(tmp_path, "--report", "report.html")
    assert done.returncode == 0, done.stderr
    assert done.stderr == "Creating report...\nReport created.\n"
    assert (tmp_path / "report.html").is_file()
