"""What several seeds say together: means and spreads over them, and how often an order of two contenders holds."""

from collections.abc import Mapping
from itertools import combinations

import numpy as np
import pandas as pd

from biassay.studies.seeds.tables import Table


def gather(tables: Mapping[int, pd.DataFrame], table: Table) -> pd.DataFrame:
    """A row a seed, keys, contender and `quantity` (one of the values' columns), with its `value`; NaN are left out.

    Raises ValueError for a table that has a row twice.
    """
    index, parts = [*table.keys, *table.contenders], []
    for seed, found in tables.items():
        if found.duplicated(index).any():
            raise ValueError(f"seed {seed}: several rows have the same {', '.join(index)}")
        long = found[[*index, *table.values]].melt(index, var_name="quantity", value_name="value")
        parts.append(long.assign(seed=seed))
    return pd.concat(parts, ignore_index=True).dropna(subset="value")


def summarise(values: pd.DataFrame, table: Table) -> pd.DataFrame:
    """Over the seeds of each row of `gather`: seeds, mean, std between them (ddof 1; NaN for one), min and max."""
    index = ["quantity", *table.keys, *table.contenders]
    over = values.groupby(index, sort=False, dropna=False)["value"]
    return over.agg(["count", "mean", "std", "min", "max"]).rename(columns={"count": "seeds"}).reset_index()


def orders(values: pd.DataFrame, table: Table) -> pd.DataFrame:
    """Each two contenders, with what they are called joined by spaces, where both have a value of the same seeds.

    seeds: how many; difference: its mean over them, first less second; std between them (ddof 1); first_ahead and
    second_ahead: in how many of the seeds; holds: True if one of the two is ahead in all of several seeds.
    """
    rows = []
    named = values.assign(contender=values[list(table.contenders)].astype(str).agg(" ".join, axis=1))
    for of, part in named.groupby(["quantity", *table.keys], sort=False, dropna=False):
        wide = part.pivot(index="seed", columns="contender", values="value")
        for first, second in combinations(part["contender"].unique(), 2):
            differences = (wide[first] - wide[second]).dropna().to_numpy()
            if len(differences):
                rows.append([*of, first, second, *_order(differences)])
    names = ["first", "second", "seeds", "difference", "std", "first_ahead", "second_ahead", "holds"]
    return pd.DataFrame(rows, columns=["quantity", *table.keys, *names])


def _order(differences: np.ndarray) -> list:
    n, first, second = len(differences), int((differences > 0).sum()), int((differences < 0).sum())
    spread = differences.std(ddof=1) if n > 1 else np.nan
    return [n, differences.mean(), spread, first, second, n > 1 and n in (first, second)]
