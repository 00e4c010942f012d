"""Target words ranked from one group to the other, by a metric of single words."""

from types import ModuleType

import numpy as np
import pandas as pd

from biassay.auditing.questions import Question
from biassay.auditing.result import TABLES
from biassay.auditing.source_vectors import SourceVectors, UsedWords
from biassay.measurement import evaluation
from biassay.measurement import metric as metrics


def load(metric: str) -> ModuleType:
    """Load the metric that ranks words; raises ValueError for one without values of single words."""
    module = metrics.load(metric)
    level = module.METRIC.word
    if level is None or level.labels or module.METRIC.takes != "vectors":
        raise ValueError(f"rank_by: {metric} has no values of single words; use same, weat or ripa, for example")
    return module


def check(metric: str, question: Question) -> None:
    """Raise ValueError for a test whose groups the metric does not take: too many, or not paired."""
    module = load(metric)
    evaluation.check_groups(module, len(question.groups), f"groups, in a ranking of the test {question.name},")
    if module.METRIC.paired and not question.paired:
        raise ValueError(f"rank_by: {metric} needs paired groups, and those of the test {question.name} are not")


def rank_words(used: UsedWords, source: SourceVectors, metric: str = "same") -> pd.DataFrame:
    """Rank the target words by a metric's word values, from the first group's side to the other's.

    The value of a word with several sentences is their mean. With more than two groups values have no sign, and words
    farthest from b_0 come first. Each row has the rank from 1 and the group that the word is nearer to, if any.
    """
    module, n_dimensions = load(metric), source.n_dimensions
    groups = [source.stack(words).reshape(-1, n_dimensions) for words in used.groups.values()]
    words = [(word, name) for name, target_list in used.targets.items() for word in target_list]
    vectors = source.stack([word for word, _ in words])
    values = evaluation.evaluate_level(module, "word", vectors.reshape(-1, n_dimensions), groups)
    table = pd.DataFrame(words, columns=["word", "list"]).assign(value=values.reshape(len(words), -1).mean(axis=1))
    _, _, b_0, signed = module.METRIC.range("word", len(groups))
    table["b_0"] = b_0 or 0.0
    lean = table["value"] - table["b_0"]
    lean = module.METRIC.towards_first(lean) if signed else lean.abs()
    table["nearer_group"] = np.select([lean > 0, lean < 0], list(used.groups), "") if signed else ""
    table["sensitive"] = table["word"].isin(used.question.sensitive)
    table = table.iloc[np.argsort(-lean.to_numpy(), kind="stable")].reset_index(drop=True)
    table = table.assign(source=source.name, test=used.question.name, metric=metric, rank=np.arange(len(table)) + 1)
    return table[TABLES["words"]]
