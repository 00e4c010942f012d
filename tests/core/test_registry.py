"""Plug-ins, read without being run."""

import re

import pytest

import biassay
from biassay.core import python_files, registry


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = 1\nimport nothing_of_the_kind\n", "mine.py, line 2: ModuleNotFoundError: No module named 'nothing_of"),
        ("def f():\n    return 1 / 0\n\n\nx = f()\n", "mine.py, line 2: ZeroDivisionError: division by zero"),
        ("def f(:\n", "mine.py, line 1: not a Python file: invalid syntax"),
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


def test_declarations_are_read_without_running_the_file(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text("raise SystemExit\nX: int = 3\nY: str\nM = f(1, a=2, b=g(c=(1, None)), d=-n, e=[])\na.b = f()\n")
    assert python_files.read_constants(path) == {"X": 3}
    assert python_files.read_keywords(path, "M") == {"0": 1, "a": 2, "b": {"c": (1, None)}, "d": None, "e": []}
    for name, message in (("X", "X: expected a call, got 3"), ("Y", "lacks the constant Y")):
        with pytest.raises(ValueError, match=rf"mine\.py: {message}"):
            python_files.find_call(path, name)
    path.write_text("X = 4\n\n")  # another state of the file
    assert python_files.read_constant(path, "X") == 4
