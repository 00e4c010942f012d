"""Tables of pages, as HTML."""

from biassay.report.tables import render_table
from tests.markup import Page


def test_a_table_has_its_head_escaped_and_its_rows_named():
    text = render_table(["metric", "a < b"], [["WEAT", "<b>.5</b>"], ["MAC", "–"]])
    page = Page(text)
    assert page.rows(0) == [["metric", "a < b"], ["WEAT", ".5"], ["MAC", "–"]]
    assert "<th scope='col'>a &lt; b</th>" in text
    assert "<th scope='row'>WEAT</th><td><b>.5</b></td>" in text
    assert text.startswith("<div class='wide' tabindex='0'>")
    assert Page(render_table(["metric"], [])).rows(0) == [["metric"]]
