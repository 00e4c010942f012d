"""What several seeds say together: means and spreads over them, and how often an order of two contenders holds."""

from collections.abc import Mapping
from itertools import combinations

import numpy as np
import pandas as pd

from biassay.numerics import paired_tests
from biassay.numerics import statistics as stats
from biassay.studies.seeds.tables import Table

ORDER = ["first", "second", "n_seeds", "difference", "std", "n_first_ahead", "n_second_ahead", "is_consistent"]
OVER_CASES = ["n", "clusters", "low", "high", "p", "p_holm"]
MELTED = "a value"  # no table's column is called so
DECIMALS = 6  # so that rounding makes no difference between metrics that differ by a factor


def gather(tables: Mapping[int, pd.DataFrame], table: Table) -> pd.DataFrame:
    """A row a seed, keys, contender, case and `quantity` (one of the values' columns), with its `value`.

    Values that are NaN are left out, and models that a column `kept` says are not. Raises ValueError for a table that
    has a row twice.
    """
    index, parts = [*table.keys, *table.contenders, *table.cases], []
    for seed, found in tables.items():
        found = found[found["learned"]] if "learned" in found else found
        if found.duplicated(index).any():
            raise ValueError(f"seed {seed}: several rows have the same {', '.join(index)}")
        long = (
            found[[*index, *table.values]]
            .melt(index, var_name="quantity", value_name=MELTED)
            .rename(columns={MELTED: "value"})
        )
        parts.append(long.assign(seed=seed))
    return pd.concat(parts, ignore_index=True).dropna(subset="value")


def by_seed(values: pd.DataFrame, table: Table) -> pd.DataFrame:
    """The rows of `gather` with the mean over a seed's cases."""
    index = ["quantity", *table.keys, *table.contenders, "seed"]
    return values.groupby(index, sort=False, dropna=False)["value"].mean().reset_index()


def summarise(values: pd.DataFrame, table: Table) -> pd.DataFrame:
    """Over the seeds of each row of `by_seed`: seeds, mean, std between them (ddof 1; NaN for one), min and max."""
    index = ["quantity", *table.keys, *table.contenders]
    over = by_seed(values, table).groupby(index, sort=False, dropna=False)["value"]
    return over.agg(["count", "mean", "std", "min", "max"]).rename(columns={"count": "n_seeds"}).reset_index()


def pairwise(values: pd.DataFrame, table: Table) -> pd.DataFrame:
    """Each two contenders, with what they are called joined by spaces, where both have a value of the same seeds.

    seeds: how many; difference: its mean over them, first less second; std between them (ddof 1); first_ahead and
    second_ahead: in how many of the seeds; holds: True if one of the two is ahead in all of several seeds. For a table
    with cases also n cases of all seeds, and of their mean difference the interval and p of `paired_tests.compare`, the
    clusters within a seed taken as wholes; p_holm: corrected for the rows of the same quantity and keys.
    """
    parts, keys = [], ["against" if key in ORDER else key for key in table.keys]  # intrinsic's is called `first`, too
    names = [" ".join(map(str, one)) for one in values[list(table.contenders)].itertuples(index=False)]
    for of, part in values.assign(contender=names).groupby(["quantity", *table.keys], sort=False, dropna=False):
        wide = part.pivot_table(index="seed", columns="contender", values="value", sort=False).round(DECIMALS)
        rows = [
            [first, second, *_order(differences)]
            for first, second in combinations(wide, 2)
            if len(differences := (wide[first] - wide[second]).dropna().to_numpy())
        ]
        found = pd.DataFrame(rows, columns=ORDER)
        if table.cases:
            found = found.merge(_compared(part, table), on=["first", "second"])
        for column, value in reversed(list(zip(["quantity", *keys], of, strict=True))):
            found.insert(0, column, value)
        parts.append(found)
    if not parts:  # no seed has a value, as where no model was kept
        return pd.DataFrame(columns=["quantity", *keys, *ORDER, *(OVER_CASES if table.cases else [])])
    return pd.concat(parts, ignore_index=True)


def _order(differences: np.ndarray) -> list:
    n, first, second = len(differences), int((differences > 0).sum()), int((differences < 0).sum())
    spread = differences.std(ddof=1) if n > 1 else np.nan
    return [n, differences.mean(), spread, first, second, n > 1 and n in (first, second)]


def _compared(part: pd.DataFrame, table: Table) -> pd.DataFrame:
    wide = part.pivot(index=["seed", *table.cases], columns="contender", values="value").round(DECIMALS)
    cluster = wide.index.get_level_values(table.cases[-1])
    clusters = [f"{seed} {name}" for seed, name in zip(wide.index.get_level_values("seed"), cluster, strict=True)]
    names = part["contender"].unique()
    found = paired_tests.compare({name: wide[name].to_numpy() for name in names}, clusters)
    return found.assign(p_holm=stats.correct_holm(found["p"].to_numpy(float)))[["first", "second", *OVER_CASES]]
