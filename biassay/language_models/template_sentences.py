"""Sentences made from templates, with the places of their group word and occupation."""

from typing import Any, NamedTuple

import numpy as np

from biassay.language_models import tokens
from biassay.language_models.masked_sentences import MaskedSentences


class Sentence(NamedTuple):
    """A sentence, and the characters (start, end) of its group word and of its occupation without the article."""

    text: str
    group_word: tuple[int, int]
    occupation: tuple[int, int]


def tokenise(tokenizer: Any, sentences: list[Sentence]) -> tokens.Tokens:
    """Tokenise sentences: place 0 is the group word, place 1 the occupation. Raises as `tokens.tokenise`."""
    places = np.array([(sentence.group_word, sentence.occupation) for sentence in sentences])
    return tokens.tokenise(tokenizer, [sentence.text for sentence in sentences], places)


def mask(tokenizer: Any, sentences: list[Sentence]) -> MaskedSentences:
    """Mask the group word of each sentence; its token id, in the case of its place, is the label.

    Raises ValueError, naming the word, if it has several tokens.
    """
    tokenised = tokenise(tokenizer, sentences)
    tokens.check_one_token(tokenizer, tokenised)
    first = tokenised.places[:, 0, 0]
    labels = tokenised.ids[np.arange(len(tokenised)), first]
    return MaskedSentences(tokenised.hide(0, tokenizer.mask_token_id).ids, tokenised.lengths, first, labels)
