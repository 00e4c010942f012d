"""What runs of a small workflow show, in a file and on a terminal."""

import io
import os
import re
import subprocess
import sys
import time

import pytest

from biassay.console import screen
from tests.running import ROOT

SNAKEFILE = """
rule all:
    input: expand("results/same/scores/{metric}.csv", metric=["weat", "mac", "ect"]), "results/same/figure.svg"

rule score_same:
    output: "results/same/scores/{metric}.csv"
    log: "results/logs/same/scores/{metric}.log"
    script: "score.py"

rule plot_same:
    input: "list.txt"
    output: "results/same/figure.svg"
    log: "results/logs/same/figure.log"
    shell: "touch {output} && echo drawn > {log}"
"""
SCRIPT = """
import os
from biassay.core import logs

logs.start(snakemake.log[0])
logs.Progress("scoring", 7_200, "steps", seconds=0.0).add(3_600)
match os.path.isfile("broken") and snakemake.wildcards.metric:
    case "weat":
        raise ValueError("list.yaml: a bad word")
    case "mac":
        {}["x"]
    case "ect":
        os.kill(os.getpid(), 9)
open(snakemake.output[0], "w").close()
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "Snakefile").write_text(SNAKEFILE)
    (tmp_path / "list.txt").touch()
    (tmp_path / "score.py").write_text(SCRIPT)
    return tmp_path


def snakemake(folder, *arguments):
    command = [sys.executable, "-m", "snakemake", "--logger", "biassay", "--cores", "1", *arguments]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("BIASSAY")}
    environment |= {"PYTHONPATH": str(ROOT)}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)


def test_failures_have_the_end_of_their_logs_and_the_next_run_resumes(folder):
    (folder / "results/same").mkdir(parents=True)
    (folder / "results/index.html").touch()
    (folder / "results/same/findings.csv").write_text("sentence,test,n\nWEAT follows the ground truth.,,\n")
    (folder / "broken").touch()
    result = snakemake(folder, "--keep-going")
    assert result.returncode == 1
    failures = {text.split("\n")[0]: text for text in result.stderr.split("FAILED same: score_same ")[1:]}
    assert set(failures) == {"weat", "mac", "ect"}
    assert all(f"  log: results/logs/same/scores/{name}.log, last lines:\n" in failures[name] for name in failures)
    assert failures["weat"].count("Error: list.yaml: a bad word") == 1
    assert "Traceback" not in failures["weat"].split("jobs failed")[0]
    assert "KeyError: 'x'" in failures["mac"]
    assert "died with <Signals.SIGKILL: 9>." in failures["ect"]
    summary = result.stderr[result.stderr.index("3 jobs failed, 1 of 5 done:") :].splitlines()
    assert {line.split(": ")[-1] for line in summary[1:4]} == {f"results/logs/same/scores/{m}.log" for m in failures}
    assert summary[4] == "The same command resumes the run."

    (folder / "broken").unlink()
    result = snakemake(folder)
    assert result.returncode == 0
    lines = result.stderr.splitlines()
    assert re.fullmatch(r"4 jobs, about \d+ s on 1 core, by durations of the default configuration", lines[0])
    job = r"\d\d:\d\d:\d\d \d of 4  same: score_same \w+, \d+ s; about \d+ s left"
    assert [line for line in lines[1:4] if not re.fullmatch(job, line)] == []
    assert lines[6:] == ["same: WEAT follows the ground truth.", "Open results/index.html in a browser."]
    assert "\x1b" not in result.stderr

    (folder / "list.txt").write_text("she\n")
    assert "Changed: list.txt" in snakemake(folder, "-n").stdout.splitlines()


def test_a_dry_run_has_a_reason_per_job_and_their_number(folder):
    lines = [line for line in snakemake(folder, "-n").stdout.splitlines() if line]
    assert "score_same weat: Missing output files: results/same/scores/weat.csv" in lines
    assert any(re.fullmatch(r"score_same +3", line) for line in lines)
    assert lines[-1].startswith("About ")


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_without_a_cursor_there_are_plain_lines_and_a_sign_of_life(monkeypatch):
    monkeypatch.setenv("TERM", "dumb")
    monkeypatch.setattr(screen, "HEARTBEAT", 0.0)
    stream = Terminal()
    shown = screen.Screen(stream, lambda: (0.5, "half", ["same: train_same 0 [x], 3 min"]))
    shown.start()
    deadline = time.monotonic() + 20
    while "running" not in stream.getvalue() and time.monotonic() < deadline:
        time.sleep(0.05)
    shown.line("a [bold]line \x1b[31m" + "x" * 200)
    shown.close()
    life = r"\d\d:\d\d:\d\d running: same: train_same 0 \[x\], 3 min\n"
    assert re.fullmatch(rf"({life})+a \[bold\]line x{{200}}\n", stream.getvalue())


def test_a_terminal_has_a_bar_and_the_running_jobs(monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    stream = Terminal()
    shown = screen.Screen(stream, lambda: (0.5, "4 of 8 jobs", ["same: train_same 0 [x]\x07, 3 min"]), color=False)
    shown.start()
    shown.line("FAILED [bold]same \x1b[31m")
    shown.close()
    for text in ("FAILED [bold]same", "4 of 8 jobs", "same: train_same 0 [x], 3 min"):
        assert text in stream.getvalue()
    assert "\x1b[31m" not in stream.getvalue()
    assert "\x07" not in stream.getvalue()
