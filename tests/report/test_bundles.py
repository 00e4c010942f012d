"""Packed texts come out as they went in, and the libraries are what they should be."""

import base64
import gzip

from hypothesis import given
from hypothesis import strategies as st

from biassay.report import bundles


def unpacked(text):
    return gzip.decompress(base64.b64decode(text, validate=True))


@given(st.text(st.characters(exclude_categories=("Cs",))))
def test_texts_come_out_as_they_went_in(text):
    assert unpacked(bundles.pack(text)).decode("utf-8") == text
    assert bundles.pack(text) == bundles.pack(text.encode("utf-8"))


@given(st.binary())
def test_bytes_come_out_as_they_went_in(content):
    assert unpacked(bundles.pack(content)) == content


def test_packed_texts_hold_no_time(monkeypatch):
    first = bundles.pack("a,b\n1,2\n")
    monkeypatch.setattr("time.time", lambda: 2e9)
    assert bundles.pack("a,b\n1,2\n") == first
    assert base64.b64decode(first)[4:8] == b"\0" * 4


def test_the_library_of_charts():
    script = unpacked(bundles.vega()).decode("utf-8")
    assert "vegaEmbed" in script
    assert bundles.vega() is bundles.vega()


def test_the_library_of_tables():
    script, style = (unpacked(part).decode("utf-8") for part in bundles.data_tables())
    assert "DataTable" in script
    assert "dataTable" in style
    assert "{" in style
    assert "</script" not in "".join(bundles.data_tables())
