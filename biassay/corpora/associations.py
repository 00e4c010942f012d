"""The associations that a synthetic corpus plants: occupations with gender, traits with religion and ethnicity.

A confounded occupation often occurs beside a partner of very different planted probability, mostly of the other gender,
without any gendered word. It then shares the contexts of its partner, although its sentences say nothing about gender
(first-order paper, §1.1).
"""

from pathlib import Path

import numpy as np
import pandas as pd

from biassay.words import files, resources

SPECIFIC = {"f": 0.97, "m": 0.03}  # probability of a female word beside occupations gendered by meaning
N_CANDIDATES = 6  # occupations from which a partner is chosen


def plan_occupations(
    lists: Path, occupation_statistics: list[Path], *, seed: int, confounded: float = 0.5, strength: float = 1.0
) -> pd.DataFrame:
    """Plan the gender bias of the occupations, with one row per occupation.

    Columns: word, mark, domain, probability (of a female word), origin (of the probability: the name of the statistics,
    "meaning", or "random" for a uniform number from 0.05 to 0.95) and partner. The first of the statistics that has an
    occupation sets its probability. `confounded` is the share of the gender-neutral occupations that get a partner.
    `strength`, from 0 to 1, mixes the probabilities with 0.5; at strength 0, an unbiased control, all are 0.5.
    """
    random = np.random.default_rng([seed, 1])
    plan = resources.read_occupations(lists / "occupations.csv")
    plan["probability"] = random.uniform(0.05, 0.95, len(plan))
    plan["origin"] = "random"
    for path in reversed(occupation_statistics):
        share = plan["word"].map(resources.read_percentages(path)) / 100
        plan["probability"] = share.fillna(plan["probability"])
        plan.loc[share.notna(), "origin"] = Path(path).stem
    specific = plan["mark"].isin(list(SPECIFIC))
    plan.loc[specific, "probability"] = plan["mark"].map(SPECIFIC)
    plan.loc[specific, "origin"] = "meaning"
    plan["partner"] = _choose_partners(plan, confounded, random)
    plan["probability"] = strength * plan["probability"] + (1 - strength) * 0.5
    return plan


def _choose_partners(plan: pd.DataFrame, confounded: float, random: np.random.Generator) -> list[str]:
    """Give a share of the neutral occupations a partner of very different probability, if possible of their domain."""
    neutral = random.permutation(np.flatnonzero(plan["mark"] == "n"))
    n_confounded = round(confounded * len(neutral))
    partners = [""] * len(plan)
    unconfounded = neutral[n_confounded:]
    for row in neutral[:n_confounded]:
        same_domain = unconfounded[plan["domain"].iloc[unconfounded] == plan["domain"].iloc[row]]
        candidates = random.permutation(same_domain if len(same_domain) else unconfounded)[:N_CANDIDATES]
        if len(candidates):
            distances = abs(plan["probability"].iloc[candidates] - plan["probability"].iloc[row])
            partners[row] = plan["word"].iloc[candidates[int(np.argmax(distances))]]
    return partners


def plan_traits(lists: Path, attribute: str, *, seed: int, strength: float = 1.0) -> pd.DataFrame:
    """Plan how traits are associated with the groups of a protected attribute, "religion" or "ethnicity".

    Each group gets a random pleasantness, so that no real stereotype is repeated. The probabilities of each trait
    scatter around it; `strength` mixes them with equal ones. Returns one row per trait: word,
    category (pleasant or unpleasant), then the probability of each group.
    """
    groups = list(files.read_yaml(lists / f"{attribute}.yaml")["groups"])
    random = np.random.default_rng([seed, 2, len(attribute)])
    pleasantness = random.uniform(0.1, 0.9, len(groups))
    rows = []
    for category, words in resources.read_groups(lists / "traits.yaml").items():
        level = pleasantness if category == "pleasant" else 1 - pleasantness
        for word in words:
            weights = level * random.gamma(4, 1 / 4, len(groups))
            shares = strength * weights / weights.sum() + (1 - strength) / len(groups)
            rows.append({"word": word, "category": category, **dict(zip(groups, shares, strict=True))})
    return pd.DataFrame(rows)
