"""Which words lean most to which group: a metric of single words, word by word."""

from collections.abc import Iterable
from types import ModuleType

import numpy as np
import pandas as pd

from biassay.auditing.lists import Used
from biassay.auditing.material import Material
from biassay.auditing.questions import Question
from biassay.measurement import evaluation
from biassay.measurement import metric as metrics

COLUMNS = ["source", "test", "metric", "word", "list", "value", "place", "towards"]


def load(metric: str) -> ModuleType:
    """The metric that words are ranked by; raises ValueError for one without values of single words."""
    module = metrics.load(metric)
    level = module.METRIC.word
    if level is None or level.labels or module.METRIC.takes != "vectors":
        raise ValueError(f"{metric}: has no values of single words for a ranking; take same, weat or ripa")
    return module


def check(metric: str, questions: Iterable[Question]) -> None:
    """Raise ValueError for a question whose groups the metric does not take: too many, or no pairs."""
    module = load(metric)
    for question in questions:
        evaluation.check_groups(module, len(question.groups), f"groups, in a ranking of the test {question.name},")
        if module.METRIC.paired and not question.paired:
            raise ValueError(f"{metric}: pairs the groups' i-th words, and the groups of {question.name} are no pairs")


def ranked(used: Used, material: Material, metric: str = "same") -> pd.DataFrame:
    """A row a target word, from the first group's side to the other's: the metric's value of single words, the mean
    over a word's sentences if it has several; place from 1.

    With more than two groups the value has no sign, and the words farthest from b_0 come first. Raises ValueError for a
    metric that `load` or `check` refuses.
    """
    module = load(metric)
    check(metric, [used.question])
    groups = [_rows(material.stacked(words)) for words in used.groups.values()]
    words = [(word, name) for name, of_list in used.targets.items() for word in of_list]
    vectors = material.stacked([word for word, _ in words])
    values = evaluation.value(module, "word", _rows(vectors), groups).reshape(vectors.shape[:2]).mean(axis=1)
    _, _, b_0, signed = module.METRIC.range("word", len(groups))
    table = pd.DataFrame(words, columns=["word", "list"]).assign(value=values)
    far = values - (b_0 or 0)
    far = np.abs(far) if not signed else -far if metric == "rnd" else far  # whose sign is of the second group
    order, names = np.argsort(-far, kind="stable"), list(used.groups)
    table["towards"] = np.select([far > 0, far < 0], names, "") if signed else ""
    table = table.iloc[order].reset_index(drop=True)
    table = table.assign(source=material.name, test=used.question.name, metric=metric, place=np.arange(len(table)) + 1)
    return table[COLUMNS]


def _rows(array: np.ndarray) -> np.ndarray:
    return array.reshape(-1, array.shape[-1])
