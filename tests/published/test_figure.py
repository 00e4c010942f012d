"""The figure of published numbers, read from its artists."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

from tests.artists import dots, legend, ticks
from tests.scripted import draw

TABLE = """test,vectors,quantity,n_missing,computed,published,agrees
math_arts,google_news,d,0,0.966,0.97,True
math_arts,google_news,p,0,0.02,0.5,False
young_old,google_news,d,1,-0.04,-0.08,False
names,glove_840b,d,61,,1.41,
jobs,google_news,direct_bias,3,0.07,,
"""


@pytest.fixture
def axis(tmp_path):
    (tmp_path / "table.csv").write_text(TABLE)
    yield draw("published/plot.py", ["figure"], input={"table": tmp_path / "table.csv"})["figure"].axes[0]
    plt.close("all")


def test_a_row_a_number_ours_and_theirs(axis):
    ours, theirs = dots(axis)
    np.testing.assert_allclose(
        np.ma.filled(ours.places.astype(float), np.nan)[[0, 1, 3]], [[0.966, 0], [-0.04, 1], [0.07, 3]]
    )
    np.testing.assert_allclose(
        np.ma.filled(theirs.places.astype(float), np.nan)[:3], [[0.97, 0], [-0.08, 1], [1.41, 2]]
    )
    assert (ours.marker, ours.size, theirs.marker, theirs.size, theirs.width) == ("D", 24, "x", 34, 1.4)
    assert theirs.faces == ["#b2182b"]
    assert theirs.above == 5 > ours.above == 3
    assert set(ours.edges) == {"#000000"}
    assert ticks(axis, "y") == ([0, 1, 2, 3], [
        "math arts, WEAT d, google_news", "young old, WEAT d, google_news", "names, WEAT d, glove_840b (not computed)",
        "jobs, Direct Bias, google_news",
    ])  # fmt: skip
    assert axis.get_ylim() == (3.6, -0.6)
    assert tuple(axis.figure.get_size_inches()) == pytest.approx((7.6, 1.3 + 0.27 * 4))


def test_full_where_the_printed_digits_come_out(axis):
    faces = dots(axis)[0].faces
    assert (faces[0], set(faces[1:])) == ("#000000", {"#ffffff"})


def test_legend_and_titles(axis):
    found = legend(axis.figure)
    assert found.entries == {"recomputed (filled: agrees with the published digits)": "#000000", "published": "#b2182b"}
    assert (found.columns, found.framed, found.size) == (2, False, 8)
    assert axis.figure.get_suptitle() == "Published numbers, recomputed from the same vectors"
    assert [line.get_xdata()[0] for line in axis.lines] == [0]
