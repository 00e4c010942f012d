"""Tables of pages, as HTML."""

from collections.abc import Iterable
from html import escape


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A table of a head in plain text and cells of HTML, the first of a row its name; it scrolls where too wide."""
    top = "".join(f"<th scope='col'>{escape(name)}</th>" for name in head)
    lines = []
    for first, *others in rows:
        lines.append(f"<tr><th scope='row'>{first}</th>{''.join(f'<td>{cell}</td>' for cell in others)}</tr>")
    body = f"<table><thead><tr>{top}</tr></thead><tbody>{''.join(lines)}</tbody></table>"
    return f"<div class='wide' tabindex='0'>{body}</div>\n"
