"""What an audit concludes in words: the board's trust in each metric, conclusions of tests, and warnings."""

from math import comb
from pathlib import Path

import numpy as np
import pandas as pd

from biassay.auditing import numbers
from biassay.auditing.questions import SIDES
from biassay.auditing.scoring import ASSOCIATION, FOUND, LEVEL, NOISE, UNDEFINED
from biassay.auditing.source_vectors import SENTENCES as MODEL_SENTENCES
from biassay.auditing.source_vectors import SourceVectors, UsedWords
from biassay.words import files, resources

BOARD_COLUMNS = ["metric", "criterion", "value", "low", "high", "n", "unit", "page", "note"]
TRUSTED, CARE, NOT, UNJUDGED = "trusted", "with care", "not trusted", "not judged"
# A metric beyond the first limit is not trusted; beyond the second it is used with care. The first limit of false
# positives is high because an audit also compares every finding with random words.
LIMITS = {
    "false_positive_rate": ("above", 0.9, 0.075),
    "auc": ("below", 0.75, 0.9),
    "power": ("below", -1.0, 0.5),
    "trustworthy": ("below", -1.0, 0.5),
}
REQUIRED = ("false_positive_rate", "auc")  # without these a metric is not judged
SENTENCES = {
    "false_positive_rate": "its test finds bias in {percent} of samples of text without bias",
    "power": "its test finds planted bias in {percent} of samples",
    "auc": "its value is farther from no bias on biased than on unbiased text in {percent} of comparisons",
}
VERDICTS = {
    "trustworthy": {0.0: "it can report no bias where there is some, or bias where there is none"},
    "comparable": {0.0: "its largest possible value depends on the groups' words, so values of different lists cannot "
                        "be compared"},
}  # fmt: skip
MIN_WORDS = 8  # of a list; the smallest of WEAT's lists
MAX_RANK_RATIO = 3.0  # of the median ranks of two lists
MAX_MISSING = 0.2  # share of a list
MAX_NAMED = 6  # words listed in a warning


def board_path() -> Path:
    """Return the path of biassay's board."""
    return resources.shipped_path("board") / "board.csv"


def read_board(file: str | Path | bool | None = None) -> pd.DataFrame | None:
    """Read biassay's board or another one: one row per metric and criterion; None for False, and without a board."""
    if file is False or (file is None and not board_path().is_file()):
        return None
    file = board_path() if file is None else file
    if not isinstance(file, str | Path) or not Path(file).is_file():
        raise ValueError(f"board: expected the path of a board.csv, or False for no board, got {str(file)!r:.200}")
    table = files.read_table(file, BOARD_COLUMNS)[BOARD_COLUMNS]
    for column in ("value", "low", "high", "n"):
        numbers = pd.to_numeric(table[column].replace("", None), errors="coerce")
        _check_rows(file, table[column], (table[column] != "") & ~np.isfinite(numbers), f"{column}: expected a number")
        table[column] = numbers
    is_outside = table["criterion"].isin([*LIMITS, *VERDICTS]) & ((table["value"] < 0) | (table["value"] > 1))
    _check_rows(file, table["value"], is_outside, "value: expected a number from 0 to 1")
    pairs = table["metric"] + ", " + table["criterion"]
    _check_rows(file, pairs, pairs.duplicated(), "expected one row per metric and criterion")
    return table


def _check_rows(file: str | Path, cells: pd.Series, is_wrong: pd.Series, expected: str) -> None:
    """Raise ValueError, with the file, the line and the cell, if a row is wrong."""
    for line, cell in cells[is_wrong].items():
        raise ValueError(f"{file}, line {line}: {expected}, got {cell!r:.80}")


def verdicts(metrics: list[str], table: pd.DataFrame | None) -> pd.DataFrame:
    """Return one row per metric: the verdict (TRUSTED, CARE, NOT or UNJUDGED), and the reasons in words.

    LIMITS decide between the first three; a metric without a value for each criterion of REQUIRED is not judged.
    """
    rows = []
    for metric in metrics:
        values = {} if table is None else _values(table, metric)
        verdict, decisive = _verdict(values)
        reasons = [text for name in dict.fromkeys([*decisive, *values]) if (text := _sentence(name, values))]
        if table is None:
            reasons = ["there is no board, so no metric is judged"]
        elif not reasons:
            reasons = ["the board has no value for this use of the metric"]
        rows.append({"metric": metric, "verdict": verdict, "reasons": "; ".join(reasons[:3])})
    return pd.DataFrame(rows, columns=["metric", "verdict", "reasons"])


