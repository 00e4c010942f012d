"""Summaries of a table over several seeds: means, spreads, and the consistency of pairwise orders."""

from collections.abc import Mapping
from itertools import combinations

import numpy as np
import pandas as pd
from scipy import stats

from biassay.studies import ranking
from biassay.studies.seeds.tables import Table

ORDER = ["first", "second", "n_seeds", "difference", "std", "n_first_ahead", "n_second_ahead", "is_consistent"]
OVER_CASES = ["n", "clusters", "low", "high", "p", "p_holm"]
MELTED = "a value"  # no table has a column of this name
DECIMALS = 6  # metrics that differ by a factor must not differ by rounding


def gather_values(tables: Mapping[int, pd.DataFrame], table: Table) -> pd.DataFrame:
    """Gather the values of all seeds, from the table of each.

    Returns one row per seed, key, contender, case and `quantity` (a column of values), with its `value`. Rows without a
    value are left out, and rows whose column `learned` is false.
    """
    index, parts = [*table.keys, *table.contenders, *table.cases], []
    for seed, rows in tables.items():
        rows = rows[rows["learned"]] if "learned" in rows else rows
        if rows.duplicated(index).any():
            raise ValueError(f"seed {seed}: several rows have the same {', '.join(index)}")
        long = rows[[*index, *table.values]].melt(index, var_name="quantity", value_name=MELTED)
        long = long.rename(columns={MELTED: "value"})
        parts.append(long.assign(seed=seed))
    return pd.concat(parts, ignore_index=True).dropna(subset="value")


def average_cases(values: pd.DataFrame, table: Table) -> pd.DataFrame:
    """Average the rows of `gather_values` over the cases of each seed."""
    index = ["quantity", *table.keys, *table.contenders, "seed"]
    return values.groupby(index, sort=False, dropna=False)["value"].mean().reset_index()


def summarise(values: pd.DataFrame, table: Table) -> pd.DataFrame:
    """Summarise the rows of `gather_values` over seeds: n_seeds, mean, std (ddof 1; NaN for one seed), min and max.

    low and high are the 95 % t interval of the mean over seeds.
    """
    index = ["quantity", *table.keys, *table.contenders]
    groups = average_cases(values, table).groupby(index, sort=False, dropna=False)["value"]
    table = groups.agg(["count", "mean", "std", "min", "max"]).rename(columns={"count": "n_seeds"}).reset_index()
    half = stats.t.ppf(0.975, table["n_seeds"] - 1) * table["std"] / np.sqrt(table["n_seeds"])
    return table.assign(low=table["mean"] - half, high=table["mean"] + half)


def compare_pairs(values: pd.DataFrame, table: Table) -> pd.DataFrame:
    """Compare each pair of contenders on the seeds that have values of both.

    Returns
    -------
    DataFrame
        first, second : the names of the contenders, their columns joined by spaces.
        n_seeds : number of seeds.
        difference, std : mean over seeds of first minus second, and its standard deviation (ddof 1).
        n_first_ahead, n_second_ahead : number of seeds in which one has the larger value.
        is_consistent : whether one has the larger value in all of several seeds.

        For a table with cases, difference is the mean over the cases of all seeds, and the DataFrame also has their
        number n, and the interval and p of `paired_tests.compare_means` (clusters stay within a seed). p_holm is
        corrected over the rows of the same quantity and keys.
    """
    parts, keys = [], ["against" if key in ORDER else key for key in table.keys]  # a key of intrinsic is also `first`
    names = [" ".join(map(str, contender)) for contender in values[list(table.contenders)].itertuples(index=False)]
    groups = values.assign(contender=names).groupby(["quantity", *table.keys], sort=False, dropna=False)
    for group, part in groups:
        index = ["seed", *table.cases]
        wide = part.pivot_table(index=index, columns="contender", values="value", sort=False).round(DECIMALS)
        rows = [
            [first, second, *_describe_order(differences.groupby("seed").mean().to_numpy())]
            for first, second in combinations(wide, 2)
            if len(differences := (wide[first] - wide[second]).dropna())
        ]
        pairs = pd.DataFrame(rows, columns=ORDER)
        if table.cases:
            tests = _compare_cases(part, table)
            pairs = pairs.drop(columns="difference").merge(tests, on=["first", "second"])[[*ORDER, *OVER_CASES]]
        for column, value in reversed(list(zip(["quantity", *keys], group, strict=True))):
            pairs.insert(0, column, value)
        parts.append(pairs)
    if not parts:  # no seed has a value, for example if no model learned
        return pd.DataFrame(columns=["quantity", *keys, *ORDER, *(OVER_CASES if table.cases else [])])
    return pd.concat(parts, ignore_index=True)


def _describe_order(differences: np.ndarray) -> list:
    n, n_first, n_second = len(differences), int((differences > 0).sum()), int((differences < 0).sum())
    std = differences.std(ddof=1) if n > 1 else np.nan
    return [n, differences.mean(), std, n_first, n_second, n > 1 and n in (n_first, n_second)]


def _compare_cases(part: pd.DataFrame, table: Table) -> pd.DataFrame:
    cases = part.groupby(["seed", *table.cases]).ngroup()
    clusters = part["seed"].astype(str) + " " + part[table.cases[-1]].astype(str)
    part = part.assign(model=cases, distribution=clusters)
    tests = ranking.correct_family(ranking.compare_models(part, "contender", "value", DECIMALS, seed=1))
    return tests[["first", "second", "difference", *OVER_CASES]]
