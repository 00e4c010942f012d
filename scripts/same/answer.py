"""Write the study's answer page and findings: does a metric follow the trained-in bias?"""

import pandas as pd

from biassay.core import scripts
from biassay.core.csv_tables import select_rows
from biassay.report import rendering
from biassay.report.findings import describe_differences, write_findings
from biassay.report.formatting import format_decimal
from biassay.studies.same import findings
from biassay.studies.same.agreement import GROUND_TRUTHS, SUMMARIES, UNMASKING


def main(models: str, results: dict[str, str], min_r2: float, page_out: str, findings_out: str) -> None:
    by_name = {name: pd.read_csv(path) for name, path in results.items()}
    context = {"models": pd.read_csv(models), "min_r2": min_r2, **summarise(by_name)}
    rendering.write_page(page_out, "answer.html", context, package="biassay.studies.same")
    write_findings(findings.describe_results(by_name), findings_out)


def summarise(results: dict[str, pd.DataFrame]) -> dict:
    """Summarise the results by ground truth and by metric, as the page's tables show them."""
    sets, set_comparisons = results["sets"], results["set_comparisons"]
    set_differences = {
        against: describe_differences(
            select_rows(set_comparisons, against=against), _labels(select_rows(sets, against=against)), "R²"
        )
        for against in SUMMARIES
    }
    variability = {name: _records(results[f"{name}_variability"]) for name in ("subsampling", "retraining")}
    metrics = dict.fromkeys([*variability["subsampling"], *sets["metric"], *variability["retraining"]])
    return {
        "sections": [_section(name, results["summary"], results["comparisons"]) for name in GROUND_TRUTHS],
        "set_differences": set_differences,
        "metrics": [
            {
                "metric": metric,
                "retraining": variability["retraining"].get(metric),
                "subsampling": variability["subsampling"].get(metric),
                "sets": select_rows(sets, metric=metric).to_dict("records"),
            }
            for metric in metrics
        ],
    }


def _section(ground_truth: str, summary: pd.DataFrame, comparisons: pd.DataFrame) -> dict:
    """Rows of one ground truth, its means in descending order and the significant differences."""
    rows = select_rows(summary, ground_truth=ground_truth)
    labels = _labels(rows)
    training, unmasking = (_records(select_rows(rows, against=against)) for against in ("training", "unmasking"))
    means = pd.Series({name: row["r2_mean"] for name, row in training.items()}, dtype=float).dropna()
    others = means.drop(UNMASKING, errors="ignore").sort_values(ascending=False, kind="stable")
    tests = select_rows(comparisons, ground_truth=ground_truth, against="training")
    return {
        "ground_truth": ground_truth,
        "means": [f"{labels[name]} {format_decimal(mean)}" for name, mean in others.items() if UNMASKING in means],
        "upper_bound": means.get(UNMASKING),
        "differences": describe_differences(tests, {name: labels[name] for name in others.index}, "mean R²"),
        "rows": [
            {"label": labels[name], "training": training.get(name), "unmasking": unmasking.get(name)} for name in labels
        ],
    }


def _labels(table: pd.DataFrame) -> dict[str, str]:
    return {row.metric: findings.score_label(row.ground_truth, row.metric, row.signed) for row in table.itertuples()}


def _records(table: pd.DataFrame) -> dict[str, dict]:
    """Rows by metric."""
    notes = table["note"].astype(object).fillna("") if "note" in table else ""
    table = table.assign(note=notes, relative=table.get("relative", False))
    return {row["metric"]: row for row in table.to_dict("records")}


if __name__ == "__main__":
    scripts.run(main, snakemake)
