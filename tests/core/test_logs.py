"""Errors of scripts: messages, logs and files left behind."""

import re
import subprocess
import sys

import pytest

HEAD = "import resource, signal\nfrom biassay.core import logs\nlogs.start('log.txt')\n"
START = "from biassay.core import logs\nlogs.start('results/logs/same/train/0.log')"
FULL = "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\nresource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))\n"


def said(folder, code):
    """Standard error of a script that failed, and its log."""
    result = subprocess.run([sys.executable, "-c", HEAD + code], cwd=folder, capture_output=True, text=True)
    assert result.returncode == 1
    return result.stderr, (folder / "log.txt").read_text()


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("raise ValueError('list.yaml: female is empty')", "Error: list.yaml: female is empty"),
        ("open('no/file')", "Error: no/file: No such file or directory"),
        ("open('.')", "Error: .: Is a directory"),
    ],
)
def test_a_users_error_is_one_line_and_its_traceback_is_in_the_log(tmp_path, code, message):
    shown, log = said(tmp_path, code)
    assert shown.count(message) == 1
    assert "Traceback" not in shown
    assert "Traceback" in log
    assert message in log


@pytest.mark.parametrize("kind", ["ValueError", "KeyError"])
def test_passwords_of_addresses_are_in_no_log(tmp_path, kind):
    url = "https://me:secret@host/x"
    code = f"try:\n    logs.logging.info('%s', {url!r})\n    int({url!r})\nexcept ValueError as error:\n"
    shown, log = said(tmp_path, code + f"    raise {kind}({url!r}) from error")
    assert shown.count("https://***@host/x") >= 2
    assert log.count("https://***@host/x") >= 3
    assert "secret" not in shown + log.replace(code, "")


def test_under_the_quiet_console_errors_are_in_the_log_and_nowhere_else(tmp_path, monkeypatch):
    monkeypatch.setenv("BIASSAY_QUIET", "1")
    for code, message in (
        ("raise ValueError('list.yaml: bad')", "Error: list.yaml: bad"),
        ("{}['x']", "KeyError: 'x'"),
    ):
        shown, log = said(tmp_path, code)
        assert not shown
        assert message in log
        assert "Traceback" in log


def test_under_the_quiet_console_what_does_not_get_into_the_log_is_said(tmp_path, monkeypatch):
    monkeypatch.setenv("BIASSAY_QUIET", "1")
    gone = "import os; os.rename('log.txt', 'old.txt'); "
    for code, message in (
        ("raise ValueError('list.yaml: bad')", "Error: list.yaml: bad"),
        ("{}['x']", "KeyError: 'x'"),
    ):
        result = subprocess.run(
            [sys.executable, "-c", HEAD + gone + code], cwd=tmp_path, capture_output=True, text=True
        )
        assert result.stderr.splitlines() == [message]


def test_lines_on_standard_error_name_their_job(tmp_path):
    code = f"import logging\n{START}\nlogging.info('x')"
    result = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert result.stderr[8:] == " same/train/0: x\n"
    line, last = (tmp_path / "results/logs/same/train/0.log").read_text().splitlines()
    assert line[8:] == " x"
    assert re.fullmatch(r"Took \d+\.\d s of processor time and at most \d+ MB", last)


@pytest.mark.parametrize(("code", "reason"), [
    ("import numpy as np\nnp.ones(10**10)", r"\(Unable to allocate 74.5 GiB .*\)"),
    ("import torch\ntorch.ones(10**10)", r"\(.*can't allocate memory.*\)"),
    ("raise MemoryError", r"\(MemoryError\)"),
])  # fmt: skip
def test_out_of_memory_is_one_line(tmp_path, code, reason):
    if "torch" in code:
        pytest.importorskip("torch")
    limit = "import resource\nresource.setrlimit(resource.RLIMIT_AS, (4 * 10**9, 4 * 10**9))"
    found = subprocess.run(
        [sys.executable, "-c", f"{START}\n{limit}\n{code}"], cwd=tmp_path, capture_output=True, text=True
    )
    assert re.fullmatch(
        rf"\S+ same/train/0: Error: out of memory: the job used [\d,]+ MB and could not allocate more {reason}\n",
        found.stderr,
    )
    assert "Traceback" in (tmp_path / "results/logs/same/train/0.log").read_text()


def test_a_log_ends_with_what_the_job_took(tmp_path):
    code = f"{START}\nimport numpy as np\nx = np.ones(40_000_000)\ndel x\nfor i in range(10**7): pass"
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True, capture_output=True)
    last = (tmp_path / "results/logs/same/train/0.log").read_text().splitlines()[-1]
    seconds, memory = map(float, re.search(r"Took (\S+) s of processor time and at most (\d+) MB", last).groups())
    assert 0.1 < seconds < 30
    assert 320 < memory < 500


def test_a_log_of_a_job_that_failed_ends_with_its_error(tmp_path):
    subprocess.run([sys.executable, "-c", f"{START}\nraise ValueError('no')"], cwd=tmp_path, capture_output=True)
    assert (tmp_path / "results/logs/same/train/0.log").read_text().endswith("ValueError: no\n")


def test_a_long_work_logs_at_most_a_line_a_hundredth(caplog, monkeypatch):
    from biassay.core import logs

    times = iter([0.0, *range(10, 20_010, 10)])
    monkeypatch.setattr(logs.time, "monotonic", lambda: next(times))
    caplog.set_level("INFO")
    progress = logs.Progress("training", 2_000, "steps")
    for _ in range(2_000):
        progress.add(1)
    assert 300 < len(caplog.records) < 420  # 100 in the first 1,000 s, then log 20 / log 1.01
    assert caplog.records[-1].getMessage() == "training: 1,999 of 2,000 steps (100 %), 5 h 33 min, about 10 s left"


def test_our_own_error_shows_its_traceback(tmp_path):
    shown, _ = said(tmp_path, "{}['x']")
    assert "Uncaught exception" in shown
    assert "KeyError: 'x'" in shown


@pytest.mark.parametrize(
    "code",
    [
        "import numpy as np\nnp.save('x.npy', np.zeros(10_000))",
        "open('x.txt', 'w').write('x' * 30_000)",
        "import pandas as pd\npd.DataFrame({'x': range(10_000)}).to_csv('x.csv')",
    ],
)
def test_a_full_disk_is_told_with_the_room_that_is_left(tmp_path, code):
    shown, _ = said(tmp_path, FULL + code)
    assert "Error: results could not be written (" in shown
    assert f"the disk of {tmp_path} has " in shown
    assert "Traceback" not in shown


def test_progress_counts_what_is_left(tmp_path, caplog, monkeypatch):
    from biassay.core import logs

    times = iter([0.0, 2.0, 10.0, 11.0])
    monkeypatch.setattr(logs.time, "monotonic", lambda: next(times))
    caplog.set_level("INFO")
    progress = logs.Progress("counting", 4_000, "words")
    for _ in range(3):
        progress.add(1_000, "fine")
    assert [record.getMessage() for record in caplog.records] == [
        "counting: 2,000 of 4,000 words (50 %), 10 s, about 10 s left, fine"
    ]
