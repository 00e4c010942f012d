"""Count the significant correlations with statistics on corpora without bias."""

from pathlib import Path

import pandas as pd

from biassay.core import scripts
from biassay.statistics.correlation import CORRELATIONS
from biassay.statistics.paired_tests import correct_holm
from biassay.studies.first_order import planted_bias, tables

FAMILY = ["corpus", "embedding", "space", "method"]  # tests with equal values are counted and corrected together
TEST = ["word_list", "statistics", "correlation"]
LEVEL = 0.05


def main(correlations: str, ground_truths: list[str], out: str) -> None:
    unbiased = [Path(path).parent.name for path in ground_truths if not planted_bias.read_percentages(path)]
    table = tables.read_result(correlations, "correlations", "pearson", "pearson_p")
    table = table[table["corpus"].isin(unbiased)]
    kinds = [
        table[[*FAMILY, *TEST[:2], "n"]].assign(correlation=kind, value=table[kind], p=table[f"{kind}_p"])
        for kind in CORRELATIONS
    ]
    tests = pd.concat(kinds).dropna(subset="p")
    families = tests.groupby(FAMILY, sort=False)
    rows = [dict(zip(FAMILY, key, strict=True)) | count_significant(family) for key, family in families]
    largest = ["largest", *(f"largest_{name}" for name in (*TEST, "n", "p"))]
    columns = [*FAMILY, "n_tests", "false_positive_rate", "false_positive_rate_holm", *largest]
    pd.DataFrame(rows, columns=columns).to_csv(out, index=False, float_format="%.6g")


def count_significant(tests: pd.DataFrame) -> dict:
    """Compute the share of significant tests before and after Holm's correction, and the largest correlation."""
    largest = tests.iloc[tests["value"].abs().to_numpy().argmax()]
    return {
        "n_tests": len(tests),
        "false_positive_rate": (tests["p"] < LEVEL).mean(),
        "false_positive_rate_holm": (correct_holm(tests["p"].to_numpy()) < LEVEL).mean(),
        "largest": largest["value"],
    } | {f"largest_{name}": largest[name] for name in (*TEST, "n", "p")}


if __name__ == "__main__":
    scripts.run(main, snakemake)
