"""Plug-ins are found by name or path, and a file that cannot be imported is reported in a line."""

import re

import pytest

import biassay
from biassay.core import registry


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = 1\nimport nothing_of_the_kind\n", "mine.py, line 2: ModuleNotFoundError: No module named 'nothing_of"),
        ("def f():\n    return 1 / 0\n\n\nx = f()\n", "mine.py, line 2: ZeroDivisionError: division by zero"),
        ("def f(:\n", "mine.py: SyntaxError: invalid syntax (mine.py, line 1)"),
        ("(" * 5000, "mine.py: SyntaxError: too many nested parentheses (mine.py, line 1)"),
        ("\x00", "mine.py: "),
    ],
)
def test_a_users_file_that_cannot_be_imported_is_told_in_a_line(tmp_path, monkeypatch, text, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(text)
    for name in ("mine.py", str(tmp_path / "mine.py")):
        with pytest.raises(ValueError, match=re.escape(message)) as caught:
            registry.load("metrics", name)
        assert str(caught.value).startswith(name)
        assert "\n" not in str(caught.value)


def test_names_lead_to_no_file_outside_the_library(tmp_path, monkeypatch):
    library = tmp_path / "library"
    (library / "metrics").mkdir(parents=True)
    (tmp_path / "other.py").write_text("METRIC = None\n")
    (library / "metrics" / "mine.py").write_text("METRIC = None\n")
    monkeypatch.setattr(registry, "LIBRARY", library)
    assert registry.find_kind("mine") == "metrics"
    for name in ("../../other", str(tmp_path / "other"), "../metrics/mine", "_mine", "mine/", ".", "", "mine.PY"):
        assert registry.find_kind(name) is None
        with pytest.raises(ValueError, match=re.escape(repr(name))):
            registry.find("metrics", name)
        assert not hasattr(biassay, name)


def test_a_users_file_runs_once_until_it_changes(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text("X = [3]\n")
    module = registry.load("metrics", str(path))
    assert registry.load("embeddings", path) is module
    path.write_text("X = [3, 4]\n")
    assert registry.load("metrics", str(path)).X == [3, 4]
