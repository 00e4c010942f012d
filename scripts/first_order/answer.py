"""Answer the study's question: write its findings, and a page fragment with the comparisons."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import pandas as pd

from biassay.core import csv_tables, scripts
from biassay.report import plots, rendering
from biassay.report.findings import write_findings
from biassay.studies.first_order import findings


def main(tables: list[str], main_list: str, generated: Mapping[str, list[str]], answer: str, findings_out: str) -> None:
    files = {}
    for path in tables:
        files.setdefault(Path(path).stem, []).append(csv_tables.read(path, ["corpus"], {}, allow_empty=True))
    tables = findings.Tables(**{name: pd.concat(parts) for name, parts in files.items()})
    results = findings.collect_findings(tables, main_list, generated)
    write_findings(results, findings_out)
    rows = tables.comparisons.query("word_list == @main_list and correlation == 'spearman'")
    rows = rows[rows["second_method"] != findings.NND]
    context = {
        "verdict": results[0].sentence,
        "main_list": main_list,
        "own": list(group_comparisons(findings.select_own_comparisons(rows, main_list), generated)),
        "all_comparisons": list(group_comparisons(rows, generated)),
    }
    rendering.write_page(answer, "answer.html", context, package="biassay.studies.first_order")


def group_comparisons(table: pd.DataFrame, generated: Mapping[str, list[str]]) -> Iterator[dict]:
    """Yield the comparisons of each corpus: one entry per pair of scores, with its rows by statistics."""
    for corpus, rows in table.groupby("corpus", sort=False):
        names = dict.fromkeys([*findings.GROUND_TRUTH, *rows["statistics"]])
        pairs = [
            {"first": plots.label(embedding, "explicit", "first_order"), "second": plots.label(*second),
             "cells": {row["statistics"]: row for row in pair.to_dict("records")}}
            for (embedding, *second), pair in rows.groupby(
                ["embedding", "second_embedding", "second_space", "second_method"], sort=False
            )
        ]  # fmt: skip
        yield {
            "corpus": corpus,
            "label": findings.corpus_label(corpus, generated),
            "statistics": {
                name: findings.statistics_label(name, corpus, generated)
                for name in names if name in set(rows["statistics"])
            },
            "pairs": pairs,
            "n_tests": rows["p_holm"].notna().sum(),
        }  # fmt: skip


if __name__ == "__main__":
    scripts.run(main, snakemake)
