"""Figures inside a page: SVG with text, and with ids that are unique within the page."""

import re
from collections import Counter
from pathlib import Path

from markupsafe import Markup, escape

LONG = re.compile(r"(\d\.\d\d)\d+")  # coordinates in points: two decimals are enough
PICTURE = r"data:image/png;base64,"
UNSAFE = re.compile(  # scripts, and links that leave the drawing
    rf"""<(?:script|foreignObject)\b|\son\w+\s*=\s*["']|href\s*=(?!"(?:#|{PICTURE}))|url\((?!#)""", re.IGNORECASE
)
MIN_USES = 3  # a style that a drawing has this often becomes a class
LINES = "stroke-linejoin:round;stroke-linecap:butt"  # matplotlib puts this into a style sheet
MAX_SCALE = 1.7  # pixels per point


def inline_svg(path: str | Path, name: str, text: str) -> Markup:
    """Return an SVG file as a part of a page.

    Parameters
    ----------
    path : str or Path
    name : str
        Prefix of the drawing's ids.
    text : str
        Description for screen readers.

    Raises
    ------
    ValueError
        If the file is not an SVG drawing with a viewBox, or if it contains a script or an external link.
    """
    source = Path(path).read_text("utf-8")
    box = re.search(r'<svg\b[^>]*viewBox="[\d.-]+ [\d.-]+ ([\d.]+) [\d.]+"[^>]*>', source)
    if not box:
        raise ValueError(f"{path}: expected an SVG drawing with a viewBox")
    if UNSAFE.search(source):
        raise ValueError(f"{path}: a drawing of a page must not contain scripts or external links")
    body = source[box.end() : source.rindex("</svg>")]
    body = re.sub(r"<metadata>.*?</metadata>|<!--.*?-->|<style\b.*?</style>", "", body, flags=re.DOTALL)
    styles, body = _with_classes(_shorten(body), name)
    body = _with_prefix(body, name)
    view, max_width = re.search(r'viewBox="[^"]*"', box[0])[0], MAX_SCALE * float(box[1])
    return Markup(
        f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" {view} role="img" '
        f'aria-label="{escape(text)}" style="max-width:{max_width:.0f}px;{LINES}">{styles}{body}</svg>'
    )


def _shorten(body: str) -> str:
    """Remove invisible digits and unused ids."""
    used = set(re.findall(r'(?:url\(|href=")#([^)"]+)', body))
    body = re.sub(r' id="([^"]*)"', lambda part: part[0] if part[1] in used else "", body)
    body = re.sub(r'(?<= )(?:d|x|y|points)="[^"]*"', lambda part: LONG.sub(r"\1", part[0]), body)
    return re.sub(r"\s*\n\s*", "\n", body)


def _with_classes(body: str, name: str) -> tuple[str, str]:
    """Return a style sheet of the frequent styles, and the drawing with classes in their place."""
    counts = Counter(re.findall(r' style="([^"]*)"', body))
    frequent = [style for style, count in counts.items() if count >= MIN_USES]
    classes = {style: f"{name}-{number}" for number, style in enumerate(frequent)}
    sheet = "".join(f".{key}{{{style}}}" for style, key in classes.items())

    def replace(part: re.Match) -> str:
        return f' class="{classes[part[1]]}"' if part[1] in classes else part[0]

    return f"<style>{sheet}</style>" if sheet else "", re.sub(r' style="([^"]*)"', replace, body)


def _with_prefix(body: str, name: str) -> str:
    """Prefix the ids of a drawing and the links to them."""
    body = re.sub(r'\bid="', f'id="{name}-', body)
    return re.sub(r"(url\(|href=\")#", rf"\g<1>#{name}-", body)
