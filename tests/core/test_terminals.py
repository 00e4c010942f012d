"""Output that is cut off, cannot be written or encoded, and data with control sequences of terminals."""

import io
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from rich.table import Table
from rich.text import Text

from biassay.console import screen
from biassay.core import terminals
from tests.running import ROOT

HOSTILE = "[/] [bold]x[/bold] [link=a]y :smile: \x1b[31mred\x1b[2J\x1b]0;title\x07 \x9b5m\rover\x08\x00\x7f end"
PROGRAM = """
import sys
from biassay import cli
from biassay.auditing import command

def run(given):
    from pathlib import Path
    Path(given.out).write_text("written")
    from biassay.core import terminals
    if given.full:
        for _ in range(5000):
            terminals.plain_console(width=80).print("café •")
    print("café •" * 50_000)

command.run = run
sys.exit(cli.main())
"""


def is_plain(text):
    return not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", text)


def test_control_characters_do_not_get_out():
    assert terminals.printable("a\tb\nc é 漢 \u200d") == "a\tb\nc é 漢 \u200d"
    assert terminals.printable("\x1b[1;31mred\x1b[0m\r\n\x1b]0;x\x07") == "red\n�]0;x�"
    assert is_plain(terminals.printable("".join(map(chr, range(256)))))


@pytest.mark.parametrize("shown", [lambda text: text, Text, lambda text: table(text)], ids=["str", "Text", "Table"])
def test_data_is_no_markup(shown):
    file = io.StringIO()
    terminals.plain_console(file=file, width=200, color_system=None).print(shown(HOSTILE))
    said = file.getvalue()
    for part in ("[/]", "[bold]x[/bold]", "[link=a]y", ":smile:", "end"):
        assert part in said
    assert is_plain(said)


def table(text):
    found = Table(title=text, caption=text)
    found.add_column(text)
    found.add_row(text)
    return found


class Tty(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize("terminal", [False, True])
def test_the_console_shows_jobs_as_they_are_called(monkeypatch, terminal):
    monkeypatch.setenv("TERM", "xterm")
    out = Tty() if terminal else io.StringIO()
    shown = screen.Screen(out, lambda: (0.5, HOSTILE, [HOSTILE]), color=False)
    if terminal:
        shown.start()
    shown.line(HOSTILE)
    shown.close()
    said = out.getvalue()
    assert "[bold]x[/bold]" in said
    assert ":smile:" in said
    for sequence in ("\x1b[31m", "\x1b[2J", "\x1b]0", "\x07", "\x9b", "\x08"):
        assert sequence not in said


def ran(tmp_path, shell, *options, **environment):
    (tmp_path / "program.py").write_text(PROGRAM)
    line = f"{sys.executable} program.py audit --out out {' '.join(options)} x {shell}"
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", line], cwd=tmp_path, capture_output=True, text=True, check=False,
        env=os.environ | {"PYTHONPATH": str(ROOT)} | environment,
    )  # fmt: skip
    assert Path(tmp_path / "out").read_text() == "written"
    return done


@pytest.mark.parametrize("options", [[], ["--full"]])
@pytest.mark.parametrize(("shell", "status"), [("| head -c 10", 0), (">&-", 0), (">&- 2>&-", 0), ("> /dev/full", 2)])
def test_output_that_is_not_read(tmp_path, shell, status, options):
    done = ran(tmp_path, shell, *options)
    assert done.returncode == status
    assert done.stderr.count("\n") == (1 if status else 0), done.stderr


@pytest.mark.parametrize("environment", [{"PYTHONIOENCODING": "ascii"}, {"PYTHONIOENCODING": "latin-1"},
    {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}])  # fmt: skip
def test_what_cannot_be_encoded_is_replaced(tmp_path, environment):
    done = ran(tmp_path, "| iconv -f latin1 -t utf8 | tail -c 6", **environment)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("?\n")
