"""Every column of the tables of perceived gender (T3), by the paper's plain formulas and scikit-learn."""

import re

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, roc_auc_score
from sklearn.model_selection import RepeatedStratifiedKFold

from biassay.vectors import explicit_vectors
from scripts.first_order import classify_perceived
from tests.first_order import small
from tests.first_order.small import MANY, NEUTRAL, debias, first_order, vector, whole

PUBLISHED = "resources/published/first_order.csv"
OPTIONS = {"min_count": 3, "c": 0.7, "standardise": False, "folds": 3, "repeats": 2, "seed": 9, "n_top_features": 4}


@pytest.fixture(scope="module")
def setting(tmp_path_factory):
    """An embedding with a zero vector, a word without bias, for σ(0) is ½ with all contexts, and the lists."""
    folder = tmp_path_factory.mktemp("perceived")
    embedding = small.embedding(more=MANY)
    embedding.vectors[-1] = 0
    embedding = explicit_vectors.add_norms(embedding)
    embedding.save(folder / "sg")
    return embedding, small.write(folder), folder


def perceived(setting, tmp_path, more=(50,), **changes):
    """Both tables of classify_perceived, and the context words that are frequent enough."""
    embedding, files, folder = setting
    (tmp_path / "words.txt").write_text("\n".join([*reversed(embedding.words), "unseen"]) + "\n")
    counts = np.append(np.arange(len(embedding.words)) % 9, more)
    np.save(tmp_path / "counts.npy", counts)
    (tmp_path / "many.csv").write_text(small.OCCUPATIONS + "".join(f"{job},n,x\n" for job in MANY))
    outs = [str(tmp_path / "accuracies.csv"), str(tmp_path / "top_features.csv")]
    paths = (str(tmp_path / "words.txt"), str(tmp_path / "counts.npy"))
    given = ("wiki", str(folder / "sg"), files.lists["short"], list(files.lists.values()), str(tmp_path / "many.csv"))
    classify_perceived.main(*given, paths, OPTIONS | changes, PUBLISHED, *outs)
    count = dict(zip(reversed(embedding.words), counts, strict=False))
    return *map(pd.read_csv, outs), [word for word in embedding.words if count[word] >= 3]


def cross_validated(features, labels):
    """Mean accuracy and area of words held out, and the accuracy's deviation over repeats, by scikit-learn."""
    folds = RepeatedStratifiedKFold(n_splits=3, n_repeats=2, random_state=9).split(features, labels)
    scores = []
    for train, test in folds:
        model = LogisticRegression(C=0.7, solver="newton-cg", tol=1e-8).fit(features[train], labels[train])
        area = roc_auc_score(labels[test], model.decision_function(features[test]))
        scores.append((accuracy_score(labels[test], model.predict(features[test])), area))
    means = np.array(scores).reshape(2, 3, 2).mean(axis=1)
    return *means.mean(axis=0), abs(means[0, 0] - means[1, 0]) / 2


def test_perceived_gender_is_told_from_vectors_and_explicit_vectors(setting, tmp_path, caplog):
    caplog.set_level("INFO")
    embedding = setting[0]
    accuracies, top_features, contexts = perceived(setting, tmp_path)
    columns = embedding.rows(contexts).shape[0]
    assert 15 < columns < len(embedding.words) - 8
    words = [*NEUTRAL, *MANY[:-1]]
    biases = [np.subtract(*(first_order(embedding, vector(embedding, w), [z]) for z in ("she", "he"))) for w in words]
    labels = np.array(biases) > 0
    names = ["corpus", "space", "state", "n", "majority", "accuracy", "accuracy_std", "auc"]
    names += ["majority_published", "accuracy_published"]
    assert list(accuracies.columns) == names
    places = [("explicit", "original"), ("vectors", "original"), ("explicit", "debiased"), ("vectors", "debiased")]
    assert list(accuracies[["space", "state"]].itertuples(index=False, name=None)) == places
    said = [re.fullmatch(r"(\w+) (\w+): accuracy (0\.\d+), (\d+\.\d) s", message) for message in caplog.messages]
    assert [(match[2], match[1]) for match in said] == places
    assert max(float(match[4]) for match in said) < 60
    of_contexts = [embedding.index[word] for word in contexts]
    for row in accuracies.itertuples():
        rows = [vector(embedding, word) if row.state == "original" else debias(embedding, word) for word in words]
        features = np.array(rows)
        if row.space == "explicit":
            features = whole(embedding, features)[:, of_contexts]
            check_top_features(top_features[top_features["state"] == row.state], features, labels, contexts)
        accuracy, area, deviation = cross_validated(features, labels)
        assert (row.corpus, row.n) == ("wiki", 26)
        assert row.majority == pytest.approx(max(labels.sum(), 26 - labels.sum()) / 26, rel=1e-5)
        assert [row.accuracy, row.auc, row.accuracy_std] == pytest.approx([accuracy, area, deviation], abs=1e-4)
    printed = accuracies[["state", "majority_published", "accuracy_published"]].to_numpy().tolist()
    assert printed == [["original", 0.59, 0.88]] * 2 + [["debiased", 0.59, 0.78]] * 2
    assert list(top_features["state"].drop_duplicates()) == ["original", "debiased"]


def check_top_features(table, features, labels, contexts):
    """The context words with the largest weights towards female, and towards male."""
    assert list(table.columns) == ["state", "group", "rank", "context", "weight", "corpus"]
    assert set(table["corpus"]) == {"wiki"}
    weights = LogisticRegression(C=0.7, solver="newton-cg", tol=1e-8).fit(features, labels).coef_[0]
    order = np.argsort(weights)
    places = [*order[::-1][:4], *order[:4]]
    assert table["group"].tolist() == ["female"] * 4 + ["male"] * 4
    assert table["rank"].tolist() == [1, 2, 3, 4] * 2
    assert table["context"].tolist() == [contexts[place] for place in places]
    assert table["weight"].tolist() == pytest.approx(weights[places], abs=1e-4)


def test_no_context_word_so_frequent_is_an_error(setting, tmp_path):
    with pytest.raises(ValueError, match=r"diagnosis\.min_count: no word of .*words\.txt occurs 51 times"):
        perceived(setting, tmp_path, min_count=51)


def test_where_there_is_nothing_to_learn_no_context_tells(tmp_path):
    table = classify_perceived.select_top_features(None, ["a", "b"], ["female", "male"], 2, "debiased")
    assert table.empty
    assert list(table) == ["state", "group", "rank", "context", "weight"]


def test_counts_of_another_vocabulary_are_an_error(setting, tmp_path):
    with pytest.raises(ValueError, match=r"counts\.npy: is .*38"):
        perceived(setting, tmp_path, more=())
