"""Digests of the code that a script runs."""

import pytest

from biassay.core import code, registry
from tests.running import ROOT

TEXT = '''"""A summary."""

from biassay.statistics import geometry

LEVELS = (1, 2)


class A:
    """A class."""


async def f(x, *, y=f"{LEVELS!r:>3}"):
    """Another summary."""
    return geometry.unit(x), y
'''


@pytest.fixture(autouse=True)
def cached(tmp_path, monkeypatch):
    """An empty cache."""
    monkeypatch.setattr(code, "CACHE", tmp_path / "cache.json")
    for function in (code.compute_digest, code._read, code._known_files):
        function.cache_clear()


def digest(folder, text):
    (folder / "mine.py").write_text(text, "utf-8")
    code.compute_digest.cache_clear()
    code._read.cache_clear()
    return code.compute_digest(folder / "mine.py")


@pytest.mark.parametrize(("old", "new"), [
    ('"""A summary."""', '"""Other."""'),
    ('"""A summary."""\n', ""),
    ('    """A class."""', '    """Another."""'),
    ('"""Another summary."""', "# nothing"),
    ("LEVELS = (1, 2)", "LEVELS = (  # two\n    1, 2,\n)"),
    ("return geometry.unit(x), y", "return (geometry.unit(x), y)"),
])  # fmt: skip
def test_comments_docstrings_and_layout_change_no_digest(tmp_path, old, new):
    assert old in TEXT
    assert digest(tmp_path, TEXT) == digest(tmp_path, TEXT.replace(old, new)) != digest(tmp_path, "")


@pytest.mark.parametrize(("old", "new"), [
    ("(1, 2)", "(1, 3)"),
    ("f(x", "g(x"),
    ("!r", "!s"),
    ("unit(x), y", "unit(x), x"),
    ("import geometry", "import correlation as geometry"),
    ("*, y", "y"),
])  # fmt: skip
def test_any_other_change_gives_another_digest(tmp_path, old, new):
    assert old in TEXT
    assert digest(tmp_path, TEXT) != digest(tmp_path, TEXT.replace(old, new))


@pytest.mark.parametrize(("text", "expected", "unexpected"), [
    ("from biassay.measurement import metric", "measurement/metric", "auditing/entry"),
    ("from biassay.statistics.geometry import unit", "statistics/geometry", "words/files"),
    ("import biassay.vectors.debias", "statistics/directions", "auditing/entry"),  # which it imports
    ("def f():\n    from biassay import hard_debias", "vectors/debias", "auditing/entry"),
    ("from biassay import weat", "metrics/weat", "metrics/ect"),
    ("import numpy", None, "statistics/geometry"),
])  # fmt: skip
def test_a_digest_includes_the_modules_that_are_imported(tmp_path, text, expected, unexpected):
    (tmp_path / "mine.py").write_text(text)
    sources = code.find_sources(tmp_path / "mine.py")
    assert tmp_path / "mine.py" in sources
    assert expected is None or registry.LIBRARY / f"{expected}.py" in sources
    assert registry.LIBRARY / f"{unexpected}.py" not in sources


def test_an_imported_module_changes_the_digest(tmp_path, monkeypatch):
    before = digest(tmp_path, TEXT)
    changed = tmp_path / "geometry.py"
    changed.write_text((registry.LIBRARY / "statistics/geometry.py").read_text() + "\nCHANGED = 1\n")
    file_of = code._file
    monkeypatch.setattr(code, "_file", lambda name: changed if name == "biassay.statistics.geometry" else file_of(name))
    assert digest(tmp_path, TEXT) != before


@pytest.mark.parametrize("content", [None, "", "{"])
def test_a_cache_only_saves_time(tmp_path, content):
    before = code.compute_digest(ROOT / "scripts/same/plan.py")
    code._save(code._known_files())
    assert code.CACHE.stat().st_size > 1000
    if content is not None:
        code.CACHE.write_text(content)
    for function in (code.compute_digest, code._read, code._known_files):
        function.cache_clear()
    assert code.compute_digest(ROOT / "scripts/same/plan.py") == before


def test_a_file_that_is_not_python_is_named(tmp_path):
    with pytest.raises(ValueError, match=r"mine\.py, line 1: not a Python file"):
        digest(tmp_path, "def f(:\n")


@pytest.mark.parametrize(("path", "names"), [
    ("scripts/same/answer.py", ["answer.html"]),
    ("scripts/same/tabulate.py", []),
    ("biassay/studies/silhouette/findings.py", ["findings.txt", "sentences.txt"]),  # which it imports
])  # fmt: skip
def test_templates_belong_to_the_code_that_names_them(path, names):
    assert [template.name for template in code._find_templates(ROOT / path)] == names


def test_a_changed_template_changes_the_digest(tmp_path):
    (tmp_path / "templates").mkdir()
    digests = set()
    for template in ("one", "two"):
        (tmp_path / "templates/page.html").write_text(template)
        code._find_templates.cache_clear()
        digests.add(digest(tmp_path, 'NAME = "page.html"\n'))
    assert len(digests) == 2
