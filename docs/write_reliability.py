"""Write the tables of reliability.md from the tests and reruns.yaml: `python docs/write_reliability.py`."""

import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path

import pytest
import yaml

PAGE = Path(__file__).resolve().parent / "reliability.md"
RERUNS = PAGE.parent.parent / "tests/workflow/reruns.yaml"


class Collector:
    """A plug-in of pytest that keeps the tests found."""

    def __init__(self):
        self.items: list[pytest.Item] = []

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Keep them before those that are slow are left out."""
        self.items = list(items)


def cases(items: Iterable[pytest.Item]) -> list[str]:
    """How many cases there are of each kind of bad input, and what comes of it."""
    found = Counter(mark.args for item in items for mark in item.iter_markers("bad_input"))
    lines = ["| bad input | cases | outcome |", "|---|---|---|"]
    lines += [f"| {kind} | {number} | {outcome} |" for (kind, outcome), number in sorted(found.items())]
    return [*lines, f"| **together** | **{sum(found.values())}** | |"]


def faults(items: Iterable[pytest.Item]) -> list[str]:
    """What breaks runs in the tests, what comes of it, and in which files that is tried."""
    found = defaultdict(set)
    for item in items:
        slow = " (`make test-slow`)" if item.get_closest_marker("slow") else ""
        for mark in item.iter_markers("fault"):
            found[mark.args].add(f"`{item.path.relative_to(PAGE.parent.parent).as_posix()}`{slow}")
    rows = [f"| {what} | {outcome} | {', '.join(sorted(paths))} |" for (what, outcome), paths in sorted(found.items())]
    return ["| fault | outcome | tried in |", "|---|---|---|", *rows]


def changes() -> list[str]:
    """What runs again after each kind of change, of how many jobs."""
    lines, cases = (
        ["| change | jobs that run again | of the rules |", "|---|---|---|"],
        yaml.safe_load(RERUNS.read_text()),
    )
    most = max(len(case["jobs"]) for case in cases)
    for case in cases:
        rules = [f"`{rule}`" + (f" × {number}" if number > 1 else "") for rule, number in case["jobs"].items()]
        names = f"all {most}" if len(rules) == most else ", ".join(rules)
        lines.append(f"| {case['change']} | {sum(case['jobs'].values())} | {names} |")
    return lines


def page(items: Iterable[pytest.Item]) -> str:
    """The page's text, with the tables of today's tests."""
    text, items = PAGE.read_text("utf-8"), list(items)
    for name, lines in {"cases": cases(items), "faults": faults(items), "changes": changes()}.items():
        place = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end -->)", re.DOTALL)
        table = "\n".join([*lines, ""])
        text = place.sub(lambda found, table=table: found[1] + table + found[2], text)
    return text


if __name__ == "__main__":
    collector = Collector()
    if pytest.main(["--collect-only", "-qq", "-n", "0", str(PAGE.parent.parent / "tests")], plugins=[collector]):
        sys.exit("the tests could not be collected")
    PAGE.write_text(page(collector.items), "utf-8")
