"""Probabilities that a masked language model gives to words at a mask: pronouns, or any group words."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import regex
from scipy.special import softmax

from biassay.language_models import inference, tokens
from biassay.language_models.loading import LanguageModel
from biassay.language_models.masked_sentences import MaskedSentences

MULTI_TOKEN = ("raise", "mean")
UNSPACED = regex.compile(
    r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]"
)  # written without spaces
WORD = regex.compile(r"\w+(?:-\w+)*|\S")  # in it, as not in re, combining marks are parts of words


def normalise(log_probabilities: np.ndarray) -> np.ndarray:
    """Convert log p (…, n_candidates) to probabilities that sum to 1 over the candidates (intrinsic-2023 eq 1).

    −∞ gives 0; NaN if all candidates have −∞.
    """
    with np.errstate(invalid="ignore"):  # −∞ minus −∞
        return softmax(np.asarray(log_probabilities, np.float64), axis=-1)


def pronoun_log_probabilities(model: Any, *forms: MaskedSentences) -> np.ndarray:
    """Compute log p of both groups' pronouns: (n / 2, 2), columns in the order of templates.GROUPS.

    forms: masked sentences of `templates.fill`, n per form of the pronouns. The probability of a group is the sum over
    its forms. Sentences that differ only in the pronoun pass the model once.
    """
    candidates = np.concatenate([form.labels.reshape(-1, 2) for form in forms], axis=1)
    distinct = forms[0].take(np.arange(0, len(forms[0]), 2))
    rows = np.arange(len(distinct))
    values = inference.log_probabilities(model, distinct.ids, distinct.lengths, rows, distinct.positions, candidates)
    return np.logaddexp.reduce(values.reshape(len(values), len(forms), 2), axis=1)


def tokenise_groups(
    model: LanguageModel, aligned: Sequence[Sequence[str]], others: np.ndarray | None = None, multi_token: str = "raise"
) -> tokens.Tokens:
    """Tokenise n sentences per group, group after group; place 0 of each is its group word.

    aligned: the sentences of each group; the i-th sentences of all groups differ in one word only. others: further
    places, (n_groups · n, n_places, 2), as characters (start, end). multi_token: whether to "raise" ValueError for a
    group word of several tokens, or to accept it, for the "mean" of their log p. Raises ValueError for fewer than two
    groups, or, naming two sentences, if these differ in no word or several.
    """
    if multi_token not in MULTI_TOKEN:
        raise ValueError(f"multi_token: unknown value {multi_token!r}; expected one of: {', '.join(MULTI_TOKEN)}")
    if len(aligned) < 2:
        raise ValueError(f"sentences: expected two or more groups, got {len(aligned)}")
    places = np.array([_group_words(texts) for texts in zip(*aligned, strict=True)]).swapaxes(0, 1).reshape(-1, 1, 2)
    places = places if others is None else np.concatenate([places, others], axis=1)
    flat = [text for texts in aligned for text in texts]
    tokenised = tokens.tokenise(model.tokenizer, flat, places, model.kind == "causal")
    if multi_token == "raise":
        tokens.check_one_token(model.tokenizer, tokenised, "use another word, or multi_token='mean'")
    return tokenised


def _group_words(texts: Sequence[str]) -> list[tuple[int, int]]:
    """Find the characters (start, end) of the only word in which sentences differ.

    In scripts without spaces between words, it is what differs in a run of letters, and at least a letter of each.
    """
    words = [[(match.group(), match.span()) for match in WORD.finditer(text)] for text in texts]
    for one, other in combinations(range(len(texts)), 2):
        pairs = zip(words[one], words[other], strict=False)
        changed = [place for place, ((a, _), (b, _)) in enumerate(pairs) if a != b]
        if len(words[one]) != len(words[other]) or len(changed) != 1:
            raise ValueError(f"{texts[one]!r} and {texts[other]!r}: must differ in one word, the group word")
    names, spans = zip(*(of_text[changed[0]] for of_text in words), strict=True)
    if not UNSPACED.search("".join(names)):
        return list(spans)
    before = _count_equal(names)
    after = _count_equal([name[before:][::-1] for name in names])
    if min(map(len, names)) == before + after:  # one word contains the other, as 彼女 contains 彼
        before, after = max(before - 1, 0), after if before else after - 1
    first = names[0]
    while before and not UNSPACED.match(first[before - 1]):  # a word of other letters is not cut
        before -= 1
    while after and not UNSPACED.match(first[len(first) - after]):
        after -= 1
    return [(start + before, end - after) for start, end in spans]


def _count_equal(names: Sequence[str]) -> int:
    """Count the letters with which all names begin."""
    letters = enumerate(zip(*names, strict=False))
    return next((place for place, each in letters if len(set(each)) > 1), min(map(len, names)))


def place_log_probabilities(model: LanguageModel, sentences: tokens.Tokens, place: int, hidden: Any = ()) -> np.ndarray:
    """Compute the mean log p of the tokens of a place, all masked at once, in n sentences: (n,) float32.

    hidden: numbers of further places to mask. Sentences that are equal once masked pass the model once.
    """
    return Queries.from_tokens(sentences, place, model.tokenizer.mask_token_id, hidden).run(model.model)


@dataclass(frozen=True)
class Queries:
    """Inputs of `place_log_probabilities`, prepared once for many models.

    ids, lengths: the distinct masked sentences. rows, columns: their masks, (n_masks,). wanted: (n_masks, n_tokens)
    token ids to score at each mask. where: (n_all, 2) mask, and column of `wanted`, of every token of the n sentences.
    owner: (n_all,) sentence of every token.
    """

    ids: np.ndarray
    lengths: np.ndarray
    rows: np.ndarray
    columns: np.ndarray
    wanted: np.ndarray
    where: np.ndarray
    owner: np.ndarray

    @classmethod
    def from_tokens(cls, sentences: tokens.Tokens, place: int, mask: int, hidden: Sequence[int] = ()) -> "Queries":
        """Prepare queries for the tokens of a place of each sentence; `hidden` are further places to mask."""
        masked = sentences
        for number in (place, *hidden):
            masked = masked.hide(number, mask)
        owner, positions = np.nonzero(sentences.inside(place))
        _, distinct, which = np.unique(masked.ids, axis=0, return_index=True, return_inverse=True)
        masks, mask_of = np.unique(np.column_stack([which.ravel()[owner], positions]), axis=0, return_inverse=True)
        mask_of = mask_of.ravel()
        rank = pd.Series(mask_of).groupby(mask_of).cumcount().to_numpy()
        wanted = np.zeros((len(masks), rank.max() + 1), np.int64)
        wanted[mask_of, rank] = sentences.ids[owner, positions]
        where = np.column_stack([mask_of, rank])
        return cls(masked.ids[distinct], masked.lengths[distinct], masks[:, 0], masks[:, 1], wanted, where, owner)

    def run(self, model: Any) -> np.ndarray:
        """Compute the mean log p of the tokens of each sentence: (n,) float32, in nats."""
        values = inference.log_probabilities(model, self.ids, self.lengths, self.rows, self.columns, self.wanted)
        sums = np.bincount(self.owner, values[self.where[:, 0], self.where[:, 1]])
        return (sums / np.bincount(self.owner)).astype(np.float32)
