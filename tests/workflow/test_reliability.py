"""docs/reliability.md counts the cases of bad input that there are."""

import pytest

from docs import write_reliability
from tests.running import ROOT


def test_the_page_is_as_the_tests_are(request):
    files = {item.path for item in request.session.items}
    if files != set((ROOT / "tests").rglob("test_*.py")):
        pytest.skip("only a part of the tests was collected")
    found = write_reliability.page(request.session.items)
    assert found == write_reliability.PAGE.read_text("utf-8"), "stale: run python docs/write_reliability.py"
    assert sum(1 for item in request.session.items if item.get_closest_marker("bad_input")) > 200
