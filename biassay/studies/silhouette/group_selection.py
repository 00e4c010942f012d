"""The two groups that are compared, chosen by what a generator planted."""

import dataclasses

import pandas as pd

from biassay.words.target_lists import Lists


def leanings(lists: Lists, ground_truth: pd.DataFrame) -> pd.Series:
    """How far a generator planted each group towards the first target: its mean probability beside the first
    target's words, less that beside the second's. `ground_truth` is the corpus's ground_truth.csv.

    Raises ValueError for a group that the corpus has nothing of.
    """
    of = {word: target for target, words in lists.targets.items() for word in words}
    rows = ground_truth[ground_truth["word"].isin(list(of)) & ground_truth["group"].isin(list(lists.groups))]
    means = rows.groupby(["group", rows["word"].map(of)])["probability"].mean().unstack()
    means = means.reindex(index=list(lists.groups), columns=list(lists.targets))
    lacking = means.index[means.isna().any(axis=1)]
    if len(lacking):
        known = ", ".join(dict.fromkeys(ground_truth["group"]))
        raise ValueError(
            f"choose: truth: nothing is planted about {lacking[0]!r} and the targets; it is about: {known}"
        )
    return means.iloc[:, 0] - means.iloc[:, 1]


def most_different(lists: Lists, ground_truth: pd.DataFrame) -> Lists:
    """The lists with the two groups that lean most differently, in the order of the file, the first of equal ones.

    Raises ValueError as `leanings` does, and if all lean alike.
    """
    leaning = leanings(lists, ground_truth)
    if not leaning.max() > leaning.min():
        raise ValueError("choose: truth: all groups are planted alike")
    chosen = {leaning.idxmin(), leaning.idxmax()}
    groups = {group: words for group, words in lists.groups.items() if group in chosen}
    return dataclasses.replace(lists, groups=groups, choose=False)
