"""Unmasking bias: how unevenly does a language model predict the groups' words for a mask?

JSD(p ‖ uniform) = ½ Σ_i p_i log(p_i/m_i) + ½ Σ_i (1/k) log(1/(k m_i)),  m_i = ½ (p_i + 1/k)
p_i = P(mask = word of group i) / Σ_j P(mask = word of group j),  k groups
"""

from typing import Literal

import numpy as np

from biassay.language_models import unmasking
from biassay.language_models.loading import LanguageModel
from biassay.measurement.metric import Level, Metric
from biassay.statistics import divergence

METRIC = Metric(
    summary="divergence from uniform of the groups' probabilities for a mask, normalised over the groups",
    source="intrinsic-2023 §4.3, eq 1 (unmasking bias, as Jensen–Shannon divergence)",
    cite=("schroeder2023",),
    avoid=(
        "With words of several subword tokens, or templates whose other words favour a group. It describes the "
        "model's predictions, not its vectors, and it is not defined for causal models."
    ),
    takes="language_model",
    groups=(2, None),
    word=Level(0.0, divergence.maximum, undefined="no group's word has a probability above 0"),
    set=Level(0.0, divergence.maximum, undefined="no group's word has a probability above 0"),
    aggregate="mean",
    exempt="it takes a language model and sentences, not vectors",
)


def scores(model: LanguageModel, *sentences: list[str], multi_token: Literal["raise", "mean"] = "raise") -> np.ndarray:
    """Compute log p(mask = the group's word) for every sentence.

    Parameters
    ----------
    *sentences : list of str
        One list per group. The i-th sentences of all groups differ only in the word of the group ("He is a nurse.",
        "She is a nurse.").
    multi_token : {"raise", "mean"}
        For a word with several subword tokens, raise ValueError or average their log-probabilities, all masked at once.

    Returns
    -------
    ndarray of shape (n, n_groups)
        In nats, 0 or less.
    """
    words = unmasking.tokenise_groups(model, sentences, multi_token=multi_token)
    return unmasking.place_log_probabilities(model, words, 0).astype(np.float64).reshape(len(sentences), -1).T


def word_bias(scores: np.ndarray) -> np.ndarray:
    """Compute the Jensen–Shannon divergence (nats) of the normalised probabilities from uniform (intrinsic-2023 eq 1).

    Scores (n, k) are log-probabilities; −∞ is a probability of 0. Of a target in several templates, pass the log of its
    mean normalised probabilities (eq 2): the divergence of a mean differs from the mean of divergences. Returns (n,)
    values from 0 to ½[log(2k/(k+1)) + log(2/(k+1))/k + log 2 · (k−1)/k], 0.216 for two groups, without sign; NaN if all
    probabilities are 0.
    """
    return divergence.from_uniform(unmasking.normalise(scores))


def set_bias(scores: np.ndarray) -> float:
    """Compute the mean of the word-level values; 0 means no bias. NaN if one is undefined."""
    return float(word_bias(scores).mean())
