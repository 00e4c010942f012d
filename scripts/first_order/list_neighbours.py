"""List the nearest neighbours of a few words, to check that an embedding is sensible."""

from pathlib import Path

import numpy as np
import pandas as pd

from biassay.core import scripts
from biassay.statistics.geometry import cosine
from biassay.vectors.embedding import Embedding

N_NEIGHBORS = 8


def main(embeddings: list[str], words: list[str], out: str) -> None:
    rows = []
    for folder in embeddings:
        embedding = Embedding.open(folder)
        known_words = [word for word in words if word in embedding.index]
        if embedding.is_sparse or not known_words:
            continue
        similarities = cosine(embedding.rows(known_words), np.asarray(embedding.vectors))
        for word, row in zip(known_words, similarities, strict=True):
            nearest = [i for i in np.argsort(-row) if i != embedding.index[word]][:N_NEIGHBORS]
            rows.append(
                {"corpus": Path(folder).parent.name, "embedding": Path(folder).name, "word": word,
                 "neighbours": " ".join(f"{embedding.words[i]} ({row[i]:.2f})" for i in nearest)}
            )  # fmt: skip
    pd.DataFrame(rows, columns=["corpus", "embedding", "word", "neighbours"]).to_csv(out, index=False)


if __name__ == "__main__":
    scripts.run(main, snakemake)
