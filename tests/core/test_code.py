"""Digests of the code that a script runs."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from biassay.core import code, registry

TEXT = '''"""What it is."""

from biassay.statistics import geometry

LEVELS = (1, 2)


class A:
    """A class."""


def f(x, *, y=f"{LEVELS!r:>3}"):
    """What it does."""

    def inner():
        """No more."""

    return geometry.unit(x), y
'''


def of(tmp_path, text):
    (tmp_path / "mine.py").write_text(text, "utf-8")
    return code.compute_digest(tmp_path / "mine.py")


@pytest.mark.parametrize(("old", "new"), [
    ('"""What it is."""', '"""Other."""'),
    ('"""What it is."""\n', ""),
    ('    """A class."""', '    """Another."""'),
    ('    """A class."""', "    ..."),
    ('"""What it does."""', "# nothing"),
    ("LEVELS = (1, 2)", "LEVELS = (  # two\n    1, 2,\n)"),
    ("return geometry.unit(x), y", "return (geometry.unit(x), y)"),
])  # fmt: skip
def test_comments_docstrings_and_layout_change_no_digest(tmp_path, old, new):
    assert of(tmp_path, TEXT) == of(tmp_path, TEXT.replace(old, new)) != of(tmp_path, "")


@pytest.mark.parametrize(("old", "new"), [
    ("(1, 2)", "(1, 3)"),
    ("(1, 2)", "[1, 2]"),
    ("(1, 2)", "(1, '')"),
    ("f(x", "g(x"),
    ("!r", "!s"),
    (">3", ">4"),
    ("unit(x), y", "unit(x), x"),
    ("unit(x)", "unit(x, )[0]"),
    ("class A", "class B"),
    ("import geometry", "import statistics"),
    ("*, y", "y"),
])  # fmt: skip
def test_any_other_change_gives_another_digest(tmp_path, old, new):
    assert old in TEXT
    assert of(tmp_path, TEXT) != of(tmp_path, TEXT.replace(old, new))


def test_the_digest_is_of_all_files_that_are_imported_and_of_their_names(tmp_path, monkeypatch):
    before = of(tmp_path, "from biassay.statistics import geometry\n")
    library, script = tmp_path / "moved/biassay", tmp_path / "moved/mine.py"
    shutil.copytree(registry.LIBRARY / "numerics", library / "numerics")
    shutil.copy(tmp_path / "mine.py", script)
    monkeypatch.setattr(registry, "LIBRARY", library)
    assert code.compute_digest(script) == before
    changed = library / "numerics/geometry.py"
    changed.write_text(changed.read_text("utf-8") + "\n# a comment\n")
    assert code.compute_digest(script) == before
    changed.write_text(changed.read_text("utf-8") + "\nMORE = 1\n")
    assert code.compute_digest(script) != before
    before = code.compute_digest(script)
    assert code.compute_digest(script.rename(tmp_path / "moved/yours.py")) != before


def test_a_digest_leaves_the_tree_as_it_was(tmp_path):
    of(tmp_path, TEXT)
    tree = code.options.parse(tmp_path / "mine.py")
    assert code.ast.get_docstring(tree) == "What it is."
    assert code.ast.get_docstring(tree.body[-1]) == "What it does."


def test_the_digest_is_the_same_for_every_python(tmp_path):
    """The value is from Python 3.11.7, 3.12.1 and 3.13.0: jobs do not run again after a change of Python."""
    assert (
        of(tmp_path, TEXT.replace("from biassay.statistics import geometry", "import json as geometry"))
        == "703bed540359deb7"
    )


def test_sources_follow_imports():
    found = {Path(path).name for path in code.find_sources(registry.LIBRARY / "metrics" / "second_order_cosine.py")}
    assert {"second_order_cosine.py", "geometry.py", "metric.py"} <= found
    assert "second_order_nnd.py" not in found


def behind(tmp_path, text):
    """Return the library files behind a file with this text."""
    (tmp_path / "mine.py").write_text(text)
    found = code.find_sources(tmp_path / "mine.py")
    assert found.pop(found.index(str(tmp_path / "mine.py")))
    return {str(Path(path).relative_to(registry.LIBRARY)) for path in found}


def test_sources_look_behind_the_public_face(tmp_path):
    assert behind(tmp_path, "import numpy as np\n") == set()
    found = behind(tmp_path, "from biassay import Level, Metric\n")
    of_metrics = {"measurement/metric.py", "numerics/growth.py", "support/options.py", "support/registry.py"}
    assert found == {"__init__.py", *of_metrics}
    found = behind(tmp_path, "def f():\n    from biassay import weat as w, cosine\n")
    assert {"__init__.py", "metrics/weat.py", "numerics/geometry.py"} <= found
    assert "measurement/entry.py" not in found
    assert behind(tmp_path, "from biassay import pmi_svd\n") >= {"embeddings/pmi_svd.py", "counts/pmi.py"}
    everything = behind(tmp_path, "import biassay\nbiassay.measure\n")
    assert everything >= {"measurement/entry.py", "vectors/embedding.py", "words/resources.py"}
    assert behind(tmp_path, "import biassay.statistics.folds\n") == {"numerics/folds.py"}


def test_sources_look_behind_a_package_that_does_something(tmp_path, monkeypatch):
    library = tmp_path / "biassay"
    files = {
        "__init__.py": "PUBLIC = {}",
        "room/__init__.py": '"""Only words."""',
        "room/leaf.py": "",
        "busy/__init__.py": "from biassay.room.leaf import x",
        "busy/other.py": "from biassay.busy import x",
    }
    for name, text in files.items():
        (library / name).parent.mkdir(parents=True, exist_ok=True)
        (library / name).write_text(text)
    monkeypatch.setattr(registry, "LIBRARY", library)

    def found(text):
        (tmp_path / "mine.py").write_text(text)
        return {str(Path(path).relative_to(tmp_path)) for path in code.find_sources(tmp_path / "mine.py")} - {"mine.py"}

    assert found("from biassay.room import leaf") == {"biassay/room/leaf.py"}
    assert found("from biassay.busy.other import y") == {
        "biassay/busy/__init__.py", "biassay/busy/other.py", "biassay/room/leaf.py"
    }  # fmt: skip
    assert found("from biassay import busy") == {
        "biassay/__init__.py", "biassay/busy/__init__.py", "biassay/room/leaf.py"
    }  # fmt: skip


def test_digests_are_remembered_by_content(tmp_path):
    """In another process, because one process reads a file once; invalid files are ignored."""
    (tmp_path / "mine.py").write_text(TEXT, "utf-8")
    run = (
        "from biassay.core import code\ncode.load_cache('cache/code.json', save={})\n"
        "nodes, read = code._find_nodes, []\ncode._find_nodes = lambda tree: read.append(tree) or nodes(tree)\n"
        "print(code.compute_digest('mine.py'), len(read))"
    )
    cache = tmp_path / "cache/code.json"

    def found(save=True):
        command = [sys.executable, "-c", run.format(save)]
        said = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True).stdout.split()
        return said[0], int(said[1])

    digest, files = found(save=False)
    assert files > 1
    assert not cache.exists()
    assert found() == (digest, files)
    assert found() == (digest, 0)
    for damaged in ("[]", "{", '{"version": "other"}'):
        cache.write_text(damaged)
        assert found() == (digest, files)
    whole = json.loads(cache.read_text("utf-8"))
    for damaged in (5, ["x"], ["x", [["a"]]], ["x", 5]):
        cache.write_text(json.dumps(whole | {max(whole.keys() - {"version"}): damaged}))
        assert found() == (digest, files)
    (tmp_path / "mine.py").write_text(TEXT.replace("LEVELS = (1, 2)", "LEVELS = (1, 3)"), "utf-8")
    changed, read = found()
    assert changed != digest
    assert read == 1
