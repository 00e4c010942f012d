"""HTML tables."""

from collections.abc import Iterable
from html import escape


def render_table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Render a table as HTML that scrolls where it is too wide.

    Parameters
    ----------
    head : iterable of str
        Titles of the columns, plain text.
    rows : iterable of iterables of str
        Cells in HTML; the first cell of a row is its header.
    """
    top = "".join(f"<th scope='col'>{escape(name)}</th>" for name in head)
    lines = []
    for first, *others in rows:
        lines.append(f"<tr><th scope='row'>{first}</th>{''.join(f'<td>{cell}</td>' for cell in others)}</tr>")
    body = f"<table><thead><tr>{top}</tr></thead><tbody>{''.join(lines)}</tbody></table>"
    return f"<div class='wide' tabindex='0'>{body}</div>\n"
