"""What a masked language model expects behind a mask: probabilities of pronouns, or of any words of groups."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from biassay.language_models import inference, tokens
from biassay.language_models.loading import LanguageModel
from biassay.language_models.masked_sentences import MaskedSentences

MULTI_TOKEN = ("raise", "mean")
WORD = re.compile(r"\w+(?:-\w+)*|\S")


def log_probabilities(model: Any, sentences: MaskedSentences, candidates: np.ndarray) -> np.ndarray:
    """log p(candidate | sentence) at the masks of n sentences: (n, k) float32, in nats.

    candidates (n, k): token ids, such as those of "she" and "he" in the case that each sentence asks for.
    """
    rows = np.arange(len(sentences))
    return inference.log_probabilities(
        model, sentences.ids, sentences.lengths, rows, sentences.positions, np.asarray(candidates)
    )


def normalise(log_probabilities: np.ndarray) -> np.ndarray:
    """Probabilities among the candidates alone, from log p (n, k): rows that sum to 1 (intrinsic-2023 eq 1).

    −∞ is a probability of 0; NaN where all are.
    """
    values = np.asarray(log_probabilities, np.float64)
    with np.errstate(invalid="ignore"):  # −∞ less −∞
        weights = np.exp(values - values.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True)


def pronoun_log_probabilities(model: Any, *forms: MaskedSentences) -> np.ndarray:
    """log p of both groups' pronouns for what `templates.masked` makes of `templates.fill`: (n / 2, 2), in the order of
    templates.GROUPS.

    Several forms of the pronouns are the same sentences with each; a group has the sum of the probabilities of its
    own. Sentences that differ in the pronoun only are asked once.
    """
    candidates = np.concatenate([form.labels.reshape(-1, 2) for form in forms], axis=1)
    found = log_probabilities(model, forms[0].take(np.arange(0, len(forms[0]), 2)), candidates)
    return np.logaddexp.reduce(found.reshape(len(found), len(forms), 2), axis=1)


def word_log_probabilities(
    model: LanguageModel, texts: Sequence[str], places: np.ndarray, words: Sequence[str], multi_token: str = "raise"
) -> np.ndarray:
    """log p(word | text) of k words at one place of each of n texts: (n, k) float32, in nats.

    places (n, 2): characters start … end of what the words stand for; at a text's start they get a capital. A word of
    several pieces raises ValueError that names it ("raise"), or ("mean") every piece is masked, all at once, and the
    word has the mean of their log p, the geometric mean of their probabilities: of the order of a one-token word's.
    """
    filled, spans = [], []
    for text, (start, end) in zip(texts, np.asarray(places).reshape(-1, 2).tolist(), strict=True):
        for word in words:
            inserted = word[:1].upper() + word[1:] if start == 0 else word
            filled.append(text[:start] + inserted + text[end:])
            spans.append((start, start + len(inserted)))
    found = _words(model, filled, np.array(spans), multi_token)
    return place_log_probabilities(model, found, 0).reshape(len(texts), len(words))


def tokenise_groups(
    model: LanguageModel, aligned: Sequence[Sequence[str]], others: np.ndarray | None = None, multi_token: str = "raise"
) -> tokens.Tokens:
    """Tokens of n sentences of each of k groups, the first group's first: place 0 is the word of the group, and
    `others` (k·n, m, 2), characters start … end, are the places after it.

    The i-th sentences of all groups differ in one word only. Raises ValueError, naming two, where they do not; for a
    word of several pieces as in `word_log_probabilities`.
    """
    if len(aligned) < 2:
        raise ValueError(f"sentences: of {len(aligned)} groups; give two or more")
    places = []
    for texts in zip(*aligned, strict=True):
        words = [[(match.group(), match.span()) for match in WORD.finditer(text)] for text in texts]
        for one, other in combinations(range(len(texts)), 2):
            pairs = zip(words[one], words[other], strict=False)
            changed = [place for place, ((a, _), (b, _)) in enumerate(pairs) if a != b]
            if len(words[one]) != len(words[other]) or len(changed) != 1:
                raise ValueError(f"{texts[one]!r} and {texts[other]!r}: must differ in one word, that of the group")
        places.append([of_text[changed[0]][1] for of_text in words])
    found = np.array(places).swapaxes(0, 1).reshape(-1, 1, 2)
    found = found if others is None else np.concatenate([found, others], axis=1)
    return _words(model, [text for texts in aligned for text in texts], found, multi_token)


def _words(model: LanguageModel, texts: Sequence[str], places: np.ndarray, multi_token: str) -> tokens.Tokens:
    """Tokens of texts whose first places (n, m, 2) are words, of one piece each unless `pieces` lets them be more."""
    if multi_token not in MULTI_TOKEN:
        raise ValueError(f"multi_token: unknown value {multi_token!r}; expected one of: {', '.join(MULTI_TOKEN)}")
    found = tokens.tokenise(model.tokenizer, texts, places, model.kind == "causal")
    if multi_token == "raise":
        _refuse(model.tokenizer, found)
    return found


def place_log_probabilities(model: LanguageModel, sentences: tokens.Tokens, place: int, hidden: Any = ()) -> np.ndarray:
    """Mean log p of the tokens of a place, all masked at once, in n sentences: (n,) float32.

    hidden: numbers of other places that are masked too. Sentences that are alike once masked are asked once.
    """
    return Queries.from_tokens(sentences, place, model.tokenizer.mask_token_id, hidden).run(model.model)


@dataclass(frozen=True)
class Queries:
    """What `place_log_probabilities` asks, worked out once for many models.

    ids, lengths: the different masked sentences. rows, columns: their masks, (m,), and wanted (m, k) the tokens asked
    for at each. where (t, 2): mask and column of `wanted` of all tokens of the n sentences; owner (t,): their sentence.
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
        """Questions for the tokens of a place of each sentence; `hidden` are other places that are masked too."""
        masked = sentences.hide(place, mask)
        for other in hidden:
            masked = masked.hide(other, mask)
        columns = np.arange(sentences.ids.shape[1])
        first, end = sentences.places[:, place].T
        owner, positions = np.nonzero((columns >= first[:, None]) & (columns < end[:, None]))
        _, kept, which = np.unique(masked.ids, axis=0, return_index=True, return_inverse=True)
        masks, asked = np.unique(np.column_stack([which.ravel()[owner], positions]), axis=0, return_inverse=True)
        asked = asked.ravel()
        order = np.argsort(asked, kind="stable")
        starts = np.searchsorted(asked[order], np.arange(len(masks)))
        rank = np.empty_like(asked)
        rank[order] = np.arange(len(asked)) - starts[asked[order]]
        wanted = np.zeros((len(masks), rank.max() + 1), np.int64)
        wanted[asked, rank] = sentences.ids[owner, positions]
        where = np.column_stack([asked, rank])
        return cls(masked.ids[kept], masked.lengths[kept], masks[:, 0], masks[:, 1], wanted, where, owner)

    def run(self, model: Any) -> np.ndarray:
        """Mean log p of the tokens of each sentence: (n,) float32, in nats."""
        values = inference.log_probabilities(model, self.ids, self.lengths, self.rows, self.columns, self.wanted)
        found = np.bincount(self.owner, values[self.where[:, 0], self.where[:, 1]])
        return (found / np.bincount(self.owner)).astype(np.float32)


def _refuse(tokenizer: Any, sentences: tokens.Tokens) -> None:
    """Raise ValueError, naming the word and its tokens, if a word at the first place has several."""
    first, end = sentences.places[:, 0].T
    for row in np.flatnonzero(end - first > 1):
        ids = sentences.ids[row, first[row] : end[row]].tolist()
        word, parts = tokenizer.decode(ids).strip(), tokenizer.convert_ids_to_tokens(ids)
        raise ValueError(f"the word {word!r} has several tokens, {parts}; use another word, or multi_token='mean'")
