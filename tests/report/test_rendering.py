"""Pages from templates: what is escaped, what is missing, and numbers as tables show them."""

import pytest
from jinja2 import UndefinedError
from markupsafe import Markup

from biassay.report import rendering


def test_the_context_is_escaped_except_for_markup():
    text = rendering.render_page("base.html", {"title": '<script>&"'})
    assert "<title>&lt;script&gt;&amp;&#34;</title>" in text
    assert "<title><b></title>" in rendering.render_page("base.html", {"title": Markup("<b>")})


def test_a_missing_name_is_an_error_and_nothing_is_written(tmp_path):
    path = tmp_path / "page.html"
    with pytest.raises(UndefinedError, match="'title' is undefined"):
        rendering.write_page(path, "base.html", {})
    assert not path.exists()


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
