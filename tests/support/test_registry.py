"""Plug-ins, read without being run."""

from pathlib import Path

import pytest

from biassay.support import registry


def test_names_are_file_names():
    assert "skipgram" in registry.names("embeddings")
    assert "first_order" in registry.names("metrics")
    assert not any(name.startswith("_") for name in registry.names("metrics"))


def test_unknown_name_lists_the_choices_and_the_nearest():
    with pytest.raises(ValueError, match=r"'skipgramm' \(did you mean 'skipgram'\?\); choices: .*pmi, .*skipgram"):
        registry.find("embeddings", "skipgramm")


def test_a_users_file_is_a_plug_in(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text("INPUT = 'tokens'\ndef train(corpus, *, size=3, name='x'):\n    return size\n")
    assert registry.load("embeddings", str(path)).train(None) == 3
    assert registry.constant(path, "INPUT") == "tokens"


def test_sources_follow_imports():
    found = {Path(path).name for path in registry.sources(registry.LIBRARY / "metrics" / "second_order_cosine.py")}
    assert {"second_order_cosine.py", "geometry.py", "metric.py"} <= found
    assert "second_order_nnd.py" not in found


def behind(tmp_path, text):
    """Library files behind a file of one's own with that text."""
    (tmp_path / "mine.py").write_text(text)
    found = registry.sources(tmp_path / "mine.py")
    assert found.pop(found.index(str(tmp_path / "mine.py")))
    return {str(Path(path).relative_to(registry.LIBRARY)) for path in found}


def test_sources_look_behind_the_public_face(tmp_path):
    assert behind(tmp_path, "import numpy as np\n") == set()
    found = behind(tmp_path, "from biassay import Level, Metric\n")
    assert found == {"__init__.py", "measurement/metric.py", "support/options.py", "support/registry.py"}
    found = behind(tmp_path, "def f():\n    from biassay import weat as w, cosine\n")
    assert {"__init__.py", "metrics/weat.py", "numerics/geometry.py"} <= found
    assert "measurement/entry.py" not in found
    assert behind(tmp_path, "from biassay import pmi_svd\n") >= {"embeddings/pmi_svd.py", "counts/pmi.py"}
    everything = behind(tmp_path, "import biassay\nbiassay.measure\n")
    assert everything >= {"measurement/entry.py", "vectors/embedding.py", "words/resources.py"}
    assert behind(tmp_path, "import biassay.numerics.geometry\n") == {"numerics/geometry.py"}


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
        return {str(Path(path).relative_to(tmp_path)) for path in registry.sources(tmp_path / "mine.py")} - {"mine.py"}

    assert found("from biassay.room import leaf") == {"biassay/room/leaf.py"}
    assert found("from biassay.busy.other import y") == {
        "biassay/busy/__init__.py", "biassay/busy/other.py", "biassay/room/leaf.py"
    }  # fmt: skip
    assert found("from biassay import busy") == {
        "biassay/__init__.py", "biassay/busy/__init__.py", "biassay/room/leaf.py"
    }  # fmt: skip
