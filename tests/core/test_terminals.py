"""Output that is cut off, cannot be written or encoded, and data with control sequences of terminals."""

import io
import logging
import os
import re
import subprocess
import sys
import time

import pytest
from rich.table import Table
from rich.text import Text

from biassay.core import terminals
from tests.running import ROOT

HOSTILE = "[/] [bold]x[/bold] [link=a]y :smile: \x1b[31mred\x1b[2J\x1b]0;title\x07 \x9b5m\rover\x08\x00\x7f end"
PROGRAM = """
import sys
import time
from pathlib import Path
from biassay.core import terminals

with terminals.flushed_output():
    Path("out").write_text("written")
    for _ in range(5000):
        terminals.plain_console(width=80).print("café •")
    print("café •" * 50_000)
"""


def is_plain(text):
    return not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", text)


def test_control_characters_do_not_get_out():
    assert terminals.printable("a\tb\nc é 漢 \u200d") == "a\tb\nc é 漢 \u200d"
    assert terminals.printable("\x1b[1;31mred\x1b[0m\r\n\x1b]0;x\x07") == "red\n�]0;x�"
    assert is_plain(terminals.printable("".join(map(chr, range(256)))))


@pytest.mark.parametrize("shown", [str, Text, lambda text: Table(text, title=text, caption=text)])
def test_data_is_no_markup(shown):
    file = io.StringIO()
    terminals.plain_console(file=file, width=200, color_system=None).print(shown(HOSTILE))
    for part in ("[/]", "[bold]x[/bold]", "[link=a]y", ":smile:", "end"):
        assert part in file.getvalue()
    assert is_plain(file.getvalue())


@pytest.mark.parametrize(
    ("shell", "environment", "error"),
    [
        ("| head -c 10", {}, ""),
        (">&- 2>&-", {}, ""),
        ("> /dev/full", {}, "OSError"),
        ("", {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}, ""),
    ],
)
def test_output_that_is_not_read_or_cannot_be_encoded(tmp_path, shell, environment, error):
    (tmp_path / "program.py").write_text(PROGRAM)
    command = ["bash", "-o", "pipefail", "-c", f"{sys.executable} program.py {shell}"]
    given = os.environ | {"PYTHONPATH": str(ROOT)} | environment
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, env=given)
    assert (tmp_path / "out").read_text() == "written"
    assert (done.returncode == 0) == (error == "")
    assert error in done.stderr.split("\n")[-2:][0]
    assert "Exception ignored" not in done.stderr
    assert ("?" in done.stdout) == bool(environment)


def test_the_latest_message_is_shown_at_a_terminal_and_else_the_first(monkeypatch, capsys, caplog):
    log = logging.getLogger("biassay.progress")
    for is_terminal in (True, False):
        monkeypatch.setattr(sys.stderr, "isatty", lambda: is_terminal)  # noqa: B023
        monkeypatch.setenv("FORCE_COLOR", "1")  # as in a notebook
        with terminals.latest_message(log):
            log.info("1 of 10 texts")
            log.info("encoding with " + 10 * "a long address " + ": 5 of 10 \x1b]0;title\x07texts")
            time.sleep(0.3 if is_terminal else 0.0)
        shown = capsys.readouterr().err
        assert ("long address : 5 of 10 " in shown, "encoding with" in shown) == (is_terminal, False)
        assert not caplog.records  # no other logger prints it again
        assert is_terminal or shown == "1 of 10 texts\n"
        assert not log.handlers
