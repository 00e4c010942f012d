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


def forget():
    for function in (code.compute_digest, code._read, code._known_files, code._find_templates):
        function.cache_clear()


@pytest.fixture(autouse=True)
def cached(tmp_path, monkeypatch):
    """An empty cache."""
    monkeypatch.setattr(code, "CACHE", tmp_path / "cache.json")
    forget()


def digest(folder, text):
    (folder / "mine.py").write_text(text, "utf-8")
    forget()
    return code.compute_digest(folder / "mine.py")


@pytest.mark.parametrize(
    ("old", "new", "is_same"),
    [
        ('"""A summary."""\n', "", True),
        ('    """A class."""', '    """Another."""', True),
        ('"""Another summary."""', "# nothing", True),
        ("LEVELS = (1, 2)", "LEVELS = (  # two\n    1, 2,\n)", True),
        ("(1, 2)", "(1, 3)", False),
        ("import geometry", "import correlation as geometry", False),
    ],
)
def test_comments_docstrings_and_layout_change_no_digest_and_all_else_does(tmp_path, old, new, is_same):
    assert old in TEXT
    assert (digest(tmp_path, TEXT) == digest(tmp_path, TEXT.replace(old, new))) == is_same


@pytest.mark.parametrize(
    ("text", "expected", "unexpected"),
    [
        ("from biassay.measurement import metric", "measurement/metric", "auditing/entry"),
        ("from biassay.statistics.geometry import unit", "statistics/geometry", "words/files"),
        ("import biassay.vectors.debias", "statistics/directions", "auditing/entry"),  # which it imports
        ("def f():\n    from biassay import hard_debias", "vectors/debias", "auditing/entry"),
        ("from biassay import weat", "metrics/weat", "metrics/ect"),
        ("import biassay\nvalue = biassay.weat.word_bias", "metrics/weat", "metrics/ect"),
    ],
)
def test_a_digest_includes_the_modules_that_are_imported(tmp_path, text, expected, unexpected):
    (tmp_path / "mine.py").write_text(text)
    sources = code.find_sources(tmp_path / "mine.py")
    assert {tmp_path / "mine.py", registry.LIBRARY / f"{expected}.py"} <= sources
    assert registry.LIBRARY / f"{unexpected}.py" not in sources


@pytest.mark.parametrize(
    ("script", "metrics"),
    [("silhouette/measure.py", ["weat_p_value"]), ("published/tabulate.py", ["weat", "weat_p_value", "direct_bias"])],
)
def test_a_digest_includes_metrics_that_no_option_names(script, metrics):
    assert {registry.LIBRARY / f"metrics/{name}.py" for name in metrics} <= code.find_sources(ROOT / "scripts" / script)


def test_an_imported_module_changes_the_digest(tmp_path, monkeypatch):
    before = digest(tmp_path, TEXT)
    changed = tmp_path / "geometry.py"
    changed.write_text((registry.LIBRARY / "statistics/geometry.py").read_text() + "\nCHANGED = 1\n")
    file_of = code._file
    monkeypatch.setattr(code, "_file", lambda name: changed if name == "biassay.statistics.geometry" else file_of(name))
    assert digest(tmp_path, TEXT) != before


@pytest.mark.parametrize("content", [None, "{"])
def test_a_cache_only_saves_time(content):
    before = code.compute_digest(ROOT / "scripts/same/plan.py")
    code._save(code._known_files())
    assert code.CACHE.stat().st_size > 1000
    if content is not None:
        code.CACHE.write_text(content)
    forget()
    assert code.compute_digest(ROOT / "scripts/same/plan.py") == before


@pytest.mark.parametrize(
    ("path", "names"),
    [
        ("scripts/same/tabulate.py", set()),
        ("biassay/studies/silhouette/findings.py", {"findings.txt", "sentences.txt"}),  # which it imports
        ("biassay/auditing/page.py", {"audit.html", "base.html", "style.css"}),
        ("biassay/auditing/exports.py", {"model_card.md"}),
    ],
)
def test_templates_belong_to_the_code_that_names_them(path, names):
    assert {template.name for template in code._find_templates(ROOT / path)} == names


def test_a_changed_template_changes_the_digest(tmp_path):
    (tmp_path / "templates").mkdir()
    digests = set()
    for template in ("one", "two"):
        (tmp_path / "templates/page.html").write_text(template)
        digests.add(digest(tmp_path, 'NAME = "page.html"\n'))
    assert len(digests) == 2
