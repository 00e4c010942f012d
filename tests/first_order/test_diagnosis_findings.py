"""Sentences on the diagnosis of an embedding, by hand."""

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
    assert diagnosis_findings.sides(BANDS).sentence == (
        "Of gender-neutral occupations Λ1 has 8 of 20 outside the unbiased band (5 towards she and 3 towards he), the "
        "cosine has 10 of 20 outside the unbiased band (1 towards she and 9 towards he)."
    )  # fmt: skip
    assert diagnosis_findings.strength(BANDS).sentence.endswith(
        "is 2.00 times that of all words by Λ1 and 0.50 times that of all words by the cosine."
    )
    assert diagnosis_findings.debiased(BANDS).sentence.endswith(": 1 (before 8) by Λ1 and 0 (before 10) by the cosine.")
    assert diagnosis_findings.sides(BANDS[:2]).sentence.endswith("(5 towards she and 3 towards he).")


def test_context_words_and_perceived_gender():
    contexts = pd.DataFrame({"occupation": ["nurse", "smith", "smith"], "definitional": [True, False, True]})
    assert diagnosis_findings.effects(contexts).sentence.startswith("2 of the 3 context words")
    assert diagnosis_findings.effects(contexts[::2]).sentence.endswith("in the cosine's bias are definitional words.")
    rows = [
        ("explicit", "original", 12, 0.6, 0.95),
        ("vectors", "original", 12, 0.6, 0.1),
        ("explicit", "debiased", 12, 0.6, 0.7),
    ]
    table = pd.DataFrame(rows, columns=["space", "state", "n", "majority", "accuracy"])
    assert diagnosis_findings.told(table).sentence == (
        "A classifier tells the perceived gender of neutral occupations with accuracy .95 before hard debiasing and "
        ".70 after hard debiasing; the more frequent gender has .60 of them."
    )  # fmt: skip
