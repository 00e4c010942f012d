"""`biassay audit` and `biassay metrics` at the command line."""

from importlib.metadata import version

import pytest

from biassay import cli
from biassay.auditing import command, questions, terminal

QUICK = ["--permutations", "39", "--resamples", "20", "--threads", "1"]


def test_an_audit_is_written_and_then_printed(files, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path, _, test = map(str, files)
    line = ["audit", path, "--tests", test, "--metrics", "weat", "--rank-by", "weat", "--full", *QUICK]
    with monkeypatch.context() as patched:
        patched.setattr(terminal, "show", lambda audit, **options: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            cli.main(line)
    assert (tmp_path / "audit-vectors.txt/metrics.csv").is_file()
    assert capsys.readouterr().out == ""
    assert cli.main(line) == 0
    output = capsys.readouterr().out
    assert "vectors.txt: 332 words, 12 dimensions" in output
    assert "by weat:" in output
    assert output.endswith("page: audit-vectors.txt/index.html\n")


@pytest.mark.parametrize(("arguments", "message"), [
    ([], "--lists"),
    (["no.txt"], "no.txt: "),
    (["FILE", "--groups", "gender/small"], "--groups and --targets"),
    (["FILE", "--scored", "targets"], "--scored needs --groups"),
    (["FILE", "--own-metric", "no.py"], "metrics: there is no file 'no.py'"),
    (["FILE", "--out", "full"], "full: holds thesis"),
    (["FILE"], "has none of the"),
])  # fmt: skip
def test_wrong_input_is_one_line_and_leaves_nothing(files, tmp_path, capsys, monkeypatch, arguments, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "full").mkdir()
    (tmp_path / "full/thesis").write_text("x")
    assert cli.main(["audit", *(str(files[0]) if part == "FILE" else part for part in arguments)]) == 2
    output = capsys.readouterr()
    assert output.err.startswith("biassay: ")
    assert message in output.err
    assert output.err.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["full"]


def test_pickles_only_when_told(tmp_path, capsys, monkeypatch):
    from tests.vectors.test_readers import keyed

    monkeypatch.chdir(tmp_path)
    keyed().save(str(tmp_path / "v.kv"))
    assert cli.main(["audit", "v.kv"]) == 2
    assert "pickle" in capsys.readouterr().err
    assert cli.main(["audit", "v.kv", "--allow-pickle"]) == 2
    assert "no test can be run; for example" in capsys.readouterr().err


def test_lists_are_named(capsys):
    assert cli.main(["audit", "--lists"]) == 0
    output = capsys.readouterr().out
    for name in questions.shipped_tests():
        assert f"  {name}" in output
    assert "  gender*  " in output
    assert "published " in output
    assert len(list(command.list_tests())) > 30


def test_the_version_is_that_of_the_package(capsys):
    with pytest.raises(SystemExit) as stopped:
        cli.main(["--version"])
    assert (stopped.value.code, capsys.readouterr().out) == (0, f"biassay {version('biassay')}\n")
