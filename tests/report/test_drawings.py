"""Figures within a page: names of their own, nothing that runs or leads elsewhere."""

import re

import matplotlib.pyplot as plt
import pytest

from biassay.report import drawings, plots

HEAD = '<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg" width="9pt" viewBox="0 0 100 50" version="1.1">'


def inline(folder, body, name="r0", text="A drawing", head=HEAD):
    path = folder / "drawing.svg"
    path.write_text(f"{head}\n{body}\n</svg>\n", "utf-8")
    return drawings.inline_svg(path, name, text)


def test_the_frame_tells_what_it_is_and_how_wide(tmp_path):
    found = inline(tmp_path, '<path d="M 1 2"/>', text='A "b" < c')
    assert found.startswith("<svg ")
    assert found.endswith("</svg>")
    assert 'viewBox="0 0 100 50"' in found
    assert 'aria-label="A &#34;b&#34; &lt; c"' in found
    assert 'role="img"' in found
    assert 'style="max-width:170px;' in found
    assert "<?xml" not in found
    assert 'width="9pt"' not in found
    assert '<path d="M 1 2"/>' in found


def test_ids_and_what_leads_to_them_get_the_name(tmp_path):
    body = (
        '<defs><path id="a" d="M 0 0"/><clipPath id="p1"><rect id="alone" x="0"/></clipPath></defs>'
        '<use xlink:href="#a" x="1"/><g clip-path="url(#p1)"><use href="#a"/></g>'
    )
    found = inline(tmp_path, body, "r7")
    assert re.findall(r'id="([^"]+)"', found) == ["r7-a", "r7-p1"]
    assert re.findall(r'href="#([^"]+)"', found) == ["r7-a", "r7-a"]
    assert re.findall(r"url\(#([^)]+)\)", found) == ["r7-p1"]


def test_styles_that_stand_often_become_classes(tmp_path):
    often, seldom = 'style="fill: none"', 'style="fill: red"'
    found = inline(tmp_path, f"<path {often}/>" * 3 + f"<path {seldom}/>" * 2, "r1")
    assert found.count('<path class="r1-0"/>') == 3
    assert found.count(f"<path {seldom}/>") == 2
    assert found.count("<style>") == 1
    assert "<style>.r1-0{fill: none}</style>" in found
    assert "<style>" not in inline(tmp_path, f"<path {often}/>" * 2)


def test_coordinates_have_two_decimals_and_texts_all(tmp_path):
    found = inline(tmp_path, '<path d="M 1.23456 -2.98765"/><text x="3.14159">3.14159</text><use y="0.5"/>')
    assert '<path d="M 1.23 -2.98"/><text x="3.14">3.14159</text><use y="0.5"/>' in found


def test_metadata_and_comments_are_left_out(tmp_path):
    found = inline(tmp_path, "<metadata>\n<a/>\n</metadata><!-- a\nb --><path/>")
    assert "metadata" not in found
    assert "<!--" not in found
    assert "<path/>" in found


@pytest.mark.parametrize(
    "alien",
    [
        "<script>alert(1)</script>",
        "<SCRIPT>alert(1)</SCRIPT>",
        "<foreignObject><p>a</p></foreignObject>",
        '<path onload="alert(1)"/>',
        "<path onclick='alert(1)'/>",
        '<path OnClick = "alert(1)"/>',
        '<a href="https://example.org"><path/></a>',
        '<a xlink:href="javascript:alert(1)"><path/></a>',
        "<a href='https://example.org'><path/></a>",
        '<a href = "https://example.org"><path/></a>',
        '<use href="other.svg#a"/>',
        '<image href="data:image/svg+xml;base64,AAAA"/>',
        '<path style="fill: url(https://example.org/a.svg#a)"/>',
        "<style>@font-face{src: url('https://example.org/a')}</style>",
    ],
)
def test_what_runs_or_leads_elsewhere_is_refused(tmp_path, alien):
    with pytest.raises(ValueError, match=r"drawing\.svg: .* must not contain scripts"):
        inline(tmp_path, alien)


def test_pictures_within_and_texts_are_fine(tmp_path):
    body = '<image xlink:href="data:image/png;base64,AAAA"/><text>share on n=5 of x, once = more</text>'
    assert body in inline(tmp_path, body)


@pytest.mark.parametrize("head", ["<html>", '<svg xmlns="http://www.w3.org/2000/svg" width="5">'])
def test_a_file_without_a_view_box_is_refused(tmp_path, head):
    with pytest.raises(ValueError, match=r"drawing\.svg: expected an SVG drawing"):
        inline(tmp_path, "<path/>", head=head)


@pytest.fixture(scope="module")
def drawn(tmp_path_factory):
    """A figure with a clipped line, many dots, a picture and a mark in its texts, as the project saves figures."""
    figure, (left, right) = plt.subplots(1, 2)
    left.plot([0, 1, 2], [1, 0, 1], "o-", label="a < b & c")
    left.legend()
    right.imshow([[0, 1], [1, 0]])
    right.text(0, 0, 'p = ".05"')
    path = tmp_path_factory.mktemp("drawn") / "figure.svg"
    plots.save(figure, str(path))
    return path


def test_two_drawings_of_one_page_share_no_names(drawn):
    first, second = (drawings.inline_svg(drawn, name, "A") for name in ("r0", "r1"))
    ids = [re.findall(r'\bid="([^"]+)"', text) for text in (first, second)]
    assert ids[0]
    assert not set(ids[0]) & set(ids[1])
    for text, own in ((first, ids[0]), (second, ids[1])):
        assert len(own) == len(set(own))
        assert set(re.findall(r'(?:url\(|href=")#([^)"]+)', text)) == set(own)
        classes = set(re.findall(r'class="([^"]+)"', text))
        assert classes == set(re.findall(r"\.(r\d-\d+)\{", text))
        assert classes
    assert first.replace("r0-", "r1-") == second


def test_a_real_figure_keeps_its_texts(drawn):
    found = drawings.inline_svg(drawn, "r0", "A")
    assert "a &lt; b &amp; c" in found
    assert len(found) < drawn.stat().st_size
