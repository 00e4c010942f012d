"""Sentences on the diagnosis of an embedding, by hand."""

import re

import pandas as pd

from biassay.studies.first_order import diagnosis_findings

BANDS = pd.DataFrame(
    [("first_order", "original", 0.1, 20, 0.2, 5, 3, 12), ("first_order", "debiased", 0.1, 20, 0.05, 1, 0, 19),
     ("second_order_cosine", "original", 0.2, 20, 0.1, 1, 9, 10),
     ("second_order_cosine", "debiased", 0.2, 20, 0.0, 0, 0, 20)],
    columns=["method", "state", "band", "n_neutral_occupations", "mean_absolute_bias", "n_she", "n_he", "n_unbiased"],
)  # fmt: skip
BANDS.insert(5, "mean_bias", 0.0)


def test_sides_strength_and_what_debiasing_leaves():
    assert diagnosis_findings.describe_sides(BANDS).sentence.endswith(
        ": 8 of 20 by Λ1 (5 she and 3 he) and 10 of 20 by the cosine (1 she and 9 he)."
    )
    assert diagnosis_findings.describe_magnitude(BANDS).sentence.endswith(
        ": 2.00 times by Λ1 and 0.50 times by the cosine."
    )
    assert diagnosis_findings.describe_debiasing(BANDS).sentence.endswith(
        ": 1 (before: 8) by Λ1 and 0 (before: 10) by the cosine."
    )
    assert diagnosis_findings.describe_sides(BANDS[:2]).sentence.endswith("by Λ1 (5 she and 3 he).")


def test_context_words_and_perceived_gender():
    contexts = pd.DataFrame({"occupation": ["nurse", "smith", "smith"], "definitional": [True, False, True]})
    assert diagnosis_findings.describe_contexts(contexts).sentence.startswith("2 of the 3 context words")
    assert diagnosis_findings.describe_contexts(contexts[::2]).sentence.endswith("are definitional.")
    rows = [
        ("explicit", "original", 12, 0.6, 0.95),
        ("vectors", "original", 12, 0.6, 0.1),
        ("explicit", "debiased", 12, 0.6, 0.7),
    ]
    table = pd.DataFrame(rows, columns=["space", "state", "n", "majority", "accuracy"])
    sentence = diagnosis_findings.describe_classifier(table).sentence
    assert re.findall(r"0\.\d+", sentence) == ["0.95", "0.70", "0.60"]
