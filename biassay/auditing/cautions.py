"""Warnings of an audit, in words: what the lists, the vectors and the tests cannot tell."""

from math import comb

import numpy as np
import pandas as pd

from biassay.auditing.lists import Used
from biassay.auditing.material import SENTENCES, Material
from biassay.auditing.numbers import named, number
from biassay.auditing.scoring import LEVEL, NOISE

COLUMNS = ["source", "test", "kind", "text"]
FEW = 8  # words of a list, WEAT's own least
APART = 3.0  # times that the median ranks of two lists may differ
LOST = 0.2  # share of a list that may be missing
TOLD = 6  # words named


def of_source(material: Material, used: list[Used]) -> list[tuple[str, str]]:
    """(kind, text) of what concerns all tests of a source."""
    found = [("reading", note) for note in material.notes]
    if material.kind == "model":
        found.append(
            ("sentences", f"every word stands in {len(SENTENCES)} sentences such as “{SENTENCES[0].format('nurse')}”, "
             "whatever its part of speech; their grammar is not adapted, and other sentences may give other values")
        )  # fmt: skip
    elif material.ranks is None:
        found.append(
            ("frequency", "the words stand in alphabetical order, or the source tells no order: whether the lists "
             "differ in frequency is not known, and random words are of any frequency")
        )  # fmt: skip
    else:
        found.append(
            ("frequency", "how frequent words are is taken from their order in the source, as GloVe's and word2vec's "
             "files have it; in another order, ranks and the choice of random words mean nothing")
        )  # fmt: skip
    most = max((sum(map(len, one.targets.values())) for one in used), default=0)
    if len(material.pool) < 2 * most:
        found.append(
            ("random words", f"only {len(material.pool)} random words: too few to say what random words would give")
        )
    return found


def of_test(used: Used, material: Material, rows: pd.DataFrame) -> list[tuple[str, str]]:
    """(kind, text) of what concerns one test: `rows` are its rows of the table."""
    return [
        *_few(used),
        *_missing(used),
        *_overlapping(used),
        *_frequency(used, material),
        *_noise(rows),
        *_blind(rows),
    ]


def _few(used: Used) -> list[tuple[str, str]]:
    lists = [(name, len(words)) for side in ("groups", "targets") for name, words in used.lists(side).items()]
    short = [f"{name} {size}" for name, size in lists if size < FEW]
    if not short:
        return []
    sides = [list(map(len, used.lists(side).values())) for side in ("groups", "targets")]
    least = [1 / comb(sum(sizes), sizes[0]) for sizes in sides if len(sizes) == 2]
    text = f"few words: {', '.join(short)}; with other words of the kind, values can be quite different"
    if least and max(least) > LEVEL:
        text += f"; no test that reassigns so few can give a p below {max(least):.2f}"
    elif least:
        text += f"; the least p that reassigning them can give is {max(least):.2g}, before it is corrected"
    return [("few words", text)]


def _missing(used: Used) -> list[tuple[str, str]]:
    found = []
    for (side, name), lost in used.missing.items():
        size = len(getattr(used.question, side)[name])
        if len(lost) > LOST * size:
            shown = ", ".join(lost[:TOLD]) + (", …" if len(lost) > TOLD else "")
            found.append(("missing", f"{len(lost)} of {size} words of {name} are missing or without partner: {shown}"))
    return found


def _overlapping(used: Used) -> list[tuple[str, str]]:
    return [
        ("overlap", f"{first} and {second} share {len(words)} words: {', '.join(words[:TOLD])}")
        for first, second, words in used.overlaps()
    ]


def _frequency(used: Used, material: Material) -> list[tuple[str, str]]:
    ranks, found = used.median_ranks(material), []
    for side in ("groups", "targets"):
        of_side = {name: rank for (which, name), rank in ranks.items() if which == side}
        if len(of_side) < 2 or max(of_side.values()) <= APART * min(of_side.values()):
            continue
        told = ", ".join(f"{name} {rank:,.0f}" for name, rank in of_side.items())
        found.append(
            ("frequency", f"{side} of different frequency (median ranks: {told}): metrics in which lengths count "
             "(RIPA, ECT, RNSB, second-order factors), and noise in rare words, can make a difference of this")
        )  # fmt: skip
    return found


def _noise(rows: pd.DataFrame) -> list[tuple[str, str]]:
    loud = rows[rows["finding"] == NOISE]
    if loud.empty:
        return []
    told = ", ".join(
        f"{named(row.metric, row.level)} {number(row.value)} (random words reach {number(row.noise)} from no bias)"
        for row in loud.itertuples()
    )
    return [("noise", f"no more than random words of like frequency give, although the test finds it: {told}")]


def _blind(rows: pd.DataFrame) -> list[tuple[str, str]]:
    blind = rows[np.isinf(rows["min_detectable_effect"].astype(float))]["metric"].tolist()
    if not blind:
        return []
    return [
        ("power", f"with these lists no value within its range would be found in 80 % of draws: {', '.join(blind)}")
    ]
