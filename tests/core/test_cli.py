"""The command line, and the page of options."""

import pytest

from biassay import cli
from biassay.core import registry


def run(capsys, *arguments):
    assert cli.main(list(arguments)) == 0
    return capsys.readouterr().out


def test_list_has_every_plug_in(capsys):
    lines = run(capsys, "list").splitlines()
    for kind in registry.KINDS:
        for name in registry.names(kind):
            summary = next(line for line in lines if line.split()[0] == name)
            assert len(summary.split()) > 4


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("weat", ["source: Caliskan et al. 2017", "takes: vectors\n", "set level: -2 to 2 for two groups, 0 without",
                  "needs labels; NaN if ", "  ddof            an integer from 0 to 1; default 0"]),
        ("gweat", ["set level: unbounded for two groups"]),
        ("weat_p_value", ["set level: 0 to 1 for two groups, no value"]),
        ("mac", ["options: none\n"]),
        ("skipgram", ["trained on: tokens\n", "  sample          a number ≥ 0 and < 1; default 0.001\n",
                      "  seed            an integer ≥ 0 and < 4294967296; default 1\n"]),
    ],
)  # fmt: skip
def test_show_describes_a_plug_in(capsys, name, parts):
    output = run(capsys, "show", name)
    assert [part for part in parts if part not in output] == []


@pytest.mark.parametrize(("text", "parts"), [
    ("from biassay import Level, Metric\nMETRIC = Metric('mine it is', 'me', word=Level(0, None))\n"
     "def word_bias(t, a, *, k: int | None = None): ...\n",
     ["mine it is", "word level: ≥ 0", "  k               an integer, or nothing; default nothing"]),
    ('"""An algorithm of mine.\n\nMore."""\nINPUT = "counts"\ndef train(w, c, *, fast: bool = True): ...\n',
     ["An algorithm of mine\n", "trained on: counts", "  fast            true or false; default true"]),
])  # fmt: skip
def test_show_describes_a_users_file(tmp_path, capsys, text, parts):
    (tmp_path / "mine.py").write_text(text)
    output = run(capsys, "show", str(tmp_path / "mine.py"))
    assert [part for part in parts if part not in output] == []


@pytest.mark.parametrize(("name", "message"), [
    ("weet", "biassay: unknown name 'weet' (did you mean 'weat'?); expected one of: aul, "),
    ("no/such.py", "biassay: [Errno 2] No such file or directory: 'no/such.py'"),
])  # fmt: skip
def test_errors_are_one_line(capsys, name, message):
    assert cli.main(["show", name]) == 2
    assert capsys.readouterr().err.startswith(message)


def test_a_command_is_required(capsys):
    with pytest.raises(SystemExit, match="2"):
        cli.main([])
