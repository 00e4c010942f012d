"""Angles between bias directions, and models in which Direct Bias is worse than SAME (same-2021 §4.2, §5.2.1)."""

import numpy as np
import pandas as pd

from biassay.statistics import directions
from biassay.studies.same.agreement import SIGNED, UNSIGNED
from biassay.studies.same.tables import Grid

MIN_R2 = 0.6  # §5.2.1 compares the models in which SAME has at least this R²
SIMILAR_BELOW, WORSE_ABOVE = 0.25, 0.4  # limits of the difference of R², SAME minus Direct Bias
PARTS = ["difference", "due_to_sign", "due_to_direction"]
CATEGORIES = {
    "similar": f"Direct Bias similar (difference < {SIMILAR_BELOW})",
    "between": f"between ({SIMILAR_BELOW} to {WORSE_ABOVE})",
    "worse": f"Direct Bias worse (difference > {WORSE_ABOVE})",
}


def bias_directions(groups: list[np.ndarray], kinds: np.ndarray) -> dict[str, np.ndarray]:
    """Compute unit directions (d,) towards the first of two groups (t, d).

    `mean` is SAME's direction, `principal` that of Direct Bias; the others use only the sentences with one kind of
    pronoun, by `kinds` (t,). Undefined directions are left out.
    """
    parts = {"mean": groups}
    parts |= {str(kind): [group[kinds == kind] for group in groups] for kind in dict.fromkeys(kinds)}
    means = {name: directions.contrasts(part) for name, part in parts.items()}
    by_name = {name: contrasts[0, 1] for name, contrasts in means.items() if contrasts}
    component = directions.principal_components(groups, 1)
    return by_name | ({"principal": component[0]} if len(component) else {})


def summarise_angles(grid: Grid, table: pd.DataFrame) -> pd.DataFrame:
    """Summarise the angles between pairs of bias directions over the models that learned their bias.

    A direction has no sign, so angles are folded to at most 90°.
    """
    table = table[table["model"].isin(grid.learned_models.index)]
    folded = table.assign(angle=np.minimum(table["angle"], 180 - table["angle"]))
    summary = folded.groupby(["first", "second"], sort=False)["angle"].agg(["count", "mean", "std", "min", "max"])
    return summary.rename(columns={"count": "models", "mean": "angle_mean"}).reset_index()


def compare_with_direct_bias(grid: Grid, correlations: pd.DataFrame, angles: pd.DataFrame) -> pd.DataFrame:
    """Compare the R² of SAME and Direct Bias with the training bias, by model that learned its bias (Figures 7 and 8).

    The difference is the paper's: SAME with the signed minus Direct Bias with the unsigned ground truth. It is the sum
    of due_to_sign (SAME minus |SAME|) and due_to_direction (|SAME| minus Direct Bias, both with the unsigned one).
    angle is that between the directions "principal" and "mean"; category is "" if the R² of SAME is below MIN_R2.
    """
    is_pair = [{*pair} == {"mean", "principal"} for pair in zip(angles["first"], angles["second"], strict=True)]
    angle = angles[is_pair].set_index("model")["angle"]
    trained = correlations[correlations["against"] == "training"]
    keys = {"r2_same": (SIGNED, "same"), "r2_same_unsigned": (UNSIGNED, "same"),
            "r2_direct_bias": (UNSIGNED, "direct_bias")}  # fmt: skip
    models = grid.learned_models.index
    wide = trained.pivot(index="model", columns=["ground_truth", "metric"], values="r2").reindex(models)
    r2 = pd.DataFrame({name: wide.get(key, np.nan) for name, key in keys.items()}, index=models)
    difference = r2["r2_same"] - r2["r2_direct_bias"]
    conditions = [difference < SIMILAR_BELOW, difference > WORSE_ABOVE, difference.notna()]
    category = np.select(conditions, ["similar", "worse", "between"], "")
    return r2.assign(
        difference=difference,
        due_to_sign=r2["r2_same"] - r2["r2_same_unsigned"],
        due_to_direction=r2["r2_same_unsigned"] - r2["r2_direct_bias"],
        angle=np.minimum(angle, 180 - angle).reindex(models),
        category=np.where(r2["r2_same"] >= MIN_R2, category, ""),
    ).reset_index()


def summarise_categories(models: pd.DataFrame) -> pd.DataFrame:
    """Summarise the table of `compare_with_direct_bias` by category (§5.2.1).

    example_model: the one with the lower median of the difference; note: why a category is empty.
    """
    rows, n_models = [], (models["r2_same"] >= MIN_R2).sum()
    for category, description in CATEGORIES.items():
        of_category = models[(models["category"] == category) & models["angle"].notna()]
        angles, ordered = of_category["angle"], of_category.sort_values("difference", kind="stable")["model"]
        note = "" if len(angles) else f"none of the {n_models} models in which SAME has R² ≥ {MIN_R2}"
        if models["difference"].isna().all():
            note = "not computable: needs the metrics same and direct_bias, and models that learned their bias"
        rows.append(
            {"category": category, "description": description, "models": len(angles), "angle_mean": angles.mean(),
             "angle_std": angles.std(), **of_category[PARTS].mean().to_dict(),
             "example_model": ordered.iloc[(len(ordered) - 1) // 2] if len(ordered) else pd.NA, "note": note}
        )  # fmt: skip
    return pd.DataFrame(rows)
