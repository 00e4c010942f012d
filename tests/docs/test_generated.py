"""Parts of the documentation that come from the code."""

import pandas as pd
import pytest

from biassay.core import registry
from biassay.measurement import metric as metrics
from docs.generated import architecture, board, data, dictionary, options
from docs.generated import metrics as metrics_page


@pytest.fixture(scope="module")
def sections():
    """The sections of the page about metrics, by name."""
    _, *parts = metrics_page.format_metrics().split("\n## ")
    return dict(part.split("\n", 1) for part in parts)


@pytest.mark.parametrize("name", registry.names("metrics"))
def test_every_metric_has_a_section(sections, name):
    declared = metrics.load(name).METRIC
    for text in (declared.summary, declared.avoid, *(level.undefined for level in declared.levels.values())):
        assert text in sections[name]
    assert "](https://" in sections[name].partition("**Papers**")[2]


def test_the_row_of_a_metric():
    row = {"word": "−1 … 1, five groups 0 … 1", "set": "0 … 1", "b_0": "0", "signed": "word level", "takes": "vectors"}
    assert metrics_page.describe_row(metrics.load("same").METRIC) == row


def test_options_columns_stages_packages_files_and_papers_are_listed():
    assert "| `skipgram` | `window` | an integer from 1 to 1000 | 5 |" in options.format_options()
    assert "| `spearman` | number | −1 to 1 | " in dictionary.format_dictionary()
    assert "| **counts** | " in architecture.format_packages()
    assert "| **first_order** | `score_first_order`: " in architecture.format_stages()
    assert "`words/gender/medium.yaml`: " in data.format_sources()
    assert "[`weat`](metrics.md#weat)" in data.format_papers()


def test_headers_of_files(tmp_path):
    (tmp_path / "a.yaml").write_text("source: lexicon of Ada (MIT)\nx: [a]\n")
    (tmp_path / "a.csv").write_text("# Words.\n# Source: Ada 2020.\nword\na\n")
    assert data.read_header(tmp_path / "a.yaml") == "lexicon of Ada (MIT)"
    assert data.read_header(tmp_path / "a.csv") == "Words. Source: Ada 2020."
    (tmp_path / "a.csv").write_text("word\na\n")
    with pytest.raises(ValueError, match=r"a\.csv: missing source"):
        data.read_header(tmp_path / "a.csv")


def test_means_over_seeds_by_hand(monkeypatch):
    """Bold: the range over the seeds reaches that of the best. Of false positives, those near 0.05 are ahead."""
    rows = [
        ("weat", "auc", 5, 0.987, 0.0149, 0.97, 1.0), ("mac", "auc", 4, 0.5, 0.12, 0.4, 0.6),
        ("ect", "auc", 5, 0.98, 0.015, 0.95, 0.98), ("weat", "false_positive_rate", 5, 0.5, 0.05, 0.4, 0.6),
        ("mac", "false_positive_rate", 5, 0.02, 0.05, 0.01, 0.1), ("weat", "comparable", 5, 0.0, 0.0, 0.0, 0.0),
    ]  # fmt: skip
    columns = ["metric", "criterion", "n_seeds", "mean", "std", "min", "max"]
    monkeypatch.setattr(board, "read_table", lambda _: pd.DataFrame(rows, columns=columns))
    monkeypatch.setattr(board, "MIN_CRITERIA", 1)
    assert board.format_seeds().splitlines()[:5] == [
        "| criterion | WEAT | MAC | ECT (1 − ρ) |",
        "| --- | --- | --- | --- |",
        "| AUC | **0.99 ± 0.01** | 0.50 ± 0.12 (4) | **0.98 ± 0.01** |",
        "| False positives (groups) → 0.05 | 0.50 ± 0.05 | **0.02 ± 0.05** | – |",
        "| Comparable | **no** | – | – |",
    ]
