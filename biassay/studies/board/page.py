"""The first page of the site: verdicts of all studies, and the board."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from biassay.report import study as pages
from biassay.report.findings import Finding
from biassay.report.formatting import format_decimal, metric_label
from biassay.studies.board.board import (
    COSTS,
    LEVEL,
    assessed_criteria,
    assessed_metrics,
    dominates,
    orient_values,
    recommend_metrics,
)
from biassay.studies.board.cells import PLANTED_TEXT as PLANTED
from biassay.studies.board.criteria import BY_KEY, YES, Criterion, read_uses

DIGITS = {"words_needed": 0, "milliseconds": 2}
WORDS = {1.0: "yes", 0.5: "partly", 0.0: "no"}


def make_context(
    board: pd.DataFrame, findings: Mapping[str, Mapping[str, list[Finding]]], questions: Mapping[str, str],
    reference: str, seed: int, files: list[dict],
) -> dict:  # fmt: skip
    """Return the context of templates/board.html.

    `findings` are those of each study, `questions` their questions, `reference` the unbiased vectors in words, and
    `files` from `study.describe_file`.
    """
    valued = set(board.loc[board["value"].notna(), "criterion"])
    keys, metrics = [key for key in BY_KEY if key in valued], assessed_metrics(board)
    oriented = orient_values(board, keys).loc[metrics]
    cells, shades = board.set_index(["metric", "criterion"]), compute_shades(oriented)
    planted = set(board.loc[board["note"].fillna("").str.contains(PLANTED) & board["value"].notna(), "criterion"])
    columns = [_column(BY_KEY[key], key in planted) for key in keys]
    better = [key for key in keys if key not in COSTS]
    return {
        "title": "biassay: which metrics of social bias can be trusted",
        "heading": "Which metrics of social bias can you trust, and for what?",
        "links": pages.make_links(list(questions), None),
        "reference": reference,
        "verdicts": summarise_board(board),
        "studies": [{"question": question, "path": f"board/{study}.html",
                     "verdict": next(iter(findings.get(study, {}).get("", [])), None)}
                    for study, question in questions.items()],
        "uses": [{"question": use.question, "titles": [BY_KEY[key].title for key in use.criteria],
                  "values": recommend_metrics(board, use)} for use in read_uses()],
        "format_value": format_value,
        "columns": columns,
        "groups": pd.DataFrame(columns).groupby("study_name", sort=False) if columns else [],
        "rows": [{"label": metric_label(name), "cells": [_cell(key, cells.loc[name, key], shades.loc[name, key])
                                                        for key in keys]} for name in metrics],
        "absent": [metric_label(name) for name in board["metric"].unique() if name not in metrics],
        "empty": [BY_KEY[key].title for key in BY_KEY if key not in valued],
        "data": {
            "metrics": [{"label": metric_label(name)} for name in metrics],
            "criteria": better,
            "values": oriented[better].astype(object).where(oriented[better].notna(), None).to_numpy().tolist(),
        },
        "files": files,
        "foot": f"Made by biassay with seed {seed}.",
    }  # fmt: skip


def summarise_board(board: pd.DataFrame) -> dict:
    """Return what the verdicts of the board say: false positives, trustworthiness and dominance; empty without values.

    False positives are `above` the level of the tests if their whole interval is.
    """
    valued = board[board["value"].notna()].assign(label=board["metric"].map(metric_label))
    rates = valued[valued["criterion"] == "false_positive_rate"].sort_values("value", ascending=False, kind="stable")
    trust = valued[valued["criterion"] == "trustworthy"]
    metrics, criteria = assessed_metrics(board), assessed_criteria(board)
    values = orient_values(board, criteria).loc[metrics]
    is_free = ~dominates(values).any(axis=0)
    labels = np.array([metric_label(name) for name in metrics], dtype=object)
    return {
        "false_positives": {
            "n": int(rates["n"].max()),
            "above": [f"{row.label} in {100 * row.value:.0f} %" for row in rates[rates["low"] > LEVEL].itertuples()],
            "within": rates.loc[rates["low"] <= LEVEL, "label"].tolist(),
        } if len(rates) else {},
        "trustworthy": {word: trust.loc[trust["value"] == value, "label"].tolist() for value, word in WORDS.items()},
        "dominance": {
            "n_criteria": len(criteria),
            "n_metrics": len(metrics),
            "free": labels[is_free].tolist(),
            "dominated": labels[~is_free].tolist(),
            "has_best": bool((values >= values.max()).all(axis=1).any()),  # several metrics may be equal
        } if len(metrics) > 1 else {},
    }  # fmt: skip


def _column(criterion: Criterion, planted: bool) -> dict:
    study_name = pages.NAMES.get(criterion.study, "All metrics")
    title = criterion.title + " (planted)" * planted
    return criterion._asdict() | {"key": criterion.criterion, "title": title, "study_name": study_name}


def _cell(key: str, row: pd.Series, shade: float) -> dict:
    cell = {"criterion": key, "text": format_value(key, row["value"]), "interval": "", "page": row["page"]}
    if np.isnan(row["value"]):
        return cell | {"shade": None, "details": row["note"]}
    if BY_KEY[key].better != YES and np.isfinite([row["low"], row["high"]]).all():
        cell["interval"] = f"{format_value(key, row['low'])} to {format_value(key, row['high'])}"
    details = [
        f"{BY_KEY[key].interval}: {cell['interval']}" if cell["interval"] else "",
        f"n = {int(row['n'])} {row['unit']}" if row["n"] > 0 else "",
        row["note"] if isinstance(row["note"], str) else "",
    ]
    return cell | {"shade": round(float(shade), 3), "details": "; ".join(filter(None, details))}


def format_value(key: str, value: float) -> str:
    """Format a value by a criterion: a number, or a verdict as a word; "–" for NaN."""
    if BY_KEY[key].better == YES:
        return WORDS.get(value, "–")
    return format_decimal(value, DIGITS.get(key, 2))


def compute_shades(values: pd.DataFrame) -> pd.DataFrame:
    """Return the relative rank of each value in its column, 0 (worst) to 1 (best); 0.5 where all values are equal."""
    ranks = values.rank(method="average")
    span = (ranks.max() - ranks.min()).where(lambda widths: widths > 0)
    return ((ranks - ranks.min()) / span).fillna(0.5)
