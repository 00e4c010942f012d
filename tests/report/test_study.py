"""The page of a study: sentences by result, figures in sections, tables, charts and where files are."""

import base64
import gzip
import json
from pathlib import Path

import pytest
from markupsafe import Markup

from biassay.core.redaction import Address
from biassay.report import charts, rendering, study
from biassay.report.results import Result
from biassay.report.study import Finding
from tests.markup import Page

QUESTIONS = {"first_order": "Does it count?", "same": "How biased?"}
SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><path id="a" d="M 0 0"/><use href="#a"/></svg>'


def unpacked(text):
    return gzip.decompress(base64.b64decode(text)).decode("utf-8")


def test_facts_are_test_and_n():
    assert Finding("It is.", "a test", "3 models").facts == "a test · n = 3 models"
    assert Finding("It is.", "", "3 models").facts == "n = 3 models"
    assert Finding("It is.", "a test", "").facts == "a test"
    assert Finding("It is.", "", "").facts == ""


def test_links_from_the_first_page_and_from_a_study():
    assert study.make_links(["same", "mine"], None) == [
        {"title": "Overview", "path": "index.html", "current": True},
        {"title": "Planted bias", "path": "board/same.html", "current": False},
        {"title": "mine", "path": "board/mine.html", "current": False},
    ]
    assert study.make_links(["same", "mine"], "mine") == [
        {"title": "Overview", "path": "../index.html", "current": False},
        {"title": "Planted bias", "path": "same.html", "current": False},
        {"title": "mine", "path": "mine.html", "current": True},
    ]


def test_the_configuration_is_shown_without_passwords(tmp_path):
    config = {"sets": {"a": {"url": Address("https://me:secret@host/a.csv"), "of": ["https://host/x?key=secret"]}}}
    shown = context(tmp_path, config=config)["config"]
    assert "host/a.csv" in shown
    assert "secret" not in shown


def test_findings_are_read_by_result_in_their_order(tmp_path):
    path = tmp_path / "findings.csv"
    path.write_text('n,result,sentence,test\n3,,First.,a test\n,figures/a,"Of a, NA.",\nNA,,Second.,\n')
    assert study.read_findings(path) == {
        "": [Finding("First.", "a test", "3"), Finding("Second.", "", "NA")],
        "figures/a": [Finding("Of a, NA.", "", "")],
    }
    assert study.read_findings(None) == {}


def test_findings_that_lack_columns_are_refused_by_name(tmp_path):
    path = tmp_path / "findings.csv"
    path.write_text("result,title,n\n,First.,3\n")
    with pytest.raises(ValueError, match=r"findings\.csv: lacks the columns sentence, test; it has result, title, n"):
        study.read_findings(path)


def result(folder, name, content, title="A title", study="same", **of):
    """A result of this content in results/."""
    path = folder / "results" / study / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content, "utf-8")
    kind = {".svg": "figure", ".csv": "table", ".html": "page"}[path.suffix]
    return Result(path, study, str(Path(name).with_suffix("")), kind, title, Markup("<p>What it <em>is</em>.</p>"), of)


def context(folder, *shown, findings=None, answer=None, drawn=(), config=None):
    return study.make_context(
        "same", shown, questions=QUESTIONS, findings=findings or {}, answer=answer, charts=drawn, config=config or {},
        seed=5,
        page=folder / "results/board/same.html",
    )  # fmt: skip


def test_a_table_is_packed_as_it_is(tmp_path):
    text = 'metric,note\nweat,"a, ""b"""\nNA,\n'
    first = result(tmp_path, "tables/words.csv", text, "Words", corpus="big", pair="p")
    second = result(tmp_path, "empty.csv", "metric,note\n", "None")
    found = context(tmp_path, first, second)
    assert found["tables"] == [
        {
            "id": "r0",
            "title": "Words",
            "caption": first.caption,
            "n_rows": 2,
            "details": "big, p · ",
            "file": "words.csv",
        },
        {"id": "r1", "title": "None", "caption": second.caption, "n_rows": 0, "details": "", "file": "empty.csv"},
    ]
    assert unpacked(found["packed"]["r0"]) == text
    assert list(found["packed"]) == ["r0", "r1", "packed-tables", "packed-tables-style"]


