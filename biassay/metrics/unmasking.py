"""Unmasking bias: how unevenly does a language model expect the words of the groups behind a mask?

JSD(p ‖ uniform) = ½ Σ_i p_i log(p_i/m_i) + ½ Σ_i (1/k) log(1/(k m_i)),  m_i = ½ (p_i + 1/k)
p_i = P(mask = word of group i) / Σ_j P(mask = word of group j),  k groups
"""

from typing import Literal

import numpy as np

from biassay.language_models import unmasking
from biassay.language_models.loading import LanguageModel
from biassay.measurement.metric import Level, Metric
from biassay.numerics import divergence

METRIC = Metric(
    summary="divergence from uniform of the groups' probabilities behind a mask, normalised among the groups",
    source="intrinsic-2023 §4.3, eq 1 (unmasking bias, as Jensen–Shannon divergence)",
    cite=("schroeder2023",),
    avoid=(
        "With words of several pieces, and with templates that say more than the attribute: the model answers "
        "them, too. It speaks of the model's predictions, not of its vectors; of causal models it cannot be "
        "asked."
    ),
    takes="language_model",
    groups=(2, None),
    word=Level(0.0, divergence.largest, undefined="no group's word has a probability above 0"),
    set=Level(0.0, divergence.largest, undefined="no group's word has a probability above 0"),
    aggregate="mean",
    exempt="it takes a language model and sentences, no vectors",
)


def scores(model: LanguageModel, *sentences: list[str], multi_token: Literal["raise", "mean"] = "raise") -> np.ndarray:
    """log p(mask = the group's word) in n sentences of each of k groups: (n, k), in nats, 0 or less.

    A list of sentences a group; the i-th of all lists differ in the word of the group only ("He is a nurse.", "She is a
    nurse."). A word of several pieces is refused, or (multi_token="mean") has the mean of their log p, all masked at once.
    Raises ValueError, naming two sentences, where they differ otherwise.
    """
    words = unmasking.tokenise_groups(model, sentences, multi_token=multi_token)
    return unmasking.place_log_probabilities(model, words, 0).astype(np.float64).reshape(len(sentences), -1).T


def word_bias(scores: np.ndarray) -> np.ndarray:
    """Jensen–Shannon divergence in nats from uniform of the probabilities normalised among the groups, eq 1, from
    scores (n, k): (n,), 0 to ½[log(2k/(k+1)) + log(2/(k+1))/k + log 2 · (k−1)/k], .216 for two groups; no sign.

    −∞ is a probability of 0; NaN where all are. For a target in several templates, give the log of the means of its
    normalised probabilities (eq 2): the divergence of a mean is not the mean of divergences.
    """
    return divergence.from_uniform(unmasking.normalise(scores))


def set_bias(scores: np.ndarray) -> float:
    """Mean of the word-level values of scores (n, k); 0 without bias, NaN if one is undefined."""
    return float(word_bias(scores).mean())
