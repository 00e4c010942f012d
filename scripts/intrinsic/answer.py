"""Write the intrinsic study's answer page and findings: which metrics follow bias of several groups?"""

import pandas as pd

from biassay.core import scripts
from biassay.core.csv_tables import select_rows
from biassay.language_models.planted.grids import GRID
from biassay.report import rendering
from biassay.report.findings import describe_differences, write_findings
from biassay.report.formatting import metric_label
from biassay.studies.intrinsic import findings
from biassay.studies.intrinsic.agreement import DATA, GROUND_TRUTHS, STATISTICS, UNMASKING
from biassay.studies.intrinsic.detection import POWER
from biassay.studies.intrinsic.tables import IDEAL, NOISY


def main(models: str, results: dict[str, str], min_r: float, page_out: str, findings_out: str) -> None:
    by_name = {name: pd.read_csv(path) for name, path in results.items()}
    learned = pd.read_csv(models)
    context = {"min_r": min_r, "power": POWER, **count_models(learned), **summarise(by_name)}
    rendering.write_page(page_out, "answer.html", context, package="biassay.studies.intrinsic")
    write_findings(findings.describe_results(by_name), findings_out)


def count_models(models: pd.DataFrame) -> dict:
    """Select the models of the grid and the median r by attribute; count the models for detection."""
    grid = models[models["purpose"] == GRID]
    medians = {name.removeprefix("r_"): grid[name].median() for name in grid if name.startswith("r_")}
    return {"grid": grid, "medians": medians, "n_detection": len(models) - len(grid)}


def summarise(results: dict[str, pd.DataFrame]) -> dict:
    """Summarise the results by attribute and by metric, as the page's tables show them."""
    comparisons, set_comparisons = (
        select_rows(results[name], against=DATA) for name in ("comparisons", "set_comparisons")
    )
    sets = {labels: select_rows(results["sets"], labels=labels) for labels in (NOISY, IDEAL)}
    effects, retraining = results["min_detectable_effect"], results["retraining_variability"]
    by_attributes = results["attribute_comparisons"].groupby(["first", "second", "metric"], sort=False)
    intersections = results["intersections"].pivot(index=["first", "second"], columns="statistic", values="mean")
    return {
        "words": [
            {**section, "differences": _describe(comparisons, section, "mean r")}
            for section in _sections({"": results["words"]})
        ],
        "attribute_comparisons": [
            {"first": first, "second": second, "metric": metric,
             "tests": [next(iter(select_rows(rows, statistic=name).to_dict("records")), None) for name in STATISTICS]}
            for (first, second, metric), rows in by_attributes
        ],
        "signs": _sections({"": results["signs"]}),
        "sets": [
            {**section, "differences": {labels: _describe(select_rows(set_comparisons, labels=labels), section, "R²")
                                        for labels in sets}} for section in _sections(sets)
        ],
        "attributes": effects["attribute"].unique().tolist(),
        "effects": {
            metric: rows.set_index("attribute").to_dict("index")
            for metric, rows in effects.groupby("metric", sort=False)
        },
        "reliability": results["reliability"].to_dict("records"),
        "retraining": [] if retraining["difference_from_first"].isna().all() else retraining.to_dict("records"),
        "intersections": intersections.reset_index().to_dict("records"),
    }  # fmt: skip


def _sections(by_labels: dict[str, pd.DataFrame]) -> list[dict]:
    """Rows of unmasking and of the metrics by attribute: correlations with each ground truth, by kind of labels."""
    cells, attributes = {}, {}
    for labels, table in by_labels.items():
        for row in table.rename(columns={"r_mean": "r"}).to_dict("records"):
            if row["first"] in GROUND_TRUTHS:
                cells[labels, row["attribute"], row["first"], row["second"]] = row
                attributes.setdefault(row["attribute"], {UNMASKING: None})[row["second"]] = None
    return [
        {"attribute": attribute, "rows": [
            {"metric": name, "cells": [cells.get((labels, attribute, ground_truth, name))
                                       for labels in by_labels for ground_truth in GROUND_TRUTHS]}
            for name in names
        ]} for attribute, names in attributes.items()
    ]  # fmt: skip


def _describe(tests: pd.DataFrame, section: dict, quantity: str) -> str:
    """Describe the significant differences between the metrics of an attribute."""
    names = {row["metric"]: metric_label(row["metric"]) for row in section["rows"] if row["metric"] != UNMASKING}
    return describe_differences(select_rows(tests, attribute=section["attribute"]), names, quantity)


if __name__ == "__main__":
    scripts.run(main, snakemake)
