"""Checks of a language model's folder before transformers reads it: complete, readable, and nothing to unpickle."""

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from biassay.core import guard

WEIGHTS = ("model.safetensors", "model.safetensors.index.json")
PICKLES = ("pytorch_model.bin", "pytorch_model.bin.index.json")
TOKENIZERS = ("tokenizer.json", "vocab.txt", "vocab.json", "tokenizer.model", "spiece.model", "sentencepiece.bpe.model")
DOWNLOADED = ["config.json", "model*.safetensors", WEIGHTS[1], "tokenizer_config.json", "special_tokens_map.json"]
DOWNLOADED += [*TOKENIZERS, "merges.txt", "added_tokens.json"]
MAX_COUNT = 1000  # largest number of layers, groups of layers and labels in a configuration
MAX_RATIO = 8  # largest number of parameters per byte of weights


def missing_files(folder: Path, allow_pickle: bool = False) -> str:
    """List the required files that a model's folder does not have, as text."""
    weights = (*WEIGHTS, *PICKLES) if allow_pickle else WEIGHTS
    parts = [("config.json",), weights, TOKENIZERS]
    return ", ".join(" or ".join(part) for part in parts if not any((folder / name).is_file() for name in part))


def read_configuration(folder: Path) -> dict[str, Any]:
    """Read the config.json of a model's folder; raise ValueError, naming it, if it is broken."""
    return _read_json(folder / "config.json")


def check_files(folder: Path, allow_pickle: bool = False) -> list[Path]:
    """Check the files of a model's folder; return those of the weights.

    Raises ValueError, naming the file, if one is broken or the weights are in a pickle.
    """
    if (adapter := folder / "adapter_config.json").exists():
        raise ValueError(f"{adapter}: adapters are not supported (transformers needs peft); merge it into the weights")
    for path in sorted(folder.glob("*.json")):
        if path.name in DOWNLOADED:
            _read_json(path)
    if (folder / "merges.txt").is_file():
        _read_lines(folder / "merges.txt")
    if (folder / "vocab.txt").is_file():
        read_vocabulary(folder / "vocab.txt")
    return check_weights(folder, allow_pickle)


def read_vocabulary(path: Path) -> list[str]:
    """Read the tokens of a vocab.txt; raise ValueError, naming the line, if one is there twice."""
    tokens, lines = _read_lines(path), {}
    for number, token in enumerate(tokens, 1):
        if lines.setdefault(token, number) != number:
            raise ValueError(f"{path}, line {number}: the token {token!r} is already on line {lines[token]}")
    return tokens


def check_weights(folder: Path, allow_pickle: bool = False) -> list[Path]:
    """Check that the files of weights are complete and in the folder; return them."""
    config, suffixes = folder / "config.json", (".safetensors", ".bin") if allow_pickle else (".safetensors",)
    named = _read_json(config).get("transformers_weights")
    if named is not None and named not in WEIGHTS:
        raise ValueError(f"{config}: transformers_weights: expected {' or '.join(WEIGHTS)}, got {named!r:.80}")
    present = [folder / name for name in (*WEIGHTS, *(PICKLES if allow_pickle else ())) if (folder / name).is_file()]
    files = {path for path in present if path.suffix != ".json"}
    for index in set(present) - files:
        with guard.reading(index, "index of weights"):
            names = set(_read_json(index)["weight_map"].values())
            for name in sorted(names):
                if Path(name).name != name or Path(name).suffix not in suffixes:
                    raise ValueError(
                        f"{index}: names the file {name!r:.80}; expected {' or '.join(suffixes)} files in its folder"
                    )
                if not (folder / name).is_file():
                    raise ValueError(f"{index}: names the file {name!r:.80}, which does not exist")
        files |= {folder / name for name in names}
    for path in sorted(files):
        if path.suffix == ".safetensors":
            check_safetensors(path)
    return sorted(files)


def check_size(folder: Path, kind: str, files: list[Path]) -> None:
    """Raise ValueError if the configuration, which can come from the hub, describes a model too large for its weights.

    kind: name of one of transformers' Auto classes.
    """
    import torch
    import transformers

    path, n_bytes = folder / "config.json", sum(path.stat().st_size for path in files)
    with guard.reading(path, "configuration"):
        for key, value in _settings(_read_json(path)):
            if re.search("layer|group|num_labels", key) and isinstance(value, int | float) and value > MAX_COUNT:
                raise ValueError(f"{path}: {key}: expected at most {MAX_COUNT}, got {value}")
        config = transformers.AutoConfig.from_pretrained(folder, trust_remote_code=False)
        with torch.random.fork_rng(devices=[]), torch.device("meta"):  # tensors have shapes, but no values
            model = getattr(transformers, kind).from_config(config, trust_remote_code=False)
        n_parameters = sum(weight.numel() for weight in model.parameters())
    if n_parameters > MAX_RATIO * n_bytes:
        raise ValueError(f"{path}: describes {n_parameters:,} parameters; the weights have only {n_bytes:,} bytes")


def _settings(content: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the keys and values of a configuration and of the nested ones."""
    for key, value in content.items():
        yield key, value
        if isinstance(value, dict):
            yield from _settings(value)


def check_safetensors(path: Path) -> None:
    """Raise ValueError, naming the file, unless a safetensors file is complete."""
    try:
        from safetensors import safe_open
    except ImportError as error:
        raise ValueError(f"{path}: reading language models needs safetensors; pip install 'biassay[models]'") from error
    with guard.reading(path, "safetensors file"), safe_open(path, "numpy") as file:
        file.keys()


def subword_tokens(source: Path, words: Iterable[str]) -> dict[str, list[str]]:
    """Split words into tokens, as inside a sentence.

    source: a model's folder with a tokenizer.json or vocab.txt, or a vocab.txt of lower-case subword tokens. Returns
    tokens by word; nothing for other tokenizers, and where tokenizers is not installed.
    """
    tokenizer = _load_tokenizer(source)
    if tokenizer is None:
        return {}
    return {word: tokenizer.encode(" " + word, add_special_tokens=False).tokens for word in words}


def special_tokens(source: Path) -> list[str]:
    """List the special tokens, such as [MASK], of a tokenizer; `source` as for `subword_tokens`."""
    tokenizer = _load_tokenizer(source)
    added = {} if tokenizer is None else tokenizer.get_added_tokens_decoder()
    return [token.content for token in added.values() if token.special]


def _load_tokenizer(source: Path) -> Any:
    try:
        import tokenizers
    except ImportError:
        return None

    if not source.is_dir():
        vocabulary, lower = source, True
    elif (whole := source / "tokenizer.json").is_file():
        with guard.reading(whole, "tokenizer"):
            return tokenizers.Tokenizer.from_file(str(whole))
    else:
        vocabulary, options = source / "vocab.txt", source / "tokenizer_config.json"
        lower = _read_json(options).get("do_lower_case", True) if options.is_file() else True
    if not vocabulary.is_file():
        return None
    with guard.reading(vocabulary, "list of tokens"):
        return tokenizers.BertWordPieceTokenizer(str(vocabulary), lowercase=lower)


def _read_lines(path: Path) -> list[str]:
    with guard.reading(path, "list of tokens"):
        return path.read_text("utf-8").removesuffix("\n").split("\n")


def _read_json(path: Path) -> dict[str, Any]:
    """Read the object in a JSON file."""
    with guard.reading(path, "JSON file"):
        content = json.loads(path.read_text("utf-8"))
    if not isinstance(content, dict):
        raise ValueError(f"{path}: expected an object, in braces, got a {type(content).__name__}")
    return content
