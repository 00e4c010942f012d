"""Vectors of words from a Hugging Face encoder."""

from collections import defaultdict

import numpy as np

from biassay.language_models import loading
from biassay.vectors.formats.rows import Rows

BATCH = 256


def read(name: str, rows: Rows, allow_pickle: bool = False) -> None:
    """Read vectors of the wanted words from an encoder, given by a folder or a hub id.

    A word's vector is the mean over its subtokens, special ones left out, of the last hidden state of the word fed
    alone, as it stands at the start of a text. Words with a subtoken that the tokenizer does not know are left out.
    The tokenizer may lower-case. Code that comes with a model is never run; weights are read from safetensors, and
    from a pickle only with `allow_pickle`.
    """
    if rows.wanted is None:
        raise ValueError(f"{rows.source}: an encoder has no list of words; give `words`")
    tokenizer, model = loading.read(name, rows.source, "AutoModel", "encoder", allow_pickle)
    model = model.get_encoder() if model.config.is_encoder_decoder else model
    lengths = defaultdict(list)
    for word in rows.wanted:
        tokens = tokenizer(word, return_special_tokens_mask=True)
        ids, own = tokens["input_ids"], [not special for special in tokens["special_tokens_mask"]]
        unknown = tokenizer.unk_token_id is not None and tokenizer.unk_token_id in ids
        if any(own) and not unknown:
            lengths[len(ids)].append((word, ids, own))
    for words in lengths.values():
        for start in range(0, len(words), BATCH):
            batch, ids, own = zip(*words[start : start + BATCH], strict=True)
            rows.add(batch, _means(model, ids, own))


def _means(model, ids: tuple[list[int], ...], own: tuple[list[bool], ...]) -> np.ndarray:
    """Mean hidden state (n, d) of the own tokens of n words of the same length, which so need no padding."""
    import torch

    with torch.inference_mode():
        ids = torch.tensor(ids, device=model.device)
        hidden = model(input_ids=ids, attention_mask=torch.ones_like(ids)).last_hidden_state.float()
        weights = torch.tensor(own, device=model.device, dtype=hidden.dtype)
        return (torch.einsum("nld,nl->nd", hidden, weights) / weights.sum(dim=1, keepdim=True)).cpu().numpy()
