"""Log-likelihood: which of two sentences is more likely under a language model, masked or causal?

log P(S) = Σ_i log P(w_i | w_1 … w_{i−1}) (causal),  PLL(S) = Σ_i log P(w_i | S∖w_i) (masked)
"""

from typing import Literal

import numpy as np

from biassay.language_models import likelihoods
from biassay.language_models.loading import LanguageModel
from biassay.measurement.metric import Level, Metric

UNDEFINED = f"a sentence has no token with a probability; or {likelihoods.UNDEFINED}"

METRIC = Metric(
    summary="log-likelihood of a sentence, or pseudo-log-likelihood under a masked model, first sentence minus second",
    source=(
        "CrowS-Pairs (Nangia et al. 2020) for decoders, as in lm-evaluation-harness; masked: Salazar et al. 2020; per "
        "token: Meade et al. 2022"
    ),
    cite=("nangia2020", "salazar2020", "meade2022"),
    avoid=(
        "If the sentences of a pair differ in their number of tokens: the longer one is less likely for that reason "
        'alone; per="token" corrects for it. The share of pairs does not show how large the differences are.'
    ),
    takes="language_model",
    models=("masked", "causal"),
    word=Level(None, None, signed=True, undefined=UNDEFINED),
    set=Level(0.0, 1.0, 0.5, undefined=UNDEFINED),
    exempt="it takes a language model and sentences, not vectors",
)


def scores(
    model: LanguageModel,
    stereotypical: list[str],
    antistereotypical: list[str],
    *,
    per: Literal["sentence", "token"] = "sentence",
) -> np.ndarray:
    """Compute the sum of the log p of all tokens of both sentences of each pair: (n_pairs, 2), in nats, 0 or less.

    A causal model predicts each token from those before it. The first token is conditioned on the token for the
    beginning of a text (BOS), which is added even if the tokenizer does not. If the tokenizer has none, the first token
    has no probability and is skipped. The end of the sentence is not scored. NaN for a sentence without a scored token,
    and as in `likelihoods.pair_scores`.

    A masked model predicts each token from all others, the token itself masked (pseudo-log-likelihood); `pll` sums only
    the tokens that the sentences share.

    per="token" divides by the number of scored tokens, which can change which sentence of a pair is more likely.
    """
    return likelihoods.sentence_scores(model, stereotypical, antistereotypical, mean=per == "token")


word_bias, set_bias = likelihoods.score_differences, likelihoods.preference_share
