"""The page of a study: its context, and the HTML made of it."""

import pandas as pd

from biassay.core.redaction import Address
from biassay.report import charts, rendering, study
from biassay.report.findings import Finding
from biassay.report.results import Result
from tests.markup import Page

QUESTIONS = {"first_order": "Does it count?", "same": "How biased?"}
SVG = '<svg width="504pt" height="72.3pt" xmlns="http://www.w3.org/2000/svg"/>'
VERDICT = Finding("It is <so>.", "a test", "3 models")


def result(folder, name, title, text="", **wildcards):
    file = folder / "results/same" / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    kind = {".svg": "figure", ".csv": "table", ".html": "page"}[file.suffix]
    return Result(file, name.rpartition(".")[0], kind, title, f"About {title}.", wildcards)


def context(folder, *results, verdicts=(), drawn=(), config=None):
    page = folder / "results/board/same.html"
    given = {"verdicts": list(verdicts), "charts": drawn, "config": config or {}}
    return study.make_context("same", results, questions=QUESTIONS, seeds=[5], page=page, **given)


def test_the_page_shows_verdicts_figures_tables_and_files(tmp_path):
    shown = [
        result(tmp_path, "figures/a.svg", "A < B", SVG),
        result(tmp_path, "big/y.svg", "Y", SVG, corpus="big", word="nurse"),
        result(tmp_path, "p/x.svg", "X", SVG, corpus="big", pair="p"),
        result(tmp_path, "tables/words.csv", "Words", "metric,n\nweat,3\nmac,\n"),
        result(tmp_path, "tables/none.csv", "Nothing", "metric,n\n", pair="p"),
        result(tmp_path, "more.html", "More", pair="p"),
    ]
    given = context(tmp_path, *shown, verdicts=[VERDICT], config={"b": ["ü", 1]})
    assert [table["rows"] for table in given["tables"]] == [[["WEAT", "3"], ["MAC", ""]], []]
    text = rendering.render_page("study.html", given)
    assert 'width="672" height="96"' in text  # in pixels: the page keeps its height while figures load
    page = Page(text)
    assert page.texts["h1"] == ["How biased?"]
    sections = ["Figures", "Corpus big", "Corpus big; Pair of models p"]
    assert page.texts["h2"] == [*sections, "Tables", "Configuration"]
    assert page.texts["h3"] == ["A < B", "Y", "X"]
    assert page.texts["p"][0].startswith("It is <so>.")
    assert "About Y." in page.texts["p"]
    assert page.texts["pre"] == ["b:\n- ü\n- 1\n"]
    for link in ("figures/a.svg", "figures/a.png", "figures/a.pdf", "tables/words.csv", "more.html"):
        assert f'"../same/{link}"' in text


def test_a_word_of_a_corpus_cannot_end_the_data_and_secrets_of_addresses_are_not_shown(tmp_path):
    chart = charts.draw_dots(pd.DataFrame({"a": ["</script>"], "b": [1.0]}), value="b", by="a")
    table = result(tmp_path, "words.csv", "Words", "word,<i>group\n</script><b>,1\n")
    config = {"url": Address("https://me:pass@host/a?key=1")}
    text = rendering.render_page("study.html", context(tmp_path, table, drawn=[("A chart", chart)], config=config))
    assert "\\u003c/script\\u003e" in text
    assert "\\u0026lt;i\\u0026gt;group" in text  # DataTables takes titles as HTML
    for hidden in ("</script><b>", "me:pass", "key=1"):
        assert hidden not in text
