"""Colours of different meaning stay apart for eyes without red or green cones, and in grey where they must."""

from itertools import combinations

import numpy as np
import pytest
from matplotlib.colors import to_rgb

from biassay.report import plots

# Machado, Oliveira and Fernandes (2009), severity 1, on linear RGB
SIMULATIONS = {
    "all cones": np.eye(3),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
}
XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
)
PALETTES = {
    "methods": [plots.FIRST, plots.SECOND, plots.EXPLICIT, plots.OWN],
    "sides": [plots.UNBIASED, *(colour for side in plots.SIDES for colour in side)],
    "models": [*plots.MODELS.values(), "black"],
    "verdicts": list(plots.VERDICTS.values()),
    "series": list(plots.SERIES),
}
APART = 20  # CIELAB; 2.3 is a just noticeable difference


def lab(colour: str, seen: np.ndarray) -> np.ndarray:
    """CIELAB of a colour as it is seen, white point D65."""
    encoded = np.array(to_rgb(colour))
    linear = np.where(encoded <= 0.04045, encoded / 12.92, ((encoded + 0.055) / 1.055) ** 2.4)
    x, y, z = XYZ @ np.clip(seen @ linear, 0, 1) / (XYZ @ np.ones(3))
    f = [t ** (1 / 3) if t > 216 / 24389 else (24389 / 27 * t + 16) / 116 for t in (x, y, z)]
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def apart(one: str, other: str, seen: np.ndarray) -> float:
    return float(np.linalg.norm(lab(one, seen) - lab(other, seen)))


@pytest.mark.parametrize("eyes", SIMULATIONS)
@pytest.mark.parametrize("palette", PALETTES)
def test_colours_of_a_palette_stay_apart(palette, eyes):
    close = {
        (one, other): round(apart(one, other, SIMULATIONS[eyes]), 1)
        for one, other in combinations(PALETTES[palette], 2)
    }
    assert {pair: found for pair, found in close.items() if found < APART} == {}


def test_models_differ_in_grey():
    dark, light = (lab(colour, SIMULATIONS["all cones"])[0] for colour in plots.MODELS.values())
    assert light - dark > 15


def test_the_simulation_by_hand():
    """White and black are 100 apart for all eyes; a red and a green are close for eyes without one kind of cones."""
    for eyes in SIMULATIONS.values():
        assert apart("white", "black", eyes) == pytest.approx(100, abs=0.5)
    np.testing.assert_allclose(lab("#ff0000", np.eye(3)), [53.24, 80.09, 67.20], atol=0.05)
    red, green = "#c86464", "#789646"
    assert apart(red, green, SIMULATIONS["all cones"]) > 50
    assert apart(red, green, SIMULATIONS["deuteranopia"]) < APART
