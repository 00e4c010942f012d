"""Checks of a language model's folder before transformers reads it.

They make sure that nothing is unpickled and that no model is built that is much larger than its weights.
"""

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
ADDED_TOKENS = ("tokenizer_config.json", "added_tokens.json")
MAX_COUNT = 1000  # largest number of layers, groups of layers and labels in a configuration
MAX_RATIO = 8  # largest number of parameters per byte of weights
_COUNTS = re.compile("layer|group|num_labels")


def missing_files(folder: Path, allow_pickle: bool = False) -> str:
    """List the required files that a model's folder does not have, as text."""
    weights = (*WEIGHTS, *PICKLES) if allow_pickle else WEIGHTS
    parts = [("config.json",), weights, TOKENIZERS]
    return ", ".join(" or ".join(part) for part in parts if not any((folder / name).is_file() for name in part))


def read_configuration(folder: Path) -> dict[str, Any]:
    """Read the config.json of a model's folder; raise ValueError, naming it, if it is broken."""
    return _object(folder / "config.json")


def check(folder: Path, kind: str, allow_pickle: bool = False) -> None:
    """Check the folder of a model.

    Parameters
    ----------
    kind
        Name of one of transformers' Auto classes.
    allow_pickle
        Allow weights in pickles.

    Raises
    ------
    ValueError
        Naming the file, if it is broken, if weights are in a pickle or outside the folder, or if the configuration
        describes a model that is too large for the weights.
    """
    check_size(folder, kind, check_files(folder, allow_pickle))


def check_files(folder: Path, allow_pickle: bool = False) -> int:
    """Check the folder of a model as `check`, without the size; return the bytes of the weights."""
    if (adapter := folder / "adapter_config.json").exists():
        raise ValueError(f"{adapter}: adapters are not supported (transformers needs peft); merge it into the weights")
    contents = {path.name: _object(path) for path in sorted(folder.glob("*.json")) if path.name in DOWNLOADED}
    for name in ("vocab.txt", "merges.txt"):
        if (folder / name).is_file():
            read_lines(folder / name)
    tokenizer = next((name for name in TOKENIZERS if (folder / name).is_file()), "")  # the one that transformers reads
    if tokenizer == "vocab.txt":
        read_vocabulary(folder / tokenizer)
    elif tokenizer in ("vocab.json", "tokenizer.json"):
        _check_ids(folder / tokenizer, _vocabulary(folder / tokenizer, contents[tokenizer]))
    return check_weights(folder, allow_pickle)


def read_lines(path: Path) -> list[str]:
    """Read the lines of a list of tokens; raise ValueError, naming the file, if it is not text."""
    with guard.reading(path, "list of tokens"):
        return path.read_text("utf-8").removesuffix("\n").split("\n")


def read_vocabulary(path: Path) -> list[str]:
    """Read the tokens of a vocab.txt; raise ValueError, naming the line, if one is there twice."""
    tokens, lines = read_lines(path), {}
    for number, token in enumerate(tokens, 1):
        if lines.setdefault(token, number) != number:
            raise ValueError(f"{path}, line {number}: the token {token!r} is already on line {lines[token]}")
    return tokens


def declared_tokens(folder: Path) -> set[str] | None:
    """List the tokens in the files of a tokenizer; None if only transformers can read one of the files."""
    name = next(name for name in TOKENIZERS if (folder / name).is_file())
    if name.endswith(".model"):
        return None
    present = [key for key in {name, *ADDED_TOKENS} - {"vocab.txt"} if (folder / key).is_file()]
    contents = {key: _object(folder / key) for key in present}
    tokens = set(_vocabulary(folder / name, contents[name]) if name in contents else read_lines(folder / name))
    with guard.reading(folder / name, "tokenizer"):
        by_number = contents.get(ADDED_TOKENS[0], {}).get("added_tokens_decoder") or {}
        added = [*contents.get("tokenizer.json", {}).get("added_tokens", []), *by_number.values()]
        return tokens | {token["content"] for token in added} | set(contents.get(ADDED_TOKENS[1], {}))


def _vocabulary(path: Path, content: dict[str, Any]) -> dict[str, int]:
    """Ids of the tokens in a vocab.json or tokenizer.json."""
    if path.name == "vocab.json":
        return content
    with guard.reading(path, "tokenizer"):
        vocabulary = content["model"]["vocab"]
        if isinstance(vocabulary, dict):
            return vocabulary
        ids: dict[str, int] = {}
        for number, (token, _) in enumerate(vocabulary):
            if ids.setdefault(token, number) != number:
                raise ValueError(f"{path}: the token {token!r} has two ids, {ids[token]} and {number}")
        return ids


