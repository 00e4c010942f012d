"""A metric in a user's own file: it cannot change what it is given, and what it raises is told by file and line."""

import numpy as np
import pytest

from biassay.auditing.bound_metrics import difference_of_lists
from biassay.core import registry
from biassay.measurement import entry, evaluation, occupation_embeddings, predictions
from biassay.measurement import metric as metrics
from biassay.statistics.growth import grow
from biassay.studies.first_order.scores import _table
from biassay.studies.properties.settings import ScoredMetric, make_settings
from biassay.studies.silhouette import values

HEAD = """import sys
import numpy as np
from biassay import Level, Metric
METRIC = Metric(summary="s", source="mine", {declared})
"""
WORD = "word=Level(None, None)"
SET = "set=Level(None, None)"
LABELLED = "groups=(0, 0), set=Level(None, None, labels=True)"
RANDOM = np.random.default_rng(1)
TARGETS, GROUPS, LABELS = RANDOM.normal(size=(8, 3)), list(RANDOM.normal(size=(2, 4, 3))), np.repeat([0, 1], 4)


def asked(module, grows):
    growing = "targets" if grows == "scored" else "groups"
    question = values.MetricInputs(TARGETS, GROUPS, None, grows, [8] if grows == "scored" else [4, 4])
    return values.measure_subsets(module, question, values.draw_growth(question, growing, 2, 3, 1))


def texts(path):
    one = np.eye(2, dtype=int)[[0, 1, 0, 1]]
    return predictions.measure_predictions(path, predictions=one, ground_truth=one, groups=["a", "a", "b", "b"])


def cases(module):
    arrays = occupation_embeddings.OccupationEmbeddings(TARGETS[:, None], GROUPS, LABELS)
    return occupation_embeddings.score_set(module, arrays, by_case=True)


# A function of a metric, its arguments, what METRIC declares, and what calls it.
CALLS = {
    "measure": ("word_bias", "targets, groups", WORD,
                lambda path: entry.measure(path, targets=TARGETS, groups=GROUPS)),
    "measure a set": ("set_bias", "targets, groups", SET,
                      lambda path: evaluation.evaluate(metrics.load(path), TARGETS, GROUPS)),
    "n_pairings": ("set_bias_by_pairing", "targets, groups, *, n_pairings=2", SET + ", paired=True",
                 lambda path: entry.measure(path, targets=TARGETS, groups=GROUPS, n_pairings=2)),
    "predictions": ("set_bias", "targets, ground_truth, groups", SET + ", takes='predictions'", texts),
    "cases": ("set_bias_by_case", "targets, groups, labels, cases", LABELLED,
              lambda path: cases(metrics.load(path))),
    "growing targets": ("set_bias_growing_targets", "targets, groups, growth", SET,
                        lambda path: asked(metrics.load(path), "scored")),
    "growing groups": ("set_bias_growing_groups", "targets, groups, growth", SET,
                           lambda path: asked(metrics.load(path), "references")),
    "difference of lists": ("word_bias", "targets, groups", WORD,
                            lambda path: difference_of_lists(metrics.load(path)).set_bias(TARGETS, GROUPS, LABELS)),
    "growing difference": ("word_bias", "targets, groups", WORD, lambda path: difference_of_lists(
        metrics.load(path)).set_bias_growing_targets(TARGETS, GROUPS, LABELS, grow([4, 4], 2, 1, [1]))),
    "range": ("adjust_range", "declared, level, targets, options", LABELLED,
              lambda path: evaluation.evaluate(metrics.load(path), TARGETS, [], LABELS)),
    "properties": ("set_bias", "targets, groups", SET,
                   lambda path: ScoredMetric(metrics.load(path), "set", 2)(TARGETS, make_settings(2, 3, 1)[0])),
    "factor": ("factor", "targets, groups", WORD, lambda path: _table(
        metrics.load(path), "vectors", list("abcdefgh"), TARGETS, GROUPS, ["x", "y"])),
}  # fmt: skip
ENDS = {"targets += 1": "read-only", "sys.exit()": "SystemExit", "sys.exit(0)": "SystemExit: 0",
        "raise GeneratorExit": "GeneratorExit", "1 / 0": "ZeroDivisionError"}  # fmt: skip


def written(tmp_path, function, arguments, declared, statement):
    head = HEAD.format(declared=declared)
    others = [f"def {name}(targets, groups, *more, n_pairings=2):\n    return {value}\n"
              for name, value in (("set_bias", "0.5"), ("word_bias", "np.zeros(len(targets))"))
              if name != function]  # fmt: skip
    body = f"def {function}({arguments}):\n    {statement}\n    return 0.5\n"
    (tmp_path / "mine.py").write_text(head + body + "".join(others))
    return str(tmp_path / "mine.py"), head.count("\n") + 2


@pytest.mark.bad_input("a metric of your own", "one error that names file and line; no input is changed")
@pytest.mark.parametrize("statement", ENDS)
@pytest.mark.parametrize("call", CALLS)
def test_whatever_a_metric_does_is_told_by_file_and_line(tmp_path, call, statement):
    function, arguments, declared, ask = CALLS[call]
    before = [TARGETS.copy(), *(group.copy() for group in GROUPS), LABELS.copy()]
    path, line = written(tmp_path, function, arguments, declared, statement)
    with pytest.raises(registry.PluginError, match=rf"mine\.py, line {line}: .*{ENDS[statement]}") as caught:
        ask(path)
    assert "\n" not in str(caught.value)
    for array, copy in zip([TARGETS, *GROUPS, LABELS], before, strict=True):
        assert (array == copy).all()


@pytest.mark.bad_input("a metric of your own", "one error that names file and line; no input is changed")
@pytest.mark.parametrize("change", ["growth.orders[0][:] = 0", "growth.sizes[0] = 1", "groups[0][0] = 0"])
def test_what_grows_cannot_be_changed_either(tmp_path, change):
    path, line = written(tmp_path, "set_bias_growing_targets", "targets, groups, growth", SET, change)
    with pytest.raises(registry.PluginError, match=rf"mine\.py, line {line}: "):
        asked(metrics.load(path), "scored")


@pytest.mark.bad_input("a metric of your own", "one error that names file and line; no input is changed")
@pytest.mark.parametrize("statement", ["sys.exit()", "raise GeneratorExit", "exit(0)"])
def test_a_file_that_ends_the_program_when_it_is_imported_is_told(tmp_path, statement):
    (tmp_path / "mine.py").write_text(f"import sys\n{statement}\n")
    with pytest.raises(ValueError, match=r"mine\.py, line 2: (SystemExit|GeneratorExit)"):
        metrics.load(str(tmp_path / "mine.py"))


def test_a_user_who_interrupts_is_not_held_up(tmp_path):
    (tmp_path / "mine.py").write_text("raise KeyboardInterrupt\n")
    with pytest.raises(KeyboardInterrupt):
        metrics.load(str(tmp_path / "mine.py"))
