"""List the context words that contribute most to the second-order bias of occupations (Table 2)."""

import logging

import numpy as np
import pandas as pd

from biassay.core import scripts
from biassay.studies.first_order import diagnosis


def main(
    corpus: str, embedding: str, folder: str, main_list: str, word_lists: list[str], occupations: list[str],
    n_contexts: int, out: str,
) -> None:  # fmt: skip
    model, groups = diagnosis.open_embedding(folder, main_list)
    known_words = [word for word in occupations if word in model.index]
    if not known_words:
        raise ValueError(f"first_order.diagnosis.occupations: no occupation is in the vocabulary of {folder}")
    logging.info(
        "occupations not in the vocabulary: %s", ", ".join(sorted(set(occupations) - set(known_words))) or "none"
    )
    definitional_words = diagnosis.read_definitional_words(word_lists)
    rows = []
    for word, effects in zip(known_words, diagnosis.measure_effects(model, known_words, groups), strict=True):
        for group, sign in zip(groups, (1, -1), strict=True):
            for rank, place in enumerate(np.argsort(-sign * effects, kind="stable")[:n_contexts], 1):
                rows.append((word, effects.sum(), group, rank, model.words[place], effects[place]))
    table = pd.DataFrame(rows, columns=["occupation", "bias", "group", "rank", "context", "effect"])
    table["definitional"] = table["context"].isin(definitional_words)
    table.insert(0, "corpus", corpus)
    table.insert(1, "embedding", embedding)
    table.to_csv(out, index=False, float_format="%.6g")


if __name__ == "__main__":
    scripts.run(
        main,
        snakemake,
        folder=snakemake.input.embedding,
        occupations=snakemake.params.options["occupations"],
        n_contexts=snakemake.params.options["n_contexts"],
        out=snakemake.output.contexts,
    )
