"""Sentences as token ids, with the tokens of given places, and masks in these places."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from biassay.core import guard


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

    def inside(self, place: int) -> np.ndarray:
        """Find the tokens of a place: (n, longest) bool."""
        columns = np.arange(self.ids.shape[1])
        return (columns >= self.places[:, place, :1]) & (columns < self.places[:, place, 1:])

    def hide(self, place: int, mask: int) -> "Tokens":
        """Replace every token of a place by the mask."""
        return replace(self, ids=np.where(self.inside(place), np.int32(mask), self.ids))

    def collapse(self, place: int, mask: int, padding: int) -> "Tokens":
        """Replace all tokens of a place by one mask and close the gap."""
        first, end = self.places[:, place].T
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
    with guard.reading(tokenizer.name_or_path, "tokenizer"):
        encoded = tokenizer(texts, return_offsets_mapping=True, **({"add_special_tokens": False} if causal else {}))
    start = [] if not causal or tokenizer.bos_token_id is None else [tokenizer.bos_token_id]
    lengths = np.array([len(start) + len(row) for row in encoded["input_ids"]])
    if lengths.max() > tokenizer.model_max_length:
        text, limit = texts[int(lengths.argmax())], tokenizer.model_max_length
        raise ValueError(f"{text!r:.80}: expected at most {limit} tokens for this model, got {lengths.max()}")
    ids = pad([[*start, *row] for row in encoded["input_ids"]], tokenizer.pad_token_id or 0)
    starts, ends = (
        pad([[0] * len(start) + [span[side] for span in row] for row in encoded["offset_mapping"]], 0)
        for side in (0, 1)
    )
    own = ends > starts  # special tokens around a text have an empty span
    special = special_ids(tokenizer)
    for row in np.flatnonzero((own & np.isin(ids, list(special))).any(axis=1)):
        check_no_special_tokens(tokenizer, texts[row], ids[row, own[row]].tolist(), special)
    token_places = np.zeros_like(places)
    for number in range(places.shape[1]):
        inside = (starts < places[:, number, 1:]) & (ends > places[:, number, :1])
        first = inside.argmax(axis=1)
        token_places[:, number] = np.column_stack([first, first + inside.sum(axis=1)])
        for row, text in enumerate(texts):
            word, span = text[slice(*places[row, number])], slice(*token_places[row, number])
            _check_word(tokenizer, text, word, ids[row, span], starts[row, span], ends[row, span])
    return Tokens(ids, lengths, token_places)


def tokenise_texts(tokenizer: Any, texts: Sequence[str], causal: bool, longest: int | None = None) -> tuple[list, list]:
    """Return the token ids of texts, cut to `longest`, and which of them are not special.

    causal: begin with the beginning-of-text token, or else the end-of-text token, if there is one, since the state of a
    decoder's first position does not depend on the text.
    """
    first = tokenizer.eos_token_id if tokenizer.bos_token_id is None else tokenizer.bos_token_id
    start = [first] if causal and first is not None else []
    cut = {} if longest is None else {"truncation": True, "max_length": longest - len(start)}
    options = {"add_special_tokens": not causal, "return_special_tokens_mask": True, **cut}
    with guard.reading(tokenizer.name_or_path, "tokenizer"):
        encoded = tokenizer(list(texts), **options)
    own = [[False] * len(start) + [not special for special in row] for row in encoded["special_tokens_mask"]]
    return [[*start, *row] for row in encoded["input_ids"]], own


def pad(rows: Sequence[Sequence[int]], value: int) -> np.ndarray:
    """Stack rows of integers, filled up at the end with a value: (n, longest) int32."""
    stacked = np.full((len(rows), max(map(len, rows))), value, np.int32)
    for number, row in enumerate(rows):
        stacked[number, : len(row)] = row
    return stacked


def _check_word(tokenizer: Any, text: str, word: str, ids: np.ndarray, starts: np.ndarray, ends: np.ndarray) -> None:
    """Raise ValueError unless a word has known tokens of its own; they may include the space before it."""
    if not len(ids) or tokenizer.unk_token_id in ids or text[starts[0] : ends[-1]].strip() != word.strip():
        tokens = tokenizer.convert_ids_to_tokens(ids.tolist())
        raise ValueError(f"{word!r} in {text!r}: expected known tokens of its own, got {tokens}")


def check_one_token(tokenizer: Any, sentences: Tokens, advice: str = "expected one token", *, place: int = 0) -> None:
    """Raise ValueError, naming the word and its tokens, if a word at a place has several tokens."""
    first, end = sentences.places[:, place].T
    for row in np.flatnonzero(end - first > 1):
        ids = sentences.ids[row, first[row] : end[row]].tolist()
        word, parts = tokenizer.decode(ids).strip(), tokenizer.convert_ids_to_tokens(ids)
        raise ValueError(f"the word {word!r} has several tokens, {parts}; {advice}")


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
