"""Sentences of groups, as `measure_language_model` takes them, with a metric of one's own that needs no model."""

import numpy as np
import pytest

pytest.importorskip("transformers")
from biassay import measure_language_model
from biassay.language_models.loading import LanguageModel

FEMALE, MALE, OTHER = ["She is here.", "She left."], ["He is here.", "He left."], ["They are here.", "They left."]
METRIC = """
import numpy as np
from biassay import Level, Metric

METRIC = Metric(summary="x", source="mine", takes="language_model", groups=GROUPS,
                word=Level(0.0, lambda n: 10.0 * n), set=Level(None, None))

def scores(model, *sentences):
    return np.array([[len(text) for text in texts] for texts in sentences]).T

def word_bias(scores):
    return scores.max(axis=1)

def set_bias(scores):
    return float(scores[0] @ 10 ** np.arange(scores.shape[1])[::-1])
"""


@pytest.fixture
def ask(tmp_path):
    def ask(takes=(2, 2), **given):
        path = tmp_path / "lengths.py"
        path.write_text(METRIC.replace("GROUPS", str(takes)))
        return measure_language_model(str(path), model=LanguageModel(None, None), **given)

    return ask


def test_groups_in_their_order(ask):
    found = ask((2, None), groups={"f": FEMALE, "m": tuple(MALE), "o": np.array(OTHER)})
    assert found.word.tolist() == [14, 10]
    assert found.set == 1200 + 110 + 14
    assert found.ranges["word"].b_max == 30
    assert ask((3, 3), groups={"o": OTHER, "m": MALE, "f": FEMALE}).set == 1400 + 110 + 12


BOTH = {"f": FEMALE, "m": MALE}


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "groups"),
        ({"groups": BOTH, "stereotypical": FEMALE, "antistereotypical": MALE}, "groups"),
        ({"stereotypical": FEMALE}, "antistereotypical: "),
        ({"stereotypical": set(FEMALE), "antistereotypical": MALE}, "^stereotypical: expected a list"),  # without order
        ({"groups": [FEMALE, MALE]}, r"^groups: .*got \[\["),
        ({"groups": {"f": FEMALE, "m": MALE[0]}}, r"^m: .*got 'He is here\.'"),
        ({"groups": BOTH | {"o": OTHER[:1]}}, "^o: .*2 sentences.*got 1"),
        ({"groups": BOTH | {"o": OTHER}}, "lengths: expected 2 groups of sentences, got 3"),
    ],
)
def test_errors_say_what_is_wrong(ask, given, message):
    with pytest.raises(ValueError, match=message):
        ask(**given)
