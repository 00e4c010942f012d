"""The criteria's table, against itself and against the metrics."""

import math

import pytest

from biassay.measurement.metric import FUNCTIONS
from biassay.studies.board import criteria
from biassay.studies.board.criteria import BY_KEY, CRITERIA

LESS = {
    "false_positive_rate",
    "words_needed",
    "retraining_variability",
    "subsampling_variability",
    "sign_flip_rate",
    "min_detectable_effect",
    "seeds",
    "milliseconds",
}
VERDICTS = {"comparable", "trustworthy", "skew_sensitive", "stereotype_sensitive"}
SIGNED = {"groups_gender", "groups_ethnicity", "groups_religion", "labor", "census", "planted_words"}
UNBOUNDED = {"words_needed", "min_detectable_effect", "seeds", "milliseconds"}


def test_the_table_is_as_the_file_has_it():
    table = criteria.table()
    assert len(table) == len(CRITERIA) == len(BY_KEY) == 27
    assert list(table["criterion"]) == list(BY_KEY)
    assert CRITERIA[0] == criteria.Criterion(
        "accuracy",
        "Accuracy",
        "Is the biased model farther from no bias than the unbiased one, on the metric's range, whatever words are "
        "taken? .5: no difference",
        "silhouette",
        "more",
        0.0,
        1.0,
        "least and largest of the cases",
        "set",
    )


@pytest.mark.parametrize("criterion", CRITERIA, ids=lambda criterion: criterion.criterion)
def test_a_criterion_is_complete(criterion):
    key = criterion.criterion
    assert criterion.better == ("less" if key in LESS else "yes" if key in VERDICTS else "more")
    assert criterion.needs in ("", "sign", *FUNCTIONS)
    assert all([criterion.title, criterion.question, criterion.study, criterion.interval])
    assert (criterion.low == -1.0) == (key in SIGNED)
    assert math.isnan(criterion.high) == (key in UNBOUNDED)
    assert not criterion.low >= criterion.high


def test_titles_tell_criteria_apart():
    assert len({criterion.title for criterion in CRITERIA}) == len(CRITERIA)
