"""What metrics of language models share: pairs of sentences as tokens, what the two have in common, pairs compared."""

from difflib import SequenceMatcher

import numpy as np

from biassay.language_models import causal, tokens
from biassay.language_models.loading import LanguageModel

TOLERANCE = 1e-4  # nats, that sums of float32 values of the same sentence may differ by


def tokenise_pairs(model: LanguageModel, stereotypical: list[str], antistereotypical: list[str]) -> tokens.Tokens:
    """Tokens of n pairs of sentences, all of `stereotypical` before `antistereotypical`: (2n, longest)."""
    texts = [*stereotypical, *antistereotypical]
    return tokens.tokenise(model.tokenizer, texts, np.zeros((len(texts), 0, 2), np.int64), model.kind == "causal")


def text_tokens(model: LanguageModel, sentences: tokens.Tokens) -> np.ndarray:
    """Whether a token is the text's, not a special one around it or padding: (n, longest)."""
    columns = np.arange(sentences.ids.shape[1])
    special = [number for number in model.tokenizer.all_special_ids if number != model.tokenizer.unk_token_id]
    return (columns < sentences.lengths[:, None]) & ~np.isin(sentences.ids, special)


def matching_blocks(sentences: tokens.Tokens, pair: int) -> list[tuple[str, int, int, int, int]]:
    """How the tokens of a pair are alike: ("equal" or another word, first and end in one sentence, then in the other).

    The longest matching block is sought first, then those on both sides of it (Ratcliff & Obershelp), as in the
    published code of CrowS-Pairs.
    """
    rows = pair, pair + len(sentences) // 2
    ids = [sentences.ids[row, : sentences.lengths[row]].tolist() for row in rows]
    return SequenceMatcher(None, *ids, autojunk=False).get_opcodes()


def causal_scores(
    model: LanguageModel, stereotypical: list[str], antistereotypical: list[str], *, mean: bool
) -> np.ndarray:
    """Sum, or mean, of log p(token | those before it) of both sentences of n pairs, by a causal model: (n, 2), in nats.

    The first token is given the one for a text's beginning (BOS); without that, it has no probability and is left out.
    NaN for a sentence of which no token has one.
    """
    found = causal.log_probabilities(model, tokenise_pairs(model, stereotypical, antistereotypical)).astype(np.float64)
    counts, sums = np.isfinite(found).sum(axis=1), np.nansum(found, axis=1)
    values = np.where(counts > 0, sums / np.maximum(counts, 1) if mean else sums, np.nan)
    return values.reshape(2, -1).T


def score_differences(scores: np.ndarray) -> np.ndarray:
    """Score of the first sentence less that of the second, of scores (n, 2): (n,)."""
    return scores[:, 0] - scores[:, 1]


def preference_share(scores: np.ndarray) -> float:
    """Share of n pairs, scores (n, 2), whose first has the larger score, by more than rounding; NaN with any."""
    return float(np.nan if np.isnan(scores).any() else (score_differences(scores) > TOLERANCE).mean())
