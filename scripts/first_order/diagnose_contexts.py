"""List the context words that make occupations female or male in second-order measurement (T2)."""

import logging

import numpy as np
import pandas as pd

from biassay.studies.first_order import diagnosis
from biassay.support import logs


def main(
    corpus: str, embedding: str, folder: str, main_list: str, word_lists: list[str], occupations: list[str],
    n_contexts: int, out: str,
) -> None:  # fmt: skip
    model, groups = diagnosis.subject(folder, main_list)
    known = [word for word in occupations if word in model.index]
    if not known:
        raise ValueError(f"first_order.diagnosis.occupations: none is in the vocabulary of {folder}")
    logging.info("not in the vocabulary: %s", ", ".join(sorted(set(occupations) - set(known))) or "none")
    gendered = diagnosis.definitional(word_lists)
    rows = []
    for word, effects in zip(known, diagnosis.effects(model, known, groups), strict=True):
        for group, sign in zip(groups, (1, -1), strict=True):
            for rank, place in enumerate(np.argsort(-sign * effects, kind="stable")[:n_contexts], 1):
                rows.append((word, effects.sum(), group, rank, model.words[place], effects[place]))
    table = pd.DataFrame(rows, columns=["occupation", "bias", "group", "rank", "context", "effect"])
    table["definitional"] = table["context"].isin(gendered)
    table.insert(0, "corpus", corpus)
    table.insert(1, "embedding", embedding)
    table.to_csv(out, index=False, float_format="%.6g")


if __name__ == "__main__":
    logs.start(snakemake.log[0])
    main(
        corpus=snakemake.wildcards.corpus,
        embedding=snakemake.params.embedding,
        folder=snakemake.input.embedding,
        main_list=snakemake.input.main_list,
        word_lists=snakemake.input.word_lists,
        occupations=snakemake.params.options["occupations"],
        n_contexts=snakemake.params.options["n_contexts"],
        out=snakemake.output.contexts,
    )
