"""Selection of the two groups of a bias in which the generator planted the most different associations."""

import dataclasses

import pandas as pd

from biassay.words.target_lists import Lists


def measure_leanings(lists: Lists, ground_truth: pd.DataFrame) -> pd.Series:
    """Measure how strongly each group is planted towards the first target list, from the ground truth of a corpus.

    Returns, by group, the mean planted probability in the context of the first target list minus that of the second.
    """
    target_of = {word: target for target, words in lists.targets.items() for word in words}
    rows = ground_truth[ground_truth["word"].isin(list(target_of)) & ground_truth["group"].isin(list(lists.groups))]
    means = rows.groupby(["group", rows["word"].map(target_of)])["probability"].mean().unstack()
    means = means.reindex(index=list(lists.groups), columns=list(lists.targets))
    missing_groups = means.index[means.isna().any(axis=1)]
    if len(missing_groups):
        planted_groups = ", ".join(dict.fromkeys(ground_truth["group"]))
        raise ValueError(
            f"choose: ground_truth: nothing is planted for the group {missing_groups[0]!r} and these targets; "
            f"the corpus has the groups {planted_groups}"
        )
    return means.iloc[:, 0] - means.iloc[:, 1]


def select_groups(lists: Lists, ground_truth: pd.DataFrame) -> Lists:
    """Select the two groups with the smallest and the largest leaning; they keep the order of the file."""
    leanings = measure_leanings(lists, ground_truth)
    if not leanings.max() > leanings.min():
        raise ValueError("choose: ground_truth: all groups have the same planted probabilities")
    selected = {leanings.idxmin(), leanings.idxmax()}
    groups = {group: words for group, words in lists.groups.items() if group in selected}
    return dataclasses.replace(lists, groups=groups, choose=False)
