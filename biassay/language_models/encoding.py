"""Embeddings of sentences by a language model, pooled in every way at once and stored, so that a metric needs no model.

Targets are sentences with the occupation inserted and the pronoun masked; groups are the same templates with the
occupation masked and each group's pronoun inserted, aligned as defining sets (the practice of intrinsic-2023's code).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from biassay.language_models import inference, templates
from biassay.language_models.loading import LanguageModel
from biassay.language_models.template_sentences import Sentence, tokenise
from biassay.language_models.templates import Template
from biassay.language_models.tokens import Tokens
from biassay.language_models.transfer import to_device
from biassay.support import arrays, guard

POOLINGS = ("mean", "cls", "word")
PLACEHOLDER = "worker"  # for an occupation that will be masked, so that an article before it is "a"


@dataclass(frozen=True)
class SentenceEmbeddings:
    """Embeddings of n sentences, (n, d) each.

    mean: of all tokens but the special ones around them; the mask counts as the word that it hides. cls: the first
    token's. word: the mean of the inserted word's pieces: the occupation of a target, the pronoun of an attribute.
    """

    mean: np.ndarray
    cls: np.ndarray
    word: np.ndarray

    def save(self, folder: str | Path) -> None:
        """Write mean.npy, cls.npy and word.npy to a folder, all or none; errors as those of the function `save`."""
        with guard.writing(*(Path(folder) / f"{name}.npy" for name in POOLINGS)):
            for name in POOLINGS:
                save(Path(folder) / f"{name}.npy", getattr(self, name))

    @classmethod
    def open(cls, folder: str | Path, *, finite: str = "") -> "SentenceEmbeddings":
        """Open what `save` wrote; the arrays stay on disk. Raises ValueError, naming a missing or broken file.

        finite: the array that is also read once, to check that it has no NaN or infinity.
        """
        paths = [Path(folder) / f"{name}.npy" for name in POOLINGS]
        for path in paths:
            if not path.is_file():
                raise ValueError(f"{folder}: no folder of embeddings: lacks {path.name}")
        return cls(*(arrays.open_array(path, "f", (None, None), finite=path.stem == finite) for path in paths))


def save(path: str | Path, values: np.ndarray) -> None:
    """Write what a model gives for n texts, (n, …), to an .npy file; raises ValueError, naming it, for values that are
    not finite."""
    rows = np.flatnonzero(~np.isfinite(values).reshape(len(values), -1).all(axis=1))
    if len(rows):
        raise ValueError(f"{path}: not written: the model gives NaN or infinite values for row {rows[0]}")
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    arrays.save(path, values)


def target_sentences(tokenizer: Any, chosen: Sequence[Template], occupations: Sequence[str]) -> Tokens:
    """Sentences of each occupation in each template, in this order, the pronoun masked; place 1 is the occupation."""
    sentences = [template.fill(word, templates.GROUPS[0]) for word in occupations for template in chosen]
    return mask_place(tokenizer, sentences, 0)


def group_sentences(tokenizer: Any, chosen: Sequence[Template]) -> Tokens:
    """Templates with the occupation masked, its article "a", and the pronouns of each group: place 0 is the pronoun.

    The sentences of the first of templates.GROUPS come first, one a form of the pronouns and template; the i-th of each
    group belong together.
    """
    forms = range(len(chosen[0].forms[0]))
    sentences = [
        template.fill(PLACEHOLDER, group, form) for group in templates.GROUPS for form in forms for template in chosen
    ]
    return mask_place(tokenizer, sentences, 1)


def mask_place(tokenizer: Any, sentences: Sequence[Sentence], place: int) -> Tokens:
    """Sentences with one mask for the attribute's word (place 0) or the occupation (place 1)."""
    found = tokenise(tokenizer, list(sentences))
    return found.collapse(place, tokenizer.mask_token_id, tokenizer.pad_token_id)


def encode(
    model: LanguageModel, sentences: Tokens, place: int, *, storage: type = np.float16, half: bool | None = None
) -> SentenceEmbeddings:
    """Embed n sentences by the last hidden states, in one pass; `place` is the number of the inserted word's place.

    storage: of the embeddings; float16 moves one by at most 3e-4 of its length. half: products in float16 (None: on a
    GPU), which move it by at most 1e-3; sentences for which they overflow have their products in single precision.
    """
    tokenizer, body = model.tokenizer, model.model
    around = [tokenizer.cls_token_id, tokenizer.sep_token_id, tokenizer.bos_token_id, tokenizer.eos_token_id]
    columns = np.arange(sentences.ids.shape[1])
    first, end = sentences.places[:, place, :1], sentences.places[:, place, 1:]
    own = (columns < sentences.lengths[:, None]) & ~np.isin(sentences.ids, [i for i in around if i is not None])
    weights = np.stack([own, np.broadcast_to(columns == 0, own.shape), (columns >= first) & (columns < end)], axis=1)
    weights = weights / weights.sum(axis=2, keepdims=True)
    parts = sentences.ids, sentences.lengths, weights.astype(np.float32)
    half = body.device.type == "cuda" if half is None else half
    found = _pooled(body, *parts, storage, half)
    lost = np.flatnonzero(~np.isfinite(found).all(axis=(0, 2)))
    if half and len(lost):
        found[:, lost] = _pooled(body, *(part[lost] for part in parts), storage, False)
    return SentenceEmbeddings(*found)


def _pooled(body: Any, ids: np.ndarray, lengths: np.ndarray, weights: np.ndarray, storage: type, half: bool):
    """Means of hidden states by weights (n, poolings, longest): (poolings, n, d)."""
    import torch

    found = np.empty((weights.shape[1], len(ids), body.config.hidden_size), storage)
    kept = torch.float16 if storage == np.float16 else torch.float32
    for rows, hidden in inference.hidden_states(body, ids, lengths, half):
        (pooling,) = to_device([weights[rows, :, : hidden.shape[1]]], hidden.device)
        with torch.inference_mode():
            found[:, rows] = torch.bmm(pooling, hidden.float()).transpose(0, 1).to(kept).cpu().numpy()
    return found
