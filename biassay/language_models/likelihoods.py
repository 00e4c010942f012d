"""Shared functions of metrics of language models: tokens of sentence pairs, matching parts, score differences."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from difflib import SequenceMatcher

import numpy as np

from biassay.language_models import inference, tokens
from biassay.language_models.loading import LanguageModel

MEMORY: ContextVar[dict[bytes, np.ndarray] | None] = ContextVar("memory", default=None)  # log p by token ids
UNDEFINED = "the sentences of a pair have the same tokens, or differ in an unknown one"
TOLERANCE = 1e-4  # nats; float32 sums of the same sentence can differ by this much


def tokenise_pairs(model: LanguageModel, stereotypical: list[str], antistereotypical: list[str]) -> tokens.Tokens:
    """Tokenise n pairs of sentences, all stereotypical ones first: (2n, longest)."""
    return tokenise(model, [*stereotypical, *antistereotypical])


def tokenise(model: LanguageModel, texts: list[str]) -> tokens.Tokens:
    """Tokenise n sentences as the model scores them: (n, longest)."""
    return tokens.tokenise(model.tokenizer, texts, np.zeros((len(texts), 0, 2), np.int64), model.kind == "causal")


def text_tokens(model: LanguageModel, sentences: tokens.Tokens) -> np.ndarray:
    """Find the tokens of the text itself, without special tokens and padding: (n, longest) bool."""
    columns = np.arange(sentences.ids.shape[1])
    special = [number for number in model.tokenizer.all_special_ids if number != model.tokenizer.unk_token_id]
    return (columns < sentences.lengths[:, None]) & ~np.isin(sentences.ids, special)


def matching_blocks(sentences: tokens.Tokens, pair: int) -> list[tuple[str, int, int, int, int]]:
    """Match the tokens of a pair by Ratcliff and Obershelp, as the published code of CrowS-Pairs does.

    The longest matching block comes first, then those on both sides of it. Returns operations of
    `difflib.SequenceMatcher.get_opcodes`.
    """
    rows = pair, pair + len(sentences) // 2
    ids = [sentences.ids[row, : sentences.lengths[row]].tolist() for row in rows]
    return SequenceMatcher(None, *ids, autojunk=False).get_opcodes()


def pair_scores(model: LanguageModel, sentences: tokens.Tokens, values: np.ndarray) -> np.ndarray:
    """Arrange scores (2n,) of the sentences of n pairs by pair: (n, 2).

    NaN for a pair whose sentences have the same tokens, or differ in an unknown token.
    """
    scores = values.reshape(2, -1).T.copy()
    for pair in range(len(scores)):
        first, second = sentences.ids[pair], sentences.ids[pair + len(scores)]
        blocks = [block for block in matching_blocks(sentences, pair) if block[0] != "equal"]
        changed = {number for _, a, b, c, d in blocks for number in (*first[a:b].tolist(), *second[c:d].tolist())}
        if not changed or model.tokenizer.unk_token_id in changed:
            scores[pair] = np.nan
    return scores


@contextmanager
def remembering() -> Iterator[None]:
    """Compute each sentence once for all metrics in the block, which must be of one model that does not change."""
    token = MEMORY.set({})
    try:
        yield
    finally:
        MEMORY.reset(token)


def token_log_probabilities(model: LanguageModel, sentences: tokens.Tokens, wanted: np.ndarray) -> np.ndarray:
    """Compute log p of the wanted tokens of n sentences: (n, longest) float32, in nats; NaN for others.

    A masked model predicts each token from all others, the token itself masked. A causal model predicts it from the
    tokens before it; NaN in the first column, which has none. wanted: (n, longest) bool.
    """
    memory = MEMORY.get()
    memory = {} if memory is None else memory
    keys = [ids[:length].tobytes() for ids, length in zip(sentences.ids, sentences.lengths, strict=True)]
    missing: dict[bytes, np.ndarray] = {}
    for key, row, length in zip(keys, wanted, sentences.lengths, strict=True):
        new = row[:length] if key not in memory else row[:length] & np.isnan(memory[key])
        if new.any():
            missing[key] = new | missing[key] if key in missing else new
    if missing:
        ids = [np.frombuffer(key, np.int32) for key in missing]
        lengths = np.array(list(map(len, ids)))
        new = tokens.pad(list(missing.values()), 0) == 1
        compute = _causal if model.kind == "causal" else _masked
        for key, values in zip(missing, compute(model, tokens.pad(ids, 0), lengths, new), strict=True):
            values = values[: len(missing[key])]
            memory[key] = np.where(missing[key], values, memory.get(key, np.nan))
    found = np.full(sentences.ids.shape, np.nan, np.float32)
    for row, (key, length) in enumerate(zip(keys, sentences.lengths, strict=True)):
        if key in memory:
            found[row, :length] = np.where(wanted[row, :length], memory[key], np.nan)
    return found


def _causal(model: LanguageModel, ids: np.ndarray, lengths: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """Compute log p(token | tokens before it)."""
    rows, columns = np.nonzero(wanted[:, 1:])
    scored = np.flatnonzero(lengths > 1)  # the last token is only predicted, so it does not pass the model
    values = np.full(ids.shape, np.nan, np.float32)
    values[rows, columns + 1] = inference.log_probabilities(
        model.model, ids[scored], lengths[scored] - 1, np.searchsorted(scored, rows), columns,
        ids[rows, columns + 1][:, None], causal=True,
    )[:, 0]  # fmt: skip
    return values


def _masked(model: LanguageModel, ids: np.ndarray, lengths: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """Compute log p(token | all other tokens)."""
    rows, columns = np.nonzero(wanted)
    variants, numbers = ids[rows], np.arange(len(rows))
    variants[numbers, columns] = model.tokenizer.mask_token_id
    values = np.full(ids.shape, np.nan, np.float32)
    values[rows, columns] = inference.log_probabilities(
        model.model, variants, lengths[rows], numbers, columns, ids[rows, columns][:, None]
    )[:, 0]
    return values


def sentence_scores(
    model: LanguageModel, stereotypical: list[str], antistereotypical: list[str], *, mean: bool
) -> np.ndarray:
    """Compute the sum, or mean, of the log p of all tokens of both sentences of n pairs: (n, 2), in nats.

    Special tokens are not scored. With a causal model, the first token follows the beginning-of-text token (BOS); a
    tokenizer without one gives it no probability, and it is left out. NaN for a sentence without a scored token, and as
    in `pair_scores`.
    """
    sentences = tokenise_pairs(model, stereotypical, antistereotypical)
    scored = text_tokens(model, sentences)
    log_p = token_log_probabilities(model, sentences, scored).astype(np.float64)
    if model.kind == "causal":
        scored[:, 0] = False
    counts, sums = scored.sum(axis=1), np.where(scored, log_p, 0).sum(axis=1)
    values = np.where(counts > 0, sums / np.maximum(counts, 1) if mean else sums, np.nan)
    return pair_scores(model, sentences, values)


def score_differences(scores: np.ndarray) -> np.ndarray:
    """Compute first minus second score of each pair, from scores (n, 2): (n,), unbounded.

    Positive if the first (stereotypical) sentence of a pair is more likely.
    """
    return scores[:, 0] - scores[:, 1]


def preference_share(scores: np.ndarray) -> float:
    """Compute the share of pairs, scores (n, 2), whose first score is larger by more than rounding; NaN if any is.

    From 0 to 1; 0.5 means no bias. A tie counts half.
    """
    return float(preferences(score_differences(scores)).mean())  # NaN if any is


def preferences(differences: np.ndarray) -> np.ndarray:
    """Return 1 for differences of scores above 0 by more than rounding, 0 for those below, and ½ for ties."""
    return np.where(np.abs(differences) <= TOLERANCE, 0.5, (1 + np.sign(differences)) / 2)
