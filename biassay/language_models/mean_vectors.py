"""Vectors of whole texts by a language model: the mean of its last layer over a text's tokens."""

from collections.abc import Sequence

import numpy as np

from biassay.core.logs import Progress
from biassay.language_models import inference
from biassay.language_models.loading import LanguageModel, max_tokens

BATCH = 2048  # texts tokenised at once
MAX_TOKENS = 512  # of a text, if the model has no limit


def embed(model: LanguageModel, texts: Sequence[str], *, what: str = "texts") -> np.ndarray:
    """Compute mean-pooled vectors of n texts, without the special tokens around them but with masks (as same-2024).

    Texts longer than the model's limit are cut. what: name of the texts in the log. Returns (n, d) float32. Raises
    ValueError with the number of a text without a token.
    """
    import torch

    limit = max_text_tokens(model)
    vectors = None
    progress = Progress(f"embedding {what}", len(texts), "texts")
    for first in range(0, len(texts), BATCH):
        ids, lengths, own = _tokens(model, texts[first : first + BATCH], limit)
        if not own.any(axis=1).all():
            raise ValueError(f"{what}: text {first + int((~own.any(axis=1)).argmax())} has no token of its own")
        for rows, hidden in inference.hidden_states(model.model, ids, lengths):
            weights = torch.from_numpy(own[rows, : hidden.shape[1]]).to(hidden)
            if vectors is None:  # the last layer of a decoder can have another width than the others
                vectors = np.empty((len(texts), hidden.shape[2]), np.float32)
            with torch.inference_mode():
                sums = torch.bmm(weights[:, None], hidden)[:, 0]
                vectors[first + rows] = (sums / weights.sum(dim=1, keepdim=True)).float().cpu().numpy()
        progress.add(len(lengths))
    return vectors


def max_text_tokens(model: LanguageModel) -> int:
    """Find the largest number of tokens of a text, with special ones."""
    return min(max_tokens(model.model) or MAX_TOKENS, MAX_TOKENS, model.tokenizer.model_max_length)


def _tokens(model: LanguageModel, texts: Sequence[str], limit: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Tokenise texts: padded token ids, numbers of tokens, and whether a token belongs to the text."""
    tokenizer = model.tokenizer
    encoded = tokenizer(
        list(texts), truncation=True, max_length=limit, return_special_tokens_mask=True, return_attention_mask=False
    )
    lengths = np.array([len(row) for row in encoded["input_ids"]])
    ids = np.full((len(texts), max(1, lengths.max())), tokenizer.pad_token_id or 0, np.int32)
    own = np.zeros(ids.shape, bool)
    for row, (numbers, special) in enumerate(zip(encoded["input_ids"], encoded["special_tokens_mask"], strict=True)):
        ids[row, : len(numbers)] = numbers
        own[row, : len(numbers)] = [not mark for mark in special]
    return ids, lengths, own
