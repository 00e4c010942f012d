"""Figures within a page: SVG that keeps its text, with names of its own so that several stand in one page."""

import re
from pathlib import Path

from markupsafe import Markup, escape


def inline(path: str | Path, name: str, text: str) -> Markup:
    """An SVG file as a part of a page: `name` before each of its ids, `text` for readers who cannot see it.

    Raises ValueError for a file that is no SVG drawing with a viewBox, or that holds a script or leads elsewhere.
    """
    source = Path(path).read_text("utf-8")
    if not (match := re.search(r"<svg\b[^>]*>", source)) or "viewBox" not in match[0]:
        raise ValueError(f"{path}: is no SVG drawing with a viewBox")
    if re.search(r"<script|<foreignObject|\son\w+=|href=\"(?!#|data:image/png;base64,)", source):
        raise ValueError(f"{path}: a drawing of a page holds no script and leads nowhere")
    box = re.search(r'viewBox="[\d. -]+"', match[0])[0]
    body = source[match.end() : source.rindex("</svg>")]
    body = re.sub(r"<metadata>.*?</metadata>", "", body, flags=re.DOTALL)
    body = re.sub(r"<!--.*?-->\s*", "", body, flags=re.DOTALL)
    body = re.sub(r'\bid="', f'id="{name}-', body)
    body = re.sub(r"url\(#", f"url(#{name}-", body)
    body = re.sub(r'href="#', f'href="#{name}-', body)
    return Markup(
        f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" {box} role="img" '
        f'aria-label="{escape(text)}">{body}</svg>'
    )