def test_a_figure_stands_under_what_it_shows(tmp_path):
    findings = {"figures/a": [Finding("It rises.", "a test", "3 models"), Finding("Not told.", "", "")], "": []}
    found = context(
        tmp_path,
        result(tmp_path, "figures/a.svg", SVG, "A"),
        result(tmp_path, "figures/b.svg", SVG, "B"),
        findings=findings,
    )
    (section,) = found["sections"]
    first, second = section["figures"]
    assert section["title"] == "Figures"
    assert (first["id"], first["heading"], first["title"]) == ("r0", "It rises.", "A")
    assert first["facts"] == "a test · n = 3 models · seed 5"
    assert first["file"] == "../same/figures/a.png"
    assert 'aria-label="A. It rises."' in first["svg"]
    assert 'id="r0-a"' in first["svg"]
    assert (second["id"], second["heading"], second["facts"]) == ("r1", "B", "seed 5")
    assert 'aria-label="B."' in second["svg"]
    assert found["packed"] == {}


def test_figures_of_a_corpus_or_a_pair_are_a_section(tmp_path):
    drawn = [
        result(tmp_path, "x.svg", SVG, "X"),
        result(tmp_path, "a/x.svg", SVG, "Xa", corpus="a"),
        result(tmp_path, "b/x.svg", SVG, "Xb", corpus="b", word="nurse"),
        result(tmp_path, "a/y.svg", SVG, "Ya", corpus="a", word="pilot"),
        result(tmp_path, "p/x.svg", SVG, "Xp", corpus="a", pair="p"),
    ]
    found = context(tmp_path, *drawn)["sections"]
    assert [(one["id"], one["title"], [figure["title"] for figure in one["figures"]]) for one in found] == [
        ("section-0", "Figures", ["X"]),
        ("section-1", "Corpus a", ["Xa", "Ya"]),
        ("section-2", "Corpus b", ["Xb"]),
        ("section-3", "Corpus a; Pair of models p", ["Xp"]),
    ]


def test_pages_are_linked_from_where_the_page_is(tmp_path):
    found = context(tmp_path, result(tmp_path, "planted/interactive.html", "<p>", "Curves", pair="planted"))
    (page,) = found["pages"]
    assert page["caption"] == "<p>What it <em>is</em>.</p>"
    assert (page["title"], page["file"]) == ("Curves · planted", "../same/planted/interactive.html")
    assert found["tables"] == found["sections"] == []


def test_charts_are_packed_with_their_library(tmp_path):
    import pandas as pd

    drawn = charts.draw_dots(pd.DataFrame({"a": ["x", "y"], "b": [1.0, None]}), value="b", by="a", tooltip=["b"])
    found = context(tmp_path, drawn=[("One", drawn), ("Two", drawn)])
    assert found["charts"] == [{"id": "c0", "title": "One"}, {"id": "c1", "title": "Two"}]
    assert list(found["packed"]) == ["c0", "c1", "packed-vega"]
    assert json.loads(unpacked(found["packed"]["c0"])) == drawn


def test_what_else_a_page_says(tmp_path):
    found = context(
        tmp_path, findings={"": [Finding("It is.", "a test", "3 models")]}, answer="<b>Yes</b>",
        config={"b": ["ü", 1], "a": None},
    )  # fmt: skip
    assert found["title"] == "Planted bias – biassay"
    assert found["heading"] == "How biased?"
    assert found["verdicts"] == [{"sentence": "It is.", "facts": "a test · n = 3 models"}]
    assert found["config"] == "b:\n- ü\n- 1\na: null\n"
    assert [link["current"] for link in found["links"]] == [False, False, True]
    assert isinstance(found["answer"], Markup)
    assert context(tmp_path)["answer"] is None


def test_the_page_shows_it_all(tmp_path):
    shown = [
        result(tmp_path, "figures/a.svg", SVG, "A < B"),
        result(tmp_path, "a/y.svg", SVG, "Ya", corpus="a"),
        result(tmp_path, "tables/words.csv", "metric\nweat\n", "Words"),
        result(tmp_path, "more.html", "<p>", "More"),
    ]
    findings = {"": [Finding("It is <so>.", "a test", "")], "figures/a": [Finding("A rises.", "", "2 models")]}
    text = rendering.render_page(
        "study.html", context(tmp_path, *shown, findings=findings, answer="<h3>An answer</h3>")
    )
    page = Page(text)
    assert page.texts["h1"] == ["How biased?"]
    assert page.texts["h2"] == ["Answer", "Figures", "Corpus a", "Tables", "Configuration"]
    assert page.texts["h3"] == ["An answer", "A rises.", "Ya"]
    assert "It is <so>. a test" in page.texts["p"]
    assert "Figures: Figures · Corpus a · Tables" in page.texts["p"]
    assert "A < B · n = 2 models · seed 5 · PNG" in page.texts["p"]
    assert '<a class="file" href="../same/more.html">More</a>' in text
    assert '<a class="file" href="../same/figures/a.png" download>PNG</a>' in text
    for name in ("r2", "packed-tables", "packed-tables-style"):
        assert text.count(f'id="{name}"') == 1
