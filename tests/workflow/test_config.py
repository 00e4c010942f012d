"""The configuration's checks."""

import copy
from pathlib import Path

import pytest
import yaml

from biassay.workflow import config as settings
from biassay.workflow import study_metrics

DEFAULT = yaml.safe_load(Path("config.yaml").read_text("utf-8"))
SCHEMA = yaml.safe_load(Path("config.schema.yaml").read_text("utf-8"))
SWAPPED = {"source": "counterfactual", "corpus": "biased", "swap": ["resources/words/silhouette/swap_gender.yaml"]}


def changed(path, value):
    config = copy.deepcopy(DEFAULT)
    *parents, last = path.split(".")
    place = config
    for key in parents:
        place = place.setdefault(key, {})
    place[last] = value
    return config


def test_default_is_valid_and_complete():
    settings.check(DEFAULT, "config.schema.yaml")
    assert set(DEFAULT) == set(SCHEMA["properties"])
    assert set(DEFAULT["first_order"]) == set(SCHEMA["properties"]["first_order"]["properties"])
    assert set(DEFAULT["same"]) == set(SCHEMA["properties"]["same"]["properties"])
    counts = SCHEMA["properties"]["counts"]["additionalProperties"]["properties"]
    assert all(set(value) == set(counts) for value in DEFAULT["counts"].values())


