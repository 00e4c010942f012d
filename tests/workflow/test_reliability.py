"""docs/reliability.md tells of the bad input, the faults and the changes that there are tests of."""

import pytest

from docs import write_reliability
from tests.conftest import ALL
from tests.running import ROOT


def test_the_page_is_as_the_tests_are(request):
    items = request.config.stash[ALL]
    files = {item.path for item in items}
    if files != set((ROOT / "tests").rglob("test_*.py")):
        pytest.skip("only a part of the tests was collected")
    found = write_reliability.page(items)
    assert found == write_reliability.PAGE.read_text("utf-8"), "stale: run python docs/write_reliability.py"
    assert sum(1 for item in items if item.get_closest_marker("bad_input")) > 200
    assert sum(1 for item in items if item.get_closest_marker("fault")) > 10
