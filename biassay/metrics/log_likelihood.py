"""Log-likelihood: of two sentences, which is the likelier to a causal language model?

log P(S) = Σ_i log P(w_i | w_1 … w_{i−1})
"""

from typing import Literal

import numpy as np

from biassay.language_models import likelihoods
from biassay.language_models.loading import LanguageModel
from biassay.measurement.metric import Level, Metric

METRIC = Metric(
    summary="log-likelihood of a sentence by a causal language model, the first sentence's less the second's",
    source="CrowS-Pairs (Nangia et al. 2020) as lm-evaluation-harness asks decoders; per token: Meade et al. 2022",
    cite=("nangia2020", "meade2022"),
    avoid=(
        "Where sentences of a pair differ in length or number of pieces: the longer is the less likely for that "
        'alone; per="token" divides it out. A share of pairs says nothing of how large their differences are.'
    ),
    takes="language_model",
    models=("causal",),
    counterpart="pll",
    word=Level(None, None, signed=True, undefined="a sentence has no token that follows another"),
    set=Level(0.0, 1.0, 0.5, undefined="a sentence has no token that follows another"),
    exempt="it takes a language model and sentences, no vectors",
)


def scores(
    model: LanguageModel,
    stereotypical: list[str],
    antistereotypical: list[str],
    *,
    per: Literal["sentence", "token"] = "sentence",
) -> np.ndarray:
    """Σ_i log P(w_i | w_1 … w_{i−1}) of both sentences of n pairs: (n, 2), in nats, 0 or less.

    The first token is given the one for a text's beginning (BOS), which is put there even if the tokenizer would not;
    of a tokenizer without one, the first token has no probability and is left out. Nothing is asked behind the last.
    per="token": divided by the number of tokens that have a probability, so that a longer sentence is not the less
    likely for its length; where a pair's sentences differ in it, the order of the two can turn. NaN for a sentence
    without such a token.
    """
    return likelihoods.causal_scores(model, stereotypical, antistereotypical, mean=per == "token")


def word_bias(scores: np.ndarray) -> np.ndarray:
    """Difference of the log-likelihoods, scores (n, 2): (n,), unbounded, positive where `stereotypical` is the likelier."""
    return likelihoods.score_differences(scores)


def set_bias(scores: np.ndarray) -> float:
    """Share of n pairs, scores (n, 2), whose first is likelier: 0 to 1, .5 without bias; NaN if one is undefined."""
    return likelihoods.preference_share(scores)
