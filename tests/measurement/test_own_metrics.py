"""A metric in a user's own file cannot change its inputs, and what it raises is reported by file and line."""

import numpy as np
import pytest

from biassay.core import registry
from biassay.measurement import entry, evaluation, occupation_embeddings, predictions
from biassay.measurement import metric as metrics
from biassay.studies.silhouette import values

HEAD = """import sys
import numpy as np
from biassay import Level, Metric
METRIC = Metric(summary="s", source="mine", {declared})
"""
WORD, SET = "word=Level(None, None)", "set=Level(None, None)"
LABELLED = "groups=(0, 0), set=Level(None, None, labels=True)"
RANDOM = np.random.default_rng(1)
TARGETS, GROUPS, LABELS = RANDOM.normal(size=(8, 3)), list(RANDOM.normal(size=(2, 4, 3))), np.repeat([0, 1], 4)


def measure_growing(path, grows):
    growing = "targets" if grows == "scored" else "groups"
    question = values.MetricInputs(TARGETS, GROUPS, None, grows, [8] if grows == "scored" else [4, 4])
    return values.measure_subsets(metrics.load(path), question, values.draw_growth(question, growing, 2, 3, 1))


def measure_texts(path):
    one = np.eye(2, dtype=int)[[0, 1, 0, 1]]
    return predictions.measure_predictions(path, predictions=one, ground_truth=one, groups=["a", "a", "b", "b"])


def measure_cases(path):
    arrays = occupation_embeddings.OccupationEmbeddings(TARGETS[:, None], GROUPS, LABELS)
    return occupation_embeddings.score_set(metrics.load(path), arrays, by_case=True)


# A function of a metric, its arguments, what METRIC declares, and what calls it.
CALLS = {
    "measure": ("word_bias", "targets, groups", WORD,
                lambda path: entry.measure(path, targets=TARGETS, groups=GROUPS)),
    "measure a set": ("set_bias", "targets, groups", SET,
                      lambda path: evaluation.evaluate(metrics.load(path), TARGETS, GROUPS)),
    "n_pairings": ("set_bias_by_pairing", "targets, groups, *, n_pairings=2", SET + ", paired=True",
                   lambda path: entry.measure(path, targets=TARGETS, groups=GROUPS, n_pairings=2)),
    "predictions": ("set_bias", "targets, ground_truth, groups", SET + ", takes='predictions'", measure_texts),
    "cases": ("set_bias_by_case", "targets, groups, labels, cases", LABELLED, measure_cases),
    "growing targets": ("set_bias_growing_targets", "targets, groups, growth", SET,
                        lambda path: measure_growing(path, "scored")),
    "growing groups": ("set_bias_growing_groups", "targets, groups, growth", SET,
                       lambda path: measure_growing(path, "references")),
    "range": ("adjust_range", "declared, level, targets, options", LABELLED,
              lambda path: evaluation.evaluate(metrics.load(path), TARGETS, [], LABELS)),
}  # fmt: skip
ENDS = {"targets += 1": "read-only", "sys.exit(0)": "SystemExit: 0"}


def write_metric(tmp_path, function, arguments, declared, statement):
    """Write a metric whose function runs a statement; return its path and the line of the statement."""
    head = HEAD.format(declared=declared)
    others = [f"def {name}(targets, groups, *more, n_pairings=2):\n    return {value}\n"
              for name, value in (("set_bias", "0.5"), ("word_bias", "np.zeros(len(targets))"))
              if name != function]  # fmt: skip
    body = f"def {function}({arguments}):\n    {statement}\n    return 0.5\n"
    (tmp_path / "mine.py").write_text(head + body + "".join(others))
    return str(tmp_path / "mine.py"), head.count("\n") + 2


@pytest.mark.parametrize("statement", ENDS)
@pytest.mark.parametrize("call", CALLS)
def test_errors_name_file_and_line(tmp_path, call, statement):
    function, arguments, declared, measure = CALLS[call]
    before = [TARGETS.copy(), *(group.copy() for group in GROUPS), LABELS.copy()]
    path, line = write_metric(tmp_path, function, arguments, declared, statement)
    with pytest.raises(registry.PluginError, match=rf"mine\.py, line {line}: .*{ENDS[statement]}") as caught:
        measure(path)
    assert "\n" not in str(caught.value)
    for array, copy in zip([TARGETS, *GROUPS, LABELS], before, strict=True):
        assert (array == copy).all()


@pytest.mark.parametrize("change", ["growth.shuffles[0][:] = 0", "growth.sizes[0] = 1", "groups[0][0] = 0"])
def test_growing_lists_cannot_be_changed_either(tmp_path, change):
    path, line = write_metric(tmp_path, "set_bias_growing_targets", "targets, groups, growth", SET, change)
    with pytest.raises(registry.PluginError, match=rf"mine\.py, line {line}: "):
        measure_growing(path, "scored")


def test_a_file_that_exits_or_is_interrupted_when_it_is_imported(tmp_path):
    (tmp_path / "mine.py").write_text("import sys\nsys.exit()\n")
    with pytest.raises(ValueError, match=r"mine\.py, line 2: SystemExit"):
        metrics.load(str(tmp_path / "mine.py"))
    (tmp_path / "mine.py").write_text("raise KeyboardInterrupt\n")
    with pytest.raises(KeyboardInterrupt):
        metrics.load(str(tmp_path / "mine.py"))
