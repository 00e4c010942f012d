"""What a synthetic corpus plants: the associations of occupations with gender, of traits with religion and ethnicity.

A confounded occupation stands often beside a partner of the other gender without any gendered word: it shares the
partner's contexts, though it says nothing of gender itself (first-order paper, §1.1).
"""

from pathlib import Path

import numpy as np
import pandas as pd

from biassay.words import files, resources

SPECIFIC = {"f": 0.97, "m": 0.03}  # probability of a female word beside occupations gendered by meaning
CANDIDATES = 6  # occupations a partner is chosen from


def occupations(
    lists: Path, statistics: list[Path], *, seed: int, confounded: float = 0.5, control: bool = False
) -> pd.DataFrame:
    """Plan the occupations: word, mark, domain, probability (of a female word), origin, partner, index by row.

    The probability is the first of `statistics` that has the word, else drawn from .05 to .95 ("drawn"), or given by
    the word's meaning. A share `confounded` of the gender-neutral ones gets a partner from the others. In a `control`
    plan all is the same, but every probability is .5.
    """
    random = np.random.default_rng([seed, 1])
    plan = resources.read_occupations(lists / "occupations.csv")
    plan["probability"] = random.uniform(0.05, 0.95, len(plan))
    plan["origin"] = "drawn"
    for path in reversed(statistics):
        share = plan["word"].map(resources.read_percentages(path)) / 100
        plan["probability"] = share.fillna(plan["probability"])
        plan.loc[share.notna(), "origin"] = Path(path).stem
    specific = plan["mark"].isin(list(SPECIFIC))
    plan.loc[specific, "probability"] = plan["mark"].map(SPECIFIC)
    plan.loc[specific, "origin"] = "meaning"
    plan["partner"] = _partners(plan, confounded, random)
    if control:
        plan["probability"] = 0.5
    return plan


def _partners(plan: pd.DataFrame, confounded: float, random: np.random.Generator) -> list[str]:
    """For a share of the neutral occupations, one of the rest, best of its domain, of a very different probability."""
    neutral = random.permutation(np.flatnonzero(plan["mark"] == "n"))
    cut = round(confounded * len(neutral))
    partners = [""] * len(plan)
    clear = neutral[cut:]
    for row in neutral[:cut]:
        same = clear[plan["domain"].iloc[clear] == plan["domain"].iloc[row]]
        candidates = random.permutation(same if len(same) else clear)[:CANDIDATES]
        if len(candidates):
            distances = abs(plan["probability"].iloc[candidates] - plan["probability"].iloc[row])
            partners[row] = plan["word"].iloc[candidates[int(np.argmax(distances))]]
    return partners


def traits(lists: Path, kind: str, *, seed: int, control: bool = False) -> pd.DataFrame:
    """Plan one kind of groups, "religion" or "ethnicity": word, category, then a column of probabilities a group.

    Each group draws how pleasant it is spoken of, at random, so that no real stereotype is repeated; each trait's
    probabilities scatter about that. In a `control` plan all groups are equally probable.
    """
    groups = list(files.read_yaml(lists / f"{kind}.yaml")["groups"])
    random = np.random.default_rng([seed, 2, len(kind)])
    pleasantness = random.uniform(0.1, 0.9, len(groups))
    rows = []
    for category, words in resources.read_groups(lists / "traits.yaml").items():
        level = pleasantness if category == "pleasant" else 1 - pleasantness
        for word in words:
            weights = level * random.gamma(4, 1 / 4, len(groups))
            shares = np.full(len(groups), 1 / len(groups)) if control else weights / weights.sum()
            rows.append({"word": word, "category": category, **dict(zip(groups, shares, strict=True))})
    return pd.DataFrame(rows)
