"""Vectors of whole texts by a language model: the mean of its last layer over a text's own tokens."""

from collections.abc import Sequence

import numpy as np

from biassay.language_models import inference
from biassay.language_models.loading import LanguageModel, max_tokens
from biassay.support.logs import Progress

AT_ONCE = 2048  # texts that are tokenised together
LONGEST = 512  # tokens of a text, where the model does not say


def embed(model: LanguageModel, texts: Sequence[str], *, what: str = "texts") -> np.ndarray:
    """Mean-pooled vectors of n texts: (n, d) float32.

    A text is cut at the model's longest; the special tokens around it do not count, a mask in it does (same-2024 pools
    so; a decoder's last layer is pooled alike). `what` names the texts in the log. Raises ValueError, naming the number
    only, for a text without a token.
    """
    import torch

    most = longest_text(model)
    found = None
    progress = Progress(f"embedding {what}", len(texts), "texts")
    for first in range(0, len(texts), AT_ONCE):
        ids, lengths, own = _tokens(model, texts[first : first + AT_ONCE], most)
        if not own.any(axis=1).all():
            raise ValueError(f"{what}: text {first + int((~own.any(axis=1)).argmax())} has no token of its own")
        for rows, hidden in inference.hidden_states(model.model, ids, lengths):
            weights = torch.from_numpy(own[rows, : hidden.shape[1]]).to(hidden)
            if found is None:  # a decoder's last layer may have another width than its others
                found = np.empty((len(texts), hidden.shape[2]), np.float32)
            with torch.inference_mode():
                sums = torch.bmm(weights[:, None], hidden)[:, 0]
                found[first + rows] = (sums / weights.sum(dim=1, keepdim=True)).float().cpu().numpy()
        progress.add(len(lengths))
    return found


def longest_text(model: LanguageModel) -> int:
    """Tokens of the longest text that a model takes, special ones counted."""
    return min(max_tokens(model.model) or LONGEST, LONGEST, model.tokenizer.model_max_length)


def _tokens(model: LanguageModel, texts: Sequence[str], longest: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Token ids of texts, padded, their numbers of tokens, and which are the texts' own."""
    tokenizer = model.tokenizer
    encoded = tokenizer(
        list(texts), truncation=True, max_length=longest, return_special_tokens_mask=True, return_attention_mask=False
    )
    lengths = np.array([len(row) for row in encoded["input_ids"]])
    ids = np.full((len(texts), max(1, lengths.max())), tokenizer.pad_token_id or 0, np.int32)
    own = np.zeros(ids.shape, bool)
    for row, (numbers, special) in enumerate(zip(encoded["input_ids"], encoded["special_tokens_mask"], strict=True)):
        ids[row, : len(numbers)] = numbers
        own[row, : len(numbers)] = [not mark for mark in special]
    return ids, lengths, own
