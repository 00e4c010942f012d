"""Score the occupations of a corpus with all metrics, on every embedding and with every word list."""

import logging
from itertools import chain

import pandas as pd

from biassay.core import scripts
from biassay.measurement import metric as registered
from biassay.studies.first_order import scores
from biassay.vectors.embedding import Embedding
from biassay.words import resources

FIRST = ["corpus", "embedding", "space", "method", "word_list", "word"]  # columns


def main(
    corpus: str, metrics: dict[str, str], embeddings: dict[str, str], word_lists: dict[str, str],
    statistics: list[str], occupations: str, out: list[str],
) -> None:  # fmt: skip
    modules = {name: registered.load(metric) for name, metric in metrics.items()}
    groups = {path: resources.read_groups(path) for path in word_lists.values()}
    words_by_file = {occupations: resources.read_occupations(occupations)["word"].tolist()}
    words_by_file |= {path: resources.read_percentages(path).index.tolist() for path in statistics}
    wanted = dict.fromkeys(chain.from_iterable(words_by_file.values()))
    tables = {name: [] for name in metrics}
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
            for name, module in modules.items():
                paired = module.METRIC.paired
                known_words = scores.select_known_words(groups[path], embedding, path, paired=paired)
                table = scores.score_words(module, embedding, words, known_words)
                tables[name].append(
                    table.assign(corpus=corpus, embedding=embedding_name, method=name, word_list=word_list)
                )
        logging.info("%s: scored %d of %d words", embedding_name, len(words), len(wanted))
    for (name, parts), path in zip(tables.items(), out, strict=True):
        table = pd.concat(parts)
        if not len(table):
            expected = f"an embedding with context vectors, which {name} needs, got {', '.join(embeddings)}"
            raise ValueError(f"first_order.embeddings: expected {expected}")
        table[FIRST + [column for column in table if column not in FIRST]].to_csv(
            path, index=False, float_format="%.9g"
        )


if __name__ == "__main__":
    scripts.run(main, snakemake)
