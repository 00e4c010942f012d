"""No figure is higher than can be read without scrolling."""

import pytest

from biassay.report.sizes import MAX_RATIO, fit_size


@pytest.mark.parametrize(("given", "found"), [((8, 4), (8, 4)), ((8, 7.3), (10, 7.3)), ((6, 0.73 * 6), (6, 0.73 * 6))])
def test_a_figure_too_high_is_made_wider(given, found):
    assert fit_size(*given) == pytest.approx(found)
    assert 1200 * MAX_RATIO < 900
