"""AUL: of two sentences, which does the model find likelier, all tokens in sight?

AUL(S) = (1/|S|) Σ_i log P(w_i | S)
"""

import numpy as np

from biassay.language_models import inference, likelihoods
from biassay.language_models.loading import LanguageModel
from biassay.measurement.metric import Level, Metric

METRIC = Metric(
    summary="mean log-likelihood of all tokens of the unmasked sentence, the first sentence's less the second's",
    source="Kaneko & Bollegala 2022 (all unmasked likelihood); named in intrinsic-2023 §3.4",
    cite=("kaneko2022", "schroeder2023"),
    avoid=(
        "To compare sentences with unlike numbers of rare words: every token counts, also those that the two "
        "share. A share of pairs says nothing of how large their differences are."
    ),
    takes="language_model",
    models=("masked", "causal"),
    word=Level(None, None, signed=True, undefined="a sentence has no token"),
    set=Level(0.0, 1.0, 0.5, undefined="a sentence has no token"),
    exempt="it takes a language model and sentences, no vectors",
)


def scores(model: LanguageModel, stereotypical: list[str], antistereotypical: list[str]) -> np.ndarray:
    """(1/|S|) Σ_i log P(w_i | S) of both sentences of n pairs, special tokens left out: (n, 2), in nats, 0 or less.

    A causal model sees of S what stands before the token: the values of `log_likelihood` with per="token". NaN for a
    sentence without tokens of its own.
    """
    if model.kind == "causal":
        return likelihoods.causal_scores(model, stereotypical, antistereotypical, mean=True)
    sentences = likelihoods.tokenise_pairs(model, stereotypical, antistereotypical)
    rows, columns = np.nonzero(likelihoods.text_tokens(model, sentences))
    values = inference.log_probabilities(
        model.model, sentences.ids, sentences.lengths, rows, columns, sentences.ids[rows, columns][:, None]
    )
    with np.errstate(invalid="ignore"):
        means = np.bincount(rows, values[:, 0], len(sentences)) / np.bincount(rows, minlength=len(sentences))
    return means.reshape(2, -1).T


def word_bias(scores: np.ndarray) -> np.ndarray:
    """Differences of AUL of n pairs, scores (n, 2): (n,), unbounded, positive if `stereotypical` is more likely."""
    return likelihoods.score_differences(scores)


def set_bias(scores: np.ndarray) -> float:
    """Share of n pairs, scores (n, 2), with a larger AUL of `stereotypical`: 0 to 1, 0.5 without bias."""
    return likelihoods.preference_share(scores)
