"""Embeddings of sentences by a language model, with all poolings at once, stored so that a metric needs no model.

Target sentences have an occupation and a masked pronoun. Group sentences are the same templates with the occupation
masked and each group's pronoun, aligned as defining sets (as in intrinsic-2023's code).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from biassay.core import arrays, guard
from biassay.language_models import inference
from biassay.language_models.loading import LanguageModel
from biassay.language_models.template_sentences import Sentence, tokenise
from biassay.language_models.tokens import Tokens

POOLINGS = ("mean", "cls", "word")
PLACEHOLDER = "worker"  # an occupation that will be masked; the article before it is "a"


@dataclass(frozen=True)
class SentenceEmbeddings:
    """Embeddings of n sentences, (n, d) each.

    mean: mean of all tokens, without special tokens around them; the mask counts as the word that it hides. cls: the
    first token. word: mean of the tokens of the inserted word: the occupation of a target sentence, the pronoun of a
    group sentence.
    """

    mean: np.ndarray
    cls: np.ndarray
    word: np.ndarray

    def save(self, folder: str | Path) -> None:
        """Write mean.npy, cls.npy and word.npy to a folder, all or none; raises as the function `save`."""
        with guard.writing(*(Path(folder) / f"{name}.npy" for name in POOLINGS)):
            for name in POOLINGS:
                save(Path(folder) / f"{name}.npy", getattr(self, name))

    @classmethod
    def open(cls, folder: str | Path, *, finite: str = "") -> "SentenceEmbeddings":
        """Open the files of `save`; the arrays stay on disk. Raises ValueError, naming a missing or broken file.

        finite: name of the array to check for NaN and infinity, which reads it once.
        """
        paths = [Path(folder) / f"{name}.npy" for name in POOLINGS]
        for path in paths:
            if not path.is_file():
                raise ValueError(f"{folder}: not a folder of embeddings: {path.name} is missing")
        return cls(*(arrays.open_array(path, "f", (None, None), finite=path.stem == finite) for path in paths))


def save(path: str | Path, values: np.ndarray) -> None:
    """Write the outputs of a model for n texts, (n, …), to an .npy file; raise ValueError if a value is not finite."""
    rows = np.flatnonzero(~np.isfinite(values).reshape(len(values), -1).all(axis=1))
    if len(rows):
        raise ValueError(f"{path}: not written: the model gives NaN or infinite values for row {rows[0]}")
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    arrays.save(path, values)


def mask_place(tokenizer: Any, sentences: Sequence[Sentence], place: int) -> Tokens:
    """Tokenise sentences with one mask in place of the group word (place 0) or the occupation (place 1)."""
    return tokenise(tokenizer, list(sentences)).collapse(place, tokenizer.mask_token_id, tokenizer.pad_token_id)


def encode(model: LanguageModel, sentences: Tokens, place: int, *, storage: type = np.float16) -> SentenceEmbeddings:
    """Embed n sentences by the last hidden states, in one pass.

    Parameters
    ----------
    place
        Number of the inserted word's place.
    storage
        Type of the embeddings; float16 changes an embedding by at most 3e-4 of its length.
    """
    tokenizer, body = model.tokenizer, model.model
    around = [tokenizer.cls_token_id, tokenizer.sep_token_id, tokenizer.bos_token_id, tokenizer.eos_token_id]
    columns = np.arange(sentences.ids.shape[1])
    first, end = sentences.places[:, place, :1], sentences.places[:, place, 1:]
    own = (columns < sentences.lengths[:, None]) & ~np.isin(sentences.ids, [i for i in around if i is not None])
    weights = np.stack([own, np.broadcast_to(columns == 0, own.shape), (columns >= first) & (columns < end)], axis=1)
    weights = weights / weights.sum(axis=2, keepdims=True)
    return SentenceEmbeddings(*_pooled(body, sentences, weights.astype(np.float32), storage))


def _pooled(body: Any, sentences: Tokens, weights: np.ndarray, storage: type) -> np.ndarray:
    """Means of hidden states with weights (n, poolings, longest): (poolings, n, d)."""
    import torch

    pooled = np.empty((weights.shape[1], len(sentences), body.config.hidden_size), storage)
    dtype = torch.float16 if storage == np.float16 else torch.float32
    for rows, hidden in inference.hidden_states(body, sentences.ids, sentences.lengths):
        pooling = torch.from_numpy(weights[rows, :, : hidden.shape[1]]).to(hidden.device)
        with torch.inference_mode():
            pooled[:, rows] = torch.bmm(pooling, hidden.float()).transpose(0, 1).to(dtype).cpu().numpy()
    return pooled
