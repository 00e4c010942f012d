"""Every column of the tables of the diagnosis (T2, F3–F5, T3), by the paper's plain formulas."""

import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot as plt

from biassay.report import plots
from biassay.studies.first_order.diagnosis import debias_words
from biassay.studies.first_order.perceived_gender import classify
from biassay.vectors import explicit_vectors
from scripts.first_order import diagnose
from tests.first_order import small
from tests.first_order.small import GROUPS, MANY, NEUTRAL, cos, e, first_order, vector, whole

OPTIONS = {
    "occupations": ["smith", "unheard", "nurse", "absent"], "n_contexts": 4, "c": 0.7, "folds": 3, "repeats": 2,
    "n_top_features": 4, "n_named": 1,
}  # fmt: skip
TABLES = ("contexts", "factors", "bands", "accuracies", "top_features")


@pytest.fixture(scope="module")
def embedding():
    """An embedding with a zero vector, a word without bias, because σ(0) is ½ with all contexts."""
    embedding = small.embedding(more=MANY)
    embedding.vectors[-1] = 0
    return explicit_vectors.add_norms(embedding)


@pytest.fixture(scope="module")
def diagnosed(embedding, tmp_path_factory):
    """A function that runs the script and returns its tables."""
    folder = tmp_path_factory.mktemp("diagnosis")
    patch = pytest.MonkeyPatch()
    patch.setattr(plots, "save", lambda figure, *paths: plt.close(figure))
    embedding.save(folder / "sg")
    files = small.write(folder)
    occupations = folder / "many.csv"
    occupations.write_text(small.OCCUPATIONS + "".join(f"{job},n,x\n" for job in MANY))

    def run(**changes):
        diagnose.main(
            "wiki", str(folder / "sg"), files.lists["long"], list(files.lists.values()), str(occupations),
            "resources/published/first_order.csv", OPTIONS | changes, 9,
            **{f"{name}_out": str(folder / f"{name}.csv") for name in TABLES}, figures=[],
        )  # fmt: skip
        return {name: pd.read_csv(folder / f"{name}.csv") for name in TABLES}

    yield run
    patch.undo()


@pytest.fixture(scope="module")
def results(diagnosed):
    return diagnosed()


def test_contexts_are_the_largest_parts_of_the_second_order_bias(embedding, results):
    table = results["contexts"]
    female, male = (e(embedding, embedding.rows(words).astype(float).mean(axis=0)) for words in GROUPS.values())
    rows = []
    for word in ("smith", "nurse"):
        o = e(embedding, vector(embedding, word))
        parts = (female / np.linalg.norm(female) - male / np.linalg.norm(male)) * o / np.linalg.norm(o)
        order = np.argsort(parts)
        for group, places in (("female", order[::-1][:4]), ("male", order[:4])):
            for rank, place in enumerate(places, 1):
                context = embedding.words[place]
                is_definitional = context in ("she", "woman", "he", "man")
                bias = cos(female, o) - cos(male, o)
                rows.append(("wiki", "sg", word, bias, group, rank, context, parts[place], is_definitional))
    names = ["corpus", "embedding", "occupation", "bias", "group", "rank", "context", "effect", "definitional"]
    pd.testing.assert_frame_equal(table, pd.DataFrame(rows, columns=names), rtol=1e-4, atol=1e-7)
    assert table["definitional"].nunique() == 2


def test_factors_before_and_after_debiasing_on_the_scale_of_all_words(embedding, results):
    table, bands = results["factors"], results["bands"].set_index(["method", "state"])
    plain = {
        "first_order": lambda row, words: first_order(embedding, row, words),
        "second_order_cosine": lambda row, words: (
            cos(row, embedding.rows(words).astype(float).mean(axis=0)) if row.any() else np.nan
        ),
    }
    marks = table.set_index("word")["mark"].loc[["nurse", "king", "midwife", "man"]]
    assert set(zip(marks.index, marks, strict=True)) == {("nurse", "n"), ("king", "m"), ("midwife", "f"), ("man", "n")}
    assert set(table[table["neutral"]]["word"]) == {*NEUTRAL, *MANY}
    for method, factor in plain.items():
        every = np.array([[factor(vector(embedding, word), z) for z in GROUPS.values()] for word in embedding.words])
        low, high = np.nanmin(every), np.nanmax(every)
        band = np.nanmean(np.abs(np.diff(every))) / (high - low)
        for state in ("original", "debiased"):
            rows = table[(table["method"] == method) & (table["state"] == state)].set_index("word")
            for word in ("nurse", "king"):
                row, is_debiased = rows.loc[word], state == "debiased" and word == "nurse"  # king is not neutral
                vectors = debias_words(embedding, [word], GROUPS, ())[0] if is_debiased else vector(embedding, word)
                female, male = ((factor(vectors, words) - low) / (high - low) for words in GROUPS.values())
                found = row[["factor_female", "factor_male", "bias"]].tolist()
                assert found == pytest.approx([female, male, female - male], abs=1e-5)
                leaning = "female" if female > male else "male"
                assert row["side"] == (leaning if abs(female - male) > band else "unbiased")
            neutral, summary = rows[rows["neutral"]], bands.loc[(method, state)]
            expected = [low, high, band, len(neutral), neutral["bias"].abs().mean(), neutral["bias"].mean()]
            expected += [(neutral["side"] == side).sum() for side in ("female", "male", "unbiased")]
            assert summary.iloc[1:].tolist() == pytest.approx(expected, rel=1e-3)


def test_perceived_gender_is_predicted_from_vectors_and_explicit_vectors(embedding, results):
    words = [*NEUTRAL, *MANY[:-1]]
    biases = [np.subtract(*(first_order(embedding, vector(embedding, w), z) for z in GROUPS.values())) for w in words]
    options = {"c": 0.7, "folds": 3, "repeats": 2, "seed": 9}
    assert results["accuracies"][["state", "space"]].to_numpy().tolist() == [
        [state, space] for state in ("original", "debiased") for space in ("explicit", "vectors")
    ]
    for row in results["accuracies"].itertuples():
        features = embedding.rows(words) if row.state == "original" else debias_words(embedding, words, GROUPS, ())
        if row.space == "explicit":
            features = whole(embedding, features)
        expected = classify(features, np.array(biases) > 0, **options)
        assert (row.n, row.majority) == (26, pytest.approx(expected.majority, rel=1e-5))
        scores = [expected.accuracy, expected.accuracy_std, expected.auc]
        assert [row.accuracy, row.accuracy_std, row.auc] == pytest.approx(scores, abs=1e-4)
        if row.space == "explicit":
            order = np.argsort(expected.weights)
            top = results["top_features"].query("state == @row.state")
            assert top["group"].tolist() == ["female"] * 4 + ["male"] * 4
            assert top["context"].tolist() == [embedding.words[place] for place in (*order[::-1][:4], *order[:4])]
    published = results["accuracies"][["state", "majority_published", "accuracy_published"]].to_numpy().tolist()
    assert published == [["original", 0.59, 0.88]] * 2 + [["debiased", 0.59, 0.78]] * 2


def test_occupations_without_a_vector_are_an_error(diagnosed):
    with pytest.raises(ValueError, match=r"first_order\.diagnosis\.occupations: no occupation .* of .*sg"):
        diagnosed(occupations=["unheard"])
