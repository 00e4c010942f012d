"""Gather the board: what every study's tables say of every metric, by every criterion."""

import logging

import pandas as pd

from biassay.measurement import metric
from biassay.studies.board import board as boards
from biassay.studies.board import cells, criteria
from biassay.support import logs


def main(
    read: list[str], milliseconds: str, tables: list[tuple[str, str, str]], metrics: dict[str, dict],
    asked: dict[str, list[str]], studies: list[str], main_list: str, board: str, out: str,
) -> None:  # fmt: skip
    found = {"board": {"milliseconds": cells.read("board", "milliseconds", milliseconds)}}
    for (study, name, _), path in zip(tables, read, strict=True):
        found.setdefault(study, {})[name] = cells.read(study, name, path)
    if "first_order" in found:
        found["first_order"] = {
            name: table[table["word_list"] == main_list] for name, table in found["first_order"].items()
        }
    rows = [cells.of_study(study, of) for study, of in found.items()]
    rows = pd.concat([part for part in rows if len(part)], ignore_index=True)
    declared = {name: metric.load(variant["metric"]).METRIC for name, variant in metrics.items()}
    rows = rows[rows["metric"].isin(declared)]  # not the ground truths that scores are compared with
    table = boards.fill(rows, declared, asked, {*studies, *found})
    logging.info("%d metrics, %d criteria, %d values", len(declared), len(criteria.CRITERIA), table["value"].count())
    table.to_csv(board, index=False, float_format="%.5g")
    criteria.table().to_csv(out, index=False)


if __name__ == "__main__":
    logs.start(snakemake.log[0])
    main(
        read=list(snakemake.input.tables),
        milliseconds=snakemake.input.milliseconds,
        tables=snakemake.params.tables,
        metrics=snakemake.params.metrics,
        asked=snakemake.params.asked,
        studies=snakemake.params.studies,
        main_list=snakemake.params.main_list,
        board=snakemake.output.board,
        out=snakemake.output.criteria,
    )