@pytest.mark.bad_input(
    "values across the configuration", "refused at the start; the message names key, value and expected values"
)
@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("sed", 3, r"top level: unknown key 'sed' \(did you mean 'seed'\?\); expected one of: "),
        ("first_order.metric", [], "first_order: unknown key 'metric'"),
        ("seed", "one", "seed: expected an integer, got 'one'"),
        ("studies", ["first"], "unknown value 'first'.*expected one of: first_order"),
        ("corpora.biased.source", "genrator", "corpora.biased.source: unknown value 'genrator'.*generator"),
        ("corpora.biased.path", "x", "corpora.biased: unknown key 'path'"),
        (
            "corpora.mine",
            {"source": "text", "min_count": 1, "boundaries": "line"},
            "corpora.mine: lacks the key 'path'",
        ),
        ("corpora.biased.tokens", 10, "corpora.biased.tokens: expected a number ≥ 1000, got 10"),
        ("counts.glove.window", 60, "counts.glove.window: window 60: harmonic sums.*at most 42"),
        ("counts.skipgram.weighting", "flatt", "unknown value 'flatt'.*expected one of: linear, harmonic, flat"),
        (
            "embeddings.skipgram.algorithm",
            "word2vec",
            "unknown name 'word2vec'.*expected one of: glove, glove_python, init_glove, pmi, pmi_svd, skip",
        ),
        ("silhouette.pairs", ["plant"], r"silhouette.pairs: unknown name 'plant' \(did you mean 'planted'"),
        ("silhouette.metrics", ["wet"], "silhouette.metrics: unknown name 'wet'.*ect_raw"),
        ("silhouette.metrics", ["first_order"], "first_order has no set level"),
        ("silhouette.metrics", ["pll"], "'pll' takes a language model"),
        (
            "silhouette.metrics",
            ["tpr_gap"],
            "silhouette.metrics: 'tpr_gap' takes predictions, but this study measures vectors",
        ),
        (
            "intrinsic.metrics",
            ["tpr_gap"],
            "intrinsic.metrics: 'tpr_gap' takes predictions, but this study measures vectors",
        ),
        (
            "silhouette.variants.ect_raw.options",
            {"row": True},
            "ect_raw.options: unknown option 'row'.*expected one of: raw",
        ),
        ("silhouette.variants.ect_raw.range", [1, 1, 0], "ect_raw.range: expected b_min < b_max, got .1, 1, 0."),
        ("silhouette.variants.ect_raw.metric", "etc", "ect_raw.metric: unknown name 'etc'"),
        ("silhouette.shuffles", 0, "silhouette.shuffles: expected a number ≥ 1, got 0"),
        ("reference_pairs.planted.biased", {"file": "no.txt"}, "planted.biased.file: there is no file 'no.txt'"),
        ("reference_pairs.planted.biased.embedding", "glov", "planted.biased.embedding: unknown name 'glov'"),
        ("reference_pairs.planted.lists.age", "no.yaml", "planted.lists.age: there is no file 'no.yaml'"),
        ("embeddings.skipgram.dimension", 3, "embeddings.skipgram: unknown option 'dimension'.*dimensions"),
        (
            "embeddings.pmi.counts",
            "glovee",
            "embeddings.pmi.counts: unknown name 'glovee'.*expected one of: skipgram, glove",
        ),
        ("embeddings.skipgram.counts", "skipgram", "the algorithm skipgram does not use counts"),
        ("first_order.corpora", ["wiki"], "first_order.corpora: unknown name 'wiki'.*biased, control"),
        ("first_order.embeddings", ["glovee"], "first_order.embeddings: unknown name 'glovee'"),
        ("first_order.metrics", ["weat2"], "first_order.metrics: unknown name 'weat2'.*first_order"),
        (
            "first_order.metrics",
            ["pll"],
            "first_order.metrics: 'pll' takes a language model, but this study measures vectors",
        ),
        ("properties.metrics", ["mac", "aul"], "properties.metrics: 'aul' takes a language model"),
        (
            "properties.metrics",
            ["tpr_gap"],
            "properties.metrics: 'tpr_gap' takes predictions, but this study measures vectors",
        ),
        (
            "first_order.diagnosed_embedding",
            "glovee",
            "first_order.diagnosed_embedding: unknown name 'glovee'.*skipgram",
        ),
        ("first_order.diagnosis.folds", 1, "first_order.diagnosis.folds: expected a number ≥ 2, got 1"),
        ("first_order.main_list", "huge", "first_order.main_list: unknown name 'huge'.*tiny, small"),
        ("first_order.word_lists.mine", "no/such.yaml", "first_order.word_lists.mine: there is no file 'no/such.yaml'"),
        (
            "corpora.swapped",
            SWAPPED | {"corpus": "biasd"},
            r"corpora.swapped.corpus: unknown name 'biasd' \(did you mean 'biased'",
        ),
        (
            "corpora.swapped",
            SWAPPED | {"corpus": "swapped"},
            "'swapped' is counterfactual itself; expected one of: biased, control",
        ),
        ("corpora.swapped", SWAPPED | {"swap": ["no.yaml"]}, "corpora.swapped.swap: there is no file 'no.yaml'"),
        ("corpora.swapped", SWAPPED | {"swap": []}, "corpora.swapped.swap: "),
        ("corpora.swapped", SWAPPED | {"min_count": 5}, "corpora.swapped: unknown key 'min_count'.*corpus, swap"),
        ("corpora.swapped", {"source": "counterfactual", "corpus": "biased"}, "corpora.swapped: lacks the key 'swap'"),
        (
            "corpora.mine",
            {"source": "text", "path": "x", "boundaries": "line"},
            "corpora.mine: lacks the key 'min_count'",
        ),
        (
            "language_models.mine",
            {},
            "language_models.mine: expected one of: path, hub with revision, pretrain, checkpoint; got none",
        ),
        ("language_models.mine", {"hub": "bert-base-uncased"}, "language_models.mine: expected one of: .*; got hub"),
        (
            "language_models.mine",
            {"path": "no/such"},
            "language_models.mine.path: expected a folder with a config.json, got 'no/such'",
        ),
        (
            "embeddings.mine",
            {"algorithm": "no/such.py"},
            r"embeddings\.mine\.algorithm: embeddings: there is no file 'no/such.py'",
        ),
        (
            "own_metrics",
            {"x-y": "x.py"},
            r"own_metrics: 'x-y' does not match '.*': names consist of letters A to Z, digits",
        ),
        ("same.training.learning_rate", "1e-3", "expected a number, got '1e-3'; write 0.001, without quotes"),
        ("same.training.epochs", "3", "expected an integer, got '3'; write 3, without quotes"),
        ("same.training.epochs", "3.5", "expected an integer, got '3.5'$"),
        ("language_models.tiny.revision", "main", "language_models.tiny.revision: 'main' does not match"),
        ("language_models.tiny.hub", "a/b", "language_models.tiny: expected one of: .*; got path, hub"),
        (
            "language_models.mine",
            {"pretrain": {"corpus": "wiki"}},
            "language_models.mine.pretrain.corpus: unknown name",
        ),
        (
            "language_models.mine",
            {"pretrain": {"corpus": "biased", "heads": 3}},
            "language_models.mine.pretrain.heads: expected a divisor of the width, 128, got 3",
        ),
        (
            "language_models.mine",
            {"pretrain": {"corpus": "biased", "vocabulary": "no/vocab.txt"}},
            "language_models.mine.pretrain.vocabulary: there is no file 'no/vocab.txt'",
        ),
        (
            "language_models.mine",
            {"pretrain": {"corpus": "biased", "layer": 3}},
            r"language_models.mine.pretrain: unknown key 'layer' \(did you mean 'layers'",
        ),
        ("same.language_model", "bert", "same.language_model: unknown name 'bert'; expected one of: tiny"),
        ("same.templates", "no.yaml", "same.templates: there is no file 'no.yaml'"),
        ("same.metrics", ["wea"], r"same.metrics: unknown name 'wea' \(did you mean 'weat'"),
        ("same.metrics", ["pll"], "same.metrics: 'pll' takes a language model"),
        ("same.metrics", ["first_order"], "same.metrics: 'first_order' takes explicit vectors"),
        ("same.means", [0.5, 1.5], "same.means.1: expected a number ≤ 1, got 1.5"),
        ("same.training.rate", 1, "same.training: unknown key 'rate'.*learning_rate"),
        ("same.pooling", "max", "same.pooling: unknown value 'max'.*mean, cls, word"),
        (
            "published.vectors",
            {"google_news": "news.bin"},
            "published.vectors.google_news: expected a mapping, got 'news.bin'",
        ),
        ("published.vectors", {"google_news": {}}, "published.vectors.google_news: lacks the key 'file'"),
        ("published.vectors", {"google_news": {"file": "no.bin"}}, "google_news.file: there is no file 'no.bin'"),
        ("published.vectors", {"google news": {"file": "README.md"}}, "published.vectors: 'google news' does not"),
        ("published.numbers", "no.csv", "published.numbers: there is no file 'no.csv'"),
        ("published.word_lists", "no.yaml", "published.word_lists: there is no file 'no.yaml'"),
        ("published.permutations", 0, "published.permutations: expected a number ≥ 1, got 0"),
        ("studies", ["properties", "published"], "published.vectors: expected vectors with published numbers"),
        ("own_metrics.mine", "no/such.py", "own_metrics.mine: there is no file 'no/such.py'"),
    ],
)
def test_errors_name_key_value_and_choices(path, value, message):
    with pytest.raises(ValueError, match=f"{message}"):
        settings.check(changed(path, value), "config.schema.yaml")


