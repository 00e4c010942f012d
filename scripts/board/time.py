"""Time one value of every metric."""

import pandas as pd

from biassay.core import scripts
from biassay.core.logs import Progress
from biassay.studies.board import timing


def main(metrics: dict[str, dict], repeats: int, seed: int, out: str) -> None:
    rows, progress = [], Progress("timing", len(metrics), "metrics")
    for name, variant in metrics.items():
        rows.append(timing.time_metric(name, variant["metric"], variant["options"], repeats, seed))
        progress.add(1)
    pd.DataFrame(rows).to_csv(out, index=False, float_format="%.4g")


if __name__ == "__main__":
    scripts.run(main, snakemake)