def _values(table: pd.DataFrame, metric: str) -> dict[str, pd.Series]:
    chosen = table[(table["metric"] == metric) & table["value"].notna()]
    return {row["criterion"]: row for _, row in chosen.iterrows()}


def _verdict(values: dict[str, pd.Series]) -> tuple[str, list[str]]:
    """Return the verdict, and the criteria that decide it."""
    if any(name not in values for name in REQUIRED):
        return UNJUDGED, []
    beyond: dict[str, list[str]] = {NOT: [], CARE: []}
    for name, (side, not_trusted, care) in LIMITS.items():
        if name in values:
            value, sign = values[name]["value"], 1 if side == "above" else -1
            if sign * value > sign * not_trusted:
                beyond[NOT].append(name)
            elif sign * value > sign * care:
                beyond[CARE].append(name)
    for verdict in (NOT, CARE):
        if beyond[verdict]:
            return verdict, beyond[verdict]
    return TRUSTED, list(REQUIRED)


def _sentence(criterion: str, values: dict[str, pd.Series]) -> str:
    row = values[criterion]
    if criterion in SENTENCES:
        count = f" ({row['n']:,.0f} {row['unit']})" if pd.notna(row["n"]) and row["unit"] else ""
        return SENTENCES[criterion].format(percent=f"{100 * row['value']:.0f} %") + count
    return VERDICTS.get(criterion, {}).get(float(row["value"]), "")


def summarize(used: UsedWords, table: pd.DataFrame, verdicts: pd.DataFrame) -> dict:
    """Return a row of the summary: numbers of metrics that find an association, and the conclusion.

    Only metrics that compare groups with targets are included. The conclusion counts those that the board trusts; if
    there are none, those to be used with care; if there are none either, all.
    """
    question = used.question
    rows = table[(table["test"] == question.name) & (table["sides"] == ASSOCIATION) & (table["finding"] != UNDEFINED)]
    row_verdicts = rows["metric"].map(dict(zip(verdicts["metric"], verdicts["verdict"], strict=True)))
    if (row_verdicts == TRUSTED).any():
        counted, kind = rows[row_verdicts == TRUSTED], "trusted metrics"
    elif (row_verdicts == CARE).any():
        counted, kind = rows[row_verdicts == CARE], "metrics rated “with care”"
    else:
        counted, kind = rows, "metrics"
    positive = counted[counted["finding"] == FOUND]
    return {
        "source": table["source"].iloc[0], "test": question.name, "title": question.title,
        "n_words": sum(len(words) for lists in (used.groups, used.targets) for words in lists.values()),
        "n_metrics": len(rows), "n_found": int((rows["finding"] == FOUND).sum()), "n_counted": len(counted),
        "n_counted_found": len(positive), "conclusion": _conclusion(rows, counted, positive, kind),
    }  # fmt: skip


def _conclusion(rows: pd.DataFrame, counted: pd.DataFrame, positive: pd.DataFrame, kind: str) -> str:
    if counted.empty:
        return "no metric has a value"
    if 0 < 4 * len(positive) <= len(counted):
        verb = "finds" if len(positive) == 1 else "find"
        count = f"{len(positive)} of {len(counted)} {kind}"
        return f"only {', '.join(positive['metric'])} {verb} an association ({count})"
    if len(positive):
        directions = [text for text in dict.fromkeys(positive["direction"]) if " nearer " in text]
        direction = f"; {directions[0]}" if len(directions) == 1 else ""
        return f"association found by {len(positive)} of {len(counted)} {kind}{direction}"
    others = rows[(rows["finding"] == FOUND) & ~rows["metric"].isin(counted["metric"])]["metric"].tolist()
    n_noise = int((counted["finding"] == NOISE).sum())
    text = f"no association found by any of {len(counted)} {kind}"
    if n_noise:
        text += f" ({n_noise} found one that random words give too)"
    if others:
        text += f"; found only by metrics that the board trusts less: {', '.join(others)}"
    return text


