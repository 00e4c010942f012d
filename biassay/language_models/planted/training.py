"""Training of language models until each has learned its planted bias; the best attempt is marked."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pandas as pd

from biassay.language_models.masked_sentences import MaskedSentences
from biassay.language_models.stacked import training
from biassay.statistics.seeds import seed_of

ATTEMPT = 21  # purpose of seeds


def train(
    base: str | Path, data: Sequence[MaskedSentences], *, seeds: Sequence[int],
    evaluate: Callable[[Path, int, int], Mapping], min_r: Sequence[float], attempts: int, folder: str | Path,
    **settings: object,
) -> pd.DataFrame:  # fmt: skip
    """Train copies of a base model; those that have not learned enough are trained again from the base model.

    An interrupted run resumes.

    evaluate: function of an attempt's folder, the row of a model in it and the number of its data; returns a mapping
    with the key r, how well the model has learned. min_r: the r that each model has to reach, −1 for any. attempts:
    largest number of trainings per model. `stacked.training.train`, which gets `settings`, writes folder/<attempt>/.

    Returns one row per attempt and model: model (number of its data), attempt (0, 1, …), row, the results of
    `evaluate`, best (whether its r is the model's largest; the last attempt if r is always NaN).
    """
    rows, pending = [], list(range(len(data)))
    for attempt in range(attempts):
        out = Path(folder) / str(attempt)
        attempt_seeds = [seeds[i] if attempt == 0 else seed_of(seeds[i], ATTEMPT, attempt) for i in pending]
        training.train(base, [data[i] for i in pending], seeds=attempt_seeds, folder=out, **settings)
        results = [
            {"model": i, "attempt": attempt, "row": row, **evaluate(out, row, i)} for row, i in enumerate(pending)
        ]
        rows += results
        pending = [row["model"] for row in results if min_r[row["model"]] > -1 and not row["r"] >= min_r[row["model"]]]
        if not pending:
            break
    table = pd.DataFrame(rows)
    best = table.fillna({"r": -2.0}).sort_values(["r", "attempt"]).groupby("model")["r"].tail(1).index
    return table.assign(best=table.index.isin(best))