def _check_ids(path: Path, vocabulary: dict[str, int]) -> None:
    """Raise ValueError unless every token has an id of its own."""
    owners: dict[int, str] = {}
    for token, number in vocabulary.items():
        if type(number) is not int or number < 0:
            raise ValueError(f"{path}: id of the token {token!r}: expected an integer ≥ 0, got {number!r:.80}")
        if owners.setdefault(number, token) != token:
            raise ValueError(f"{path}: the tokens {owners[number]!r} and {token!r} have the same id, {number}")


def check_weights(folder: Path, allow_pickle: bool = False) -> int:
    """Check configuration and weights as `check`, without the size; return the bytes of the weights."""
    config, suffixes = folder / "config.json", (".safetensors", ".bin") if allow_pickle else (".safetensors",)
    named = _object(config).get("transformers_weights")
    if named is not None and named not in WEIGHTS:
        raise ValueError(f"{config}: transformers_weights: expected {' or '.join(WEIGHTS)}, got {named!r:.80}")
    present = [folder / name for name in (*WEIGHTS, *(PICKLES if allow_pickle else ())) if (folder / name).is_file()]
    files = {path for path in present if path.suffix != ".json"}
    for index in set(present) - files:
        with guard.reading(index, "index of weights"):
            names = set(_object(index)["weight_map"].values())
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
    return sum(path.stat().st_size for path in files)


def check_size(folder: Path, kind: str, n_bytes: int) -> None:
    """Raise ValueError if the configuration of an Auto class describes a model too large for `n_bytes` of weights."""
    import torch
    import transformers

    path = folder / "config.json"
    with guard.reading(path, "configuration"):
        for key, value in _settings(_object(path)):
            if _COUNTS.search(key) and isinstance(value, int | float) and value > MAX_COUNT:
                raise ValueError(f"{path}: {key}: expected at most {MAX_COUNT}, got {value}")
        config = transformers.AutoConfig.from_pretrained(folder, trust_remote_code=False)
        with torch.random.fork_rng(devices=[]), torch.device("meta"):  # tensors have shapes, but no values
            model = getattr(transformers, kind).from_config(config, trust_remote_code=False)
        n_parameters = sum(weight.numel() for weight in model.parameters())
    if n_parameters > MAX_RATIO * n_bytes:
        raise ValueError(f"{path}: describes {n_parameters:,} parameters; the weights have only {n_bytes:,} bytes")


def subword_tokens(source: Path, words: Iterable[str]) -> dict[str, list[str]]:
    """Split words into tokens, as inside a sentence.

    Parameters
    ----------
    source
        A model's folder with a tokenizer.json or vocab.txt, or a vocab.txt of lower-case subword tokens.

    Returns
    -------
    Tokens by word; empty for other tokenizers, and where tokenizers is not installed.
    """
    tokenizer = _tokenizer(source)
    if tokenizer is None:
        return {}
    return {word: tokenizer.encode(" " + word, add_special_tokens=False).tokens for word in words}


def special_tokens(source: Path) -> list[str]:
    """List the special tokens, such as [MASK], of a tokenizer; `source` as for `subword_tokens`."""
    tokenizer = _tokenizer(source)
    added = {} if tokenizer is None else tokenizer.get_added_tokens_decoder()
    return [token.content for token in added.values() if token.special]


def _tokenizer(source: Path) -> Any:
    """Load the tokenizer of a `source` as for `subword_tokens`, or None."""
    try:
        import tokenizers
    except ImportError:
        return None

    folder, lower = source if source.is_dir() else source.parent, True
    if source.is_dir() and (source / "tokenizer_config.json").is_file():
        lower = _object(source / "tokenizer_config.json").get("do_lower_case", True)
    whole, listed = folder / "tokenizer.json", source / "vocab.txt" if source.is_dir() else source
    if source.is_dir() and whole.is_file():
        with guard.reading(whole, "tokenizer"):
            return tokenizers.Tokenizer.from_file(str(whole))
    if listed.is_file():
        with guard.reading(listed, "list of tokens"):
            return tokenizers.BertWordPieceTokenizer(str(listed), lowercase=lower)
    return None


def _object(path: Path) -> dict[str, Any]:
    """Read the object in a JSON file."""
    with guard.reading(path, "JSON file"):
        content = json.loads(path.read_text("utf-8"), object_pairs_hook=lambda pairs: _unique(path, pairs))
    if not isinstance(content, dict):
        raise ValueError(f"{path}: expected an object, in braces, got a {type(content).__name__}")
    return content


def _unique(path: Path, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Convert pairs of a JSON object to a dictionary; raise ValueError for a repeated key."""
    content = dict(pairs)
    if len(content) < len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError(f"{path}: has the key {next(key for key in keys if keys.count(key) > 1)!r} twice")
    return content


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
