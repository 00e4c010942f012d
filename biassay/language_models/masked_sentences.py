"""Sentences with a group word and an occupation, and as token ids with one mask each."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from biassay.language_models import tokens


class Sentence(NamedTuple):
    """A sentence, and the characters (start, end) of its group word and of its occupation without the article."""

    text: str
    group_word: tuple[int, int]
    occupation: tuple[int, int]


@dataclass(frozen=True)
class MaskedSentences:
    """Sentences with one masked token each.

    ids: (n, longest) int32 token ids with the special tokens, padded at the end. lengths: (n,) tokens of each sentence,
    with the special ones. positions: (n,) column of the mask. labels: (n,) id of the masked token.
    """

    ids: np.ndarray
    lengths: np.ndarray
    positions: np.ndarray
    labels: np.ndarray

    def __len__(self) -> int:
        return len(self.lengths)

    def take(self, rows: np.ndarray) -> "MaskedSentences":
        """Select sentences, padded to the longest of them."""
        lengths = self.lengths[rows]
        return MaskedSentences(self.ids[rows, : lengths.max()], lengths, self.positions[rows], self.labels[rows])


def tokenise(tokenizer: Any, sentences: list[Sentence]) -> tokens.Tokens:
    """Tokenise sentences: place 0 is the group word, place 1 the occupation. Raises as `tokens.tokenise`."""
    places = np.array([(sentence.group_word, sentence.occupation) for sentence in sentences])
    return tokens.tokenise(tokenizer, [sentence.text for sentence in sentences], places)


def mask(tokenizer: Any, sentences: list[Sentence], places: Sequence[int] = (0,)) -> MaskedSentences:
    """Mask one place of each sentence, which must be one token; its id is the label.

    With several `places`, as `tokenise` numbers them, the sentences with the first place masked come first.
    """
    tokenised, parts = tokenise(tokenizer, sentences), []
    for place in places:
        tokens.check_one_token(tokenizer, tokenised, place=place)
        first = tokenised.places[:, place, 0]
        labels = tokenised.ids[np.arange(len(tokenised)), first]
        parts.append((tokenised.hide(place, tokenizer.mask_token_id).ids, tokenised.lengths, first, labels))
    return MaskedSentences(*map(np.concatenate, zip(*parts, strict=True)))