def test_a_corpus_may_be_counterfactual():
    settings.check(changed("corpora.swapped", SWAPPED), "config.schema.yaml")


def test_files_of_what_a_counterfactual_corpus_is_made_of_are_checked():
    config = changed("corpora.swapped", SWAPPED | {"corpus": "mine"})
    config["corpora"]["mine"] = {"source": "text", "path": "no/such.txt", "min_count": 1, "boundaries": "line"}
    config["first_order"]["corpora"] = ["swapped"]
    with pytest.raises(ValueError, match=r"corpora\.mine\.path: there is no file 'no/such\.txt'"):
        settings.check(config, "config.schema.yaml")


def test_files_of_a_reference_pairs_corpus_are_checked():
    config = changed("reference_pairs.planted.biased.corpus", "mine")
    config["corpora"]["mine"] = {"source": "text", "path": "no/such.txt", "min_count": 1, "boundaries": "line"}
    with pytest.raises(ValueError, match=r"corpora\.mine\.path: there is no file 'no/such\.txt'"):
        settings.check(config, "config.schema.yaml")


def test_options_of_an_embedding_come_from_its_algorithm():
    options = settings.train_options({"algorithm": "skipgram", "dimensions": 7})
    assert options["dimensions"] == 7
    assert options["negative"] == 5
    assert "algorithm" not in options


@pytest.mark.parametrize("takes", ["language_model", "predictions"])
def test_metrics_of_language_models_and_of_predictions_are_no_metrics_of_vectors(tmp_path, takes):
    path = tmp_path / "mine.py"
    path.write_text(f"METRIC = Metric(summary='x', source='y', takes={takes!r})\n")
    names = study_metrics.vector_metrics({"own_metrics": {"mine": str(path)}})
    assert {"weat", "first_order"} <= set(names)
    assert not {"pll", "aul", "lpbs", "unmasking", "tpr_gap", "mine"} & set(names)
    path.write_text("METRIC = (\n")
    with pytest.raises(ValueError, match=r"mine\.py, line 1: not a Python file"):
        study_metrics.vector_metrics({"own_metrics": {"mine": str(path)}})


def test_addresses_with_passwords_are_taken_and_not_shown():
    wiki = {"source": "wikipedia", "url": "https://me:secret@host/a.xml", "checksum": "unknown", "min_count": 1}
    config = changed("corpora.wiki", wiki | {"boundaries": "line"})
    pairs = {"source": "crows", "url": "https://me:secret@host/b.csv", "checksum": "unknown"}
    config["downstream"]["pair_sets"] = {"mine": pairs}
    settings.prepare(config, ".", read=False)
    assert [one["url"] for one in settings.downloads(config).values()] == [wiki["url"], pairs["url"]]
    assert "secret" not in repr([config, settings.downloads(config)])  # as Snakemake notes and shows parameters


@pytest.mark.parametrize(
    "options",
    [
        {"url": "https://me:secret@host/a.xml?key=secret", "checksum": "unknown"},
        {"url": "ftp://me:secret@host/a.xml", "checksum": "unknown"},
        {"url": ["https://me:secret@host/a.xml"], "checksum": "unknown"},
        {"url": "https://me:secret@host/a b", "checksum": "unknown"},
        {"path": "https://me:secret@host/a.xml"},
    ],
)
def test_errors_have_no_passwords(options):
    config = changed("corpora.wiki", {"source": "wikipedia", "min_count": 1, "boundaries": "line"} | options)
    config["first_order"]["corpora"] = ["wiki"]
    with pytest.raises(ValueError, match=r"corpora\.wiki\.") as raised:
        settings.prepare(config, ".", read=False)
    assert "secret" not in str(raised.value)
