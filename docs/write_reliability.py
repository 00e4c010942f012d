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
    """A pytest plug-in that stores the collected tests."""

    def __init__(self):
        self.items: list[pytest.Item] = []

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Store the tests before slow ones are deselected."""
        self.items = list(items)


def cases(items: Iterable[pytest.Item]) -> list[str]:
    """Count the cases of each kind of bad input, with their outcome."""
    counts = Counter(mark.args for item in items for mark in item.iter_markers("bad_input"))
    lines = ["| bad input | cases | outcome |", "|---|---|---|"]
    lines += [f"| {kind} | {number} | {outcome} |" for (kind, outcome), number in sorted(counts.items())]
    return [*lines, f"| **total** | **{sum(counts.values())}** | |"]


def faults(items: Iterable[pytest.Item]) -> list[str]:
    """List the faults that interrupt runs in the tests, their outcome, and the test files."""
    files = defaultdict(set)
    for item in items:
        slow = " (`make test-slow`)" if item.get_closest_marker("slow") else ""
        for mark in item.iter_markers("fault"):
            files[mark.args].add(f"`{item.path.relative_to(PAGE.parent.parent).as_posix()}`{slow}")
    rows = [f"| {what} | {outcome} | {', '.join(sorted(paths))} |" for (what, outcome), paths in sorted(files.items())]
    return ["| fault | outcome | tested in |", "|---|---|---|", *rows]


def changes() -> list[str]:
    """List the jobs that run again after each kind of change."""
    lines, cases = (
        ["| change | jobs that run again | rules |", "|---|---|---|"],
        yaml.safe_load(RERUNS.read_text()),
    )
    n_rules = max(len(case["jobs"]) for case in cases)
    for case in cases:
        rules = [f"`{rule}`" + (f" × {number}" if number > 1 else "") for rule, number in case["jobs"].items()]
        names = f"all {n_rules}" if len(rules) == n_rules else ", ".join(rules)
        lines.append(f"| {case['change']} | {sum(case['jobs'].values())} | {names} |")
    return lines


def page(items: Iterable[pytest.Item]) -> str:
    """Return the text of the page with the tables of the collected tests."""
    text, items = PAGE.read_text("utf-8"), list(items)
    for name, lines in {"cases": cases(items), "faults": faults(items), "changes": changes()}.items():
        place = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end -->)", re.DOTALL)
        table = "\n".join([*lines, ""])
        text = place.sub(lambda match, table=table: match[1] + table + match[2], text)
    return text


if __name__ == "__main__":
    collector = Collector()
    if pytest.main(["--collect-only", "-qq", "-n", "0", str(PAGE.parent.parent / "tests")], plugins=[collector]):
        sys.exit("the tests could not be collected")
    PAGE.write_text(page(collector.items), "utf-8")
