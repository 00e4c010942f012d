"""Write the table of reliability.md from the tests that bear the mark bad_input: `python docs/write_reliability.py`."""

import re
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pytest

PAGE = Path(__file__).resolve().parent / "reliability.md"
PLACE = re.compile(r"(<!-- cases -->\n).*?(<!-- end -->)", re.DOTALL)


class Collector:
    """A plug-in of pytest that keeps the tests found."""

    def __init__(self):
        self.items: list[pytest.Item] = []

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        self.items = list(items)


def table(items: Iterable[pytest.Item]) -> str:
    """How many cases there are of each kind of bad input, and what comes of it."""
    cases = Counter(mark.args for item in items for mark in item.iter_markers("bad_input"))
    lines = ["| bad input | cases | outcome |", "|---|---|---|"]
    lines += [f"| {kind} | {number} | {outcome} |" for (kind, outcome), number in sorted(cases.items())]
    return "\n".join([*lines, f"| **together** | **{sum(cases.values())}** | |", ""])


def page(items: Iterable[pytest.Item]) -> str:
    """The page's text, with the table of today's tests."""
    return PLACE.sub(rf"\g<1>{table(items)}\g<2>", PAGE.read_text("utf-8"))


if __name__ == "__main__":
    collector = Collector()
    if pytest.main(["--collect-only", "-qq", "-n", "0", str(PAGE.parent.parent / "tests")], plugins=[collector]):
        sys.exit("the tests could not be collected")
    PAGE.write_text(page(collector.items), "utf-8")
