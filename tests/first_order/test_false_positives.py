"""How often bias would be concluded where there is none: counted by hand."""

import pandas as pd
import pytest

from scripts.first_order import count_false_positives

COLUMNS = ["corpus", "embedding", "space", "method", "word_list", "statistics", "n", "spearman", "spearman_p"]
COLUMNS += ["pearson", "pearson_p"]
SG, GLOVE = ("sg", "vectors", "cosine"), ("glove", "explicit", "first_order")
ROWS = [
    ("control", *SG, "tiny", "labor", 40, 0.3, 0.04, 0.1, 0.5),
    ("control", *SG, "tiny", "census", 96, -0.1, 0.6, -0.4, 0.001),
    ("control", *SG, "large", "labor", 40, 0.2, 0.05, 0.32, 0.02),  # .05 is not below .05
    ("control", *GLOVE, "tiny", "labor", 38, 0.05, 0.9, None, None),
    ("planted", *SG, "tiny", "labor", 40, 0.9, 0.0001, 0.9, 0.0001),
    ("real", *SG, "tiny", "labor", 40, 0.9, 0.0001, 0.9, 0.0001),
]


def ground_truth(path, *probabilities):
    path.parent.mkdir()
    rows = [("gender", f"w{i}", "female", "n", p, "") for i, p in enumerate(probabilities)]
    rows += [("gender", "queen", "female", "f", 1, ""), ("religion", "w0", "female", "n", 0.9, "")]
    pd.DataFrame(rows, columns=["bias", "word", "group", "category", "probability", "partner"]).to_csv(
        path, index=False
    )
    return str(path)


@pytest.fixture
def counted(tmp_path):
    pd.DataFrame(ROWS, columns=COLUMNS).to_csv(tmp_path / "correlations.csv", index=False)
    ground_truths = [
        ground_truth(tmp_path / "planted/ground_truth.csv", 0.2, 0.8),
        ground_truth(tmp_path / "control/ground_truth.csv", 0.5, 0.5),
    ]

    def run(ground_truths=ground_truths):
        count_false_positives.main(str(tmp_path / "correlations.csv"), ground_truths, str(tmp_path / "out.csv"))
        return pd.read_csv(tmp_path / "out.csv")

    return run


def test_a_row_a_score_on_corpora_without_bias_only(counted):
    table = counted()
    largest = ["largest_word_list", "largest_statistics", "largest_correlation", "largest_n", "largest_p"]
    names = [
        "corpus",
        "embedding",
        "space",
        "method",
        "n_tests",
        "false_positive_rate",
        "false_positive_rate_holm",
        "largest",
        *largest,
    ]
    assert list(table.columns) == names
    # p of six tests: .001 .02 .04 below .05; by Holm 6 · .001 only, for 5 · .02 = .1
    assert table.to_numpy().tolist() == [
        ["control", *SG, 6, 0.5, pytest.approx(1 / 6, rel=1e-4), -0.4, "tiny", "census", "pearson", 96, 0.001],
        ["control", *GLOVE, 1, 0, 0, 0.05, "tiny", "labor", "spearman", 38, 0.9],
    ]


def test_without_such_a_corpus_there_is_a_header_only(counted):
    assert counted([]).empty
    assert "false_positive_rate_holm" in counted([])
