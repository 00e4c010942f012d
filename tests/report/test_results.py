"""Which files are results of what the rules declare, and what their captions say."""

from pathlib import Path

import pytest
from docutils.utils import SystemMessage
from jinja2 import UndefinedError

from biassay.report import results


@pytest.fixture
def caption(tmp_path):
    path = tmp_path / "caption.rst"
    path.write_text("Of *words*.")
    return str(path)


def find(files, path, caption, title="A title"):
    return results.find_results(files, [{"path": path, "title": title, "caption": caption}])


def test_a_result_is_told_by_its_path(caption):
    (found,) = find(["results/same/tables/words.csv"], "results/same/tables/words.csv", caption)
    assert found == results.Result(
        Path("results/same/tables/words.csv"), "same", "tables/words", "table", "A title", found.caption, {}
    )
    assert found.caption == "<p>Of <em>words</em>.</p>\n"


@pytest.mark.parametrize(("name", "kind"), [("a.svg", "figure"), ("a.csv", "table"), ("a.html", "page")])
def test_kinds(caption, name, kind):
    assert find([f"results/same/{name}"], f"results/same/{name}", caption)[0].kind == kind


def test_an_unknown_kind_is_refused_with_the_choices(caption):
    with pytest.raises(
        ValueError, match=r"results/same/a\.json: pages cannot show .*; expected one of: \.svg, \.csv, \.html"
    ):
        find(["results/same/a.json"], "results/same/a.json", caption)


def test_wildcards_are_filled_into_title_and_caption(tmp_path):
    (tmp_path / "a.rst").write_text("Of ``{{ snakemake.wildcards.corpus }}``, {{ snakemake.wildcards.of }}.")
    files = ["results/same/big/x.csv", "results/same/big/more/x.csv", "results/same/small/y.csv"]
    found = find(files, "results/same/{corpus}/{of}.csv", str(tmp_path / "a.rst"), "What {of} is, in {corpus}")
    assert [result.wildcards for result in found] == [{"corpus": "big", "of": "x"}, {"corpus": "small", "of": "y"}]
    assert [result.title for result in found] == ["What x is, in big", "What y is, in small"]
    assert [result.name for result in found] == ["big/x", "small/y"]
    assert '<span class="docutils literal">small</span>, y.' in found[1].caption


def test_a_wildcard_that_returns_stands_for_the_same(caption):
    files = ["results/same/a/a_words.csv", "results/same/a/b_words.csv"]
    found = find(files, "results/same/{corpus}/{corpus}_words.csv", caption)
    assert [str(result.file) for result in found] == files[:1]


def test_a_path_may_stand_deeper(caption):
    files = [
        "results/seeds/2/same/a.csv",
        "results/same/a.csv",
        "/elsewhere/results/same/a.csv",
        "results/notsame/a.csv",
    ]
    found = find(files, "results/same/a.csv", caption)
    assert [str(result.file) for result in found] == files[:3]
    assert {(result.study, result.name) for result in found} == {("same", "a")}


def test_dots_stand_for_themselves(caption):
    assert find(["results/same/axcsv", "results/same/a.csv.old"], "results/same/a.csv", caption) == []


def test_results_are_in_the_order_of_the_declarations_then_of_the_files(caption):
    declared = [
        {"path": f"results/same/{name}.csv", "title": name, "caption": caption} for name in ("b", "a", "{of}_1")
    ]
    files = [f"results/same/{name}.csv" for name in ("d_1", "a", "c_1", "b", "other")]
    assert [result.name for result in results.find_results(files, declared)] == ["b", "a", "d_1", "c_1"]


def test_no_caption_is_read_of_a_result_that_is_not_there():
    assert find([], "results/same/a.csv", "no/such.rst") == []


def test_a_caption_is_escaped_and_includes_nothing(tmp_path):
    found = results.render_caption("a < b & {{ snakemake.wildcards.x }}", {"x": "<script>"})
    assert "a &lt; b &amp; &lt;script&gt;" in found
    (tmp_path / "secret.txt").write_text("a secret")
    for text in (f".. include:: {tmp_path / 'secret.txt'}", ".. raw:: html\n\n   <script>"):
        try:
            found = results.render_caption(text, {})
        except SystemMessage:
            continue
        assert "a secret" not in found
        assert "<script>" not in found


def test_a_caption_of_a_wildcard_that_there_is_not_is_an_error():
    with pytest.raises(UndefinedError, match="corpus"):
        results.render_caption("{{ snakemake.wildcards.corpus }}", {"pair": "a"})


def test_a_caption_that_is_no_restructured_text_is_an_error():
    with pytest.raises(SystemMessage, match="Unknown interpreted text role"):
        results.render_caption(":nonsense:`a`", {})


ROOT = Path(__file__).parent.parent.parent


@pytest.mark.parametrize("path", sorted((ROOT / "report").glob("*/*.rst")), ids=lambda path: "/".join(path.parts[-2:]))
def test_every_caption_of_the_project_is_html(path):
    names = {"corpus": "biased", "pair": "planted", "model": "m", "table": "t", "metric": "weat", "bias": "gender"}
    found = results.render_caption(path.read_text("utf-8"), names)
    assert found.startswith("<p>")
    assert "<main" not in found  # which a page has already
