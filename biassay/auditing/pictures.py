"""Coordinates of a test's pictures: words between the groups, null distributions, variants, silhouettes."""

from collections.abc import Iterable, Iterator
from itertools import zip_longest

import numpy as np
import pandas as pd

from biassay.auditing import numbers
from biassay.auditing.findings import ASSOCIATION, NULLS, QUANTILES, name_nulls
from biassay.auditing.sections import Section

WIDTH = 340  # of pictures of dots, in pixels
RADIUS = {"words": 2.5, "quantiles": 4.0}  # of dots, in pixels


def stack_dots(shares: np.ndarray, radius: float, texts: Iterable[str] = ()) -> tuple[list[tuple], float]:
    """Return x, y and text of dots at shares (n,) of the width, stacked where they would overlap, and the height."""
    columns = np.round(np.asarray(shares) * (_n_columns(radius) - 1)).astype(int)
    levels = pd.Series(columns).groupby(columns).cumcount().to_numpy()
    height = 2 * radius * (levels.max() + 1)
    xs, ys = radius * (1 + 2 * columns), height - radius * (1 + 2 * levels)
    return list(zip_longest(xs.round(1).tolist(), ys.round(1).tolist(), texts, fillvalue="")), float(height)


def place(share: float, radius: float) -> float:
    """Return the coordinate of a share of the width where dots of a radius are stacked."""
    return round(float(radius * (1 + 2 * share * (_n_columns(radius) - 1))), 1)


def _n_columns(radius: float) -> int:
    return int(WIDTH / (2 * radius))


def word_strips(section: Section, show_words: bool = False) -> dict | None:
    """Return the target words of each list by their value: ends of the scale, the place of b_0, and a strip per list.

    Names and slurs have no text unless `show_words`. None without values.
    """
    words = section.words[np.isfinite(section.words["value"].astype(float))]
    if words.empty:
        return None
    is_signed, radius = (words["nearer_group"] != "").any(), RADIUS["words"]
    low, high, b_0 = words["value"].min(), words["value"].max(), words["b_0"].iloc[0]
    if is_signed:
        reach = max(b_0 - low, high - b_0)
        low, high = b_0 - reach, b_0 + reach
    spread = (high - low) or 1.0
    groups = words.groupby("nearer_group")["value"].mean().drop("", errors="ignore").sort_values().index.tolist()
    if is_signed and len(groups) == 1:  # no word is nearer to the other one
        named = section.lists.loc[section.lists["side"] == "groups", "list"]
        groups += named[named != groups[0]].tolist()
        groups = groups if words["value"].mean() < b_0 else groups[::-1]
    strips = []
    for name, rows in words.groupby("list", sort=False):
        texts = [
            f"{row.word} {numbers.number(row.value)}" if show_words or not row.sensitive else ""
            for row in rows.itertuples()
        ]
        dots, height = stack_dots((rows["value"] - low) / spread, radius, texts)
        sides = {group: int((rows["nearer_group"] == group).sum()) for group in reversed(groups)}
        strips.append(
            {"name": name, "dots": dots, "height": height, "sides": sides, "n": len(rows),
             "median": rows["value"].median()}
        )  # fmt: skip
    ends = (groups[0], groups[-1]) if len(groups) > 1 else None
    return {"ends": ends, "low": low, "high": high, "neutral": place((b_0 - low) / spread, radius), "strips": strips}


def null_dots(section: Section) -> Iterator[dict]:
    """Yield, for each metric that compares groups with targets, 20 dots per null distribution and the value's place.

    Each dot stands for 5 % of the samples. reach: distance at the end of the axis. n_beyond: dots at least as far from
    no bias as the value.
    """
    radius = RADIUS["quantiles"]
    for row in section.metrics[section.metrics["sides"] == ASSOCIATION].itertuples():
        distance = abs(row.value - (0.0 if pd.isna(row.b_0) else row.b_0))
        of_metric = section.nulls[(section.nulls["metric"] == row.metric) & (section.nulls["level"] == row.level)]
        nulls = {}
        for (p, null), name in zip(NULLS.items(), name_nulls(row.permutation_test), strict=True):
            far = of_metric.loc[of_metric["null"] == null, "distance"].to_numpy(float)
            if len(far) == len(QUANTILES) and not np.isnan(getattr(row, p)):
                nulls[name] = far
        if not nulls:
            continue
        reach = max(distance, *(far.max() for far in nulls.values())) or 1.0
        strips = []
        for name, far in nulls.items():
            dots, height = stack_dots(far / reach, radius)
            n_beyond = int((far >= distance - 1e-9).sum())
            strips.append({"name": name, "dots": dots, "height": height, "n_beyond": n_beyond})
        place_of_value = place(distance / reach, radius)
        yield {"row": row, "distance": distance, "reach": reach, "place": place_of_value, "strips": strips}


def variant_dots(section: Section) -> Iterator[dict]:
    """Yield, for each metric with variants, the lowest and the highest value, their names, and places of all values."""
    radius, values = RADIUS["quantiles"], dict(zip(section.metrics["metric"], section.metrics["value"], strict=True))
    for metric, rows in section.variants.dropna(subset="value").groupby("metric", sort=False):
        value, every = values[metric], [values[metric], *rows["value"]]
        low, spread = min(every), (max(every) - min(every)) or 1.0
        texts = [f"{row.variant} {numbers.number(row.value)}" for row in rows.itertuples()]
        dots, height = stack_dots((rows["value"] - low) / spread, radius, texts)
        yield {
            "metric": metric, "dots": dots, "height": height,
            "place": place((value - low) / spread, radius), "value": value, "low": rows.loc[rows["value"].idxmin()],
            "high": rows.loc[rows["value"].idxmax()],
        }  # fmt: skip


def silhouettes(section: Section) -> list[dict]:
    """Return silhouettes of two sizes or more: metric, growing side, lowest and highest value, and rows.

    In the rows, sizes (x) and values are shares of their range.
    """
    curves = []
    for (metric, growing), rows in section.silhouettes.dropna(subset="min").groupby(["metric", "growing"], sort=False):
        if len(rows) < 2:
            continue
        low, high, n_words = rows["min"].min(), rows["max"].max(), rows["n_words"]
        scaled = (rows[["min", "max", "mean"]] - low) / ((high - low) or 1)
        scaled = scaled.assign(n_words=n_words, x=(n_words - n_words.min()) / np.ptp(n_words))
        curves.append(
            {"metric": metric, "growing": growing, "low": low, "high": high, "rows": scaled.to_dict("records")}
        )
    return curves
