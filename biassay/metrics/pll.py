"""PLL, the CrowS-Pairs score: of two sentences, which has the likelier context, given the words that differ?

PLL(S) = Σ_i log P(u_i | U∖u_i, M),  U the tokens that both sentences share, M the others
"""

import numpy as np

from biassay.language_models import inference, likelihoods
from biassay.language_models.loading import LanguageModel
from biassay.measurement.metric import Level, Metric

METRIC = Metric(
    summary="pseudo-log-likelihood of the tokens that two sentences share, the first sentence's less the second's",
    source="Nangia et al. 2020 (CrowS-Pairs); same-2024 eq 10",
    cite=("nangia2020", "schroeder2024"),
    avoid=(
        "To compare sentences that differ in more than the group's word, for what they share is all that is "
        "scored; and with causal models (take log_likelihood). A share of pairs says nothing of how large their "
        "differences are."
    ),
    takes="language_model",
    counterpart="log_likelihood",
    word=Level(None, None, signed=True, undefined="the sentences of a pair share no token"),
    set=Level(0.0, 1.0, 0.5, undefined="the sentences of a pair share no token"),
    exempt="it takes a language model and sentences, no vectors",
)


def scores(model: LanguageModel, stereotypical: list[str], antistereotypical: list[str]) -> np.ndarray:
    """Σ_i log P(u_i | U∖u_i, M) of both sentences of n pairs, eq 10: (n, 2), in nats, 0 or less.

    U are the tokens that the two share, by matching blocks; each is masked in turn. NaN for a pair that shares none.
    """
    sentences = likelihoods.tokenise_pairs(model, stereotypical, antistereotypical)
    shared = np.zeros(sentences.ids.shape, bool)
    for pair in range(len(stereotypical)):
        for kind, first, end, other_first, other_end in likelihoods.matching_blocks(sentences, pair):
            if kind == "equal":
                shared[pair, first:end] = shared[pair + len(stereotypical), other_first:other_end] = True
    rows, columns = np.nonzero(shared & likelihoods.text_tokens(model, sentences))
    variants = sentences.ids[rows]
    wanted = variants[np.arange(len(rows)), columns]
    variants[np.arange(len(rows)), columns] = model.tokenizer.mask_token_id
    values = inference.log_probabilities(
        model.model, variants, sentences.lengths[rows], np.arange(len(rows)), columns, wanted[:, None]
    )
    sums = np.bincount(rows, values[:, 0], len(sentences))
    return np.where(np.bincount(rows, minlength=len(sentences)) > 0, sums, np.nan).reshape(2, -1).T


def word_bias(scores: np.ndarray) -> np.ndarray:
    """Differences of PLL of n pairs, scores (n, 2): (n,), unbounded, positive if `stereotypical` is more likely."""
    return likelihoods.score_differences(scores)


def set_bias(scores: np.ndarray) -> float:
    """Share of n pairs, scores (n, 2), with a larger PLL of `stereotypical`: 0 to 1, 0.5 without bias."""
    return likelihoods.preference_share(scores)
