"""Scores of occupations: each value by the paper's plain formula, each column of the table that the script writes."""

import numpy as np
import pandas as pd
import pytest

from biassay.metrics import first_order, gweat, mac, rnd, second_order_cosine, second_order_nnd, weat
from biassay.studies.first_order import scores
from biassay.vectors.embedding import Embedding
from scripts.first_order import score
from tests.first_order import small
from tests.first_order.small import GROUPS, JOBS, WORDS, cos

EMBEDDINGS = {"sigmoid": small.embedding(), "product": small.embedding(link="product"), "sparse": small.counts()}


def means(embedding):
    """Mean vectors of the groups."""
    return {group: embedding.rows(words).astype(float).mean(axis=0) for group, words in GROUPS.items()}


def nnd(a, b):
    return -np.linalg.norm(a / np.linalg.norm(a) - b / np.linalg.norm(b))


@pytest.mark.parametrize("embedding", EMBEDDINGS.values(), ids=EMBEDDINGS)
@pytest.mark.parametrize(("metric", "compare"), [(second_order_cosine, cos), (second_order_nnd, nnd)])
def test_similarity_is_to_the_mean_vector_and_to_its_explicit_form(embedding, metric, compare):
    """e_z = σ(v_z Uᵀ) of the mean vector v_z, not the mean of σ(v Uᵀ) over the words."""
    found = scores.score_words(metric, embedding, JOBS, GROUPS).set_index(["space", "word"])
    assert list(found.columns) == ["factor_female", "factor_male", "bias", "signed"]
    spaces = {"explicit": lambda vectors: small.whole(embedding, vectors)}
    if not embedding.is_sparse:
        spaces = {"vectors": lambda vectors: vectors} | spaces
    assert list(found.index) == [(space, word) for space in spaces for word in JOBS]
    for space, form in spaces.items():
        for word in JOBS:
            vector = form(embedding.rows([word]).astype(float))[0]
            factors = [compare(vector, form(mean[None])[0]) for mean in means(embedding).values()]
            row = found.loc[space, word]
            assert row.tolist() == pytest.approx([*factors, factors[0] - factors[1], True], abs=1e-6)


@pytest.mark.parametrize("embedding", EMBEDDINGS.values(), ids=EMBEDDINGS)
def test_first_order_is_the_share_of_definitional_contexts(embedding):
    """Λ1 = Σ_c e_{w:c} / ‖e_w‖ over the words c of a group (eq 7)."""
    found = scores.score_words(first_order, embedding, JOBS, GROUPS)
    assert (found["space"] == "explicit").all()
    assert found["word"].tolist() == JOBS
    for row in found.itertuples():
        e = small.whole(embedding, embedding.rows([row.word]).astype(float))[0]
        female, male = (sum(e[WORDS.index(word)] for word in words) / np.linalg.norm(e) for words in GROUPS.values())
        assert (row.factor_female, row.factor_male) == pytest.approx((female, male), rel=1e-5)
        assert row.bias == pytest.approx(female - male, abs=1e-6)


def test_a_metric_without_factors_has_a_bias_only():
    found = scores.score_words(weat, EMBEDDINGS["sigmoid"], JOBS, GROUPS)
    assert list(found.columns) == ["space", "word", "bias", "signed"]
    assert len(found) == 2 * len(JOBS)


def test_a_score_with_a_sign_is_positive_towards_the_first_group():
    embedding = EMBEDDINGS["sigmoid"]
    found = {metric: scores.score_words(metric, embedding, JOBS, GROUPS) for metric in (rnd, mac)}
    groups = [embedding.rows(words) for words in GROUPS.values()]
    for metric, factor in ((rnd, -1), (mac, 1)):  # RND points to the second group; MAC has no sign
        values = factor * metric.word_bias(embedding.rows(JOBS), groups)
        np.testing.assert_allclose(found[metric].query("space == 'vectors'")["bias"], values)
    assert [found[metric]["signed"].unique().tolist() for metric in (rnd, mac)] == [[True], [False]]


def test_without_explicit_values_there_are_fewer_rows_or_none():
    bare = Embedding(WORDS, EMBEDDINGS["sigmoid"].vectors)
    assert scores.score_words(first_order, bare, JOBS, GROUPS).empty
    assert set(scores.score_words(second_order_cosine, bare, JOBS, GROUPS)["space"]) == {"vectors"}


