"""Queries of WEFE, compared with WEFE's values. In its own environment: pip install wefe numba pytest."""

import numpy as np
import pytest

wefe = pytest.importorskip("wefe", reason="WEFE is not installed; its tests have an environment of their own")

from gensim.models import KeyedVectors  # noqa: E402
from wefe.metrics import ECT, MAC, RND, RNSB, WEAT  # noqa: E402
from wefe.query import Query  # noqa: E402
from wefe.word_embedding_model import WordEmbeddingModel  # noqa: E402

from biassay.interchange.wefe_queries import as_in_wefe, from_wefe, to_wefe  # noqa: E402
from biassay.measurement.entry import measure  # noqa: E402

SIZES = {"she": 7, "he": 9, "art": 12, "science": 10}  # of different sizes, so that weights of sets show
SETS = {name: [f"{name}{i}" for i in range(n)] for name, n in SIZES.items()}
OPTIMUM = {"solver": "lbfgs", "tol": 1e-10, "max_iter": 100_000}


@pytest.fixture(scope="module")
def model():
    rng, vectors = np.random.default_rng(1), KeyedVectors(20)
    for number, words in enumerate(SETS.values()):
        vectors.add_vectors(words, (rng.standard_normal((len(words), 20)) + 0.3 * number).astype(np.float32))
    return WordEmbeddingModel(vectors)


def query(targets=("she", "he"), groups=("art", "science")):
    return Query([SETS[name] for name in targets], [SETS[name] for name in groups], list(targets), list(groups))


@pytest.mark.parametrize(("metric", "wefe_metric", "options", "wefe_query"), [
    ("weat", WEAT, {"return_effect_size": True}, query()),
    ("mac", MAC, {}, query(("she",), ("art", "science"))),
    ("ect", ECT, {}, query(groups=("art",))),
    ("rnd", RND, {"normalize": True}, query(groups=("science",))),
    ("rnsb", RNSB, {"holdout": False, "estimator_params": OPTIMUM}, query()),
    ("rnsb", RNSB, {"holdout": False, "estimator_params": OPTIMUM}, query(("she", "he", "art"), ("art", "science"))),
])  # fmt: skip
def test_values_are_wefes_where_definitions_agree(model, metric, wefe_metric, options, wefe_query):
    expected = wefe_metric().run_query(wefe_query, model, **options)["result"]
    assert as_in_wefe(wefe_query, model, metric) == pytest.approx(expected, abs=2e-5)


def test_a_missing_word_counts_for_nothing(model):
    more = Query([[*SETS["she"], "unknown"], SETS["he"]], [SETS["art"], SETS["science"]], ["she", "art"], ["art", "x"])
    assert as_in_wefe(more, model, "rnsb") == pytest.approx(as_in_wefe(query(), model, "rnsb"))
    few = Query([[*SETS["she"], *"abcdefghi"], SETS["he"]], [SETS["art"], SETS["science"]], ["she", "he"], ["art", "x"])
    found = to_wefe("same").run_query(few, model, lost_vocabulary_threshold=0.7)
    assert found["result"] == pytest.approx(to_wefe("same").run_query(query(), model)["result"])


def test_a_repeated_word_counts_once_and_is_lost(model):
    repeated = Query([SETS["she"], SETS["he"]], [[*SETS["art"], *["art0"] * 3], SETS["science"]])
    expected = WEAT().run_query(repeated, model, return_effect_size=True)["result"]
    assert as_in_wefe(repeated, model, "weat") == pytest.approx(expected, abs=2e-5)
    shared = Query([SETS["she"], ["she0", *SETS["he"]]], [SETS["art"]])
    assert as_in_wefe(shared, model, "mac") == pytest.approx(MAC().run_query(shared, model)["result"], abs=2e-5)
    lost = Query([SETS["she"], SETS["he"]], [[*SETS["art"], *["art0"] * 9], SETS["science"]])
    for metric in (WEAT(), to_wefe("weat")):
        assert np.isnan(metric.run_query(lost, model)["result"])


def test_which_sets_are_targets_hangs_on_the_metric(model):
    weat, same, mac = (from_wefe(query(), model, name) for name in ("weat", "same", "mac"))
    assert list(weat["targets"]) == ["she", "he"]
    assert list(weat["groups"]) == ["art", "science"]
    assert same["targets"] == SETS["art"] + SETS["science"]
    assert list(same["groups"]) == ["she", "he"]
    assert mac["targets"] == SETS["she"] + SETS["he"]
    with_prefix = WordEmbeddingModel(model.wv, vocab_prefix="x_")
    assert from_wefe(query(), with_prefix, "same")["targets"][0] == "x_art0"


def test_our_metrics_run_as_wefes(model):
    vectors = to_wefe("same").run_query(query(), model)
    assert vectors["query_name"] == query().query_name
    assert vectors["result"] == measure("same", **from_wefe(query(), model, "same")).set == vectors["measurement"].set
    weat = to_wefe("weat").run_query(query(), model)["result"]
    assert weat == pytest.approx(WEAT().run_query(query(), model, return_effect_size=True)["result"], abs=1e-5)
    incomplete_query = Query([SETS["she"], ["no", "none"]], [SETS["art"]])
    assert np.isnan(to_wefe("same").run_query(incomplete_query, model)["result"])
    with pytest.raises(ValueError, match="normalize"):
        to_wefe("same").run_query(query(), model, normalize=True)


def test_what_cannot_be_asked_is_said(model):
    with pytest.raises(ValueError, match=r"same: .*weat"):
        as_in_wefe(query(), model, "same")
    with pytest.raises(ValueError, match="unknown"):
        from_wefe(query(), model, "no_such_metric")
