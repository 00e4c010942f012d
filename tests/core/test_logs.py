"""Errors of scripts: messages, logs and files left behind; progress."""

import re
import subprocess
import sys

import pytest

from biassay.core import logs

HEAD = "import logging, resource, signal\nfrom biassay.core import logs\nlogs.start('results/logs/same/train/0.log')\n"
FULL = "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\nresource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))\n"
MEMORY = "resource.setrlimit(resource.RLIMIT_AS, (4 * 10**9, 4 * 10**9))\n"


def run(folder, code, status=1):
    """Run a script; return its standard error and its log."""
    result = subprocess.run([sys.executable, "-c", HEAD + code], cwd=folder, capture_output=True, text=True)
    assert result.returncode == status
    log = folder / "results/logs/same/train/0.log"
    return result.stderr, log.read_text() if log.exists() else ""


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("open('no/file')", "no/file: No such file or directory"),
        (f"{MEMORY}import numpy as np\nnp.ones(10**10)", r"out of memory: the job used [\d,]+ MB .*Unable .* 74.5 GiB"),
        ('raise RuntimeError("CPUAllocator: can\'t allocate memory")', "out of memory: the job .*CPUAllocator"),
        (f"{FULL}import numpy as np\nnp.save('x.npy', np.zeros(10_000))", r"results could not be written .* MB free"),
        (f"{FULL}open('x.txt', 'w').write('x' * 30_000)", r"results could not be written .* MB free"),
    ],
)
def test_a_users_error_is_one_line_and_its_traceback_is_in_the_log(tmp_path, code, message):
    shown, log = run(tmp_path, code)
    assert re.fullmatch(rf"\d\d:\d\d:\d\d same/train/0: Error: {message}.*\n", shown)
    assert FULL in code or ("Traceback" in log and re.search(f"Error: {message}", log))


@pytest.mark.parametrize("kind", ["ValueError", "KeyError"])
def test_passwords_of_addresses_are_in_no_log(tmp_path, kind):
    url = "https://me:secret@host/x"
    code = f"try:\n    logging.info('%s', {url!r})\n    int({url!r})\nexcept ValueError as error:\n"
    shown, log = run(tmp_path, code + f"    raise {kind}({url!r}) from error")
    assert shown.count("https://***@host/x") >= 2
    assert log.count("https://***@host/x") >= 3
    assert "secret" not in shown + log.replace(code, "")
    assert ("Uncaught exception" in shown) == (kind == "KeyError")  # ours, with a traceback


@pytest.mark.parametrize(
    ("code", "message"),
    [("raise ValueError('list.yaml: bad')", "Error: list.yaml: bad"), ("{}['x']", "KeyError: 'x'")],
)
def test_under_the_quiet_console_errors_are_in_the_log_or_else_shown(tmp_path, monkeypatch, code, message):
    monkeypatch.setenv("BIASSAY_QUIET", "1")
    shown, log = run(tmp_path, code)
    assert not shown
    assert message in log
    assert "Traceback" in log
    shown, _ = run(tmp_path, "import os; os.rename('results', 'old')\n" + code)
    assert shown.splitlines() == [message]


def test_lines_name_their_job_and_a_log_ends_with_what_it_took(tmp_path):
    work = "import numpy as np\nx = np.ones(40_000_000)\ndel x"
    shown, log = run(tmp_path, f"logging.info('x')\n{work}", status=0)
    assert shown[8:] == " same/train/0: x\n"
    line, last = log.splitlines()
    assert line[8:] == " x"
    seconds, memory = map(float, re.fullmatch(r"Took (\S+) s of processor time and at most (\d+) MB", last).groups())
    assert 0.1 < seconds < 30
    assert 320 < memory < 500


def test_progress_is_logged_with_the_time_left_at_most_once_per_hundredth(caplog, monkeypatch):
    times = iter([0.0, *range(10, 20_010, 10)])
    monkeypatch.setattr(logs.time, "monotonic", lambda: next(times))
    caplog.set_level("INFO")
    progress = logs.Progress("training", 2_000, "steps")
    for _ in range(2_000):
        progress.add(1, lambda: "fine")
    lines = [record.getMessage() for record in caplog.records]
    assert 300 < len(lines) < 420  # 100 in the first 1,000 s, then log 20 / log 1.01
    assert lines[99] == "training: 100 of 2,000 steps (5 %), 17 min, about 5 h 17 min left, fine"
    assert lines[-1] == "training: 1,999 of 2,000 steps (100 %), 5 h 33 min, about 10 s left, fine"
