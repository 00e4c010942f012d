"""Sentences with a group word and an occupation, and as token ids with one mask each."""

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


def mask(tokenizer: Any, sentences: list[Sentence]) -> MaskedSentences:
    """Mask the group word of each sentence, which must be one token; its id is the label."""
    tokenised = tokenise(tokenizer, sentences)
    tokens.check_one_token(tokenizer, tokenised)
    first = tokenised.places[:, 0, 0]
    labels = tokenised.ids[np.arange(len(tokenised)), first]
    return MaskedSentences(tokenised.hide(0, tokenizer.mask_token_id).ids, tokenised.lengths, first, labels)
