"""Sentences that templates are filled to: with the places of an attribute's word and of the occupation known."""

from typing import Any, NamedTuple

import numpy as np

from biassay.language_models import tokens
from biassay.language_models.masked_sentences import MaskedSentences


class Sentence(NamedTuple):
    """A sentence, and where its attribute's word and its occupation (without article) stand: characters start … end."""

    text: str
    attribute: tuple[int, int]
    occupation: tuple[int, int]


def tokenise(tokenizer: Any, sentences: list[Sentence]) -> tokens.Tokens:
    """Tokens of sentences; place 0 is the attribute's word, place 1 the occupation. Errors as `tokens.tokenise`."""
    places = np.array([(sentence.attribute, sentence.occupation) for sentence in sentences])
    return tokens.tokenise(tokenizer, [sentence.text for sentence in sentences], places)


def mask(tokenizer: Any, sentences: list[Sentence]) -> MaskedSentences:
    """The sentences with their attributes' words masked; labels are these words' ids, in the case of their place.

    Raises ValueError, naming the word, where the tokenizer has it in several pieces.
    """
    found = tokenise(tokenizer, sentences)
    first, end = found.places[:, 0].T
    for row in np.flatnonzero(end - first != 1):
        text, pieces = sentences[row].text, found.ids[row, first[row] : end[row]].tolist()
        word = text[slice(*sentences[row].attribute)]
        pieces = tokenizer.convert_ids_to_tokens(pieces)
        raise ValueError(f"the word {word!r} in {text!r} has several pieces, {pieces}; it must be one token")
    labels = found.ids[np.arange(len(found)), first]
    return MaskedSentences(found.hide(0, tokenizer.mask_token_id).ids, found.lengths, first, labels)
