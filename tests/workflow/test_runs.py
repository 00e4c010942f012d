"""A tiny run of the whole workflow: results, and errors for bad input."""

import numpy as np
import pandas as pd

from biassay.interchange import export
from biassay.report import results
from tests.running import ROOT, snakemake

KEYS = ["corpus", "embedding", "space", "method", "word_list", "statistics"]
SCORES = "results/first_order/scores"


def test_correlations_are_the_expected_ones(finished):
    """A larger change is a change of method: review it before you accept it with `grep -e ^corpus, -e ,medium,`."""
    found = pd.read_csv(finished / "results/first_order/correlations.csv")
    found = found[found["word_list"] == "medium"].set_index(KEYS)
    expected = pd.read_csv(ROOT / "tests/first_order/expected_correlations.csv").set_index(KEYS)
    assert list(found.index) == list(expected.index)
    assert (found["n"] == expected["n"]).all()
    trained = found.index.get_level_values("embedding").isin(["skipgram", "glove"])
    for column in ("spearman", "pearson"):
        differences = (found[column] - expected[column]).abs()
        assert differences[~trained].max() < 1e-3
        assert differences[trained].max() < 0.1  # training differs a little between processors


def test_every_column_of_every_table_is_in_the_data_dictionary(finished, tmp_path):
    for path in results.list_tables(finished / "results"):
        assert results.locate(path).about, path
        for name in pd.read_csv(finished / "results" / path, nrows=0).columns:
            assert results.find_column(path, name), f"{path}: {name}"
    rows = export.write_package(finished / "results", tmp_path / "package")  # refuses a value not of its type
    assert rows["first_order_correlations"] > 100


def test_first_order_finds_what_was_planted_and_nothing_in_the_control(finished):
    table = pd.read_csv(finished / "results/first_order/correlations.csv")
    table = table[(table["method"] == "first_order") & (table["word_list"] == "large") & (table["embedding"] == "ppmi")]
    planted = table[(table["corpus"] == "biased") & (table["statistics"] == "planted")]
    assert (planted["spearman"] > 0.5).all()
    assert (planted["spearman_low"] > 0.3).all()
    assert (table[(table["corpus"] == "control") & (table["statistics"] == "census")]["spearman"].abs() < 0.3).all()
    table = pd.read_csv(finished / "results/first_order/confounding.csv")
    row = table[(table["embedding"] == "ppmi") & (table["method"] == "first_order") & (table["word_list"] == "large")]
    assert row["own_slope"].item() > 0.5
    assert abs(row["partner_slope"].item()) < 0.2


def test_a_text_metric_and_algorithm_of_ones_own(project):
    text = (project / "results/corpora/biased/text.txt").read_text()
    (project / "mine.txt").write_text(text)
    (project / "my_metric.py").write_text(
        "from biassay import Level, Metric, second_order_cosine\n"
        "METRIC = Metric(summary='twice', source='mine', word=Level(-4, 4, signed=True))\n"
        "def word_bias(targets, attributes):\n    return 2 * second_order_cosine.word_bias(targets, attributes)\n"
    )
    (project / "my_algorithm.py").write_text(
        "from biassay import pmi_svd\nINPUT = 'counts'\n"
        "def train(words, counts, *, dimensions: int = 5, seed: int = 1, threads: int = 1):\n"
        "    return pmi_svd.train(words, counts, dimensions=dimensions, positive=True)\n"
    )
    config = {
        "corpora": {"mine": {"source": "text", "path": "mine.txt", "min_count": 2, "boundaries": "sentence"}},
        "embeddings": {"my_svd": {"algorithm": "my_algorithm.py", "counts": "skipgram", "dimensions": 20}},
        "own_metrics": {"twice": "my_metric.py"},
        "first_order": {"corpora": ["mine"], "embeddings": ["my_svd"], "metrics": ["second_order_cosine", "twice"]},
    }
    result = snakemake(project, f"{SCORES}/mine/twice.csv", f"{SCORES}/mine/second_order_cosine.csv", config=config)
    assert result.returncode == 0, result.stderr
    once, twice = (pd.read_csv(project / f"{SCORES}/mine/{name}.csv") for name in ("second_order_cosine", "twice"))
    np.testing.assert_allclose(twice["bias"], 2 * once["bias"], rtol=1e-6)
    peer = pd.read_csv(project / f"{SCORES}/biased/second_order_cosine.csv").query("embedding == 'ppmi_svd'")
    np.testing.assert_allclose(once["bias"], peer["bias"], atol=1e-4)  # the same text, embedding and list


def test_a_bad_file_gives_one_clear_message_and_no_output(project):
    (project / "noise.txt").write_bytes(bytes(range(256)) * 40)
    noise = {"source": "text", "min_count": 1, "boundaries": "line", "path": "noise.txt"}
    target = f"{SCORES}/noise/first_order.csv"
    result = snakemake(project, target, config={"corpora": {"noise": noise}, "first_order": {"corpora": ["noise"]}})
    assert result.returncode != 0
    assert result.stderr.count("Error: noise.txt: not") == 1, result.stderr
    assert "Traceback" not in result.stderr
    assert not (project / target).exists()
    assert not (project / "results/corpora/noise/tokens.npy").exists()
    assert not list(project.rglob("*.raw"))
