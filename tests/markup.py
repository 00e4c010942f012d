"""Content of a page of results: the cells of its tables, and its other text."""

from html.parser import HTMLParser

EMPTY = ("img", "input", "link", "meta")  # elements without an end tag


class Page(HTMLParser):
    """Parser with `tables`, as rows of cells, and `texts` of elements by tag, such as "p", "h2" or "caption"."""

    def __init__(self, html: str):
        super().__init__()
        self.tables, self.texts, self.open = [], {}, []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("td", "th"):
            self.tables[-1][-1].append("")
        self.texts.setdefault(tag, []).append("")
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, f"<{tag}> is closed, but not open"

    def handle_data(self, data):
        for tag in set(self.open):
            self.texts[tag][-1] += data
        if set(self.open) & {"td", "th"}:
            self.tables[-1][-1][-1] += data

    def rows(self, number: int) -> list[list[str]]:
        """Return the texts of a table."""
        return self.tables[number]
