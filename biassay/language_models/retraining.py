"""Many language models trained anew until each has learned what it was given, the best attempt kept."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pandas as pd

from biassay.language_models.masked_sentences import MaskedSentences
from biassay.language_models.stacked import training
from biassay.numerics.seeds import seed_of

ATTEMPT = 21  # purpose of seeds


def train(
    base: str | Path, data: Sequence[MaskedSentences], *, seeds: Sequence[int], learned: Callable[[Path, int, int], Mapping],
    wanted: Sequence[float], attempts: int, folder: str | Path, **settings: object,
) -> pd.DataFrame:  # fmt: skip
    """Train copies of a base model; those that have not learned enough start afresh, `attempts` times at most.

    learned: gives, for an attempt's folder, the row of a model in it and the number of its data, how well it has
    learned: a mapping with the key r. wanted: the r that each is to reach (−1: any). settings: of
    `stacked.training.train`, which writes folder/<attempt>/. Goes on after a break.

    A row an attempt and model: model (number of its data), attempt (0, 1, …), row, what `learned` gives, best (whether
    its r is the model's largest; a model whose r is always NaN has its last one).
    """
    folder, rows = Path(folder), []
    pending = list(range(len(data)))
    for attempt in range(attempts):
        out = folder / str(attempt)
        of_attempt = [seeds[i] if attempt == 0 else seed_of(seeds[i], ATTEMPT, attempt) for i in pending]
        training.train(base, [data[i] for i in pending], seeds=of_attempt, folder=out, **settings)
        found = [{"model": i, "attempt": attempt, "row": row, **learned(out, row, i)} for row, i in enumerate(pending)]
        rows += found
        pending = [row["model"] for row in found if wanted[row["model"]] > -1 and not row["r"] >= wanted[row["model"]]]
        if not pending:
            break
    table = pd.DataFrame(rows)
    best = table.fillna({"r": -2.0}).sort_values(["r", "attempt"]).groupby("model")["r"].tail(1).index
    return table.assign(best=table.index.isin(best))
