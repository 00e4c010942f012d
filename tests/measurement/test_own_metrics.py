"""A metric in a user's own file cannot change its inputs, and what it raises is reported by file and line."""

import numpy as np
import pytest

from biassay.core import registry
from biassay.measurement import entry, evaluation
from biassay.measurement import metric as metrics
from biassay.studies.silhouette import values

WORD, SET = "word=Level(None, None)", "set=Level(None, None)"
RANDOM = np.random.default_rng(1)
TARGETS, GROUPS = RANDOM.normal(size=(8, 3)), list(RANDOM.normal(size=(2, 4, 3)))
FILE = """import numpy as np
from biassay import Level, Metric
METRIC = Metric(summary="s", source="mine", {declared})
def word_bias(targets, groups):
    return np.zeros(len(targets))
def set_bias(*arguments):
    return 0.5
def {function}({arguments}):
    {statement}
    return 0.5
"""


def measure_growing(path):
    question = values.MetricInputs(TARGETS, GROUPS, None, "scored", [8])
    return values.measure_subsets(metrics.load(path), question, values.draw_growth(question, "targets", 2, 3, 1))


# A function of a metric, its arguments, what METRIC declares, and what calls it.
CALLS = [
    ("word_bias", "targets, groups", WORD, lambda path: entry.measure(path, targets=TARGETS, groups=GROUPS)),
    ("set_bias", "targets, groups", SET, lambda path: evaluation.evaluate(metrics.load(path), TARGETS, GROUPS)),
    ("set_bias_growing_targets", "targets, groups, growth", SET, measure_growing),
]  # fmt: skip


@pytest.mark.parametrize(
    ("call", "statement", "error"),
    [(call, "targets += 1", "read-only") for call in CALLS]
    + [(CALLS[0], "raise SystemExit(0)", "SystemExit: 0"), (CALLS[1], "1 / 0", "ZeroDivisionError")]
    + [(CALLS[2], "growth.shuffles[0][:] = 0", "read-only")],
)
def test_errors_name_file_and_line_and_inputs_stay(tmp_path, call, statement, error):
    function, arguments, declared, measure = call
    before = [array.copy() for array in (TARGETS, *GROUPS)]
    path = tmp_path / "mine.py"
    path.write_text(FILE.format(declared=declared, function=function, arguments=arguments, statement=statement))
    with pytest.raises(registry.PluginError, match=rf"mine\.py, line 9: .*{error}") as caught:
        measure(str(path))
    assert "\n" not in str(caught.value)
    for array, copy in zip([TARGETS, *GROUPS], before, strict=True):
        np.testing.assert_array_equal(array, copy)


def test_a_file_that_exits_or_is_interrupted_when_it_is_imported(tmp_path):
    (tmp_path / "mine.py").write_text("import sys\nsys.exit()\n")
    with pytest.raises(ValueError, match=r"mine\.py, line 2: SystemExit"):
        metrics.load(str(tmp_path / "mine.py"))
    (tmp_path / "mine.py").write_text("raise KeyboardInterrupt\n")
    with pytest.raises(KeyboardInterrupt):
        metrics.load(str(tmp_path / "mine.py"))
