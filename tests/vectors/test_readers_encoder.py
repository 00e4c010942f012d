"""Vectors of words from a tiny encoder with random weights."""

import json

import numpy as np
import pytest

from biassay.vectors.readers import read_vectors

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
VOCABULARY = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "nurse", "hair", "##dress", "##er", "man"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("bert")
    config = transformers.BertConfig(
        vocab_size=len(VOCABULARY), hidden_size=8, num_hidden_layers=2, num_attention_heads=2, intermediate_size=16
    )
    torch.manual_seed(4)
    transformers.BertForMaskedLM(config).save_pretrained(path)
    (path / "vocab.txt").write_text("\n".join(VOCABULARY) + "\n")
    (path / "tokenizer_config.json").write_text(json.dumps({"tokenizer_class": "BertTokenizer"}))
    return path


def test_mean_of_the_subtokens_of_the_word_alone(folder):
    words, vectors = read_vectors(f"hf:{folder}", ["man", "hairdresser", "zebra", "nurse"])
    assert words == ["man", "hairdresser", "nurse"]
    model = transformers.AutoModel.from_pretrained(folder).eval()
    with torch.inference_mode():
        hidden = model(torch.tensor([[2, 6, 7, 8, 3]])).last_hidden_state[0].numpy()
    np.testing.assert_allclose(vectors[1], hidden[1:4].mean(axis=0), rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(read_vectors(f"hf:{folder}", ["nurse"])[1][0], vectors[2], rtol=1e-5, atol=1e-6)


def test_reading_leaves_the_random_state_alone(folder):
    torch.manual_seed(1)
    state = torch.get_rng_state()
    read_vectors(f"hf:{folder}", ["man"])
    assert torch.equal(state, torch.get_rng_state())


def test_what_is_missing_is_said(folder, tmp_path, monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(ValueError, match="give `words`"):
        read_vectors(f"hf:{folder}")
    with pytest.raises(ValueError, match=f"for an encoder give hf:{folder}"):
        read_vectors(folder, ["man"])
    with pytest.raises(
        ValueError, match=r"lacks config\.json, model\.safetensors or .*, tokenizer\.json or vocab\.txt"
    ):
        read_vectors(f"hf:{tmp_path}", ["man"])
    with pytest.raises(ValueError, match=r"hf:\./no/such: no folder of that name.*offline, give a folder"):
        read_vectors("hf:./no/such", ["man"])


def test_weights_of_another_architecture_are_refused(folder, tmp_path):
    from safetensors.torch import load_file, save_file

    for path in folder.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    weights = load_file(folder / "model.safetensors")
    save_file(
        {k: v for k, v in weights.items() if "layer.1." not in k}, tmp_path / "model.safetensors", {"format": "pt"}
    )
    with pytest.raises(ValueError, match=r"the weights lack 16 parts of the encoder, such as encoder\.layer\.1"):
        read_vectors(f"hf:{tmp_path}", ["man"])
