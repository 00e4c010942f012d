"""The command line: plug-ins, described."""

import re
import subprocess
import sys

import numpy as np
import pytest

from biassay import cli
from biassay.core import registry

METRIC = """from biassay import Level, Metric
METRIC = Metric('mine it is', 'me', word=Level(0, None))
def word_bias(t, a, *, k: int | None = None): ...
"""
ALGORITHM = '"""An algorithm of mine.\n\nMore."""\nINPUT = "counts"\ndef train(w, c, *, fast: bool = True): ...\n'


def run(capsys, *arguments):
    assert cli.main(list(arguments)) == 0
    return capsys.readouterr().out


def test_list_has_every_plug_in(capsys):
    lines = {line.split()[0]: line for line in run(capsys, "list").splitlines()}
    for kind in registry.KINDS:
        assert all(len(lines[name].split()) > 4 for name in registry.names(kind))


def test_list_needs_no_extra_and_imports_none():
    code = "import sys; from biassay import cli; cli.main(['list']); print({'gensim', 'numba'} & {*sys.modules})"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.endswith("\nset()\n")


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("weat", ["source: Caliskan et al. 2017", "takes: vectors\n", "set level: −2 … 2; no bias 0; signed"]),
        ("weat", ["needs labels; NaN if ", "  ddof            an integer from 0 to 1; default 0"]),
        ("weat_p_value", ["set level: 0 … 1; no value means no bias"]),
        ("mac", ["options: none\n"]),
        ("skipgram", ["trained on: tokens\n", "  sample          a number ≥ 0 and < 1; default 0.001\n"]),
        (METRIC, ["mine it is", "word level: ≥ 0", "  k               an integer, or nothing; default nothing"]),
        (ALGORITHM, ["An algorithm of mine\n", "trained on: counts", "  fast            true or false; default true"]),
    ],
)
def test_show_describes_a_plug_in(tmp_path, capsys, name, parts):
    if "\n" in name:  # a user's file
        (tmp_path / "mine.py").write_text(name)
        name = str(tmp_path / "mine.py")
    output = run(capsys, "show", name)
    assert [part for part in parts if part not in output] == []


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("weet", "biassay: unknown name 'weet' (did you mean 'weat'?); expected one of: aul, "),
        ("no/such.py", "biassay: metrics: there is no file 'no/such.py'"),
    ],
)
def test_errors_are_one_line(capsys, name, message):
    assert cli.main(["show", name]) == 2
    assert capsys.readouterr().err.startswith(message)


def test_too_little_memory_is_one_line(monkeypatch, capsys):
    monkeypatch.setattr(cli, "describe", lambda name: np.empty(1 << 56))
    assert cli.main(["show", "weat"]) == 2
    assert re.fullmatch(r"biassay: Unable to allocate .*fewer --permutations.*\n", capsys.readouterr().err)


def test_a_command_without_its_packages_names_them_and_the_extra(monkeypatch, capsys, tmp_path):
    monkeypatch.setitem(sys.modules, "rich.console", None)
    monkeypatch.delitem(sys.modules, "biassay.auditing.terminal", raising=False)
    (tmp_path / "v.txt").write_text("she 1 2\nhe 3 4\n")
    assert cli.main(["audit", str(tmp_path / "v.txt")]) == 2
    assert "rich" in (error := capsys.readouterr().err)
    assert error.endswith("pip install 'biassay[audit]'\n")
