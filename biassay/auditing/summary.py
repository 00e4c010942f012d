"""The conclusion of a test in words: how many metrics find an association, and how far the board trusts them."""

import pandas as pd

from biassay.auditing.scoring import ASSOCIATION, FOUND, NOISE, UNDEFINED
from biassay.auditing.trust import CARE, TRUSTED
from biassay.auditing.word_lists import UsedWords

COLUMNS = ["source", "test", "title", "n_words", "n_metrics", "n_found", "n_counted", "n_counted_found", "conclusion"]


def summarize(used: UsedWords, table: pd.DataFrame, verdicts: pd.DataFrame) -> dict:
    """Return a row of the summary: numbers of metrics that find an association, and the conclusion.

    Only metrics that compare groups with targets are included. The conclusion counts those that the board trusts; if
    there are none, those to be used with care; if there are none either, all.
    """
    question = used.question
    rows = table[(table["test"] == question.name) & (table["sides"] == ASSOCIATION) & (table["finding"] != UNDEFINED)]
    row_verdicts = rows["metric"].map(dict(zip(verdicts["metric"], verdicts["verdict"], strict=True)))
    if (row_verdicts == TRUSTED).any():
        counted, kind = rows[row_verdicts == TRUSTED], "trusted metrics"
    elif (row_verdicts == CARE).any():
        counted, kind = rows[row_verdicts == CARE], "metrics rated “with care”"
    else:
        counted, kind = rows, "metrics"
    positive = counted[counted["finding"] == FOUND]
    return {
        "source": table["source"].iloc[0], "test": question.name, "title": question.title,
        "n_words": sum(len(words) for lists in (used.groups, used.targets) for words in lists.values()),
        "n_metrics": len(rows), "n_found": int((rows["finding"] == FOUND).sum()), "n_counted": len(counted),
        "n_counted_found": len(positive), "conclusion": _conclusion(rows, counted, positive, kind),
    }  # fmt: skip


def _conclusion(rows: pd.DataFrame, counted: pd.DataFrame, positive: pd.DataFrame, kind: str) -> str:
    if counted.empty:
        return "no metric has a value"
    if 0 < 4 * len(positive) <= len(counted):
        verb = "finds" if len(positive) == 1 else "find"
        count = f"{len(positive)} of {len(counted)} {kind}"
        return f"only {', '.join(positive['metric'])} {verb} an association ({count})"
    if len(positive):
        directions = [text for text in dict.fromkeys(positive["direction"]) if " nearer " in text]
        direction = f"; {directions[0]}" if len(directions) == 1 else ""
        return f"association found by {len(positive)} of {len(counted)} {kind}{direction}"
    others = rows[(rows["finding"] == FOUND) & ~rows["metric"].isin(counted["metric"])]["metric"].tolist()
    n_noise = int((counted["finding"] == NOISE).sum())
    text = f"no association found by any of {len(counted)} {kind}"
    if n_noise:
        text += f" ({n_noise} found one that random words give too)"
    if others:
        text += f"; found only by metrics that the board trusts less: {', '.join(others)}"
    return text
