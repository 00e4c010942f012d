"""List the words of word lists and statistics that are missing from the vocabulary of a corpus."""

from itertools import chain
from pathlib import Path

import pandas as pd

from biassay.core import scripts
from biassay.words import resources


def main(
    vocabularies: dict[str, str], word_lists: dict[str, str], statistics: dict[str, str], occupations: str, out: str
) -> None:
    wanted = {
        name: list(chain.from_iterable(resources.read_groups(path).values())) for name, path in word_lists.items()
    }
    wanted |= {name: list(resources.read_percentages(path).index) for name, path in statistics.items()}
    wanted["occupations"] = list(resources.read_occupations(occupations)["word"])
    rows = []
    for corpus, path in vocabularies.items():
        known_words = set(Path(path).read_text("utf-8").split())
        for name, words in wanted.items():
            missing_words = [word for word in words if word not in known_words]
            rows.append(
                {"corpus": corpus, "list": name, "n_words": len(words), "n_missing": len(missing_words),
                 "missing_words": " ".join(missing_words)}
            )  # fmt: skip
    pd.DataFrame(rows).to_csv(out, index=False)


if __name__ == "__main__":
    scripts.run(main, snakemake)
