"""LPBS (log-probability bias score): which group's word does a target make more likely?

log( p(group 1 | target) / p_prior(group 1) ) − log( p(group 2 | target) / p_prior(group 2) )
"""

from typing import Literal

import numpy as np
import regex

from biassay.language_models import likelihoods, unmasking
from biassay.language_models.loading import LanguageModel
from biassay.measurement.metric import Level, Metric

METRIC = Metric(
    summary="log ratio of a group word's probability with the target to its prior, first group minus second",
    source="Kurita et al. 2019 (log-probability bias score); intrinsic-2023 §3.4",
    cite=("kurita2019", "schroeder2023"),
    avoid=(
        "With words of several subword tokens, or few templates: the value depends on the sentence around the words. "
        "It compares two groups only."
    ),
    takes="language_model",
    models=("masked", "causal"),
    word=Level(None, None, signed=True),
    set=Level(None, None, signed=True),
    aggregate="mean",
    exempt="it takes a language model and sentences, not vectors",
)


def scores(
    model: LanguageModel,
    stereotypical: list[str],
    antistereotypical: list[str],
    *,
    targets: list[str] | None = None,
    multi_token: Literal["raise", "mean"] = "raise",
) -> np.ndarray:
    """Compute log p(mask = group | target) − log p_prior(mask = group) for both sentences of each pair.

    The sentences of a pair differ only in the word of the group ("He is a nurse.", "She is a nurse."). The prior masks
    all subword tokens of the target.

    With a causal model, compute log p(target | the words before it, including the group's word), summed over the
    target's tokens. By Bayes' theorem the difference between the groups is LPBS, given the words before the target:
    the target adds to log p(group) what the group adds to log p(target), whose prior is the same for both groups.

    Parameters
    ----------
    targets : list of str
        For each pair, the word whose bias is measured. It occurs once in both sentences, with a causal model after the
        group's word.
    multi_token : {"raise", "mean"}
        For a group's word with several subword tokens, raise ValueError or average their log-probabilities.

    Returns
    -------
    ndarray of shape (n_pairs, 2)
        In nats.
    """
    if isinstance(targets, str) or targets is None or len(targets) != len(stereotypical):
        raise ValueError(f"targets: expected a list with one target word per pair, got {targets!r:.80}")
    places = [
        _find(word, text) for word, text in zip([*targets, *targets], [*stereotypical, *antistereotypical], strict=True)
    ]
    if model.kind == "causal":
        return _continued(model, stereotypical, antistereotypical, np.array(places)[:, None])
    words = unmasking.tokenise_groups(model, (stereotypical, antistereotypical), np.array(places)[:, None], multi_token)
    with_target = unmasking.place_log_probabilities(model, words, 0)
    prior = unmasking.place_log_probabilities(model, words, 0, hidden=(1,))
    return (with_target.astype(np.float64) - prior).reshape(2, -1).T


def _continued(
    model: LanguageModel, stereotypical: list[str], antistereotypical: list[str], targets: np.ndarray
) -> np.ndarray:
    """Compute log p(target | the words before it) with a causal model for n pairs: (n, 2), in nats."""
    words = unmasking.tokenise_groups(model, (stereotypical, antistereotypical), targets, "mean")
    first, end = words.places[:, 1].T
    for row in np.flatnonzero(first < words.places[:, 0, 1]):
        raise ValueError(
            f"{[*stereotypical, *antistereotypical][row]!r}: with a causal model, lpbs needs the group's word before "
            "the target; reword the sentences or use log_likelihood"
        )
    columns = np.arange(words.ids.shape[1])
    inside = (columns >= first[:, None]) & (columns < end[:, None])
    values = likelihoods.token_log_probabilities(model, words, likelihoods.text_tokens(model, words))
    return np.where(inside, values, 0).sum(axis=1, dtype=np.float64).reshape(2, -1).T


def _find(word: str, text: str) -> tuple[int, int]:
    """Find the characters start … end of a word in a text, in any case."""
    places = [match.span() for match in regex.finditer(rf"(?<!\w){regex.escape(word)}(?!\w)", text, regex.IGNORECASE)]
    if len(places) != 1:
        raise ValueError(f"{text!r}: expected the target {word!r} once, found it {len(places)} times")
    return places[0]


word_bias = likelihoods.score_differences  # positive if the target raises the first group's probability more


def set_bias(scores: np.ndarray) -> float:
    """Compute the mean difference of scores (n, 2): unbounded; 0 means no bias."""
    return float(word_bias(scores).mean())
