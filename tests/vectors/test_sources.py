"""What an address or an object encodes texts with."""

import numpy as np
import pytest

from biassay.measurement.entry import measure
from biassay.vectors.encoders import sources
from biassay.vectors.encoders.encoder import Encoder

LISTS = {
    "targets": {"care": ["nurse", "maid"], "craft": ["pilot", "miner"]},
    "groups": {"women": ["she", "her"], "men": ["he", "him"]},
}


def encode(texts):
    return np.array([[len(text), text.count("e"), 1.0] for text in texts])


class Model:
    encode = staticmethod(encode)


def test_functions_objects_and_encoders_give_the_same_vectors():
    given = [encode, Model(), Encoder("ours", encode), lambda texts: encode(texts).tolist()]
    for source in given:
        np.testing.assert_array_equal(sources.find(source)(["she", "nurse", "she"]), encode(["she", "nurse", "she"]))
    values = {measure("weat", vectors=source, **LISTS).set for source in given}
    assert len(values) == 1
    assert [sources.name_of(source) for source in given] == ["encode", "Model", "ours", "lambda"]
    assert sources.find({"nurse": [1.0]}) is None


def test_the_prefix_of_a_folder_follows_from_its_files(tmp_path):
    folders = {"model": ("hf:", ["config.json"]), "ours": ("", ["config.json", "embedding.json"]), "other": ("", [])}
    for name, (prefix, files) in folders.items():
        (tmp_path / name).mkdir()
        for file in files:
            (tmp_path / name / file).write_text("{}")
        assert sources.locate(str(tmp_path / name)) == f"{prefix}{tmp_path / name}"
    for text in ("hf:someone/model", "hf-inputs:someone/model"):
        assert sources.locate(text) == text
    with pytest.raises(ValueError, match="nothing: no such file or folder; for a model of the hub give hf:"):
        sources.locate(tmp_path / "nothing")


@pytest.mark.parametrize(("wrong", "named"), [
    (lambda texts: encode(texts)[:-1], r"shape \(2, d\) for 2 texts, got float64 of shape \(1, 3\)"),
    (lambda texts: encode(texts)[0], r"got float64 of shape \(3,\)"),
    (lambda texts: encode(texts).astype(str), "got <U"),
    (lambda texts: np.zeros((len(texts), 0)), r"shape \(2, 0\)"),
    (lambda texts: np.where(encode(texts) == 5, np.nan, 1), "the vector of 'nurse' has a value that is not finite"),
    (lambda texts: encode(texts) * 1e200, "not finite"),
    (lambda texts: np.ma.masked_equal(encode(texts), 1.0), "masked"),
])  # fmt: skip
def test_what_an_encoder_returns_is_checked(wrong, named):
    with pytest.raises(ValueError, match=rf"^vectors \(lambda\): .*{named}"):
        sources.find(wrong)(["nurse", "a"])


def test_a_width_that_changes_between_batches_is_refused():
    with pytest.raises(ValueError, match=r"ours: expected 2 dimensions as for earlier texts, got 5 for 'nurse'"):
        Encoder("ours", lambda texts: np.ones((1, len(texts[0]))), batch=1)(["nurse", "he"])


def test_texts_are_encoded_once_by_length_in_batches():
    calls = []
    ours = Encoder("ours", lambda texts: calls.append(texts) or encode(texts), batch=2)
    ours(["ccc", "a", "bb", "a", "dddd"])
    assert calls == [["a", "bb"], ["ccc", "dddd"]]


def test_options_that_a_source_does_not_take_are_refused():
    with pytest.raises(ValueError, match="encode: prompt: expected none for such a source, got 'query'"):
        sources.find(encode, prompt="query")
    with pytest.raises(ValueError, match=r"a\.txt: pooling: expected none"):
        sources.find("a.txt", pooling="cls")
