"""The first page of the site: verdicts of all studies, and the board."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from biassay.report import study as pages
from biassay.report.findings import Finding
from biassay.report.formatting import format_decimal, format_p_value, metric_label
from biassay.statistics.intervals import judge_rate
from biassay.studies.board.board import (
    assessed_criteria,
    assessed_metrics,
    dominates,
    find_supported,
    orient_intervals,
    orient_values,
    recommend_metrics,
)
from biassay.studies.board.cells import FORMS
from biassay.studies.board.cells import PLANTED_TEXT as PLANTED
from biassay.studies.board.criteria import BY_KEY, NOMINAL, YES, Criterion, Use, choose_first, read_uses

DIGITS = {"words_needed": 0}
WORDS = {1.0: "yes", 0.5: "partly", 0.0: "no"}


def make_context(
    board: pd.DataFrame, findings: Mapping[str, list[Finding]], questions: Mapping[str, str],
    reference: str, seed: int, files: list[dict],
) -> dict:  # fmt: skip
    """Return the context of templates/board.html.

    `findings` are those of each study, `questions` their questions, `reference` the unbiased vectors in words, and
    `files` from `study.describe_file`.
    """
    keys, metrics = assessed_criteria(board), assessed_metrics(board)
    cells, values = board.set_index(["metric", "criterion"]), orient_values(board, keys)
    spans = [ends.loc[metrics] for ends in orient_intervals(board, keys)]
    n_worse, n_better = count_separated(*spans)
    shades = compute_shades(n_worse, n_better)
    planted = set(board.loc[board["note"].fillna("").str.contains(PLANTED) & board["value"].notna(), "criterion"])
    shown = choose_first(keys)
    columns = [_column(BY_KEY[key], key in planted) | {"is_shown": key in shown} for key in keys]
    return {
        "title": "biassay: which metrics of social bias can be trusted",
        "heading": "Which metrics of social bias can you trust, and for what?",
        "links": pages.make_links(list(questions), None),
        "reference": reference,
        "verdicts": summarise_board(board),
        "studies": [{"question": question, "path": f"board/{study}.html",
                     "verdict": next(iter(findings.get(study, [])), None)}
                    for study, question in questions.items()],
        "uses": [answer_use(board, use) for use in read_uses()],
        "columns": columns,
        "groups": pd.DataFrame(columns).groupby("study_name", sort=False) if columns else [],
        "rows": [{"label": metric_label(name),
                  "cells": [_cell(key, cells.loc[name, key]) | {
                      "order": values.loc[name, key], "shade": shades.loc[name, key],
                      "n_worse": n_worse.loc[name, key], "n_better": n_better.loc[name, key],
                  } for key in keys]} for name in metrics],
        "absent": [metric_label(name) for name in board["metric"].unique() if name not in metrics],
        "empty": [BY_KEY[key].title for key in BY_KEY if key not in keys],
        "data": {
            "labels": [metric_label(name) for name in metrics],
            "criteria": keys,
            "cells": [[_span(cells.loc[name, key], *(ends.loc[name, key] for ends in spans)) for key in keys]
                      for name in metrics],
        },
        "files": files,
        "foot": f"Seed {seed}.",
        "guide": "board",
    }  # fmt: skip


def answer_use(board: pd.DataFrame, use: Use) -> dict:
    """Return the answer to a use: `rows` of the recommended metrics, and for each criterion what supports it.

    `reason` says why the metric with the most values on the board has none by the criterion.
    """
    criteria, rows = [], []
    board, order = board.assign(is_supported=find_supported(board)), assessed_metrics(board)
    for key in use.criteria:
        column = board[board["criterion"] == key]
        notes = column[column["value"].isna()].set_index("metric")["note"].reindex(order).dropna()
        criteria.append({
            "title": BY_KEY[key].title,
            "rule": BY_KEY[key].support,
            "n": int(column["value"].notna().sum()),
            "n_intervals": int(column["low"].notna().sum()),
            "supported": column.loc[column["is_supported"], "metric"].map(metric_label).tolist(),
            "reason": notes.iloc[0] if len(notes) else "no study has it",
        })  # fmt: skip
    cells = board.set_index(["metric", "criterion"])
    for name in recommend_metrics(board, use):
        shown = [_cell(key, cells.loc[name, key]) for key in use.criteria]
        rows.append({"label": metric_label(name), "cells": shown})
    return {"question": use.question, "criteria": criteria, "rows": rows}


def summarise_board(board: pd.DataFrame) -> dict:
    """Return what the verdicts of the board say: error rates of tests, trustworthiness and dominance."""
    valued = board[board["value"].notna()].assign(label=board["metric"].map(metric_label))
    trust = valued[valued["criterion"] == "trustworthy"]
    metrics, criteria = assessed_metrics(board), assessed_criteria(board)
    is_free = ~dominates(board, criteria).loc[metrics, metrics].any()
    return {
        "tests": [_summarise_tests(rates, form) for form, ending in FORMS.items()
                  if len(rates := valued[valued["criterion"] == f"false_positive_rate{ending}"].dropna(subset="low"))],
        "trustworthy": {word: trust.loc[trust["value"] == value, "label"].tolist() for value, word in WORDS.items()},
        "dominance": {
            "n_criteria": len(criteria),
            "n_metrics": len(metrics),
            "free": [metric_label(name) for name in metrics if is_free[name]],
            "dominated": [metric_label(name) for name in metrics if not is_free[name]],
        } if len(metrics) > 1 else {},
    }  # fmt: skip


def _summarise_tests(rates: pd.DataFrame, form: str) -> dict:
    rates = rates.sort_values("value", ascending=False, kind="stable")
    groups = {"liberal": [], "conservative": [], "nominal": []}
    for row in rates.itertuples():
        kind = judge_rate(row.low, row.high)
        groups[kind].append(f"{row.label} ({100 * row.value:.0f} %)" if kind == "liberal" else row.label)
    return groups | {"form": form, "n": int(rates["n"].max())}


def _span(cell: pd.Series, low: float, high: float) -> list | None:
    """Return the ends of a cell's oriented interval for the script: None without a value, nulls without an interval."""
    if np.isnan(cell["value"]):
        return None
    return [float(end) if np.isfinite(end) else None for end in (low, high)]


