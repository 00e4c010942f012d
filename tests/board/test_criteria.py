"""The criteria's table, against itself and against the metrics."""

import math

import pytest

from biassay.measurement.metric import FUNCTIONS
from biassay.studies.board import criteria
from biassay.studies.board.criteria import BY_KEY, CRITERIA

LOWER = {
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
    table = criteria.read_criteria()
    assert len(table) == len(CRITERIA) == len(BY_KEY) == 27
    assert list(table["criterion"]) == list(BY_KEY)
    assert CRITERIA[0] == criteria.Criterion(
        "accuracy",
        "Accuracy",
        CRITERIA[0].question,
        "silhouette",
        "higher",
        0.0,
        1.0,
        "minimum and maximum of the cases",
        "set",
    )


@pytest.mark.parametrize("criterion", CRITERIA, ids=lambda criterion: criterion.criterion)
def test_a_criterion_is_complete(criterion):
    key = criterion.criterion
    assert criterion.better == ("lower" if key in LOWER else "yes" if key in VERDICTS else "higher")
    assert criterion.needs in ("", "sign", *FUNCTIONS)
    assert all([criterion.title, criterion.question, criterion.study, criterion.interval])
    assert (criterion.min_value == -1.0) == (key in SIGNED)
    assert math.isnan(criterion.max_value) == (key in UNBOUNDED)
    assert not criterion.min_value >= criterion.max_value


def test_titles_tell_criteria_apart():
    assert len({criterion.title for criterion in CRITERIA}) == len(CRITERIA)
