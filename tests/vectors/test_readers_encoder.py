"""Vectors of words from tiny encoders and decoders with random weights."""

import json
import shutil

import numpy as np
import pytest

from biassay.vectors.encoders import transformer
from biassay.vectors.readers import read_vectors

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from tests.language_models import broken_folders, decoders_of_ours  # noqa: E402

VOCABULARY = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "nurse", "hair", "##dress", "##er", "man"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return broken_folders.save(tmp_path_factory.mktemp("bert"), VOCABULARY)


def test_words_with_unknown_tokens_are_left_out(folder):
    words, vectors = read_vectors(f"hf:{folder}", ["man", "hairdresser", "zebra", "nurse"])
    assert words == ["man", "hairdresser", "nurse"]
    np.testing.assert_allclose(vectors, transformer.open_model(str(folder))(words), rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(read_vectors(folder, ["nurse"])[1][0], vectors[2], rtol=1e-5, atol=1e-6)


def test_underscores_are_spaces_for_a_model_that_reads_words_in_context(folder):
    words, vectors = read_vectors(f"hf:{folder}", ["man_nurse"])
    assert words == ["man_nurse"]
    np.testing.assert_allclose(vectors, transformer.open_model(str(folder))(["man nurse"]), rtol=1e-5, atol=1e-6)


def test_what_is_missing_is_said(folder, tmp_path):
    with pytest.raises(ValueError, match="give `words`"):
        read_vectors(f"hf:{folder}")
    with pytest.raises(
        ValueError, match=r"lacks config\.json, model\.safetensors or .*, tokenizer\.json or vocab\.txt"
    ):
        read_vectors(f"hf:{tmp_path}", ["man"])


def test_input_embeddings_are_means_of_rows(folder, tmp_path):
    words, vectors = read_vectors(f"hf-inputs:{decoders_of_ours.save(tmp_path)}", ["nurse", "zoo"])
    matrix = transformers.AutoModel.from_pretrained(tmp_path).get_input_embeddings().weight.detach().numpy()
    tokenizer = transformers.AutoTokenizer.from_pretrained(tmp_path)
    pieces = [tokenizer(f" {word}", add_special_tokens=False)["input_ids"] for word in words]
    assert [len(one) for one in pieces] == [1, 4]
    assert tokenizer.convert_ids_to_tokens(pieces[1].pop(0)) == "Ġ"  # a space alone is no part of the word
    for ids, vector in zip(pieces, vectors, strict=True):
        np.testing.assert_allclose(vector, matrix[ids].mean(axis=0), rtol=1e-5, atol=1e-7)
    assert read_vectors(f"hf-inputs:{folder}", ["zebra", "man", "hairdresser"])[0] == ["man", "hairdresser"]


def test_pickles_are_read_only_where_that_is_allowed(folder, tmp_path):
    from safetensors.torch import load_file

    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    torch.save(load_file(tmp_path / "model.safetensors"), tmp_path / "pytorch_model.bin")
    (tmp_path / "model.safetensors").unlink()
    for prefix in ("hf:", "hf-inputs:"):
        with pytest.raises(ValueError, match=r"the folder lacks model\.safetensors"):
            read_vectors(f"{prefix}{tmp_path}", ["nurse"])
        _, vectors = read_vectors(f"{prefix}{tmp_path}", ["nurse"], allow_pickle=True)
        np.testing.assert_array_equal(vectors, read_vectors(f"{prefix}{folder}", ["nurse"])[1])


@pytest.mark.parametrize(("kind", "bos"), [("bert", True), ("gpt2", True), ("gpt2", False)])
def test_poolings_are_states_of_plain_passes(kind, bos, folder, tmp_path):
    """Those of a decoder begin after the token for a text's beginning, or without one after that for its end."""
    path, other = (folder, "cls") if kind == "bert" else (decoders_of_ours.save(tmp_path, bos=bos), "last")
    encoder, texts = transformer.open_model(str(path)), ["nurse", "man hairdresser", "man"]
    assert list(encoder.variants) == [f"pooling {other}"]
    by_other = transformer.open_model(str(path), pooling=other)
    assert list(by_other.variants) == ["pooling mean"]
    model, tokenizer = encoder.model.model.base_model, encoder.model.tokenizer
    for text, mean, pooled in zip(texts, encoder(texts), encoder(texts, f"pooling {other}"), strict=True):
        ids = tokenizer(text, add_special_tokens=kind == "bert")["input_ids"]
        ids = ids if kind == "bert" else [0 if bos else 2, *ids]
        with torch.inference_mode():
            hidden = model(torch.tensor([ids])).last_hidden_state[0].numpy()
        own = hidden[1:-1] if kind == "bert" else hidden[1:]
        np.testing.assert_allclose(mean, own.mean(axis=0), atol=1e-5)
        np.testing.assert_allclose(pooled, hidden[0] if kind == "bert" else hidden[-1], atol=1e-5)
    np.testing.assert_array_equal(by_other(texts), encoder(texts, f"pooling {other}"))
    with pytest.raises(ValueError, match=rf"pooling: unknown name 'sum'; expected one of: mean, {other}"):
        transformer.open_model(str(path), pooling="sum")


def test_a_model_with_a_broken_head_keeps_its_vectors(folder, tmp_path, caplog):
    """As sentence encoders that name a masked language model in their configuration."""
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    transformers.AutoModel.from_pretrained(folder).save_pretrained(tmp_path)
    settings = json.loads((tmp_path / "config.json").read_text()) | {"architectures": ["BertForMaskedLM"]}
    (tmp_path / "config.json").write_text(json.dumps(settings))
    encoder = transformer.open_model(str(tmp_path))
    assert encoder.model.kind == "encoder"
    assert "cls.predictions" in encoder.model.problem
    assert encoder.model.problem in caplog.text
    np.testing.assert_allclose(encoder(["man"]), transformer.open_model(str(folder))(["man"]), atol=1e-6)
