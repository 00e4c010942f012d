"""Functions of targets in place of a metric, and settings, for the tests of the search."""

import numpy as np

from biassay.measurement.metric import Range
from biassay.studies.properties.settings import Setting

X, Y = np.eye(2)
PLANE = Setting("plane", [X[None], Y[None]])
SPACE = Setting("space", [np.array([[1.0, 0, 0]]), np.array([[0, 1.0, 0]])])
THREE = Setting("three", [row[None] for row in np.eye(3)])
HALF = np.sqrt(0.5)


class Given:
    """A function of targets in place of a metric."""

    def __init__(self, function, targets=1, b_min=None, b_max=None, b_0=0.0):
        self.function, self.n_targets, self.range, self.b_0 = function, targets, Range(b_min, b_max, b_0, False), b_0
        self.n_evaluations = 0

    def __call__(self, targets, setting):
        self.n_evaluations += 1
        assert targets.shape == (self.n_targets, setting.dimensions)
        return float(self.function(targets))


def random():
    return np.random.default_rng(3)


def gap(targets):
    """s(w, A) − s(w, B) of the first target, in the plane."""
    return (targets[0, 0] - targets[0, 1]) / np.linalg.norm(targets[0])
