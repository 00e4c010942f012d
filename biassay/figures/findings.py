"""What tests of metrics against each other say, in sentences: no word of them is written beforehand."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np
import pandas as pd

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
    least = len(tests) * 2.0 ** (1 - tests["clusters"].max())  # a permutation of so few has no smaller p
    if least >= LEVEL:
        number = len({*tests["first"], *tests["second"]})
        return (
            f"{tests['clusters'].max()} distributions are too few to show a difference between {number} metrics: after "
            f"Holm's correction no p could be below {min(least, 1):.2f}."
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


def listed(names: Iterable[str]) -> str:
    """Names as a sentence lists them."""
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last


def p_value(p: float, *, most: bool = False) -> str:
    """A p-value as papers print it; `most`: the largest of several."""
    if p < 0.001:
        return "p < .001"
    return f"p {'≤' if most else '='} {f'{p:.3f}'.removeprefix('0') if p < 0.9995 else 1}"
