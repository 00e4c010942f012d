"""Folders of a tiny BERT model, and changes that break them."""

import json
from pathlib import Path

import transformers
from safetensors.torch import load_file, save_file

VOCABULARY = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "nurse", "man"]
WORDS = "bert.embeddings.word_embeddings.weight"
INDEX = "model.safetensors.index.json"


def save(folder, vocabulary=VOCABULARY):
    """A whole one."""
    config = transformers.BertConfig(
        vocab_size=len(vocabulary), hidden_size=8, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16,
        max_position_embeddings=32,
    )  # fmt: skip
    transformers.BertForMaskedLM(config).save_pretrained(folder)
    (folder / "vocab.txt").write_text("\n".join(vocabulary) + "\n")
    (folder / "tokenizer_config.json").write_text(json.dumps({"tokenizer_class": "BertTokenizer"}))
    return folder


class Trap:
    """Unpickled, it leaves a file."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return Path.touch, (self.path,)


def settings(**changes):
    """A change of config.json."""

    def change(folder):
        path = folder / "config.json"
        path.write_text(json.dumps(json.loads(path.read_text()) | changes))

    return change


def written(name, content):
    return lambda folder: (folder / name).write_bytes(content.encode() if isinstance(content, str) else content)


def weights(**changes):
    """A change of tensors; None takes one away."""

    def change(folder):
        tensors = load_file(folder / "model.safetensors") | changes
        tensors = {name: tensor for name, tensor in tensors.items() if tensor is not None}
        save_file(tensors, folder / "model.safetensors", {"format": "pt"})

    return change


def indexed(*names):
    """Weights through an index that names these files, the first of which holds them."""

    def change(folder):
        tensors = load_file(folder / "model.safetensors")
        (folder / "model.safetensors").rename(folder / "part.safetensors")
        places = {key: names[0] if names else "part.safetensors" for key in tensors} | {str(n): n for n in names}
        (folder / INDEX).write_text(json.dumps({"metadata": {"total_size": 1}, "weight_map": places}))

    return change
