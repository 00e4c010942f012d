"""Sentences as token ids, with the tokens of given places, and masks in these places."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

BATCH = 10_000  # sentences tokenised at once


@dataclass(frozen=True)
class Tokens:
    """Sentences as tokens.

    ids: (n, longest) int32 with the special tokens, padded at the end. lengths: (n,) tokens of each sentence, with the
    special ones. places: (n, n_places, 2) first token of each place and the one after its last.
    """

    ids: np.ndarray
    lengths: np.ndarray
    places: np.ndarray

    def __len__(self) -> int:
        return len(self.lengths)

    def hide(self, place: int, mask: int) -> "Tokens":
        """Replace every token of a place by the mask."""
        columns = np.arange(self.ids.shape[1])
        inside = (columns >= self.places[:, place, :1]) & (columns < self.places[:, place, 1:])
        return replace(self, ids=np.where(inside, np.int32(mask), self.ids))

    def collapse(self, place: int, mask: int, padding: int) -> "Tokens":
        """Replace all tokens of a place by one mask and close the gap."""
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
    """Tokenise n texts with a fast tokenizer of the transformers library.

    places: characters (start, end) of words of each text, (n, n_places, 2). causal: add only the beginning-of-text
    token, if the tokenizer has one, and no other special token. Raises ValueError, naming the word and its tokens, if a
    word shares a token with its neighbour or has an unknown token; for a special token such as [MASK] in a text; and
    for a text longer than the model's maximum.
    """
    if not len(texts):
        raise ValueError("sentences: expected one or more, got none")
    texts, places = list(texts), np.asarray(places, np.int64).reshape(len(texts), -1, 2)
    starts = range(0, len(texts), BATCH)
    parts = [_batch(tokenizer, texts[i : i + BATCH], places[i : i + BATCH], causal) for i in starts]
    lengths = np.concatenate([part.lengths for part in parts])
    ids = np.full((len(texts), lengths.max()), tokenizer.pad_token_id or 0, np.int32)
    for number, part in enumerate(parts):
        ids[number * BATCH : number * BATCH + len(part), : part.ids.shape[1]] = part.ids
    return Tokens(ids, lengths, np.concatenate([part.places for part in parts]))


def special_ids(tokenizer: Any) -> set[int]:
    """List the ids of the tokens that are not part of a word."""
    added = tokenizer.added_tokens_decoder
    return {*tokenizer.all_special_ids, *(number for number, token in added.items() if token.special)}


def check_no_special_tokens(tokenizer: Any, text: str, ids: list[int], special: set[int]) -> None:
    """Raise ValueError, naming text and token, if a text has a special token among its token ids.

    The token for unknown words counts only if the text contains it literally.
    """
    forbidden = {number for number in special.intersection(ids) if number != tokenizer.unk_token_id}
    if tokenizer.unk_token_id in ids and tokenizer.unk_token in text:
        forbidden.add(tokenizer.unk_token_id)
    if forbidden:
        token = tokenizer.convert_ids_to_tokens(min(forbidden))
        raise ValueError(f"{text!r:.200}: has {token!r}, a special token of the language model; expected words")


def check_texts(tokenizer: Any, texts: Sequence[str]) -> None:
    """Raise ValueError for the first text that has a special token."""
    special = special_ids(tokenizer)
    for text, ids in zip(texts, tokenizer(list(texts), add_special_tokens=False)["input_ids"], strict=True):
        check_no_special_tokens(tokenizer, text, ids, special)


def _encoded(tokenizer: Any, texts: list[str], causal: bool) -> tuple[list[list[int]], list[list[tuple[int, int]]]]:
    """Token ids of texts, and the characters (start, end) of each token."""
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
        text, limit = texts[int(lengths.argmax())], tokenizer.model_max_length
        raise ValueError(f"{text!r:.80}: expected at most {limit} tokens for this model, got {lengths.max()}")
    ids = np.full((len(texts), lengths.max()), tokenizer.pad_token_id or 0, np.int32)
    offsets = np.zeros((*ids.shape, 2), np.int64)
    for row, sentence in enumerate(encoded):
        ids[row, : len(sentence)] = sentence
        offsets[row, : len(sentence)] = np.reshape(spans[row], (-1, 2))
    own = offsets[:, :, 1] > offsets[:, :, 0]  # special tokens around a text have an empty span
    special = special_ids(tokenizer)
    for row in np.flatnonzero((own & np.isin(ids, list(special))).any(axis=1)):
        check_no_special_tokens(tokenizer, texts[row], ids[row, own[row]].tolist(), special)
    token_places = np.zeros_like(places)
    for number in range(places.shape[1]):
        start, end = places[:, number, :1], places[:, number, 1:]
        inside = (offsets[:, :, 0] < end) & (offsets[:, :, 1] > start)
        token_places[:, number, 0] = inside.argmax(axis=1)
        token_places[:, number, 1] = token_places[:, number, 0] + inside.sum(axis=1)
        _check(tokenizer, texts, places[:, number], ids, offsets, inside)
    return Tokens(ids, lengths, token_places)


def _check(
    tokenizer: Any, texts: list[str], places: np.ndarray, ids: np.ndarray, offsets: np.ndarray, inside: np.ndarray
) -> None:
    """Raise ValueError unless every place consists of known tokens of its own; they may include the space before it."""
    starts = np.where(inside, offsets[:, :, 0], np.iinfo(np.int64).max).min(axis=1)
    ends = np.where(inside, offsets[:, :, 1], 0).max(axis=1)
    unknown = (inside & (ids == tokenizer.unk_token_id)).any(axis=1)
    for row in np.flatnonzero(unknown | (starts != places[:, 0]) | (ends != places[:, 1])):
        word = texts[row][slice(*places[row])]
        if inside[row].any() and not unknown[row] and texts[row][starts[row] : ends[row]].strip() == word:
            continue
        word_tokens = tokenizer.convert_ids_to_tokens(ids[row, inside[row]].tolist())
        raise ValueError(f"{word!r} in {texts[row]!r}: expected known tokens of its own, got {word_tokens}")
