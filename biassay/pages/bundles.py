"""Scripts of libraries for pages without a network, packed: a page unpacks them when something asks for them."""

import base64
import gzip
from functools import cache
from importlib import resources

import vl_convert
from markupsafe import Markup


def packed(content: str | bytes) -> str:
    """Text as base64 of its gzip, which page.js unpacks; equal texts give equal bytes."""
    data = content.encode() if isinstance(content, str) else content
    return base64.b64encode(gzip.compress(data, compresslevel=9, mtime=0)).decode()


@cache
def vega() -> Markup:
    """Vega-Embed with Vega and Vega-Lite (BSD), which draws charts."""
    return Markup(packed(vl_convert.javascript_bundle()))


@cache
def data_tables() -> tuple[Markup, Markup]:
    """DataTables (MIT), which sorts, searches and pages tables: script and style."""
    folder = resources.files("itables").joinpath("html")
    return tuple(Markup(packed(folder.joinpath(f"dt_bundle.{kind}").read_bytes())) for kind in ("js", "css"))
