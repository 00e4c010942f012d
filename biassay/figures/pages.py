"""Pages of answers: one HTML file each, without anything from elsewhere."""

from html import escape

STYLE = """body{font-family:sans-serif;margin:1em auto;padding:0 1em;max-width:70em;line-height:1.4}
table{border-collapse:collapse} .wide{overflow-x:auto} h2{margin-top:1.6em}
td,th{padding:.35em 1em .35em 0;text-align:left;border-bottom:1px solid #ddd;vertical-align:top}
small{color:#555;display:block} .bar{width:8em;height:.6em;background:#eee;margin-top:.25em}
.bar div{height:100%;background:#54278f}"""


def page(title: str, question: str, body: str) -> str:
    """A page of its title, the question that it answers, and a body of HTML."""
    return (
        f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>\n'
        f'<meta name="viewport" content="width=device-width"><style>{STYLE}</style></head><body>\n'
        f"<h1>{escape(question)}</h1>{body}</body></html>\n"
    )


def table(head: list[str], rows: list[list[str]]) -> str:
    """A table of a head in plain text and cells of HTML, which scrolls where it is too wide."""
    lines = ["".join(f"<td>{cell}</td>" for cell in row) for row in rows]
    top = "".join(f"<th>{escape(name)}</th>" for name in head)
    return f"<div class='wide'><table><tr>{top}</tr>{''.join(f'<tr>{line}</tr>' for line in lines)}</table></div>"
