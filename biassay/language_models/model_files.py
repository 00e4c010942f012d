"""Files of a language model's folder: checks before transformers reads it, so that no pickle is read; its tokenizer."""

import json
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from biassay.core import guard

WEIGHTS = ("model.safetensors", "model.safetensors.index.json")
PICKLES = ("pytorch_model.bin", "pytorch_model.bin.index.json")
TOKENIZERS = ("tokenizer.json", "vocab.txt", "vocab.json", "tokenizer.model", "spiece.model", "sentencepiece.bpe.model")
DOWNLOADED = ["config.json", "model*.safetensors", WEIGHTS[1], "tokenizer_config.json", "special_tokens_map.json"]
DOWNLOADED += [*TOKENIZERS, "merges.txt", "added_tokens.json"]


def find_gguf(path: Path) -> Path | None:
    """Return the GGUF file that a path is, or the only one in a folder without other weights; None if there is none."""
    if path.suffix == ".gguf":
        return path
    files = sorted(path.glob("*.gguf")) if path.is_dir() else []
    if not files or any((path / name).is_file() for name in (*WEIGHTS, *PICKLES)):
        return None
    if len(files) > 1:
        raise ValueError(f"{path}: expected one .gguf file, got {len(files)}; name one, such as {files[0]}")
    return files[0]


def locate(path: Path) -> tuple[Path, dict[str, str]]:
    """Return the folder of a model, and the option that transformers needs if it is a GGUF file."""
    return (path.parent, {"gguf_file": path.name}) if path.suffix == ".gguf" else (path, {})


def read_gguf(path: Path) -> dict[str, Any]:
    """Read the metadata of a GGUF file, except lists of strings; raise ValueError, naming it, if it is broken."""
    if missing := [name for name in ("gguf", "accelerate") if find_spec(name) is None]:
        raise ValueError(f"{path}: GGUF files need {' and '.join(missing)}; pip install 'biassay[gguf]'")
    from transformers.integrations.gguf import read_gguf_metadata

    with guard.reading(path, "GGUF file"):
        return read_gguf_metadata(str(path))[0]


def missing_files(folder: Path, allow_pickle: bool = False) -> str:
    """List the required files that a model's folder does not have, as text."""
    parts = [("config.json",), (*WEIGHTS, *PICKLES) if allow_pickle else WEIGHTS, TOKENIZERS]
    return ", ".join(" or ".join(part) for part in parts if not any((folder / name).is_file() for name in part))


def check_files(folder: Path, allow_pickle: bool = False) -> None:
    """Raise ValueError, naming the file, if one of a model is missing or broken, or the weights are in a pickle."""
    if missing := missing_files(folder, allow_pickle):
        raise ValueError(f"{folder}: the folder lacks {missing}")
    if (adapter := folder / "adapter_config.json").exists():
        raise ValueError(f"{adapter}: adapters are not supported (transformers needs peft); merge it into the weights")
    for path in sorted(folder.glob("*.json")):
        if path.name in DOWNLOADED:
            read_json(path)
    if (folder / "vocab.txt").is_file():
        read_vocabulary(folder / "vocab.txt")
    check_weights(folder, allow_pickle)


def read_json(path: Path) -> dict[str, Any]:
    """Read the object in a JSON file; raise ValueError, naming the file, if it is broken."""
    with guard.reading(path, "JSON file"):
        if not path.is_file():
            raise ValueError("expected a regular file")
        content = json.loads(path.read_text("utf-8"))
    if not isinstance(content, dict):
        raise ValueError(f"{path}: expected an object, in braces, got a {type(content).__name__}")
    return content


def read_vocabulary(path: Path) -> list[str]:
    """Read the tokens of a vocab.txt; raise ValueError, naming the line, if one is there twice."""
    with guard.reading(path, "list of tokens"):
        tokens = path.read_text("utf-8").removesuffix("\n").split("\n")
    lines: dict[str, int] = {}
    for number, token in enumerate(tokens, 1):
        if lines.setdefault(token, number) != number:
            raise ValueError(f"{path}, line {number}: the token {token!r} is already on line {lines[token]}")
    return tokens


def check_weights(folder: Path, allow_pickle: bool = False) -> list[Path]:
    """Check that the files of weights are complete and in the folder; return them."""
    named = read_json(folder / "config.json").get("transformers_weights")
    if named is not None and named not in WEIGHTS:
        raise ValueError(f"{folder}/config.json: transformers_weights: expected one of {WEIGHTS}, got {named!r:.80}")
    suffixes = (".safetensors", ".bin") if allow_pickle else (".safetensors",)
    present = [folder / name for name in (*WEIGHTS, *(PICKLES if allow_pickle else ())) if (folder / name).is_file()]
    files = {path for path in present if path.suffix != ".json"}
    for index in set(present) - files:
        with guard.reading(index, "index of weights"):
            for name in sorted(set(read_json(index)["weight_map"].values())):
                path = folder / name
                if Path(name).name != name or path.suffix not in suffixes or not path.is_file():
                    expected = f"an existing {' or '.join(suffixes)} file in its folder"
                    raise ValueError(f"{index}: names the file {name!r:.80}; expected {expected}")
                files.add(path)
    for path in sorted(files):
        if path.suffix == ".safetensors":
            with guard.reading(path, "safetensors file"):
                from safetensors import safe_open

                with safe_open(path, "numpy") as file:
                    file.keys()
    return sorted(files)


def subword_tokens(source: Path, words: Iterable[str]) -> dict[str, list[str]]:
    """Split words into tokens, as inside a sentence.

    source: a model's folder with a tokenizer.json or vocab.txt, or a vocab.txt of lower-case subword tokens. Returns
    tokens by word; nothing for other tokenizers, and where tokenizers is not installed.
    """
    tokenizer = _load_tokenizer(source)
    return {word: tokenizer.encode(" " + word, add_special_tokens=False).tokens for word in words if tokenizer}


def special_tokens(source: Path) -> list[str]:
    """List the special tokens, such as [MASK], of a tokenizer; `source` as for `subword_tokens`."""
    tokenizer = _load_tokenizer(source)
    added = tokenizer.get_added_tokens_decoder() if tokenizer else {}
    return [token.content for token in added.values() if token.special]


def _load_tokenizer(source: Path) -> Any:
    try:
        import tokenizers
    except ImportError:  # a workflow can run without it, but for the jobs with their own environment
        return None
    whole, vocabulary = source / "tokenizer.json", source / "vocab.txt" if source.is_dir() else source
    with guard.reading(whole if whole.is_file() else vocabulary, "tokenizer"):
        if whole.is_file():
            tokenizer = tokenizers.Tokenizer.from_file(str(whole))
            tokenizer.no_padding()
            tokenizer.no_truncation()
            return tokenizer
        options = source / "tokenizer_config.json"
        lower = read_json(options).get("do_lower_case", True) if options.is_file() else True
        return tokenizers.BertWordPieceTokenizer(str(vocabulary), lowercase=lower) if vocabulary.is_file() else None
