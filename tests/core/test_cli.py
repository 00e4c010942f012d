"""The command line, and the page of options."""

import subprocess
import sys

import pytest

from biassay import cli
from biassay.core import registry


def test_it_lists_every_plug_in_with_what_it_is(capsys):
    assert cli.main(["list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    for kind in registry.KINDS:
        for name in registry.names(kind):
            about = next(line for line in lines if line.split()[0] == name)
            assert len(about.split()) > 4


def test_it_shows_a_metric(capsys):
    assert cli.main(["show", "weat"]) == 0
    output = capsys.readouterr().out
    for line in (
        "source: Caliskan et al. 2017; same-2021 eq 3–4; SEAT: May et al. 2019",
        "takes: vectors",
        "set level: -2 to 2 for two groups, 0 without bias, signed, needs labels; NaN if all associations s are equal",
        "  ddof            an integer from 0 to 1; default 0",
    ):
        assert line in output
    assert cli.main(["show", "gweat"]) == 0
    assert "set level: unbounded for two groups" in capsys.readouterr().out
    assert cli.main(["show", "weat_p_value"]) == 0
    assert "set level: 0 to 1 for two groups, no value" in capsys.readouterr().out
    assert cli.main(["show", "mac"]) == 0
    assert capsys.readouterr().out.endswith("options: none\n")


def test_it_shows_an_algorithm(capsys):
    assert cli.main(["show", "skipgram"]) == 0
    output = capsys.readouterr().out
    assert "trained on: tokens\n" in output
    assert "  sample          a number ≥ 0 and < 1; default 0.001\n" in output
    assert "  seed            an integer ≥ 0 and < 4294967296; default 1\n" in output


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (
            "from biassay import Level, Metric\nMETRIC = Metric('mine it is', 'me', word=Level(0, None))\n"
            "def word_bias(t, a, *, k: int | None = None): ...\n",
            ["mine it is", "word level: ≥ 0", "  k               an integer, or nothing; default nothing"],
        ),
        (
            '"""An algorithm of mine.\n\nMore."""\nINPUT = "counts"\ndef train(w, c, *, fast: bool = True): ...\n',
            ["An algorithm of mine\n", "trained on: counts", "  fast            true or false; default true"],
        ),
    ],
)
def test_it_shows_a_file_of_ones_own(tmp_path, capsys, text, lines):
    (tmp_path / "mine.py").write_text(text)
    assert cli.main(["show", str(tmp_path / "mine.py")]) == 0
    output = capsys.readouterr().out
    assert all(line in output for line in lines)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("weet", "biassay: unknown name 'weet' (did you mean 'weat'?); expected one of: aul, "),
        ("no/such.py", "biassay: [Errno 2] No such file or directory: 'no/such.py'"),
    ],
)
def test_what_is_not_there_is_told(capsys, name, message):
    assert cli.main(["show", name]) == 2
    assert capsys.readouterr().err.startswith(message)


def test_it_is_a_command():
    result = subprocess.run([sys.executable, "-m", "biassay.cli"], capture_output=True, text=True)
    assert result.returncode == 2
    assert "biassay: error: the following arguments are required: COMMAND" in result.stderr
