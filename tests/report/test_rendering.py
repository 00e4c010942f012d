"""Pages from templates: what is escaped, what is missing, and numbers as tables show them."""

import re
import subprocess
from datetime import date
from importlib.metadata import version

import pytest
from jinja2 import UndefinedError

from biassay.report import rendering


def test_a_missing_name_is_an_error_and_nothing_is_written(tmp_path):
    path = tmp_path / "page.html"
    with pytest.raises(UndefinedError, match="'title' is undefined"):
        rendering.write_page(path, "base.html", {})
    assert not path.exists()


def test_a_page_names_version_commit_and_date_and_links_to_the_docs(tmp_path, monkeypatch):
    rendering.write_page(tmp_path / "page.html", "base.html", {"title": "A page"})
    text = (tmp_path / "page.html").read_text("utf-8")
    command = ["git", "-C", rendering.CHECKOUT, "rev-parse", "HEAD"]
    commit = subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()
    for fact in (f"biassay {version('biassay')}", str(date.today()), f"commit {commit[:7]}" if commit else ""):
        assert fact in text
    assert (tmp_path / re.search(r'href="([^"]+)">Documentation', text)[1]).is_file()
    monkeypatch.setattr(rendering, "CHECKOUT", tmp_path)  # as where the library is installed
    rendering.describe_software.cache_clear()
    rendering.write_page(tmp_path / "page.html", "base.html", {"title": "A page"})
    rendering.describe_software.cache_clear()
    text = (tmp_path / "page.html").read_text("utf-8")
    assert "commit" not in text
    assert "Documentation" not in text


def test_templates_format_numbers_and_draw_tables(tmp_path, monkeypatch):
    package = tmp_path / "answers"
    (package / "templates").mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "templates/answer.html").write_text(
        '{% from "tables.html" import table %}{{ table(["metric", "<r>"], rows) }}{{ share | percent }}'
    )
    (package / "templates/findings.txt").write_text(
        "{% macro lead(p) %}{{ 'weat' | label }} < all ({{ p | p_value }}){% endmacro %}"
    )
    monkeypatch.syspath_prepend(tmp_path)
    context = {"rows": [["weat", "0.5"]], "share": 0.25}
    page = rendering.render_page("answer.html", context, package="answers")
    assert "&lt;r&gt;" in page
    assert '<th scope="row">weat</th><td>0.5</td>' in page
    assert page.endswith("25 %")
    assert rendering.load_macros("findings.txt", package="answers").lead(0.012) == "WEAT < all (p = 0.012)"
