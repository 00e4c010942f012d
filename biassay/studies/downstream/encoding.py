"""What is stored of a model: vectors of texts, titles, terms and pairs, and the scores of the pairs' sentences.

<folder>/texts/<set>/{scrubbed,raw,titles}.npy, <folder>/terms/<attribute>.npy (groups one after another), and
<folder>/pairs/<set>/{masked,scores}.npy, scores of language models only; vectors are (n, d) float32, scores (n, 2) in
nats.
"""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pandas as pd

from biassay.language_models import tokens
from biassay.language_models.encoding import save
from biassay.language_models.loading import LanguageModel
from biassay.language_models.mean_vectors import embed
from biassay.metrics import log_likelihood, pll
from biassay.studies.downstream.pairs import MASK
from biassay.studies.downstream.texts import VERSIONS, Texts

SCORES = {"masked": pll, "causal": log_likelihood}  # the latter is the former's counterpart


def encode(
    model: LanguageModel, terms: Mapping[str, Mapping[str, list[str]]], texts: Mapping[str, Texts],
    pairs: Mapping[str, pd.DataFrame], folder: Path,
) -> None:  # fmt: skip
    """Write all that the scores and the heads need of a model."""
    for name, groups in terms.items():
        flat = [term for of_group in groups.values() for term in of_group]
        tokens.check_texts(model.tokenizer, flat)
        save(folder / "terms" / f"{name}.npy", embed(model, flat, what=f"terms of {name}"))
    for name, found in texts.items():
        for version in VERSIONS:
            vectors = embed(model, getattr(found, version), what=f"{version} texts of {name}")
            save(folder / "texts" / name / f"{version}.npy", vectors)
        tokens.check_texts(model.tokenizer, found.classes)
        save(folder / "texts" / name / "titles.npy", embed(model, found.classes, what=f"titles of {name}"))
    for name, table in pairs.items():
        mask = getattr(model.tokenizer, "mask_token", None) if model.kind == "masked" else None
        hidden = [" ".join(text.replace(MASK, mask or "").split()) for text in table["masked"]]
        save(folder / "pairs" / name / "masked.npy", embed(model, hidden, what=f"pairs of {name}"))
        if model.kind not in SCORES:
            continue
        scores = SCORES[model.kind].scores(model, table["stereotypical"].tolist(), table["antistereotypical"].tolist())
        save(folder / "pairs" / name / "scores.npy", np.asarray(scores, np.float64))
