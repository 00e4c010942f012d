"""Stored vectors of a model: texts, titles, group words and pairs; and the log-likelihoods of the pairs' sentences.

<folder>/texts/<set>/{scrubbed,raw,titles}.npy, <folder>/group_words/<attribute>.npy (one group after another), and
<folder>/pairs/<set>/{masked,scores}.npy. Vectors are (n, d) float32; scores, of language models only, (n, 2) in nats.
"""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pandas as pd

from biassay.language_models import tokens
from biassay.language_models.encoding import embed, save
from biassay.language_models.loading import LanguageModel
from biassay.metrics import log_likelihood, pll
from biassay.studies.downstream.pairs import MASK
from biassay.studies.downstream.texts import VERSIONS, Texts

SCORES = {"masked": pll, "causal": log_likelihood}


def encode(
    model: LanguageModel, group_words: Mapping[str, Mapping[str, list[str]]], texts: Mapping[str, Texts],
    pairs: Mapping[str, pd.DataFrame], folder: Path,
) -> None:  # fmt: skip
    """Write the vectors and log-likelihoods of a model that scores and classification heads need."""
    for name, groups in group_words.items():
        flat = [word for words in groups.values() for word in words]
        tokens.check_texts(model.tokenizer, flat)
        save(folder / "group_words" / f"{name}.npy", embed(model, flat, what=f"group words of {name}"))
    for name, text_set in texts.items():
        for version in VERSIONS:
            vectors = embed(model, getattr(text_set, version), what=f"{version} texts of {name}")
            save(folder / "texts" / name / f"{version}.npy", vectors)
        tokens.check_texts(model.tokenizer, text_set.classes)
        save(folder / "texts" / name / "titles.npy", embed(model, text_set.classes, what=f"titles of {name}"))
    for name, table in pairs.items():
        mask = getattr(model.tokenizer, "mask_token", None) if model.kind == "masked" else None
        masked = [" ".join(text.replace(MASK, mask or "").split()) for text in table["masked"]]
        save(folder / "pairs" / name / "masked.npy", embed(model, masked, what=f"pairs of {name}"))
        if model.kind not in SCORES:
            continue
        scores = SCORES[model.kind].scores(model, table["stereotypical"].tolist(), table["antistereotypical"].tolist())
        save(folder / "pairs" / name / "scores.npy", np.asarray(scores, np.float64))
