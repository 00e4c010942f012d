"""Measurement cards: what a metric measures, and how well, from its declaration and the cells of a board."""

import inspect
import json
from pathlib import Path

import numpy as np
import pandas as pd

from biassay.core import csv_tables, registry
from biassay.measurement import metric as metrics
from biassay.measurement.metric import ENTRIES, TAKES
from biassay.measurement.ranges import describe_groups, describe_level
from biassay.report.rendering import render_page
from biassay.statistics.intervals import judge_rate
from biassay.studies.board import page
from biassay.studies.board.board import read_board, recommend_metrics
from biassay.studies.board.criteria import BY_KEY, FOLDER, NOMINAL, YES, read_uses
from biassay.words import references

SECTIONS = {  # of a card, with the criteria of the board that they show
    "Reliability": (
        "test_retest", "internal_consistency", "retraining_variability", "sign_flip_rate", "subsampling_variability",
        "robustness", "words_needed", "seeds",
    ),
    "False positives": ("false_positive_rate", "false_positive_rate_targets"),
    "Power": ("power", "power_targets", "auc"),
    "Frequency dependence": ("frequency_dependence",),
    "Minimum detectable effect": ("min_detectable_effect", "min_detectable_dose"),
    "Agreement with known bias": (
        "recovery", "accuracy", "relative_accuracy", "signed", "unsigned", "sets", "groups_gender", "groups_ethnicity",
        "groups_religion", "ranking_planted", "ranking", "labor", "census", "planted_words",
    ),
    "Properties": ("comparable", "trustworthy", "skew_sensitive", "stereotype_sensitive"),
}  # fmt: skip
SHIPPED = (
    "biassay's own board: seed 1, generated text of 2 million words, language models of bert-tiny's size. On your "
    "models and words the numbers can differ"
)
SEEDS = "metric criterion quantity n_seeds mean std"


def make_card(metric: str, board: str | Path | None = None) -> dict:
    """Return the measurement card of a metric as plain values, with None for missing numbers.

    Parameters
    ----------
    metric : name of a metric, or the path of a user's own, whose name on the board is that of the file.
    board : path of a board.csv; the seeds.csv beside it, if there is one, has means over seeds. biassay's own board if
        missing, which has no metrics of users.

    Raises
    ------
    ValueError
        If the metric is unknown, or a file is damaged.
    """
    path, is_own = Path(board or FOLDER / "board.csv"), metric.endswith(".py")
    table, seeds = read_board(str(path)), _read_seeds(path.with_name("seeds.csv"))
    if board and metric in set(table["metric"]) - set(registry.names("metrics")):
        raise ValueError(f"{path}: biassay has no metric {metric!r}; for one of yours, give its file ({metric}.py)")
    module = metrics.load(metric)
    declared, name = module.METRIC, Path(metric).stem if is_own else metric
    rows = table[(table["metric"] == name) & (board is not None or not is_own)].set_index("criterion")
    is_of_vectors = declared.takes not in ENTRIES
    absence = "the board has no row for it" if is_of_vectors else f"it takes {TAKES[declared.takes]}, the board vectors"
    about, _, formula = (inspect.getdoc(module) or declared.summary).partition("\n\n")
    return {
        "metric": name,
        "construct": {"question": about, "formula": inspect.cleandoc(formula), "value": declared.summary,
                      "source": declared.source, "papers": [_describe_paper(key) for key in declared.cite]},
        "intended_use": {
            "takes": TAKES[declared.takes],
            "models": list(declared.models) if declared.takes == "language_model" else [],
            "groups": describe_groups(declared), "is_paired": declared.paired, "is_on_board": len(rows) > 0,
            "questions": [use.question for use in read_uses() if len(rows) and name in recommend_metrics(table, use)],
        },
        "when_not_to_use": declared.avoid,
        "range_and_ideal_value": {level: describe_level(declared, level) for level in declared.levels},
        "measured": {
            title: [_describe_cell(key, rows, seeds[seeds["metric"] == name], absence) for key in keys]
            for title, keys in SECTIONS.items()
        },
        "board": str(board) if board else SHIPPED,
    }  # fmt: skip


def format_markdown(card: dict) -> str:
    """Return a card as Markdown."""
    return render_page("card.md", {"card": card}, package="biassay.studies.board") + "\n"


def format_json(card: dict) -> str:
    """Return a card as JSON."""
    return json.dumps(card, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def _read_seeds(path: Path) -> pd.DataFrame:
    """Read the board over several seeds: one row per metric and criterion; none without the file."""
    if not path.is_file():
        return pd.DataFrame(columns=SEEDS.split())
    table = csv_tables.read(path, SEEDS, csv_tables.column_types(integer="n_seeds", number="mean std?"))
    return table[(table["quantity"] == "value") & (table["n_seeds"] > 1)]


def _describe_cell(key: str, rows: pd.DataFrame, seeds: pd.DataFrame, absence: str) -> dict:
    """Describe a cell of the board: numbers, their texts, and what they are; `missing` says why there are none.

    A cell without a value but with an n was measured. absence: why a metric has no row.
    """
    criterion = BY_KEY[key]
    shown = {name: getattr(criterion, name) for name in ("criterion", "title", "question", "form", "better")}
    shown["seeds"] = None
    for row in seeds[seeds["criterion"] == key].itertuples():
        text = page.format_mean_and_std(key, row.mean, row.std)
        shown["seeds"] = {"mean": _plain(row.mean), "std": _plain(row.std), "n": row.n_seeds, "text": text}
    if key not in rows.index:
        return shown | {"value": None, "missing": f"Not measured: {absence}"}
    cell = rows.loc[key]
    shown |= {name: _plain(cell[name]) for name in ("value", "low", "high", "chance", "p")}
    shown |= {"n": None if pd.isna(cell["n"]) else int(cell["n"]), "unit": _text(cell["unit"])}
    if np.isnan(cell["value"]):
        start = "Not measured" if pd.isna(cell["n"]) else "No value"
        return shown | {"missing": f"{start}: {_text(cell['note'])}"}
    shown |= {"text": page.format_value(key, cell["value"]), "note": _text(cell["note"]), "missing": ""}
    if np.isfinite([cell["low"], cell["high"]]).all() and criterion.better != YES:
        ends = " to ".join(page.format_value(key, cell[end]) for end in ("low", "high"))
        judged = judge_rate(cell["low"], cell["high"]) if criterion.better == NOMINAL else ""
        shown |= {"interval": criterion.interval, "interval_text": f"{ends}, {judged}" if judged else ends}
    return shown


def _describe_paper(key: str) -> dict[str, str]:
    entry = references.find(key)
    return {"key": key, "text": f"{references.format_short(entry)}, {references.plain_title(entry['title'])}",
            "link": references.link(entry)}  # fmt: skip


def _plain(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
