"""The first page of the site: verdicts of all studies, and the board."""

import json
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from markupsafe import Markup

from biassay.report import study as pages
from biassay.report.findings import Finding
from biassay.report.formatting import format_decimal, metric_label
from biassay.studies.board import uses
from biassay.studies.board.board import COSTS, assessed_metrics, orient_values
from biassay.studies.board.cells import PLANTED_TEXT as PLANTED
from biassay.studies.board.criteria import BY_KEY, YES, Criterion

DIGITS = {"words_needed": 0, "milliseconds": 2}
WORDS = {1.0: "yes", 0.5: "partly", 0.0: "no"}
BETTER = {"higher": "higher is better", "lower": "lower is better", "yes": "yes is better"}


def make_context(
    board: pd.DataFrame, findings: Mapping[str, Mapping[str, list[Finding]]], questions: Mapping[str, str],
    sentences: Sequence[str], seed: int,
) -> dict:  # fmt: skip
    """Return the context of templates/board.html, without its files.

    Parameters
    ----------
    board : DataFrame
    findings : mapping
        Findings of each study, from `pages.study.read_findings`.
    questions : mapping
        The question of each study.
    sentences : sequence of str
        Verdicts of the board.
    seed : int
    """
    valued = set(board.loc[board["value"].notna(), "criterion"])
    keys = [key for key in BY_KEY if key in valued]
    empty = [BY_KEY[key].title for key in BY_KEY if key not in valued]
    metrics = assessed_metrics(board)
    absent = [name for name in board["metric"].drop_duplicates() if name not in metrics]
    chosen = board[board["criterion"].isin(keys) & board["metric"].isin(metrics)]
    shade = compute_shades(orient_values(chosen, keys))
    better = [key for key in keys if key not in COSTS]
    cells = {(row["metric"], row["criterion"]): row for _, row in chosen.iterrows()}
    planted = board["note"].fillna("").str.contains(PLANTED) & board["value"].notna()
    columns = [_column(BY_KEY[key], key in set(board.loc[planted, "criterion"])) for key in keys]
    rows = [{"key": name, "label": metric_label(name),
             "cells": [_cell(cells[name, key], shade.loc[name, key]) for key in keys]} for name in metrics]  # fmt: skip
    data = {
        "metrics": [{"key": name, "label": metric_label(name)} for name in metrics],
        "criteria": better,
        "values": [[None if np.isnan(value) else value for value in row]
                   for row in orient_values(chosen, better).loc[metrics].to_numpy(float).tolist()],
    }  # fmt: skip
    return {
        "title": "biassay: which metrics of social bias can be trusted",
        "heading": "Which metrics of social bias can you trust, and for what?",
        "links": pages.make_links(list(questions), None),
        "sentences": list(sentences),
        "studies": [_study(study, question, findings.get(study, {})) for study, question in questions.items()],
        "uses": [_use(board, use) for use in uses.read_uses()],
        "columns": columns,
        "groups": _groups(columns),
        "rows": rows,
        "absent": [metric_label(name) for name in absent],
        "empty": empty,
        "data": Markup(json.dumps(data, separators=(",", ":"), allow_nan=False).replace("</", "<\\/")),
        "packed": {},
        "files": [],
        "foot": f"Made by biassay with seed {seed}.",
    }


def _use(board: pd.DataFrame, use: uses.Use) -> dict:
    """Return a question of readers and the metrics that answer it, with their values."""
    values = uses.recommend_metrics(board, use)
    rows = [{"label": metric_label(name), "texts": [_format_value(key, value) for key, value in row.items()]}
            for name, row in values.iterrows()]  # fmt: skip
    return {"question": use.question, "titles": [BY_KEY[key].title for key in use.criteria], "rows": rows}


def _format_value(key: str, value: float) -> str:
    return format_cell(pd.Series({"criterion": key, "value": value}))


def _study(study: str, question: str, findings: Mapping[str, list[Finding]]) -> dict:
    verdicts = findings.get("", [])
    return {
        "name": pages.NAMES.get(study, study),
        "question": question,
        "path": f"board/{study}.html",
        "sentence": verdicts[0].sentence if verdicts else "",
        "facts": verdicts[0].facts if verdicts else "",
    }


def _column(criterion: Criterion, planted: bool) -> dict:
    column = {name: getattr(criterion, name) for name in ("criterion", "title", "question", "study", "interval")}
    column["title"] += " (planted)" * planted
    return column | {"better": BETTER[criterion.better], "study_name": pages.NAMES.get(criterion.study, "All metrics")}


def _groups(columns: list[dict]) -> list[dict]:
    """Group criteria by study."""
    groups: dict[str, list[dict]] = {}
    for column in columns:
        groups.setdefault(column["study_name"], []).append(column)
    return [{"name": name, "columns": members} for name, members in groups.items()]


def _cell(row: pd.Series, shade: float) -> dict:
    criterion = BY_KEY[row["criterion"]]
    if np.isnan(row["value"]):
        return {"text": "–", "interval": "", "shade": None, "criterion": criterion.criterion, "details": row["note"],
                "page": row["page"]}  # fmt: skip
    digits = DIGITS.get(criterion.criterion, 2)
    interval = ""
    if criterion.better != YES and np.isfinite([row["low"], row["high"]]).all():
        interval = f"{_format_number(row['low'], digits)} to {_format_number(row['high'], digits)}"
    n = f"n = {int(row['n'])} {row['unit']}" if row["n"] > 0 else ""
    ends = f"{criterion.interval}: {interval}" if interval else ""
    note = row["note"] if isinstance(row["note"], str) else ""
    details = "; ".join(part for part in (ends, n, note) if part)
    return {"text": format_cell(row), "interval": interval, "shade": round(float(shade), 3),
            "criterion": criterion.criterion, "details": details, "page": row["page"]}  # fmt: skip


def format_cell(row: pd.Series) -> str:
    """Format a cell of the board: its value, or its verdict as a word."""
    key = row["criterion"] if "criterion" in row else row.name[1]
    if BY_KEY[key].better == YES:
        return WORDS.get(row["value"], "")
    return _format_number(row["value"], DIGITS.get(key, 2))


def _format_number(value: float, digits: int) -> str:
    return f"{value:.0f}" if digits == 0 else format_decimal(value)


def compute_shades(values: pd.DataFrame) -> pd.DataFrame:
    """Return the relative rank of each value in its column, 0 (worst) to 1 (best); 0.5 where all values are equal."""
    ranks = values.rank(method="average")
    lowest, highest = ranks.min(), ranks.max()
    span = (highest - lowest).where(highest > lowest)
    return ((ranks - lowest) / span).fillna(0.5)
