"""What tests of metrics against each other say, in sentences: no word of them is written beforehand."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np
import pandas as pd

from biassay.figures import curves

LEVEL = 0.05


class Finding(NamedTuple):
    """A sentence that tables say: a verdict of a study, or the title of one of its results.

    result: path below results/<study>/ without extension, "" for a verdict. test: what is behind it, "" if it only
    describes. n: what was counted, and how many.
    """

    result: str
    sentence: str
    test: str = ""
    n: str = ""


def write(found: Iterable[Finding], path: str) -> None:
    """Write findings as a table: verdicts in order of importance, then titles of results."""
    pd.DataFrame(list(found), columns=Finding._fields).to_csv(path, index=False)


def findings(tests: pd.DataFrame, names: Mapping[str, str]) -> str:
    """Which metrics have more than which, by tests of pairs with p_holm; metrics by name, in the order of telling."""
    tests = tests[tests["p_holm"].notna()]
    if not len(tests):
        return "No two metrics could be compared."
    least = least_possible(tests)
    if least >= LEVEL:
        number = len({*tests["first"], *tests["second"]})
        return (
            f"{tests['clusters'].max()} distributions are too few to show a difference between {number} metrics: after "
            f"Holm's correction no p could be below {curves.decimal(min(least, 1))}."
        )
    found = tests[tests["p_holm"] < LEVEL]
    if not len(found):
        least = p_value(tests["p_holm"].min())
        return f"No difference between them is significant (least {least} after Holm's correction)."
    ahead = np.where(found["difference"] > 0, found["first"], found["second"])
    behind = np.where(found["difference"] > 0, found["second"], found["first"])
    beaten = {name: tuple(other for other in names if other in behind[ahead == name]) for name in names}
    sentences = []
    for group in dict.fromkeys(others for others in beaten.values() if others):
        winners = [name for name in names if beaten[name] == group]
        most = found["p_holm"][np.isin(ahead, winners)].max()
        verb = "has" if len(winners) == 1 else "have"
        sentences.append(
            f"{listed(names[name] for name in winners)} {verb} more than {listed(names[name] for name in group)} "
            f"({p_value(most, most=len(winners) * len(group) > 1)})"
        )
    rest = " No other difference is significant." if len(found) < len(tests) else ""
    return f"{'; '.join(sentences)}, after Holm's correction.{rest}"


def least_possible(tests: pd.DataFrame) -> float:
    """The least p that Holm's correction could leave: a permutation of so few clusters has no smaller one."""
    return len(tests) * 2.0 ** (1 - tests["clusters"].max())


def lead(tests: pd.DataFrame, leader: str, names: Mapping[str, str]) -> str:
    """What tests of pairs, with p_holm, say of one metric's lead, as the end of a sentence; "" if it has no rival."""
    own = tests[((tests["first"] == leader) | (tests["second"] == leader)) & tests["p_holm"].notna()]
    if not len(own):
        return ""
    if least_possible(tests.dropna(subset="p_holm")) >= LEVEL:
        return f"{own['clusters'].max()} distributions are too few to show that any is ahead of another"
    ahead = np.where(own["difference"] > 0, own["first"], own["second"]) == leader
    won = own[ahead & (own["p_holm"] < LEVEL)]
    if not len(won):
        return f"no lead is significant (least {p_value(own['p_holm'].min())})"
    behind = [names[name] for name in names if name != leader and name in {*won["first"], *won["second"]}]
    return f"the lead over {listed(behind)} is significant ({p_value(won['p_holm'].max(), most=len(won) > 1)})"


def top(values: pd.Series) -> tuple[list[str], str]:
    """The names whose value is printed as the largest one is, and how it is printed; no names if all are NaN."""
    printed = values.dropna().map(curves.decimal)
    if not len(printed):
        return [], curves.decimal(np.nan)
    most = printed[values.idxmax()]
    return printed.index[printed == most].tolist(), most


def of_pairs(tests: pd.DataFrame) -> str:
    """How pairs of metrics were tested on distributions as wholes, in words."""
    tests = tests[tests["p_holm"].notna()]
    distributions, pairs = counted(tests["clusters"].max(), "distribution"), counted(len(tests), "pair")
    return f"paired permutation test over {distributions}, Holm's correction for {pairs}"


def significant(tests: pd.DataFrame, families: list[str], what: str) -> str:
    """How many of the tests of pairs show a difference, as the end of a sentence; "" without any. families: the columns
    within which p_holm is corrected."""
    tests = tests[tests["p_holm"].notna()]
    if not len(tests):
        return ""
    if all(least_possible(of) >= LEVEL for _, of in tests.groupby(families)):
        return f"{tests['clusters'].max()} distributions are too few to show that one {what} is ahead of another"
    sure = (tests["p_holm"] < LEVEL).sum()
    least = "" if sure else f" (least {p_value(tests['p_holm'].min())})"
    many = f"{sure or 'none'} of {counted(len(tests), 'difference')} between two {what}s"
    return f"{many} {'are' if sure > 1 else 'is'} significant{least}"


def range_of(values: pd.Series, digits: int) -> str:
    """The least and the largest of values by name: ".12 (MAC) to .47 (WEAT)"; NaN are left out."""
    values = values.dropna()
    ends = dict.fromkeys([values.idxmin(), values.idxmax()])
    return " to ".join(f"{curves.decimal(values[name], digits)} ({name})" for name in ends)


def counted(n: float, what: str) -> str:
    """So many of something: "1 model", "12 models"."""
    return f"{n:.0f} {what}{'' if n == 1 else 's'}"


def listed(names: Iterable[str]) -> str:
    """Names as a sentence lists them."""
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last


def p_value(p: float, *, most: bool = False) -> str:
    """A p-value as papers print it; `most`: the largest of several."""
    if p < 0.001:
        return "p < .001"
    return f"p {'≤' if most else '='} {f'{p:.3f}'.removeprefix('0') if p < 0.9995 else 1}"
