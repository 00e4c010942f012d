"""Pretraining data of masked language models: subword tokens, sequences of token ids, masks."""

import json
import string
import unicodedata
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from biassay.corpora import plain_text
from biassay.language_models import model_files

MASKED = 0.15  # of the tokens; 80 % of them become masks, 10 % other tokens, 10 % stay (Devlin et al. 2019)
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
LINES = 20_000  # tokenised at once
ALPHABET = 1000  # most frequent letters in a learned vocabulary


def lines(paths: list[str], markup: bool) -> Iterator[list[str]]:
    """Yield the lines of text files, in lists of at most LINES; with `markup`, tags such as <doc …> are dropped."""
    for path in paths:
        for block, _ in plain_text.read_blocks(path, markup):
            text_lines = [
                line for line in (plain_text.remove_markup(block) if markup else block).splitlines() if line.strip()
            ]
            yield from (text_lines[start : start + LINES] for start in range(0, len(text_lines), LINES))


def make_tokenizer(out: Path, vocabulary: str | int, paths: list[str], markup: bool, length: int) -> Any:
    """Write a lower-case BERT tokenizer, vocab.txt and tokenizer_config.json, to a folder, and load it.

    vocabulary: a vocab.txt, or the size of one to learn from the text. Raises ValueError for a vocab.txt without BERT's
    special tokens.
    """
    from transformers import AutoTokenizer

    if isinstance(vocabulary, int):
        tokens = _learn(vocabulary, paths, markup)
    else:
        tokens = model_files.read_vocabulary(Path(vocabulary))
        if missing := [token for token in SPECIAL if token not in tokens]:
            raise ValueError(f"{vocabulary}: expected a vocab.txt of BERT; the token {missing[0]} is missing")
    (out / "vocab.txt").write_text("\n".join(tokens) + "\n", "utf-8")
    options = {"tokenizer_class": "BertTokenizer", "do_lower_case": True, "model_max_length": length}
    options |= {f"{token[1:-1].lower()}_token": token for token in SPECIAL}
    (out / "tokenizer_config.json").write_text(json.dumps(options) + "\n")
    return AutoTokenizer.from_pretrained(out)


def _learn(size: int, paths: list[str], markup: bool) -> list[str]:
    """Learn at most `size` subword tokens from a text, in the order of their ids; the same at every call.

    The library numbers the letters inside words in the order of a hash map, which decides ties; so we pass them.
    """
    from tokenizers import BertWordPieceTokenizer

    learner = BertWordPieceTokenizer(lowercase=True)
    letters, inner = Counter(), Counter()
    for part in lines(paths, markup):
        words = learner.normalizer.normalize_str("\n".join(part)).split()
        letters.update("".join(words))
        inner.update("".join(word[1:] for word in words))
    alphabet = sorted(letters, key=lambda letter: (-letters[letter], letter))[:ALPHABET]
    inner_tokens = [f"##{letter}" for letter in sorted(alphabet) if inner[letter] and not _is_punctuation(letter)]
    learner.train_from_iterator(
        (line for part in lines(paths, markup) for line in part), size, special_tokens=[*SPECIAL, *inner_tokens],
        initial_alphabet=alphabet, limit_alphabet=len(alphabet), show_progress=False,
    )  # fmt: skip
    ids = learner.get_vocab()
    return sorted(ids, key=ids.get)


def _is_punctuation(letter: str) -> bool:
    """Whether BERT's tokenizer splits off a character as a word."""
    return letter in string.punctuation or unicodedata.category(letter).startswith("P")


def sequences(tokenizer: Any, paths: list[str], markup: bool, length: int, seed: int) -> np.ndarray:
    """Convert the text to shuffled sequences of token ids, (n, length): [CLS], then lines with [SEP] after each.

    The text is cut anywhere. Raises ValueError for a text of fewer than two sequences.
    """
    blocks, separator = [], [tokenizer.sep_token_id]
    for part in lines(paths, markup):
        encoded = tokenizer(part, add_special_tokens=False, return_attention_mask=False, verbose=False)["input_ids"]
        blocks.append(np.concatenate([piece for ids in encoded for piece in (ids, separator)]).astype(np.int32))
    tokens = np.concatenate(blocks) if blocks else np.zeros(0, np.int32)
    n = len(tokens) // (length - 1)
    if n < 2:
        raise ValueError(f"{paths[0]}: expected at least two sequences of {length} subword tokens, got {len(tokens)}")
    order = np.random.default_rng([seed, 5]).permutation(n)
    ids = tokens[: n * (length - 1)].reshape(n, -1)[order]
    return np.insert(ids, 0, tokenizer.cls_token_id, axis=1)


def mask(ids: np.ndarray, tokenizer: Any, random: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Mask a batch of ids (b, length): the changed ids, and the masked places in the flattened batch."""
    special = np.isin(ids, [tokenizer.cls_token_id, tokenizer.sep_token_id])
    places = np.flatnonzero((random.random(ids.shape) < MASKED) & ~special)
    if not len(places):  # can happen in a tiny batch
        places = np.flatnonzero(~special)[:1]
    changed, fate = ids.flatten(), random.random(len(places))
    other = random.integers(0, len(tokenizer), len(places))
    changed[places] = np.where(fate < 0.8, tokenizer.mask_token_id, np.where(fate < 0.9, other, changed[places]))
    return changed.reshape(ids.shape), places
