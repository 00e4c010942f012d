"""List the words of lists that are missing from the corpora, and the nearest neighbours of a few words."""

from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import numpy as np
import pandas as pd

from biassay.core import scripts
from biassay.statistics.geometry import cosine
from biassay.vectors.embedding import Embedding
from biassay.words import resources

N_NEIGHBORS = 8


def main(
    vocabularies: dict[str, str], word_lists: dict[str, str], statistics: dict[str, str], occupations: str,
    embeddings: list[str], neighbour_words: list[str], missing_words: str, neighbours: str,
) -> None:  # fmt: skip
    lists = {name: list(chain.from_iterable(resources.read_groups(path).values())) for name, path in word_lists.items()}
    lists |= {name: list(resources.read_percentages(path).index) for name, path in statistics.items()}
    lists["occupations"] = list(resources.read_occupations(occupations)["word"])
    pd.DataFrame(list_missing_words(vocabularies, lists)).to_csv(missing_words, index=False)
    rows = [row for folder in embeddings for row in list_neighbours(Path(folder), neighbour_words)]
    pd.DataFrame(rows, columns=["corpus", "embedding", "word", "neighbours"]).to_csv(neighbours, index=False)


def list_missing_words(vocabularies: dict[str, str], lists: dict[str, list[str]]) -> Iterator[dict]:
    """Yield the missing words of each list in each corpus."""
    for corpus, path in vocabularies.items():
        known_words = set(Path(path).read_text("utf-8").split())
        for name, words in lists.items():
            missing_words = [word for word in words if word not in known_words]
            yield {
                "corpus": corpus, "list": name, "n_words": len(words), "n_missing": len(missing_words),
                "missing_words": " ".join(missing_words),
            }  # fmt: skip


def list_neighbours(folder: Path, words: list[str]) -> Iterator[tuple]:
    """Yield the nearest neighbours of each word in a dense embedding, to check that it is sensible."""
    embedding = Embedding.open(folder)
    known_words = [word for word in words if word in embedding.index]
    if embedding.is_sparse or not known_words:
        return
    similarities = cosine(embedding.rows(known_words), np.asarray(embedding.vectors))
    for word, row in zip(known_words, similarities, strict=True):
        nearest = [i for i in np.argsort(-row) if i != embedding.index[word]][:N_NEIGHBORS]
        yield folder.parent.name, folder.name, word, " ".join(f"{embedding.words[i]} ({row[i]:.2f})" for i in nearest)


if __name__ == "__main__":
    scripts.run(main, snakemake)
