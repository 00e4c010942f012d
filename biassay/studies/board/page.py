"""What the first page of the site shows: verdicts of all studies, and the board with its switches."""

import json
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from markupsafe import Markup

from biassay.figures.formatting import format_decimal, metric_label
from biassay.pages import study as pages
from biassay.studies.board import uses
from biassay.studies.board.board import COSTS, ordered, oriented
from biassay.studies.board.cells import PLANTED_TEXT as PLANTED
from biassay.studies.board.criteria import BY_KEY, YES, Criterion

DIGITS = {"words_needed": 0, "milliseconds": 2}
WORDS = {1.0: "yes", 0.5: "partly", 0.0: "no"}
BETTER = {"more": "more is better", "less": "less is better", "yes": "yes is better"}


def context(
    board: pd.DataFrame, found: Mapping[str, Mapping[str, list[pages.Finding]]], questions: Mapping[str, str],
    said: Sequence[str], seed: int,
) -> dict:  # fmt: skip
    """What templates/board.html shows, but its files. found: by study its `findings`; said: sentences of the board."""
    valued = set(board.loc[board["value"].notna(), "criterion"])
    keys = [key for key in BY_KEY if key in valued]
    empty = [BY_KEY[key].title for key in BY_KEY if key not in valued]
    metrics = ordered(board)
    absent = [name for name in board["metric"].drop_duplicates() if name not in metrics]
    chosen = board[board["criterion"].isin(keys) & board["metric"].isin(metrics)]
    shade = shades(oriented(chosen, keys))
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
                   for row in oriented(chosen, better).loc[metrics].to_numpy(float).tolist()],
    }  # fmt: skip
    return {
        "title": "biassay: which metrics of social bias can be trusted",
        "heading": "Which metrics of social bias can you trust, and for what?",
        "links": pages.links(list(questions), None),
        "said": list(said),
        "studies": [_study(study, question, found.get(study, {})) for study, question in questions.items()],
        "uses": [_use(board, use) for use in uses.table()],
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
    """A question of readers, and the metrics that the board speaks for, with their values."""
    found = uses.answer(board, use)
    rows = [{"label": metric_label(name), "texts": [_said(key, value) for key, value in row.items()]}
            for name, row in found.iterrows()]  # fmt: skip
    return {"question": use.question, "titles": [BY_KEY[key].title for key in use.criteria], "rows": rows}


def _said(key: str, value: float) -> str:
    return cell_text(pd.Series({"criterion": key, "value": value}))


def _study(study: str, question: str, found: Mapping[str, list[pages.Finding]]) -> dict:
    verdicts = found.get("", [])
    return {
        "name": pages.NAMES.get(study, study),
        "question": question,
        "path": f"board/{study}.html",
        "sentence": verdicts[0].sentence if verdicts else "",
        "facts": verdicts[0].facts if verdicts else "",
    }


def _column(criterion: Criterion, planted: bool) -> dict:
    about = {name: getattr(criterion, name) for name in ("criterion", "title", "question", "study", "interval")}
    about["title"] += " (planted)" * planted
    return about | {"better": BETTER[criterion.better], "study_name": pages.NAMES.get(criterion.study, "All metrics")}


def _groups(columns: list[dict]) -> list[dict]:
    """Criteria side by side that are of one study."""
    found: dict[str, list[dict]] = {}
    for column in columns:
        found.setdefault(column["study_name"], []).append(column)
    return [{"name": name, "columns": members} for name, members in found.items()]


def _cell(row: pd.Series, shade: float) -> dict:
    criterion = BY_KEY[row["criterion"]]
    if np.isnan(row["value"]):
        return {"text": "–", "interval": "", "shade": None, "criterion": criterion.criterion, "told": row["note"],
                "page": row["page"]}  # fmt: skip
    digits = DIGITS.get(criterion.criterion, 2)
    text = cell_text(row)
    interval = ""
    if criterion.better != YES and np.isfinite([row["low"], row["high"]]).all():
        interval = f"{_text(row['low'], digits)} to {_text(row['high'], digits)}"
    n = f"n = {int(row['n'])} {row['of']}" if row["n"] > 0 else ""
    ends = f"{criterion.interval} {interval}" if interval else ""
    note = row["note"] if isinstance(row["note"], str) else ""
    told = "; ".join(part for part in (ends, n, note) if part)
    return {"text": text, "interval": interval, "shade": round(float(shade), 3), "criterion": criterion.criterion,
            "told": told, "page": row["page"]}  # fmt: skip


def cell_text(row: pd.Series) -> str:
    """What a cell says: its value, or a verdict in a word."""
    key = row["criterion"] if "criterion" in row else row.name[1]
    return WORDS.get(row["value"], "") if BY_KEY[key].better == YES else _text(row["value"], DIGITS.get(key, 2))


def _text(value: float, digits: int) -> str:
    return f"{value:.0f}" if digits == 0 else format_decimal(value)


def shades(values: pd.DataFrame) -> pd.DataFrame:
    """How good a value is among those of its column, 0 to 1, by rank; ½ where all are equal."""
    ranks = values.rank(method="average")
    least, most = ranks.min(), ranks.max()
    span = (most - least).where(most > least)
    return ((ranks - least) / span).fillna(0.5)
