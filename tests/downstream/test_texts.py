"""The store of labelled texts: written and read back, counted, described and gathered."""

import numpy as np
import pandas as pd
import pytest

from biassay.studies.downstream import texts
from biassay.studies.downstream.texts import Texts

NAMES, CLASSES = ["male", "female"], ["a", "b"]
RAW, SCRUBBED = ["He x y", "She x", "He", "It é"], ["x y", "x", "", "It é"]
GROUPS, LABELS = np.array([0, 1, 0, 0]), np.array([[1, 0], [1, 1], [0, 0], [0, 1]])
SMALL = Texts("gender", NAMES, CLASSES, RAW, SCRUBBED, GROUPS, LABELS)


def test_what_is_saved_is_read_back(tmp_path):
    for _ in range(2):
        SMALL.save(tmp_path / "new/folder")
    found = Texts.open(tmp_path / "new/folder")
    assert (found.attribute, found.names, found.classes) == ("gender", NAMES, CLASSES)
    assert (found.raw, found.scrubbed) == (RAW, SCRUBBED)
    assert (found.groups.tolist(), found.labels.tolist()) == (GROUPS.tolist(), LABELS.tolist())
    assert len(found) == 4


def test_the_datasheet_counts_texts_and_marks_classes_that_are_too_small():
    table = SMALL.make_datasheet()
    assert list(table) == [
        "class", "n_texts", "n_texts_male", "n_texts_female", "share_male", "median_words", "too_small"
    ]  # fmt: skip
    assert table.iloc[:, :5].values.tolist() == [["", 4, 3, 1, 0.75], ["a", 2, 1, 1, 0.5], ["b", 2, 1, 1, 0.5]]
    assert table["median_words"].tolist() == [1.5, 1.5, 1.5]
    for n_women in (29, 30):
        groups = np.repeat([0, 1], [30, n_women])
        labels, words = np.eye(2, dtype=int)[np.zeros(len(groups), int)], ["x"] * len(groups)
        table = Texts("gender", NAMES, CLASSES, words, words, groups, labels).make_datasheet()
        assert table["too_small"].tolist() == [n_women < 30, n_women < 30, True]
    assert np.isnan(table["median_words"][2])


def make(min_texts):
    rows = pd.DataFrame({"classes": [["a"], ["a", "b"], ["b"], ["c"], []], "group": [0, 1, 0, 1, 0]})
    rows = rows.assign(raw=[f"r{n}" for n in range(5)], scrubbed=[f"s{n}" for n in range(5)])
    return texts.make_texts("here", "gender", NAMES, ["a", "b", "c"], rows, min_texts)


def test_small_classes_and_texts_of_them_alone_are_dropped():
    found = make(2)
    assert found.classes == ["a", "b"]
    assert (found.raw, found.scrubbed) == (["r0", "r1", "r2"], ["s0", "s1", "s2"])
    assert (found.labels.tolist(), found.groups.tolist()) == ([[1, 0], [1, 1], [0, 1]], [0, 1, 0])
    assert make(0).classes == ["a", "b", "c"]


def test_one_class_is_refused():
    with pytest.raises(ValueError, match=r"^here: .* 3 texts or more, got 0 of 3 classes"):
        make(3)


def test_groups_in_another_order_are_refused():
    groups = {"female": ["she"], "male": ["he"]}
    with pytest.raises(ValueError, match=r"gender: .* male, female in this order, got female, male"):
        texts.find_groups({"gender": groups}, "gender", NAMES)
    assert texts.find_groups({"gender": groups}, "gender") is groups
