"""Figures within a page: SVG that keeps its text, with names of its own so that several stand in one page."""

import re
from collections import Counter
from pathlib import Path

from markupsafe import Markup, escape

LONG = re.compile(r"(\d\.\d\d)\d+")  # coordinates in points, of which two decimals are enough
PICTURE = r"data:image/png;base64,"
ALIEN = re.compile(  # what runs, or leads out of a drawing
    rf"""<(?:script|foreignObject)\b|\son\w+\s*=\s*["']|href\s*=(?!"(?:#|{PICTURE}))|url\((?!#)""", re.IGNORECASE
)
OFTEN = 3  # times that a style stands in a drawing, from which on it gets a class
LINES = "stroke-linejoin:round;stroke-linecap:butt"  # what matplotlib says of all of a page in a style sheet
WIDEST = 1.7  # pixels that a point of a drawing is shown as, at most


def inline(path: str | Path, name: str, text: str) -> Markup:
    """An SVG file as a part of a page: `name` before each of its ids, `text` for readers who cannot see it.

    Raises ValueError for a file that is no SVG drawing with a viewBox, or that holds a script or leads elsewhere.
    """
    source = Path(path).read_text("utf-8")
    box = re.search(r'<svg\b[^>]*viewBox="[\d.-]+ [\d.-]+ ([\d.]+) [\d.]+"[^>]*>', source)
    if not box:
        raise ValueError(f"{path}: is no SVG drawing with a viewBox")
    if ALIEN.search(source):
        raise ValueError(f"{path}: a drawing of a page holds no script and leads nowhere")
    body = source[box.end() : source.rindex("</svg>")]
    body = re.sub(r"<metadata>.*?</metadata>|<!--.*?-->|<style\b.*?</style>", "", body, flags=re.DOTALL)
    styles, body = _classes(_shorter(body), name)
    view, widest = re.search(r'viewBox="[^"]*"', box[0])[0], WIDEST * float(box[1])
    return Markup(
        f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" {view} role="img" '
        f'aria-label="{escape(text)}" style="max-width:{widest:.0f}px;{LINES}">{styles}{_named(body, name)}</svg>'
    )


def _shorter(body: str) -> str:
    """A drawing without digits that nobody sees and names that nothing leads to."""
    used = set(re.findall(r'(?:url\(|href=")#([^)"]+)', body))
    body = re.sub(r' id="([^"]*)"', lambda part: part[0] if part[1] in used else "", body)
    body = re.sub(r'(?<= )(?:d|x|y|points)="[^"]*"', lambda part: LONG.sub(r"\1", part[0]), body)
    return re.sub(r"\s*\n\s*", "\n", body)


def _classes(body: str, name: str) -> tuple[str, str]:
    """The styles that stand often, as a style sheet, and the drawing with classes in their place."""
    often = [style for style, times in Counter(re.findall(r' style="([^"]*)"', body)).items() if times >= OFTEN]
    classes = {style: f"{name}-{number}" for number, style in enumerate(often)}
    sheet = "".join(f".{of}{{{style}}}" for style, of in classes.items())

    def classed(part: re.Match) -> str:
        return f' class="{classes[part[1]]}"' if part[1] in classes else part[0]

    return f"<style>{sheet}</style>" if sheet else "", re.sub(r' style="([^"]*)"', classed, body)


def _named(body: str, name: str) -> str:
    """A drawing with `name` before its ids and whatever leads to them."""
    body = re.sub(r'\bid="', f'id="{name}-', body)
    return re.sub(r"(url\(|href=\")#", rf"\g<1>#{name}-", body)
