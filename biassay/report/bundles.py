"""Packed scripts of libraries, which a page without a network unpacks when it needs them."""

import base64
import gzip
from functools import cache
from importlib import resources

import vl_convert
from markupsafe import Markup


def pack(content: str | bytes) -> str:
    """Pack text as base64 of its gzip, which page.js unpacks; equal texts give equal bytes."""
    data = content.encode() if isinstance(content, str) else content
    return base64.b64encode(gzip.compress(data, compresslevel=9, mtime=0)).decode()


@cache
def vega() -> Markup:
    """Return the packed script of Vega-Embed with Vega and Vega-Lite (BSD), which draws charts."""
    return Markup(pack(vl_convert.javascript_bundle()))


@cache
def data_tables() -> tuple[Markup, Markup]:
    """Return the packed script and style of DataTables (MIT), which sorts, searches and pages tables."""
    folder = resources.files("itables").joinpath("html")
    return tuple(Markup(pack(folder.joinpath(f"dt_bundle.{kind}").read_bytes())) for kind in ("js", "css"))
