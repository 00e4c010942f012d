"""Hostile folders and texts: one error that names them, and no file of the user is lost."""

import re
from dataclasses import replace

import pandas as pd
import pytest

from biassay.auditing import result, terminal

HOSTILE = '<script>x</script>" onload="x\' [/] [bold]y \x1b[31m\x1b]0;z\x07 '


def whole(folder):
    """Every file of a folder by path; for links, their targets."""
    return {path: path.readlink() if path.is_symlink() else path.read_bytes() if path.is_file() else None
            for path in sorted(folder.rglob("*"))}  # fmt: skip


def test_only_an_audit_is_replaced(joint_audit, tmp_path):
    outside = tmp_path / "mine.csv"
    outside.write_text("mine")
    with pytest.raises(ValueError, match=r"mine\.csv: expected a folder"):
        joint_audit.write(outside)
    joint_audit.write(tmp_path / "out")
    (tmp_path / "out/words.csv").unlink()
    (tmp_path / "out/words.csv").symlink_to(outside)
    joint_audit.write(tmp_path / "out")  # the link is replaced, not the file that it leads to
    assert outside.read_text() == "mine"
    for change in ((tmp_path / "out/audit.json").unlink, lambda: (tmp_path / "out/.git").write_text("years")):
        change()
        before = whole(tmp_path)
        with pytest.raises(ValueError, match="out: holds "):
            joint_audit.write(tmp_path / "out")
        assert whole(tmp_path) == before


def test_an_audit_of_another_version_is_replaced(joint_audit, tmp_path):
    joint_audit.write(tmp_path / "out")
    (tmp_path / "out/audit.json").write_text('{"is": "biassay audit", "format": 0}')
    (tmp_path / "out/words.csv").unlink()
    with pytest.raises(ValueError, match=r"audit\.json"):
        result.read(tmp_path / "out")
    joint_audit.write(tmp_path / "out")
    pd.testing.assert_frame_equal(result.read(tmp_path / "out").summary, joint_audit.summary)


def test_texts_are_no_markup(joint_audit, tmp_path):
    tables = {name: getattr(joint_audit, name).map(lambda cell: HOSTILE + cell if isinstance(cell, str) else cell)
              for name in result.TABLES}  # fmt: skip
    hostile_keys = dict.fromkeys(("source", "address", "encoder"), HOSTILE)
    sources = [source | hostile_keys | {"name": HOSTILE + source["name"]} for source in joint_audit.sources]
    hostile = replace(joint_audit, **tables, sources=sources)
    screen = terminal.render(hostile, 300)
    assert "[bold]y" in screen
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", screen)
    assert "her nearer care" in " ".join(screen.split())
    text = hostile.write(tmp_path / "out").read_text("utf-8")
    assert "<script" not in text
    assert not re.search(r"""\sonload=["']""", text)
    assert text.count("&lt;script&gt;") > 100
    card, _, command = (tmp_path / "out/model_card.md").read_text().partition("```sh\n")
    assert command.count("\n") == 2
    assert not re.search(r"(?<!\\)<script|(?<!\\)\[/|[\x00-\x08\x0b-\x1f\x7f-\x9f]", card)
    assert len(result.read(tmp_path / "out").words) == len(joint_audit.words)
