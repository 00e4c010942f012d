"""Score the occupations of a corpus with one metric, on every embedding and with every word list."""

import logging
from itertools import chain

import pandas as pd

from biassay.core import scripts
from biassay.measurement import metric as metrics
from biassay.studies.first_order import scores
from biassay.vectors.embedding import Embedding
from biassay.words import resources


def main(
    corpus: str, metric: str, metric_file: str, embeddings: dict[str, str], word_lists: dict[str, str],
    statistics: list[str], occupations: str, out: str,
) -> None:  # fmt: skip
    module = metrics.load(metric_file)
    words_by_file = {occupations: resources.read_occupations(occupations)["word"].tolist()}
    words_by_file |= {path: resources.read_percentages(path).index.tolist() for path in statistics}
    wanted = dict.fromkeys(chain.from_iterable(words_by_file.values()))
    tables = []
    for embedding_name, folder in embeddings.items():
        embedding = Embedding.open(folder)
        for path, file_words in words_by_file.items():
            if not any(word in embedding.index for word in file_words):
                raise ValueError(
                    f"{path}: no word is in the vocabulary of {folder} "
                    f"(first of its {len(file_words)} words: {file_words[0]!r})"
                )
        words = [word for word in wanted if word in embedding.index]
        for word_list, path in word_lists.items():
            groups = scores.select_known_words(resources.read_groups(path), embedding, path)
            table = scores.score_words(module, embedding, words, groups)
            tables.append(table.assign(corpus=corpus, embedding=embedding_name, method=metric, word_list=word_list))
        logging.info("%s: scored %d of %d words on %s", metric, len(words), len(wanted), embedding_name)
    table = pd.concat(tables)
    first = ["corpus", "embedding", "space", "method", "word_list", "word"]
    table[first + [column for column in table if column not in first]].to_csv(out, index=False, float_format="%.9g")


if __name__ == "__main__":
    scripts.run(main, snakemake)
