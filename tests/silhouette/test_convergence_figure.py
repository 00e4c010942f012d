"""What the figure of convergence draws: mean and largest changes, and the published ones at their place."""

import numpy as np
import pandas as pd

from scripts.silhouette import plot_scores


def test_changes_of_each_score_and_the_published_marks():
    scores = list(plot_scores.COLOURS)
    rows = [
        {
            "metric": metric,
            "score": score,
            "n_shuffles": n,
            "mean": 0.001 * n * (1 + number),
            "max": 0.01 * n * (1 + number),
        }
        for metric in ("weat", "ect")
        for number, score in enumerate(scores)
        for n in (0, 10, 80)
    ]
    figure = plot_scores.draw_convergence(pd.DataFrame(rows))
    weat = figure.axes[0]
    assert weat.get_title() == "WEAT"
    for number in range(len(scores)):
        mean, largest = weat.lines[2 * number : 2 * number + 2]
        assert mean.get_xdata().tolist() == largest.get_xdata().tolist() == [0, 10, 80]
        np.testing.assert_allclose(mean.get_ydata(), [1e-4, 0.01 * (1 + number), 0.08 * (1 + number)])
        np.testing.assert_allclose(largest.get_ydata(), [1e-4, 0.1 * (1 + number), 0.8 * (1 + number)])
        assert (mean.get_linestyle(), largest.get_linestyle()) == ("-", ":")
    marks = [dots.get_offsets().tolist() for dots in weat.collections]
    assert marks == [[[80, 0.003]], [[80, 0.01]]]
