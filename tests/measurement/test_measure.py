"""The entry `biassay.measure`: sources of vectors, labels, options, bad input."""

import numpy as np
import pandas as pd
import pytest

from biassay import Measurement, measure
from biassay.vectors.embedding import Embedding
from tests.measurement.ten_words import GROUPS, JOBS, MAPPING, ROWS, WORDS


def store(folder):
    Embedding(WORDS, ROWS).save(folder / "store")
    return str(folder / "store")


SOURCES = {
    "mapping": lambda folder: MAPPING,
    "store": store,
    "encoder": lambda folder: lambda texts: np.stack([MAPPING[text] for text in texts]),
}


@pytest.mark.parametrize("source", SOURCES)
def test_every_source_of_vectors_gives_what_arrays_give(source, tmp_path):
    result = measure("weat", targets=JOBS, groups=GROUPS, vectors=SOURCES[source](tmp_path))
    arrays = measure("weat", targets=ROWS[6:], groups=[ROWS[:3], ROWS[3:6]], labels=[0, 0, 1, 1])
    assert isinstance(result, Measurement)
    np.testing.assert_allclose(result.word, arrays.word)
    assert result.set == pytest.approx(arrays.set)
    assert result.words == {**JOBS, **GROUPS}
    assert (result.missing, result.unpaired, result.duplicates, result.overlap) == ({}, {}, {}, [])
    assert result.ranges["set"] == (-2, 2, 0, True)


def test_a_result_as_a_table_has_the_words_and_plain_numbers():
    result = measure("weat", targets=JOBS, groups=GROUPS, vectors=MAPPING | {"pilot": np.zeros(6)})
    frame = result.to_frame()
    assert frame["list"].tolist() == ["X", "X", "Y", ""]
    assert frame["word"].tolist() == ["nurse", "teacher", "engineer", ""]
    assert frame["value"].tolist() == [*result.word, result.set]
    assert frame["level"].tolist() == ["word"] * 3 + ["set"]
    assert set(frame["metric"]) == {"weat"}
    assert "np." not in repr(result)
    assert f"<td>{result.set:.3g}</td>" in result._repr_html_()
    assert "missing in Y: pilot" in result._repr_html_()
    unlabelled = measure("weat", targets=[*JOBS["X"]], groups=GROUPS, vectors=MAPPING)
    assert unlabelled.to_frame()["word"].tolist() == JOBS["X"]  # no set-level value without labels
    of_arrays = measure("mac", targets=ROWS[6:8], groups=[ROWS[:3], ROWS[3:6]])
    assert of_arrays.to_frame()["word"].tolist() == ["", "", ""]


def test_labels_by_list_by_word_and_by_position():
    of_lists = measure("weat", targets=JOBS, groups=GROUPS, vectors=MAPPING).set
    words = [word for jobs in JOBS.values() for word in jobs]
    by_word, in_order = {"pilot": 1, "nurse": 0, "engineer": 1, "teacher": 0}, [0, 0, 1, 1]
    for labels in (in_order, iter(in_order), pd.Series(in_order), by_word, pd.Series(by_word)):
        result = measure("weat", targets=words, groups=GROUPS, labels=labels, vectors=MAPPING)
        assert result.set == of_lists
        assert result.words["targets"] == words
    assert measure("weat", targets={"jobs": words}, groups=GROUPS, vectors=MAPPING).set is None


def test_lists_named_like_the_groups_are_matched_by_name():
    turned = {"male": JOBS["Y"], "female": JOBS["X"]}
    straight = measure("gweat", targets=JOBS, groups=GROUPS, vectors=MAPPING).set
    result = measure("gweat", targets=turned, groups=GROUPS, vectors=MAPPING)
    assert result.set == straight
    assert list(result.words) == ["male", "female", "groups female", "groups male"]


