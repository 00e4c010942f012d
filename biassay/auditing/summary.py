"""The conclusion of a test in words: what the metrics found, and how far the board trusts those that did."""

import pandas as pd

from biassay.auditing.lists import Used
from biassay.auditing.scoring import ASSOCIATION, FOUND, NOISE, UNDEFINED
from biassay.auditing.trust import CARE, TRUSTED

COLUMNS = ["source", "test", "title", "words", "metrics", "found", "judges", "found_by_judges", "conclusion"]


def concluded(used: Used, table: pd.DataFrame, judged: pd.DataFrame) -> dict:
    """A row of the summary: how many metrics found an association of groups with targets, of all and of those that the
    board trusts most, and the conclusion. Metrics that do not compare the groups are not counted.
    """
    question = used.question
    rows = table[(table["test"] == question.name) & (table["asks"] == ASSOCIATION) & (table["finding"] != UNDEFINED)]
    verdicts = dict(zip(judged["metric"], judged["verdict"], strict=True))
    trusted = rows[rows["metric"].map(verdicts) == TRUSTED]
    judges, which = (trusted, "trusted metrics") if len(trusted) else (rows, "metrics")
    if trusted.empty and (rows["metric"].map(verdicts) == CARE).any():
        judges, which = rows[rows["metric"].map(verdicts) == CARE], "metrics to be taken with care"
    found = judges[judges["finding"] == FOUND]
    words = sum(len(words) for lists in (used.groups, used.targets) for words in lists.values())
    return {
        "source": table["source"].iloc[0], "test": question.name, "title": question.title, "words": words,
        "metrics": len(rows), "found": int((rows["finding"] == FOUND).sum()), "judges": len(judges),
        "found_by_judges": len(found), "conclusion": _sentence(rows, judges, found, which),
    }  # fmt: skip


def _sentence(rows: pd.DataFrame, judges: pd.DataFrame, found: pd.DataFrame, which: str) -> str:
    """The conclusion in words."""
    if judges.empty:
        return "no metric has a value"
    many = f"{len(found)} of {len(judges)} {which}"
    if 0 < 4 * len(found) <= len(judges):
        return f"only {', '.join(found['metric'])} of {len(judges)} {which} found an association"
    if len(found):
        signs = [text for text in dict.fromkeys(found["of_groups"]) if " nearer " in text]
        direction = f"; {signs[0]}" if len(signs) == 1 else ""
        return f"association found by {many}{direction}"
    others = rows[(rows["finding"] == FOUND) & ~rows["metric"].isin(judges["metric"])]["metric"].tolist()
    noise = int((judges["finding"] == NOISE).sum())
    text = f"no association found by {many.replace('0 of ', 'any of ')}"
    if noise:
        text += f" ({noise} found one no larger than random words give)"
    if others:
        text += f"; {', '.join(others)} found one, but the board trusts them less"
    return text
