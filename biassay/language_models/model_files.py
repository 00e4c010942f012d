"""The folder of a language model, checked before transformers reads it: so that nothing is unpickled and nothing made
that is out of proportion to the weights."""

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from biassay.support import guard

WEIGHTS = ("model.safetensors", "model.safetensors.index.json")
PICKLES = ("pytorch_model.bin", "pytorch_model.bin.index.json")
TOKENIZERS = ("tokenizer.json", "vocab.txt", "vocab.json", "tokenizer.model", "spiece.model", "sentencepiece.bpe.model")
DOWNLOADED = ["config.json", "model*.safetensors", WEIGHTS[1], "tokenizer_config.json", "special_tokens_map.json"]
DOWNLOADED += [*TOKENIZERS, "merges.txt", "added_tokens.json"]
MORE_TOKENS = ("tokenizer_config.json", "added_tokens.json")
LAYERS = 1000  # and groups of layers, and labels, that a configuration may ask for
RATIO = 8  # numbers that a configuration may ask for, for each byte of weights
_NUMBERS = re.compile("layer|group|num_labels")


def missing_files(folder: Path, allow_pickle: bool = False) -> str:
    """What a model's folder must have and has not, in words."""
    weights = (*WEIGHTS, *PICKLES) if allow_pickle else WEIGHTS
    parts = [("config.json",), weights, TOKENIZERS]
    return ", ".join(" or ".join(part) for part in parts if not any((folder / name).is_file() for name in part))


def read_configuration(folder: Path) -> dict[str, Any]:
    """What the config.json of a model's folder holds; raises ValueError, naming it, if it is broken."""
    return _object(folder / "config.json")


def check(folder: Path, kind: str, allow_pickle: bool = False) -> None:
    """Raise ValueError, naming the file, for a broken one, for weights in a pickle or beyond the folder, and if the
    configuration asks one of transformers' Auto classes, `kind`, for more than the weights can hold.

    With `allow_pickle` weights may be in pickles, but in the folder still.
    """
    check_size(folder, kind, check_files(folder, allow_pickle))


def check_files(folder: Path, allow_pickle: bool = False) -> int:
    """As `check`, without what the configuration asks for; the bytes of the weights."""
    if (adapter := folder / "adapter_config.json").exists():
        raise ValueError(
            f"{adapter}: an adapter, which transformers applies only where peft is installed; merge it into the weights"
        )
    contents = {path.name: _object(path) for path in sorted(folder.glob("*.json")) if path.name in DOWNLOADED}
    for name in ("vocab.txt", "merges.txt"):
        if (folder / name).is_file():
            read_lines(folder / name)
    tokenizer = next((name for name in TOKENIZERS if (folder / name).is_file()), "")  # the one that is read
    if tokenizer == "vocab.txt":
        read_vocabulary(folder / tokenizer)
    elif tokenizer in ("vocab.json", "tokenizer.json"):
        _check_numbers(folder / tokenizer, _vocabulary(folder / tokenizer, contents[tokenizer]))
    return check_weights(folder, allow_pickle)


def read_lines(path: Path) -> list[str]:
    """The lines of a list of pieces; raises ValueError, naming the file, for one that is no text."""
    with guard.reading(path, "list of pieces"):
        return path.read_text("utf-8").removesuffix("\n").split("\n")


def read_vocabulary(path: Path) -> list[str]:
    """The pieces of a vocab.txt; raises ValueError, naming the line, for one that it has twice, with two numbers."""
    pieces, lines = read_lines(path), {}
    for number, piece in enumerate(pieces, 1):
        if lines.setdefault(piece, number) != number:
            raise ValueError(
                f"{path}, line {number}: the piece {piece!r} is on line {lines[piece]} already; expected once"
            )
    return pieces


def declared_tokens(folder: Path) -> set[str] | None:
    """All tokens that the files of a tokenizer name; None if one of them is a file that only transformers reads."""
    name = next(name for name in TOKENIZERS if (folder / name).is_file())
    if name.endswith(".model"):
        return None
    present = [key for key in {name, *MORE_TOKENS} - {"vocab.txt"} if (folder / key).is_file()]
    contents = {key: _object(folder / key) for key in present}
    tokens = set(_vocabulary(folder / name, contents[name]) if name in contents else read_lines(folder / name))
    with guard.reading(folder / name, "tokenizer"):
        by_number = contents.get(MORE_TOKENS[0], {}).get("added_tokens_decoder") or {}
        added = [*contents.get("tokenizer.json", {}).get("added_tokens", []), *by_number.values()]
        return tokens | {token["content"] for token in added} | set(contents.get(MORE_TOKENS[1], {}))


def _vocabulary(path: Path, content: dict[str, Any]) -> dict[str, int]:
    """Numbers of the pieces that a vocab.json or tokenizer.json has."""
    if path.name == "vocab.json":
        return content
    with guard.reading(path, "tokenizer"):
        pieces = content["model"]["vocab"]
        if isinstance(pieces, dict):
            return pieces
        numbers: dict[str, int] = {}
        for number, (piece, _) in enumerate(pieces):
            if numbers.setdefault(piece, number) != number:
                raise ValueError(f"{path}: the piece {piece!r} has two numbers, {numbers[piece]} and {number}")
        return numbers