@pytest.mark.parametrize("names", [["X", "Y"], ["female", "male"], ["male", "female"]])
def test_values_of_words_have_the_order_of_the_targets(names):
    words, groups = [*JOBS["X"], *JOBS["Y"][:1]], {name: [MAPPING[word] for word in GROUPS[name]] for name in GROUPS}
    expected = measure("same", targets=words, groups=GROUPS, vectors=MAPPING).word
    lists = dict(zip(names, (words[:2], words[2:]), strict=True))
    result = measure("same", targets=lists, groups=GROUPS, vectors=MAPPING)
    assert result.word == pytest.approx(expected)
    assert result.to_frame()["word"].tolist() == [*words, ""]
    arrays = {name: [MAPPING[word] for word in lists[name]] for name in names}
    assert measure("same", targets=arrays, groups=groups).word == pytest.approx(expected)


WITH_WORDS = {"targets": JOBS["X"], "groups": GROUPS, "vectors": MAPPING}


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"metric": "waet"}, r"unknown name 'waet' \(did you mean 'weat'\?\)"),
        ({"ddoff": 1}, "weat: unknown option 'ddoff'; expected one of: ddof"),
        ({"ddof": 2}, "biassay.metrics.weat: ddof: expected an integer from 0 to 1, got 2"),
        ({"min_share": 1.1}, "min_share: expected a number from 0 to 1, got 1.1"),
        ({"labels": [0, 0, 1]}, "labels: .*shape"),
        ({"targets": ROWS[6]}, r"targets: .*\(n, d\), got an array of float32 of shape \(6,\)$"),
        ({"targets": np.zeros((2, 6))}, "targets: zero vectors in rows 0, 1"),
        ({"groups": None}, "groups: expected a list or a mapping of arrays"),
        ({"targets": {}}, "targets: the mapping has no lists"),
        ({"labels": [[0], [1, 2]]}, "labels: expected an array of numbers"),
        ({"targets": JOBS, "vectors": MAPPING, "groups": [["she"], ["he"]]}, "groups: .*mapping"),
        ({"targets": JOBS, "vectors": "none.txt", "groups": GROUPS}, "^none.txt: no such file .* hf:none.txt"),
        ({"targets": "nurse", "vectors": MAPPING, "groups": GROUPS}, "targets: .*a list of words"),
        ({"targets": ["nurse"], "vectors": 3, "groups": GROUPS}, "source of vectors: .* 3; expected"),
        ({"targets": JOBS, "vectors": MAPPING, "groups": GROUPS, "labels": [0, 1, 0, 1]}, "labels: "),
        (WITH_WORDS | {"labels": 3}, "labels: expected a list, or a mapping"),
        (WITH_WORDS | {"labels": {0, 1}}, "labels: expected a list, or a mapping"),
        (WITH_WORDS | {"groups": {"f": {"she"}, "m": ["he"]}}, "f: .* a list of words"),
        ({"metric": "clustering", "groups": ()}, "labels: .*got none"),
        ({"metric": "first_order", "targets": ["nurse"], "vectors": MAPPING, "groups": GROUPS}, "associations"),
    ],
)
def test_bad_input_has_a_clear_message(changed, message):
    arguments = {"metric": "weat", "targets": ROWS[6:], "groups": [ROWS[:3], ROWS[3:6]]} | changed
    with pytest.raises(ValueError, match=message):
        measure(arguments.pop("metric"), **arguments)


def test_associations_come_from_an_embedding_with_context_vectors():
    embedding = Embedding(WORDS, ROWS, contexts=ROWS[::-1].copy(), link="product")
    result = measure("first_order", targets=JOBS["X"], groups=GROUPS, vectors=embedding)
    values = ROWS[6:8] @ ROWS[::-1].T
    difference = values[:, :3].sum(axis=1) - values[:, 3:6].sum(axis=1)
    np.testing.assert_allclose(result.word, difference / np.linalg.norm(values, axis=1), rtol=1e-5)
