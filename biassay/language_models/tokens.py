"""Sentences as token ids, with the tokens of given places found by position, and places hidden behind masks."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

BATCH = 10_000  # sentences that the tokenizer gets at once


@dataclass(frozen=True)
class Tokens:
    """Sentences as tokens.

    ids: (n, longest) int32 with the special tokens, padded at the end. lengths: (n,) tokens of each sentence, special
    ones counted. places: (n, k, 2), the first token of each of k places and the one behind its last.
    """

    ids: np.ndarray
    lengths: np.ndarray
    places: np.ndarray

    def __len__(self) -> int:
        return len(self.lengths)

    def hide(self, place: int, mask: int) -> "Tokens":
        """Every token of a place replaced by the mask."""
        columns = np.arange(self.ids.shape[1])
        inside = (columns >= self.places[:, place, :1]) & (columns < self.places[:, place, 1:])
        return replace(self, ids=np.where(inside, np.int32(mask), self.ids))

    def collapse(self, place: int, mask: int, padding: int) -> "Tokens":
        """All tokens of a place replaced by one mask; what stands behind moves up."""
        first, end = self.places[:, place, 0], self.places[:, place, 1]
        surplus = end - first - 1
        columns = np.arange(self.ids.shape[1])
        source = columns + np.where(columns > first[:, None], surplus[:, None], 0)
        lengths = self.lengths - surplus
        ids = np.take_along_axis(self.ids, np.minimum(source, self.ids.shape[1] - 1), axis=1)
        ids = np.where(columns < lengths[:, None], ids, np.int32(padding))
        ids[np.arange(len(ids)), first] = mask
        places = self.places - np.where(self.places > first[:, None, None], surplus[:, None, None], 0)
        return Tokens(ids[:, : lengths.max()], lengths, places)


def tokenise(tokenizer: Any, texts: Sequence[str], places: np.ndarray, causal: bool = False) -> Tokens:
    """Tokenise n texts with a fast tokenizer of transformers.

    causal: as a decoder reads a text, with no special token but the one for its beginning, if the tokenizer has one,
    whether it would put it there itself or not. places (n, k, 2): characters start … end of k words of each text, whose
    tokens are found by the tokenizer's offsets. Raises ValueError, naming the word and its pieces, where a word shares
    a piece with its neighbour or has one that the tokenizer does not know, for a special token, such as [MASK], in a
    text, and for a text longer than the model takes.
    """
    texts, places = list(texts), np.asarray(places, np.int64).reshape(len(texts), -1, 2)
    if not texts:
        raise ValueError("sentences: there are none")
    starts = range(0, len(texts), BATCH)
    parts = [_batch(tokenizer, texts[i : i + BATCH], places[i : i + BATCH], causal) for i in starts]
    lengths = np.concatenate([part.lengths for part in parts])
    ids = np.full((len(texts), lengths.max()), _padding(tokenizer, causal), np.int32)
    for number, part in enumerate(parts):
        ids[number * BATCH : number * BATCH + len(part), : part.ids.shape[1]] = part.ids
    return Tokens(ids, lengths, np.concatenate([part.places for part in parts]))


def special_ids(tokenizer: Any) -> set[int]:
    """Numbers of the tokens that stand for no word."""
    added = tokenizer.added_tokens_decoder
    return {*tokenizer.all_special_ids, *(number for number, token in added.items() if token.special)}


def check_no_special_tokens(tokenizer: Any, text: str, ids: list[int], special: set[int]) -> None:
    """Raise ValueError, naming both, if a text, whose own token ids are given, has a special token. What stands for an
    unknown word is one only where the text has it letter by letter."""
    found = {number for number in special.intersection(ids) if number != tokenizer.unk_token_id}
    if tokenizer.unk_token_id in ids and tokenizer.unk_token in text:
        found.add(tokenizer.unk_token_id)
    if found:
        token = tokenizer.convert_ids_to_tokens(min(found))
        raise ValueError(f"{text!r:.200}: has {token!r}, a special token of the language model; expected words")


def check_texts(tokenizer: Any, words: Sequence[str]) -> None:
    """Raise ValueError for the first of some words, titles or sentences that has a special token."""
    special = special_ids(tokenizer)
    for word, ids in zip(words, tokenizer(list(words), add_special_tokens=False)["input_ids"], strict=True):
        check_no_special_tokens(tokenizer, word, ids, special)


def _padding(tokenizer: Any, causal: bool) -> int:
    """The token behind the shorter sentences; any will do for a decoder, which does not see what stands behind."""
    return tokenizer.pad_token_id if not causal or tokenizer.pad_token_id is not None else 0


def _encoded(tokenizer: Any, texts: list[str], causal: bool) -> tuple[list[list[int]], list[list[tuple[int, int]]]]:
    """Token ids of texts, and where in them each token stands."""
    if not causal:
        encoded = tokenizer(texts, return_offsets_mapping=True)
        return encoded["input_ids"], encoded["offset_mapping"]
    encoded = tokenizer(texts, return_offsets_mapping=True, add_special_tokens=False)
    start = [] if tokenizer.bos_token_id is None else [tokenizer.bos_token_id]
    ids = [[*start, *sentence] for sentence in encoded["input_ids"]]
    return ids, [[*[(0, 0)] * len(start), *spans] for spans in encoded["offset_mapping"]]


def _batch(tokenizer: Any, texts: list[str], places: np.ndarray, causal: bool) -> Tokens:
    encoded, spans = _encoded(tokenizer, texts, causal)
    lengths = np.array([len(sentence) for sentence in encoded])
    if lengths.max() > tokenizer.model_max_length:
        text = texts[int(lengths.argmax())]
        raise ValueError(f"{text!r:.80}: of {lengths.max()} tokens; the model takes {tokenizer.model_max_length}")
    ids = np.full((len(texts), lengths.max()), _padding(tokenizer, causal), np.int32)
    offsets = np.zeros((*ids.shape, 2), np.int64)
    for row, sentence in enumerate(encoded):
        ids[row, : len(sentence)] = sentence
        offsets[row, : len(sentence)] = np.reshape(spans[row], (-1, 2))
    own = offsets[:, :, 1] > offsets[:, :, 0]  # special tokens around a text have no place in it
    special = special_ids(tokenizer)
    for row in np.flatnonzero((own & np.isin(ids, list(special))).any(axis=1)):
        check_no_special_tokens(tokenizer, texts[row], ids[row, own[row]].tolist(), special)
    found = np.zeros_like(places)
    for k in range(places.shape[1]):
        start, end = places[:, k, :1], places[:, k, 1:]
        inside = (offsets[:, :, 0] < end) & (offsets[:, :, 1] > start)
        found[:, k, 0] = inside.argmax(axis=1)
        found[:, k, 1] = found[:, k, 0] + inside.sum(axis=1)
        _check(tokenizer, texts, places[:, k], ids, offsets, inside)
    return Tokens(ids, lengths, found)


def _check(
    tokenizer: Any, texts: list[str], places: np.ndarray, ids: np.ndarray, offsets: np.ndarray, inside: np.ndarray
) -> None:
    """Raise ValueError unless every place is made of known pieces of its own, which may take in the space before it."""
    starts = np.where(inside, offsets[:, :, 0], np.iinfo(np.int64).max).min(axis=1)
    ends = np.where(inside, offsets[:, :, 1], 0).max(axis=1)
    unknown = (inside & (ids == tokenizer.unk_token_id)).any(axis=1)
    for row in np.flatnonzero(unknown | (starts != places[:, 0]) | (ends != places[:, 1])):
        word = texts[row][slice(*places[row])]
        if inside[row].any() and not unknown[row] and texts[row][starts[row] : ends[row]].strip() == word:
            continue
        pieces = tokenizer.convert_ids_to_tokens(ids[row, inside[row]].tolist())
        raise ValueError(f"{word!r} in {texts[row]!r} has no pieces of its own that the tokenizer knows, but {pieces}")
