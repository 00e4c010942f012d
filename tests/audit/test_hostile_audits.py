"""Hostile files, folders and texts: one error that names them, and no file of the user is lost."""

import os
import re
import shutil
from pathlib import Path

import pandas as pd
import pytest

from biassay import cli
from biassay.auditing import entry, result, terminal
from tests.audit.conftest import QUICK
from tests.audit.test_entry import OWN


@pytest.mark.parametrize("processes", [1, 2])
def test_a_metric_that_ends_its_process_is_told(files, tmp_path, processes):
    head = "def set_bias(targets, groups):"
    ends = "raise SystemExit" if processes == 1 else "import os; os._exit(0)"
    (tmp_path / "mine.py").write_text(OWN.replace(head, f"{head}\n    {ends}"))
    with pytest.raises(ValueError, match=r"mine\.py"):
        entry.audit(
            files[0], tests=[str(files[2])], metrics=["mac"], own_metrics=[tmp_path / "mine.py"],
            processes=processes, **QUICK,
        )  # fmt: skip


def whole(folder):
    """Every file of a folder by path; for links, their targets."""
    return {path: path.readlink() if path.is_symlink() else path.read_bytes() if path.is_file() else None
            for path in sorted(folder.rglob("*"))}  # fmt: skip


def damage(folder, outside):
    """Changes, by name, after which a folder does not hold exactly one audit."""
    machine = folder / "audit.json"
    return {
        "a file beside": lambda: (folder / "thesis.txt").write_text("years"),
        "a hidden file": lambda: (folder / ".git").write_text("years"),
        "a folder beside": lambda: (folder / "old").mkdir(),
        "a folder of the name of a table": lambda: ((folder / "words.csv").unlink(), (folder / "words.csv").mkdir()),
        "a link out of it": lambda: ((folder / "words.csv").unlink(), (folder / "words.csv").symlink_to(outside)),
        "a link that leads nowhere": lambda: (folder / "trust.csv").unlink() or (folder / "trust.csv").symlink_to("no"),
        "a linked audit.json": lambda: (machine.rename(outside), machine.symlink_to(outside)),
        "no audit.json": machine.unlink,
        "a mention of an audit": lambda: machine.write_text('{"note": "biassay audit", "format": 1}'),
        "another format": lambda: machine.write_text('{"is": "biassay audit", "format": "of mine"}'),
        "a list": lambda: machine.write_text('["is", "biassay audit"]'),
        "no JSON": lambda: machine.write_text("biassay audit"),
        "deep JSON": lambda: machine.write_text("[" * 100_000),
        "no text": lambda: machine.write_bytes(b"\xff\xfe biassay audit"),
    }


@pytest.mark.parametrize("change", damage(Path(), Path()))
def test_only_an_audit_is_replaced(joint_audit, tmp_path, change):
    joint_audit.write(tmp_path / "out")
    (tmp_path / "mine.csv").write_text("mine")
    damage(tmp_path / "out", tmp_path / "mine.csv")[change]()
    before = whole(tmp_path)
    with pytest.raises(ValueError, match="out: holds "):
        joint_audit.write(tmp_path / "out")
    assert whole(tmp_path) == before


def test_an_audit_of_another_version_is_replaced(joint_audit, tmp_path):
    joint_audit.write(tmp_path / "out")
    (tmp_path / "out/audit.json").write_text('{"is": "biassay audit", "format": 0}')
    (tmp_path / "out/words.csv").unlink()
    joint_audit.write(tmp_path / "out")
    assert (tmp_path / "out/words.csv").is_file()
    pd.testing.assert_frame_equal(result.read(tmp_path / "out").summary, joint_audit.summary)


HOSTILE = '<script>x</script>" onload="x\' [/] [bold]y \x1b[31m\x1b]0;z\x07 '


def hostile(joint_audit):
    """An audit with hostile texts, such as names of sources, tests, lists and words."""
    tables = {name: getattr(joint_audit, name).map(lambda cell: HOSTILE + cell if isinstance(cell, str) else cell)
              for name in result.TABLES}  # fmt: skip
    sources = [source | {"name": HOSTILE + source["name"], "source": HOSTILE} for source in joint_audit.sources]
    return result.Audit(**tables, sources=sources, settings=joint_audit.settings)


def test_texts_are_no_markup_at_the_terminal(joint_audit):
    output = terminal.text(hostile(joint_audit), 300)
    assert "[bold]y" in output
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", output)
    assert output.count("her nearer care") == terminal.text(joint_audit, 300).count("her nearer care")


def test_texts_are_no_markup_on_the_page(joint_audit, tmp_path):
    text = hostile(joint_audit).write(tmp_path / "out").read_text("utf-8")
    assert "<script" not in text
    assert not re.search(r"""\sonload=["']""", text)
    assert text.count("&lt;script&gt;") > 100
    assert len(result.read(tmp_path / "out").words) == len(joint_audit.words)


def test_an_audit_is_written_before_it_is_printed(files, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(terminal, "show", lambda audit, **options: print(1 / 0))
    path, _, test = map(str, files)
    with pytest.raises(ZeroDivisionError):
        cli.main(["audit", path, "--tests", test, "--metrics", "mac", "--out", str(tmp_path / "out"),
                  "--permutations", "19", "--resamples", "20", "--processes", "1"])  # fmt: skip
    assert len(result.read(tmp_path / "out").table) == 1
    assert capsys.readouterr().out == ""


def test_a_file_whose_name_is_no_text_is_audited(files, tmp_path):
    source = os.fsencode(tmp_path) + b"/v\xff.txt"
    shutil.copy(files[0], source)
    audit = entry.audit(os.fsdecode(source), tests=[str(files[2])], metrics=["mac"], **QUICK)
    assert "v?.txt" in audit.write(tmp_path / "out").read_text("utf-8")
    assert set(result.read(tmp_path / "out").table["source"]) == {"v?.txt"}
    assert "v?.txt" in str(audit)


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"is": "biassay audit", "format": 0}', '{"is": "x", "format": 1}'])
def test_what_is_no_audit_is_not_read(tmp_path, text):
    (tmp_path / "audit.json").write_text(text)
    with pytest.raises(ValueError, match=r"audit\.json"):
        result.read(tmp_path)
