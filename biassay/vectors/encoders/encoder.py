"""An encoder of texts: what it returns is checked, and every text is encoded once."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from biassay.core import arrays
from biassay.core.logs import Progress

Encode = Callable[[list[str]], object]


@dataclass(frozen=True)
class Encoder:
    """Turns texts into vectors; call it with a list of texts.

    Parameters
    ----------
    name
        Its name in messages.
    encode
        Function of at most `batch` texts that returns an array of shape (n, d).
    batch
        Number of texts per call of `encode`; texts of similar length come together.
    is_known
        Whether the encoder knows a text, which is left out otherwise.
    variants
        Other ways to encode a text, by name, such as "prompt query" or "pooling cls".
    has_context
        Whether a sentence is more than the sum of its words, so that words in sentences are a question of their own.
    model
        The LanguageModel that encodes, if it is one: its likelihoods need no second copy of it.
    address
        Where the encoder is, if not in this process: the source that an audit names.
    service
        Options of `biassay audit` that name the service, if it is one: endpoint, model, and the prompt and dimensions
        that were asked for.
    """

    name: str
    encode: Encode
    batch: int = 256
    is_known: Callable[[str], bool] = bool
    variants: Mapping[str, Encode] = field(default_factory=dict)
    has_context: bool = True
    model: Any = None
    address: str = ""
    service: Mapping[str, Any] = field(default_factory=dict)

    def text_of(self, word: str) -> str:
        """Return the text to encode for a word: with spaces for its underscores, if words are read in context."""
        return word.replace("_", " ") if self.has_context else word

    def __call__(self, texts: Sequence[str], variant: str | None = None) -> np.ndarray:
        """Encode n texts, in one of the variants if named: (n, d) float32.

        Raises ValueError, which begins with the name, if the function returns anything but one finite vector of the
        same width for each text.
        """
        encode = self.encode if variant is None else self.variants[variant]
        distinct = sorted(dict.fromkeys(texts), key=lambda text: (len(text), text))
        progress = Progress(f"encoding with {self.name}", len(distinct), "texts", seconds=1.0)
        parts: list[np.ndarray] = []
        for start in range(0, len(distinct), self.batch):
            batch = distinct[start : start + self.batch]
            parts.append(check_rows(self.name, batch, encode(batch), parts[0].shape[1] if parts else None))
            progress.add(len(batch))
        vectors, row_of = np.concatenate(parts), {text: row for row, text in enumerate(distinct)}
        return vectors[[row_of[text] for text in texts]]


def check_rows(name: str, texts: list[str], encoded: object, n_dimensions: int | None = None) -> np.ndarray:
    """Return the vectors of texts (n, d) float32; raise ValueError, which begins with the name, unless they are valid.

    n_dimensions: d of earlier texts.
    """
    try:
        rows = arrays.as_array(name, encoded)
    except (ValueError, TypeError, OverflowError) as error:  # numpy, for rows of different lengths
        raise ValueError(f"{name}: expected one vector of numbers for each of {len(texts)} texts ({error})") from error
    if rows.ndim != 2 or len(rows) != len(texts) or rows.dtype.kind not in "fiu" or not rows.shape[1]:
        raise ValueError(
            f"{name}: expected an array of numbers of shape ({len(texts)}, d) for {len(texts)} texts, got "
            f"{rows.dtype} of shape {rows.shape}"
        )
    if n_dimensions is not None and rows.shape[1] != n_dimensions:
        raise ValueError(
            f"{name}: expected {n_dimensions} dimensions as for earlier texts, got {rows.shape[1]} for {texts[0]!r:.80}"
        )
    rows = arrays.as_floats(rows)
    finite = (np.abs(rows) <= arrays.LARGEST).all(axis=1)
    if not finite.all():
        raise ValueError(
            f"{name}: the vector of {texts[int(finite.argmin())]!r:.80} has a value that is not finite (NaN, "
            "or infinite in float32)"
        )
    return rows.astype(np.float32)
