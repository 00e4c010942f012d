"""What a user's files and folders can do to an audit: one error that names them, and nothing of theirs is lost."""

from pathlib import Path

import pandas as pd
import pytest

from biassay.auditing import entry, result
from tests.audit.conftest import QUICK
from tests.audit.test_entry import OWN


@pytest.mark.bad_input("a metric of one's own", "one error; file and line are named, and no input is changed")
@pytest.mark.parametrize("processes", [1, 2])
def test_a_metric_that_ends_its_process_is_told(files, tmp_path, processes):
    head = "def set_bias(targets, attributes):"
    ends = "raise SystemExit" if processes == 1 else "import os; os._exit(0)"
    (tmp_path / "mine.py").write_text(OWN.replace(head, f"{head}\n    {ends}"))
    with pytest.raises(ValueError, match=r"mine\.py"):
        entry.audit(
            files[0], tests=[str(files[2])], metrics=["mac"], own_metrics=[tmp_path / "mine.py"],
            processes=processes, **QUICK,
        )  # fmt: skip


def whole(folder):
    """By path every file of a folder, links by where they lead."""
    return {path: path.readlink() if path.is_symlink() else path.read_bytes() if path.is_file() else None
            for path in sorted(folder.rglob("*"))}  # fmt: skip


def damage(folder, outside):
    """By name a change that leaves no audit, or more than one, in a folder that holds one."""
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


@pytest.mark.bad_input("folders for an audit", "refused; the folder and what it holds are named, nothing is touched")
@pytest.mark.parametrize("change", damage(Path(), Path()))
def test_only_an_audit_is_replaced(found, tmp_path, change):
    found.write(tmp_path / "out")
    (tmp_path / "mine.csv").write_text("mine")
    damage(tmp_path / "out", tmp_path / "mine.csv")[change]()
    before = whole(tmp_path)
    with pytest.raises(ValueError, match="out: holds something else"):
        found.write(tmp_path / "out")
    assert whole(tmp_path) == before


def test_an_audit_of_another_version_is_replaced(found, tmp_path):
    found.write(tmp_path / "out")
    (tmp_path / "out/audit.json").write_text('{"is": "biassay audit", "format": 0}')
    (tmp_path / "out/words.csv").unlink()
    found.write(tmp_path / "out")
    assert (tmp_path / "out/words.csv").is_file()
    pd.testing.assert_frame_equal(result.read(tmp_path / "out").summary, found.summary)