def _column(criterion: Criterion, planted: bool) -> dict:
    study_name = pages.NAMES[criterion.study]
    title = criterion.title + " (planted)" * planted
    return criterion._asdict() | {"key": criterion.criterion, "title": title, "study_name": study_name}


def _cell(key: str, row: pd.Series) -> dict:
    cell = {"criterion": key, "text": format_value(key, row["value"]), "interval": "", "page": row["page"]}
    if np.isnan(row["value"]):
        return cell | {"details": row["note"]}
    if BY_KEY[key].better != YES and np.isfinite([row["low"], row["high"]]).all():
        cell["interval"] = f"[{format_value(key, row['low'])}, {format_value(key, row['high'])}]"
    if BY_KEY[key].better == NOMINAL and (word := judge_rate(row["low"], row["high"])) not in ("", "nominal"):
        cell["interval"] += f", {word}"
    details = [
        f"{BY_KEY[key].interval}: {cell['interval']}" if cell["interval"] else "",
        f"n = {int(row['n'])} {row['unit']}" if row["n"] > 0 else "",
        f"corrected {format_p_value(row['p'])}" if np.isfinite(row["p"]) else "",
        row["note"] if isinstance(row["note"], str) else "",
    ]
    return cell | {"details": "; ".join(filter(None, details))}


def format_value(key: str, value: float) -> str:
    """Format a value by a criterion: a number, or a verdict as a word; "–" for NaN."""
    if BY_KEY[key].better == YES:
        return WORDS.get(value, "–")
    return format_decimal(value, DIGITS.get(key, 2))


def format_mean_and_std(key: str, mean: float, std: float) -> str:
    """Format a mean over seeds ± the standard deviation, or a verdict that is the same in all seeds as a word."""
    if BY_KEY[key].better == YES and std == 0:
        return WORDS[mean]
    return " ± ".join(format_decimal(number, DIGITS.get(key, 2)) for number in (mean, std))


def count_separated(low: pd.DataFrame, high: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Count, for each cell, the metrics whose interval is wholly worse and wholly better than its own.

    `low` and `high` (metrics, criteria) are from `orient_intervals`. Cells without an interval count as 0.
    """
    is_better = low.to_numpy()[:, None] > high.to_numpy()[None]
    return tuple(pd.DataFrame(is_better.sum(axis=axis), low.index, low.columns) for axis in (1, 0))


def compute_shades(n_worse: pd.DataFrame, n_better: pd.DataFrame) -> pd.DataFrame:
    """Return the shade of each cell from `count_separated`.

    2: better than some metric and worse than none; 1: better than some and worse than some; 0: better than none.
    """
    return (n_worse > 0) * (1 + (n_better == 0))
