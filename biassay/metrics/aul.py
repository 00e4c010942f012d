"""AUL: which of two sentences is more likely if the model sees all tokens?

AUL(S) = (1/|S|) Σ_i log P(w_i | S)
"""

import numpy as np

from biassay.language_models import inference, likelihoods
from biassay.language_models.loading import LanguageModel
from biassay.measurement.metric import Level, Metric

UNDEFINED = f"a sentence has no token; or {likelihoods.UNDEFINED}"

METRIC = Metric(
    summary="mean log-likelihood of all tokens of the unmasked sentence, first sentence minus second",
    source="Kaneko & Bollegala 2022 (all unmasked likelihood); named in intrinsic-2023 §3.4",
    cite=("kaneko2022", "schroeder2023"),
    avoid=(
        "To compare sentences that differ in their number of rare words: all tokens count, including shared ones. "
        "The share of pairs does not show how large the differences are."
    ),
    takes="language_model",
    models=("masked", "causal"),
    word=Level(None, None, signed=True, undefined=UNDEFINED),
    set=Level(0.0, 1.0, 0.5, undefined=UNDEFINED),
    exempt="it takes a language model and sentences, not vectors",
)


def scores(model: LanguageModel, stereotypical: list[str], antistereotypical: list[str]) -> np.ndarray:
    """Compute (1/|S|) Σ_i log P(w_i | S) of both sentences of each pair, without special tokens.

    With a causal model, each token is conditioned on the tokens before it: the result is that of `log_likelihood` with
    per="token". Returns (n_pairs, 2) values in nats, 0 or less; NaN for a sentence without tokens of its own, and as in
    `likelihoods.pair_scores`.
    """
    if model.kind == "causal":
        return likelihoods.sentence_scores(model, stereotypical, antistereotypical, mean=True)
    sentences = likelihoods.tokenise_pairs(model, stereotypical, antistereotypical)
    rows, columns = np.nonzero(likelihoods.text_tokens(model, sentences))
    values = inference.log_probabilities(
        model.model, sentences.ids, sentences.lengths, rows, columns, sentences.ids[rows, columns][:, None]
    )
    with np.errstate(invalid="ignore"):
        means = np.bincount(rows, values[:, 0], len(sentences)) / np.bincount(rows, minlength=len(sentences))
    return likelihoods.pair_scores(model, sentences, means)


word_bias, set_bias = likelihoods.score_differences, likelihoods.preference_share
