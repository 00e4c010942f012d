"""What each figure of the study shows, in a sentence of its tables."""

from collections.abc import Iterator, Mapping

import pandas as pd

from biassay.figures.findings import LEVEL, Finding
from biassay.figures.formatting import format_count, format_decimal, format_interval
from biassay.studies.downstream import verdicts


def titles(tables: Mapping[str, pd.DataFrame]) -> Iterator[Finding]:
    """A sentence a figure, without a full stop."""
    found = [
        verdicts.within(tables["correlations"], "figures/classes"),
        sets(tables["sets"]),
        ranking(tables["ranking"]),
        verdicts.fewer(tables["robustness"], "figures/robustness"),
    ]
    for one in found:
        yield one._replace(sentence=one.sentence.removesuffix("."))


def sets(table: pd.DataFrame) -> Finding:
    """The score of all texts or pairs that follows the bias of models most closely."""
    result, found = "figures/sets", table[(table["terms"] == "raw") & (table["version"] != "raw")].dropna(subset="r")
    if not len(found):
        return Finding(result, "No score of all texts or pairs could be compared with the bias of models")
    best = found.loc[found["r"].idxmax()]
    said = (
        f"Over models, of {format_count(len(found), 'correlation')} of scores with the bias downstream the largest is "
        f"{verdicts.label(best['metric'])}'s on {best['set']} ({best['attribute']}): r {format_decimal(best['r'])}"
        f"{format_interval(best)}"
    )
    return Finding(result, said, "", format_count(best["models"], "model"))


def ranking(table: pd.DataFrame) -> Finding:
    """How many rankings differ from chance."""
    result, found = "figures/ranking", table[(table["terms"] == "raw") & (table["version"] != "raw")]
    tested = found.dropna(subset="p_holm")
    if not len(tested):
        return Finding(result, "There are no two models that scores could rank")
    sure = tested[tested["p_holm"] < LEVEL]
    right = (sure["accuracy"] > sure["chance"]).sum()
    verb = "are" if right > 1 else "is"
    rankings, worse = format_count(len(tested), "ranking"), len(sure) - right
    said = f"{right or 'None'} of {rankings} of models by a score {verb} significantly better than chance"
    said += f", {worse} worse" if worse else ""
    test = "scores of whole models exchanged at random, Holm's correction for all rankings by one kind of bias"
    return Finding(result, said, test, format_count(tested["models"].max(), "model"))