def test_a_metric_without_a_value_a_word_is_an_error():
    with pytest.raises(ValueError, match=r"first_order\.metrics: .*gweat"):
        scores.score_words(gweat, EMBEDDINGS["sigmoid"], JOBS, GROUPS)


def test_present_leaves_out_unknown_words_and_names_an_empty_group():
    groups = {"female": ["woman", "unheard", "she"], "male": ["he"]}
    known = scores.select_known_words(groups, EMBEDDINGS["sigmoid"], "list.yaml")
    assert known == {"female": ["woman", "she"], "male": ["he"]}
    pairs = {"female": ["woman", "unheard", "she", "she"], "male": ["man", "he", "him"]}  # "she" has no partner
    known = scores.select_known_words(pairs, EMBEDDINGS["sigmoid"], "list.yaml", paired=True)
    assert [len(words) for words in known.values()] == [1, 1]
    words = [f"x{i}" for i in range(7)]
    with pytest.raises(ValueError, match=r"list\.yaml: male: .*x0, x1, x2, x3, x4\)$"):
        scores.select_known_words({"female": ["she"], "male": words}, EMBEDDINGS["sigmoid"], "list.yaml")
    with pytest.raises(ValueError, match=r"list\.yaml: female: no complete pair of words .*she\)$"):
        scores.select_known_words({"female": ["she"], "male": ["x0"]}, EMBEDDINGS["sigmoid"], "list.yaml", paired=True)


def run_script(folder, stored, statistics=small.STATISTICS):
    """Run the script on stored embeddings by name, and return the second of its tables."""
    files = small.write(folder)
    for name, embedding in stored.items():
        embedding.save(folder / name)
    paths = {name: str(folder / name) for name in stored}
    statistics = [str(folder / f"{name}.csv") for name in statistics]
    metrics = {"first_order": "first_order", "mine": "second_order_cosine"}
    outs = [str(folder / "first.csv"), str(folder / "o.csv")]
    score.main("enwiki", metrics, paths, files.lists, statistics, files.occupations, outs)
    return pd.read_csv(folder / "o.csv")


def test_the_table_holds_every_embedding_list_and_word(tmp_path):
    stored = {"sg": EMBEDDINGS["sigmoid"], "counts": EMBEDDINGS["sparse"]}
    table = run_script(tmp_path, stored)
    first = ["corpus", "embedding", "space", "method", "word_list", "word"]
    assert list(table.columns) == [*first, "factor_female", "factor_male", "bias", "signed"]
    assert set(table["corpus"]) == {"enwiki"}
    assert set(table["method"]) == {"mine"}
    words = ["nurse", "king", "smith", "clerk", "midwife", "man", "judge", "baker"]  # occupations, then others
    places = [("sg", "vectors"), ("sg", "explicit")]
    keys = [(*place, name, word) for name in small.LISTS for place in places for word in words]
    keys += [("counts", "explicit", name, word) for name in small.LISTS for word in words]
    table = table.set_index(["embedding", "space", "word_list", "word"])
    assert list(table.index) == keys
    expected = scores.score_words(second_order_cosine, stored["counts"], ["king"], GROUPS)
    row = table.loc[("counts", "explicit", "long", "king"), ["factor_female", "factor_male", "bias"]]
    assert row.tolist() == pytest.approx(expected.iloc[0, 2:-1].tolist(), rel=1e-6)


def test_a_metric_of_associations_needs_context_vectors(tmp_path):
    bare = Embedding(WORDS, EMBEDDINGS["sigmoid"].vectors)
    with pytest.raises(
        ValueError, match=r"embeddings: expected .* context vectors, which first_order needs, got mine$"
    ):
        run_script(tmp_path, {"mine": bare})


def test_a_file_without_a_word_of_the_vocabulary(tmp_path):
    (tmp_path / "mine.csv").write_text("word,percent_female\nNURSE,90\nbakers,20\n")
    with pytest.raises(ValueError, match=r"mine\.csv: .*sg .*'NURSE'"):
        run_script(tmp_path, {"sg": EMBEDDINGS["sigmoid"]}, statistics=[*small.STATISTICS, "mine"])
    assert not (tmp_path / "o.csv").exists()