def warn_of_source(source: SourceVectors, used: list[UsedWords]) -> list[tuple[str, str]]:
    """Return (kind, text) of the warnings about a source as a whole."""
    texts = [("reading", note) for note in source.notes]
    if source.kind == "model":
        texts.append(
            ("sentences", f"each word is put into {len(MODEL_SENTENCES)} sentences such as "
             f"“{MODEL_SENTENCES[0].format('nurse')}”, whatever its part of speech; others may give other values")
        )  # fmt: skip
    elif source.ranks is None:
        texts.append(
            ("frequency", "the source does not order words by frequency: the lists may differ in frequency, and the "
             "random words have any frequency")
        )  # fmt: skip
    else:
        texts.append(
            ("frequency", "word frequency is taken from the order of the source, as in GloVe and word2vec files; if "
             "the order is another one, ignore the ranks and the comparison with random words")
        )  # fmt: skip
    n_targets = max((sum(map(len, one.targets.values())) for one in used), default=0)
    if len(source.pool) < 2 * n_targets:
        texts.append(
            ("random words", f"only {len(source.pool)} random words: too few to compare the values with random words")
        )
    return texts


def warn_of_test(used: UsedWords, source: SourceVectors, rows: pd.DataFrame) -> list[tuple[str, str]]:
    """Return (kind, text) of the warnings about one test; `rows` are its rows of the table."""
    return [
        *_few_words(used),
        *_missing_words(used),
        *_overlaps(used),
        *_frequency(used, source),
        *_noise(rows),
        *_low_power(rows),
    ]


def _few_words(used: UsedWords) -> list[tuple[str, str]]:
    lists = [(name, len(words)) for side in SIDES for name, words in used.lists(side).items()]
    short = [f"{name} {size}" for name, size in lists if size < MIN_WORDS]
    if not short:
        return []
    sides = [list(map(len, used.lists(side).values())) for side in SIDES]
    min_p_values = [1 / comb(sum(sizes), sizes[0]) for sizes in sides if len(sizes) == 2]
    text = f"few words: {', '.join(short)}; other words of the same kind may give very different values"
    if min_p_values and max(min_p_values) > LEVEL:
        text += f"; no permutation of these words can give a p below {max(min_p_values):.2f}"
    elif min_p_values:
        text += f"; the smallest p that permutations can give is {max(min_p_values):.2g}, before correction"
    return [("few words", text)]


def _missing_words(used: UsedWords) -> list[tuple[str, str]]:
    texts = []
    for (side, name), words in used.missing.items():
        size = len(getattr(used.question, side)[name])
        if len(words) > MAX_MISSING * size:
            named = ", ".join(words[:MAX_NAMED]) + (", …" if len(words) > MAX_NAMED else "")
            texts.append(f"{len(words)} of {size} words of {name} are missing or lack their partner: {named}")
    return [("missing", text) for text in texts]


def _overlaps(used: UsedWords) -> list[tuple[str, str]]:
    return [
        ("overlap", f"{first} and {second} share words ({len(words)}): {', '.join(words[:MAX_NAMED])}")
        for first, second, words in used.overlaps()
    ]


def _frequency(used: UsedWords, source: SourceVectors) -> list[tuple[str, str]]:
    ranks, texts = used.median_ranks(source), []
    for side in SIDES:
        side_ranks = {name: rank for (list_side, name), rank in ranks.items() if list_side == side}
        if len(side_ranks) < 2 or max(side_ranks.values()) <= MAX_RANK_RATIO * min(side_ranks.values()):
            continue
        medians = ", ".join(f"{name} {rank:,.0f}" for name, rank in side_ranks.items())
        texts.append(
            f"{side} differ in frequency (median ranks: {medians}), which can change metrics that depend on vector "
            "length (RIPA, ECT, RNSB, second-order factors) and makes the vectors of rare words noisier"
        )
    return [("frequency", text) for text in texts]


def _noise(rows: pd.DataFrame) -> list[tuple[str, str]]:
    noisy = rows[rows["finding"] == NOISE]
    if noisy.empty:
        return []
    values = ", ".join(
        f"{numbers.name(row.metric, row.level)} {numbers.number(row.value)} "
        f"(95 % of random words within {numbers.number(row.random_q95)} of no bias)"
        for row in noisy.itertuples()
    )
    return [("noise", f"significant, but no larger than with random words of similar frequency: {values}")]


def _low_power(rows: pd.DataFrame) -> list[tuple[str, str]]:
    metrics = rows[np.isinf(rows["min_detectable_effect"].astype(float))]["metric"].tolist()
    if not metrics:
        return []
    text = f"power below 80 % with these lists for any value within the metric's range: {', '.join(metrics)}"
    return [("power", text)]
