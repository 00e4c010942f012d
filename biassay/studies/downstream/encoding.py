"""Stored vectors of a model: texts, titles, group words and pairs; and the log-likelihoods of the pairs' sentences.

<folder>/texts/<set>/{scrubbed,raw,titles}.npy, <folder>/group_words/<attribute>.npy (one group after another), and
<folder>/pairs/<set>/{masked,scores}.npy. Vectors are (n, d) float32; scores, of language models only, (n, 2) in nats;
NaN for a pair without a value.
"""

from collections.abc import Mapping
from itertools import chain
from pathlib import Path

import numpy as np
import pandas as pd

from biassay.core import arrays
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
    files = {f"group_words/{name}": [*chain(*groups.values())] for name, groups in group_words.items()}
    files |= {f"texts/{name}/titles": text_set.classes for name, text_set in texts.items()}
    for flat in files.values():
        tokens.check_texts(model.tokenizer, flat)
    files |= {f"texts/{name}/{version}": getattr(texts[name], version) for name in texts for version in VERSIONS}
    mask = model.tokenizer.mask_token if model.kind == "masked" else ""
    for name, table in pairs.items():
        files[f"pairs/{name}/masked"] = [" ".join(text.replace(MASK, mask).split()) for text in table["masked"]]
    for name, sentences in files.items():
        save(folder / f"{name}.npy", embed(model, sentences, what=name))
    for name, table in pairs.items() if model.kind in SCORES else ():
        scores = SCORES[model.kind].scores(model, table["stereotypical"].tolist(), table["antistereotypical"].tolist())
        arrays.save(folder / "pairs" / name / "scores.npy", np.asarray(scores, np.float64))
