"""Which way is bias? Angles between directions, and what Direct Bias loses on SAME: same-2021 §4.2 and §5.2.1."""

import numpy as np
import pandas as pd

from biassay.studies.same.agreement import SIGNED, UNSIGNED
from biassay.studies.same.tables import Grid
from biassay.support import registry

SEES = 0.6  # §5.2.1: models whose bias SAME sees, by R², and by how much less Direct Bias then sees of it
SIMILAR, WORSE = 0.25, 0.4
PARTS = ["difference", "due_to_sign", "due_to_direction"]
GROUPS = {
    "similar": f"Direct Bias similar (difference < {SIMILAR})",
    "between": f"between ({SIMILAR} to {WORSE})",
    "worse": f"Direct Bias worse (difference > {WORSE})",
}


def directions(grid: Grid, table: pd.DataFrame) -> pd.DataFrame:
    """Angles between bias directions over the kept models: first, second, models, mean, std (ddof 1), min, max.

    A direction has no sign, so angles are folded to at most 90°.
    """
    table = table[table["model"].isin(grid.learned_models.index)]
    folded = table.assign(angle=np.minimum(table["angle"], 180 - table["angle"]))
    found = folded.groupby(["first", "second"], sort=False)["angle"].agg(["count", "mean", "std", "min", "max"])
    return found.rename(columns={"count": "models"}).reset_index()


def differences(grid: Grid, correlations: pd.DataFrame, angles: pd.DataFrame) -> pd.DataFrame:
    """F7, F8: a row a kept model: R² with training bias of SAME (signed ground truth) and of Direct Bias (unsigned
    ground truth), their difference, the angle between the directions "principal" and "mean", and the group ("" if
    SAME's R² is below SEES).

    The difference is the paper's, of two ground truths. It is split at r2_same_unsigned, of |SAME| with the unsigned
    ground truth: due_to_sign is what the sign tells, due_to_direction what the other direction loses on the same ground truth.
    Raises ValueError if the angles lack.
    """
    pairs = np.array([" and ".join(sorted(pair)) for pair in angles[["first", "second"]].itertuples(index=False)])
    chosen = angles[pairs == "mean and principal"].set_index("model")["angle"]
    if not len(chosen) or chosen.index.duplicated().any():
        known = sorted(set(pairs))
        raise ValueError(
            registry.describe_unknown("directions.csv: need one angle a model between", "mean and principal", known)
        )
    trained = correlations[correlations["against"] == "training"]
    wanted = {"r2_same": (SIGNED, "same"), "r2_same_unsigned": (UNSIGNED, "same"),
              "r2_direct_bias": (UNSIGNED, "direct_bias")}  # fmt: skip
    wide = trained.pivot(index="model", columns=["ground_truth", "metric"], values="r2").reindex(
        grid.learned_models.index
    )
    found = pd.DataFrame({name: wide.get(key, np.nan) for name, key in wanted.items()}, index=grid.learned_models.index)
    gap = found["r2_same"] - found["r2_direct_bias"]
    group = np.select([gap < SIMILAR, gap > WORSE, gap.notna()], ["similar", "worse", "between"], "")
    return found.assign(
        difference=gap,
        due_to_sign=found["r2_same"] - found["r2_same_unsigned"],
        due_to_direction=found["r2_same_unsigned"] - found["r2_direct_bias"],
        angle=np.minimum(chosen, 180 - chosen).reindex(found.index),
        category=np.where(found["r2_same"] >= SEES, group, ""),
    ).reset_index()


def angle_groups(models: pd.DataFrame) -> pd.DataFrame:
    """The table of §5.2.1, from `differences`: group, models, mean and standard deviation (ddof 1) of the angle, means
    of the difference and its parts, example, note.

    example: the model of the group's lower median of the difference. An empty group has a row with a note.
    """
    rows, sees = [], (models["r2_same"] >= SEES).sum()
    for group, label in GROUPS.items():
        of_group = models[(models["category"] == group) & models["angle"].notna()]
        angles, ordered = of_group["angle"], of_group.sort_values("difference", kind="stable")["model"]
        note = "" if len(angles) else f"none of the {sees} kept models where SAME has R² ≥ {SEES}"
        if models["difference"].isna().all():
            note = "not computable: needs scores of same and direct_bias of kept models"
        rows.append(
            {"category": group, "description": label, "models": len(angles), "angle_mean": angles.mean(),
             "angle_std": angles.std(), **of_group[PARTS].mean().to_dict(),
             "example_model": ordered.iloc[(len(ordered) - 1) // 2] if len(ordered) else pd.NA, "note": note}
        )  # fmt: skip
    return pd.DataFrame(rows)