def _check_numbers(path: Path, pieces: dict[str, int]) -> None:
    """Raise ValueError for two pieces of one number."""
    owners: dict[int, str] = {}
    for piece, number in pieces.items():
        if type(number) is not int or number < 0:
            raise ValueError(f"{path}: {piece!r} has the number {number!r:.80}; expected an integer >= 0")
        if owners.setdefault(number, piece) != piece:
            raise ValueError(f"{path}: the pieces {owners[number]!r} and {piece!r} have the same number, {number}")


def check_weights(folder: Path, allow_pickle: bool = False) -> int:
    """Raise ValueError as `check` does, of configuration and weights; the bytes of the weights."""
    config, suffixes = folder / "config.json", (".safetensors", ".bin") if allow_pickle else (".safetensors",)
    named = _object(config).get("transformers_weights")
    if named is not None and named not in WEIGHTS:
        raise ValueError(f"{config}: names {named!r:.80} for its weights; expected one of: {', '.join(WEIGHTS)}")
    present = [folder / name for name in (*WEIGHTS, *(PICKLES if allow_pickle else ())) if (folder / name).is_file()]
    files = {path for path in present if path.suffix != ".json"}
    for index in set(present) - files:
        with guard.reading(index, "index of weights"):
            names = set(_object(index)["weight_map"].values())
            for name in sorted(names):
                if Path(name).name != name or Path(name).suffix not in suffixes:
                    raise ValueError(
                        f"{index}: names the file {name!r:.80}; may name {' or '.join(suffixes)} beside it"
                    )
                if not (folder / name).is_file():
                    raise ValueError(f"{index}: names the file {name!r:.80}, which is lacking")
        files |= {folder / name for name in names}
    for path in sorted(files):
        if path.suffix == ".safetensors":
            check_safetensors(path)
    return sum(path.stat().st_size for path in files)


def check_size(folder: Path, kind: str, held: int) -> None:
    """Raise ValueError if the configuration asks one of transformers' Auto classes for more than `held` bytes hold."""
    import torch
    import transformers

    path = folder / "config.json"
    with guard.reading(path, "configuration"):
        for key, value in _settings(_object(path)):
            if _NUMBERS.search(key) and isinstance(value, int | float) and value > LAYERS:
                raise ValueError(f"{path}: {key} is {value}; more than {LAYERS} are not read")
        config = transformers.AutoConfig.from_pretrained(folder, trust_remote_code=False)
        with torch.random.fork_rng(devices=[]), torch.device("meta"):  # which holds shapes and no numbers
            model = getattr(transformers, kind).from_config(config, trust_remote_code=False)
        asked = sum(weight.numel() for weight in model.parameters())
    if asked > RATIO * held:
        raise ValueError(f"{path}: asks for {asked:,} numbers; the weights have {held:,} bytes")


def subword_tokens(source: Path, words: Iterable[str]) -> dict[str, list[str]]:
    """What a tokenizer makes of words inside a sentence: a folder's with a tokenizer.json or vocab.txt, or a vocab.txt
    of lower-case subword tokens. Empty for other tokenizers, which only transformers knows, and where it is not
    installed.
    """
    tokenizer = _tokenizer(source)
    if tokenizer is None:
        return {}
    return {word: tokenizer.encode(" " + word, add_special_tokens=False).tokens for word in words}


def special_tokens(source: Path) -> list[str]:
    """Tokens that stand for no word, such as [MASK], of a tokenizer as of `pieces`."""
    tokenizer = _tokenizer(source)
    added = {} if tokenizer is None else tokenizer.get_added_tokens_decoder()
    return [token.content for token in added.values() if token.special]


def _tokenizer(source: Path) -> Any:
    """A tokenizer as of `pieces`, or None."""
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
        with guard.reading(listed, "list of pieces"):
            return tokenizers.BertWordPieceTokenizer(str(listed), lowercase=lower)
    return None


def _object(path: Path) -> dict[str, Any]:
    """What a JSON file holds."""
    with guard.reading(path, "JSON file"):
        content = json.loads(path.read_text("utf-8"), object_pairs_hook=lambda pairs: _unique(path, pairs))
    if not isinstance(content, dict):
        raise ValueError(f"{path}: holds a {type(content).__name__}; expected an object, in braces")
    return content


def _unique(path: Path, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of a JSON file, in which no key stands twice."""
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError(f"{path}: has the key {next(key for key in keys if keys.count(key) > 1)!r} twice")
    return found


def _settings(content: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """The keys and values of a configuration and of those inside it."""
    for key, value in content.items():
        yield key, value
        if isinstance(value, dict):
            yield from _settings(value)


def check_safetensors(path: Path) -> None:
    """Raise ValueError, naming the file, unless a safetensors file is whole."""
    try:
        from safetensors import safe_open
    except ImportError as error:
        raise ValueError(f"{path}: reading language models needs safetensors; pip install 'biassay[models]'") from error
    with guard.reading(path, "safetensors file"), safe_open(path, "numpy") as file:
        file.keys()
