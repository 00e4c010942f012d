"""Embeddings by a language model: of texts, and of sentences with a mask, stored so that a metric needs no model.

Target sentences have an occupation and a masked pronoun. Group sentences are the same templates with the occupation
masked and each group's pronoun, aligned as defining sets (as in intrinsic-2023's code).
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from biassay.core import arrays
from biassay.core.logs import Progress
from biassay.language_models import inference
from biassay.language_models.loading import LanguageModel, max_tokens
from biassay.language_models.masked_sentences import Sentence, tokenise
from biassay.language_models.tokens import Tokens, pad, tokenise_texts

POOLINGS = ("mean", "cls", "word")
PLACEHOLDER = "worker"  # an occupation that will be masked; the article before it is "a"
BATCH = 2048  # texts tokenised at once
MAX_TOKENS = 512  # of a text, also if the model takes more


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


def encode(model: LanguageModel, sentences: Tokens, place: int) -> dict[str, np.ndarray]:
    """Embed n sentences by the last hidden states, in one pass: (n, d) by each of POOLINGS.

    mean: mean of all tokens, without special tokens around them; the mask counts as the word that it hides. cls: the
    first token. word: mean of the tokens of the inserted word, at the place of number `place`: the occupation of a
    target sentence, the pronoun of a group sentence. Float16 changes an embedding by at most 3e-4 of its length.
    """
    tokenizer = model.tokenizer
    around = [tokenizer.cls_token_id, tokenizer.sep_token_id, tokenizer.bos_token_id, tokenizer.eos_token_id]
    columns = np.arange(sentences.ids.shape[1])
    own = (columns < sentences.lengths[:, None]) & ~np.isin(sentences.ids, [i for i in around if i is not None])
    weights = np.stack([own, np.broadcast_to(columns == 0, own.shape), sentences.inside(place)], axis=1)
    pooled = inference.mean_states(model.model, sentences.ids, sentences.lengths, weights)
    return dict(zip(POOLINGS, pooled.swapaxes(0, 1).astype(np.float16), strict=True))


def embed(model: LanguageModel, texts: Sequence[str], *, what: str = "texts") -> np.ndarray:
    """Compute mean-pooled vectors of n texts, without the special tokens around them but with masks (as same-2024).

    A decoder gets its beginning-of-text token before the text; the mean leaves it out. Texts longer than
    `max_text_tokens` are cut. what: name of the texts in the log. Returns (n, d) float32. Raises ValueError with the
    number of a text without a token.
    """
    tokenizer, limit, parts = model.tokenizer, max_text_tokens(model), []
    progress = Progress(f"embedding {what}", len(texts), "texts")
    for first in range(0, len(texts), BATCH):
        rows, own = tokenise_texts(tokenizer, texts[first : first + BATCH], model.is_decoder, limit)
        lengths = np.array(list(map(len, rows)))
        ids, own = pad(rows, tokenizer.pad_token_id or 0), pad(own, 0) == 1
        if not own.any(axis=1).all():
            raise ValueError(f"{what}: text {first + int((~own.any(axis=1)).argmax())} has no token of its own")
        parts.append(inference.mean_states(model.model, ids, lengths, own))
        progress.add(len(lengths))
    return np.concatenate(parts)


def max_text_tokens(model: LanguageModel) -> int:
    """Find the largest number of tokens of a text, with special ones."""
    return min(max_tokens(model.model) or MAX_TOKENS, MAX_TOKENS, model.tokenizer.model_max_length)
