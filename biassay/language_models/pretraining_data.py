"""What a masked language model is pretrained with: subword tokens, sequences of token ids, masks."""

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
from biassay.support import arrays

MASKED = 0.15  # of the tokens; of these 80 % become masks, 10 % other tokens, 10 % stay (Devlin et al. 2019)
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
LINES = 20_000  # that the tokenizer gets at once
ALPHABET = 1000  # most frequent letters that a learned vocabulary keeps


def lines(paths: list[str], markup: bool) -> Iterator[list[str]]:
    """Yield the lines of text files, in lists of at most LINES; with `markup`, tags such as <doc …> are dropped."""
    for path in paths:
        for block, _ in plain_text.read_blocks(path):
            found = [
                line for line in (plain_text.remove_markup(block) if markup else block).splitlines() if line.strip()
            ]
            yield from (found[start : start + LINES] for start in range(0, len(found), LINES))


def make_tokenizer(out: Path, vocabulary: str | int, paths: list[str], markup: bool, length: int) -> Any:
    """Write a lower-case BERT tokenizer, vocab.txt and tokenizer_config.json, to a folder, and load it.

    vocabulary: a vocab.txt, or the size of one that is learned from the text; one without BERT's special pieces raises
    ValueError.
    """
    from transformers import AutoTokenizer

    if isinstance(vocabulary, int):
        pieces = _learn(vocabulary, paths, markup)
    else:
        pieces = model_files.read_vocabulary(Path(vocabulary))
        if lacking := [piece for piece in SPECIAL if piece not in pieces]:
            raise ValueError(f"{vocabulary}: lacks the piece {lacking[0]}; give a vocab.txt of BERT's kind")
    (out / "vocab.txt").write_text("\n".join(pieces) + "\n", "utf-8")
    options = {"tokenizer_class": "BertTokenizer", "do_lower_case": True, "model_max_length": length}
    options |= {f"{piece[1:-1].lower()}_token": piece for piece in SPECIAL}
    (out / "tokenizer_config.json").write_text(json.dumps(options) + "\n")
    return AutoTokenizer.from_pretrained(out)


def _learn(size: int, paths: list[str], markup: bool) -> list[str]:
    """Subword tokens of a text, at most `size`, in the order of their ids; the same at every call.

    The library numbers the letters inside words in the order of a hash map, which decides ties. So they are given.
    """
    from tokenizers import BertWordPieceTokenizer

    learner = BertWordPieceTokenizer(lowercase=True)
    letters, inner = Counter(), Counter()
    for part in lines(paths, markup):
        words = learner.normalizer.normalize_str("\n".join(part)).split()
        letters.update("".join(words))
        inner.update("".join(word[1:] for word in words))
    alphabet = sorted(letters, key=lambda letter: (-letters[letter], letter))[:ALPHABET]
    given = [f"##{letter}" for letter in sorted(alphabet) if inner[letter] and not _is_punctuation(letter)]
    learner.train_from_iterator(
        (line for part in lines(paths, markup) for line in part), size, special_tokens=[*SPECIAL, *given],
        initial_alphabet=alphabet, limit_alphabet=len(alphabet), show_progress=False,
    )  # fmt: skip
    ids = learner.get_vocab()
    return sorted(ids, key=ids.get)


def _is_punctuation(letter: str) -> bool:
    """Whether BERT's tokenizer takes a character for a word of its own."""
    return letter in string.punctuation or unicodedata.category(letter).startswith("P")


def sequences(tokenizer: Any, paths: list[str], markup: bool, out: Path, length: int, seed: int) -> np.ndarray:
    """The text as shuffled sequences of token ids, (n, length): [CLS], then lines with [SEP] behind each, cut anywhere.

    `out` is an .npy file that all pieces are written to. Raises ValueError for text of less than two sequences.
    """
    separator = [tokenizer.sep_token_id]
    with arrays.Writer(out, np.int32) as writer:
        for part in lines(paths, markup):
            encoded = tokenizer(part, add_special_tokens=False, return_attention_mask=False, verbose=False)["input_ids"]
            writer.append(np.concatenate([piece for ids in encoded for piece in (ids, separator)]))
    pieces = np.load(out, mmap_mode="r")
    n = len(pieces) // (length - 1)
    if n < 2:
        raise ValueError(
            f"{paths[0]}: {len(pieces)} subword tokens of text; pretraining needs two sequences of {length}"
        )
    found = np.empty((n, length), np.int32)
    found[:, 0] = tokenizer.cls_token_id
    found[:, 1:] = pieces[: n * (length - 1)].reshape(n, length - 1)
    return np.random.default_rng([seed, 5]).permutation(found)


def mask(ids: np.ndarray, tokenizer: Any, random: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Mask a batch (b, length): the changed ids, and the places of MASKED of the tokens, in the flattened batch."""
    special = np.isin(ids, [tokenizer.cls_token_id, tokenizer.sep_token_id])
    places = np.flatnonzero((random.random(ids.shape) < MASKED) & ~special)
    if not len(places):  # in a tiny batch
        places = np.flatnonzero(~special)[:1]
    changed, fate = ids.flatten(), random.random(len(places))
    other = random.integers(0, len(tokenizer), len(places))
    changed[places] = np.where(
        fate < 0.8, tokenizer.mask_token_id, np.where(fate < 0.9, other, changed[places])
    )  # 80 % masks, 10 % other tokens
    return changed.reshape(ids.shape), places
