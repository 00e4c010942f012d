"""Where lines go: to pipes as they are, to terminals above lines that stay up to date."""

import io
import re
import time

import pytest

from biassay.console import screen, verdicts


class Tty(io.StringIO):
    def isatty(self):
        return True


def test_a_pipe_gets_plain_lines_and_now_and_then_what_runs(monkeypatch):
    monkeypatch.setattr(screen, "HEARTBEAT", 0.0)
    out = io.StringIO()
    plain = screen.choose(out, lambda: ["same: train_same 0, 3 min"], lambda: (0.5, "half"))
    assert isinstance(plain, screen.Plain)
    plain._wait = 0.0
    plain.start()
    deadline = time.monotonic() + 20
    while "running" not in out.getvalue() and time.monotonic() < deadline:
        time.sleep(0.05)
    plain.close()
    plain.line("the end")
    assert re.search(r"^\d\d:\d\d:\d\d running: same: train_same 0, 3 min$", out.getvalue(), re.MULTILINE)
    assert out.getvalue().endswith("the end\n")


@pytest.mark.parametrize("name", ["", "dumb"])
def test_a_terminal_without_a_cursor_gets_plain_lines(monkeypatch, name):
    monkeypatch.setenv("TERM", name)
    assert isinstance(screen.choose(Tty(), list, lambda: (0.0, "")), screen.Plain)


def test_a_terminal_gets_a_bar_and_the_jobs_that_run(monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    out = Tty()
    shown = screen.choose(out, lambda: ["same: train_same 0 [x], 3 min"], lambda: (0.5, "4 of 8 jobs"), color=False)
    assert isinstance(shown, screen.Terminal)
    shown.start()
    shown.line("FAILED [bold]same")
    shown.close()
    assert "FAILED [bold]same" in out.getvalue()
    assert "4 of 8 jobs" in out.getvalue()
    assert "same: train_same 0 [x], 3 min" in out.getvalue()


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        ("result,sentence,test,n\nfigures/a,No.,t,3\n,Yes.,t,3 words\n,Later.,,\n", "Yes."),
        ("result,sentence,test,n\n,Yes.,,\n", "Yes."),
        ("result,sentence,test,n\nfigures/a,No.,t,3\n", ""),
        ("result\n\n", ""),
        ("", ""),
    ],
)
def test_a_headline_is_the_first_verdict(tmp_path, table, expected):
    (tmp_path / "findings.csv").write_text(table)
    assert verdicts.headline(tmp_path / "findings.csv") == expected


def test_no_table_no_headline(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert verdicts.lines(["same"]) == []
