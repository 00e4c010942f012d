"""Subword tokens of words, from the files of a model's tokenizer."""

import json
import shutil

import pytest

from biassay.language_models import model_files
from tests.running import ROOT

TINY = ROOT / "resources/models/bert-tiny-enwiki"


def test_subword_tokens_by_the_kind_of_tokenizer(tmp_path):
    """Lower-case or not as the folder says, a tokenizer.json, or none that is known."""
    words = ["She", "hairdresser"]
    assert model_files.subword_tokens(TINY, words) == {"She": ["she"], "hairdresser": ["hair", "##dre", "##sser"]}
    assert model_files.subword_tokens(TINY / "vocab.txt", ["She"]) == {"She": ["she"]}
    shutil.copy(TINY / "vocab.txt", tmp_path)
    (tmp_path / "tokenizer_config.json").write_text(json.dumps({"do_lower_case": False}))
    assert model_files.subword_tokens(tmp_path, ["She", "she"]) == {"She": ["[UNK]"], "she": ["she"]}
    tokenizers = pytest.importorskip("tokenizers")
    vocabulary = {"<unk>": 0, "▁She": 1, "s": 2, "▁": 3, "h": 4, "e": 5}
    whole = tokenizers.Tokenizer(tokenizers.models.Unigram([(word, -float(n)) for word, n in vocabulary.items()], 0))
    whole.pre_tokenizer = tokenizers.pre_tokenizers.Metaspace()
    whole.save(str(tmp_path / "tokenizer.json"))
    assert model_files.subword_tokens(tmp_path, ["She"]) == {"She": ["▁She"]}
    assert model_files.subword_tokens(tmp_path / "other", ["She"]) == {}
    (tmp_path / "tokenizer.json").write_text("{")
    with pytest.raises(ValueError, match=r"tokenizer.json"):
        model_files.subword_tokens(tmp_path, ["She"])
