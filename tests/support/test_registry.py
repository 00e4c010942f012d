"""Plug-ins, read without being run."""

import pytest

from biassay.support import registry


def test_names_are_file_names():
    assert "skipgram" in registry.names("embeddings")
    assert "first_order" in registry.names("metrics")
    assert not any(name.startswith("_") for name in registry.names("metrics"))


def test_unknown_name_lists_the_choices_and_the_nearest():
    with pytest.raises(ValueError, match=r"'skipgramm' \(did you mean 'skipgram'\?\); choices: .*pmi, .*skipgram"):
        registry.find("embeddings", "skipgramm")


def test_a_users_file_is_a_plug_in(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text("INPUT = 'tokens'\ndef train(corpus, *, size=3, name='x'):\n    return size\n")
    assert registry.load("embeddings", str(path)).train(None) == 3
    assert registry.constant(path, "INPUT") == "tokens"
