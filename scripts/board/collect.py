"""Collect the board: the values of every metric by every criterion, from the tables of all studies."""

import logging

import pandas as pd

from biassay.core import scripts
from biassay.measurement import metric
from biassay.studies.board import board as boards
from biassay.studies.board import cells, criteria
from biassay.studies.board.tables import read


def main(
    paths: list[str], tables: list[tuple[str, str, str]], metrics: dict[str, dict],
    chosen: dict[str, list[str]], studies: list[str], main_list: str, board: str, out: str,
) -> None:  # fmt: skip
    by_study: dict[str, dict[str, pd.DataFrame]] = {}
    for (study, name, _), path in zip(tables, paths, strict=True):
        by_study.setdefault(study, {})[name] = read(study, name, path)
    if "first_order" in by_study:
        by_study["first_order"] = {
            name: table[table["word_list"] == main_list] for name, table in by_study["first_order"].items()
        }
    rows = [cells.make_cells(study, parts) for study, parts in by_study.items()]
    rows = pd.concat([part for part in rows if len(part)], ignore_index=True)
    declared = {name: metric.load(variant["metric"]).METRIC for name, variant in metrics.items()}
    rows = rows[rows["metric"].isin(declared)]  # without the ground truths that scores are compared with
    table = boards.fill_board(rows, declared, chosen, {*studies, *by_study})
    logging.info("%d metrics, %d criteria, %d values", len(declared), len(criteria.CRITERIA), table["value"].count())
    table.to_csv(board, index=False, float_format="%.5g")
    criteria.read_criteria().to_csv(out, index=False)


if __name__ == "__main__":
    scripts.run(main, snakemake, paths=list(snakemake.input.tables), out=snakemake.output.criteria)
