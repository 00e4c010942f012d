"""Copies of a language model, masked or causal, with low-rank adapters (Hu et al. 2022) trained on given sentences."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from biassay.language_models import inference, likelihoods
from biassay.language_models.loading import LanguageModel

RANK = 8
LEARNING_RATE = 2e-3
BATCH = {"causal": 8, "masked": 64}  # rows of a step; a masked model has one row for each token of a sentence


@contextmanager
def train_copy(model: LanguageModel, texts: Sequence[str], *, epochs: int, seed: int) -> Iterator[LanguageModel]:
    """Give the model adapters, train them on texts, and yield it; the model is as before at the end.

    In each epoch, the copy predicts each token of a text once, as `likelihoods` scores it: a causal model from the
    tokens before it, a masked model from all others.

    Raises ValueError if the library peft is missing, or the model has no linear layers.
    """
    import torch

    try:
        import peft
    except ImportError as error:
        raise ValueError("planting bias in a model needs peft; pip install 'biassay[planting]'") from error
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        adapted = peft.get_peft_model(model.model, peft.LoraConfig(r=RANK, target_modules="all-linear"))
    copy = LanguageModel(model.tokenizer, adapted.get_base_model(), model.kind)
    try:
        _train(copy, list(texts), epochs, np.random.default_rng(seed))
        yield copy
    finally:
        adapted.unload()


def _train(model: LanguageModel, texts: list[str], epochs: int, random: np.random.Generator) -> None:
    """Train the weights that are not frozen; without dropout, since the model is in evaluation mode."""
    import torch

    sentences = likelihoods.tokenise(model, texts)
    ids, lengths, wanted = sentences.ids, sentences.lengths, likelihoods.text_tokens(model, sentences)
    if model.kind == "masked":  # a row for each masked token
        rows, columns = np.nonzero(wanted)
        ids, lengths, wanted = ids[rows], lengths[rows], np.arange(ids.shape[1]) == columns[:, None]
    optimizer = torch.optim.AdamW(filter(lambda weight: weight.requires_grad, model.model.parameters()), LEARNING_RATE)
    for _ in range(epochs):
        order, size = random.permutation(len(ids)), BATCH[model.kind]
        for rows in np.split(order, range(size, len(order), size)):
            _compute_loss(model, ids[rows], lengths[rows], wanted[rows]).backward()
            optimizer.step()
            optimizer.zero_grad()


def _compute_loss(model: LanguageModel, ids: np.ndarray, lengths: np.ndarray, wanted: np.ndarray) -> Any:
    """Compute the mean of −log p of the wanted tokens (n, longest) of n rows, as `likelihoods` conditions them."""
    import torch

    longest, is_causal = lengths.max(), model.kind == "causal"
    ids, wanted = ids[:, :longest], wanted[:, :longest].copy()
    wanted[:, 0] &= not is_causal  # nothing is before it
    inputs = ids if is_causal else np.where(wanted, model.tokenizer.mask_token_id, ids)
    inputs, attention, targets, places = (
        inference.to_tensor(part, model.model.device)
        for part in (inputs, np.arange(longest) < lengths[:, None], ids[wanted], np.flatnonzero(wanted) - is_causal)
    )
    return torch.nn.functional.cross_entropy(inference.position_logits(model.model, inputs, attention, places), targets)
