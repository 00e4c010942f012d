"""Numbers from papers, recomputed from the vectors that they are published for."""

import math

from biassay.measurement import entry
from biassay.metrics import direct_bias, weat, weat_p_value
from biassay.vectors import lookup
from biassay.words.published_numbers import PublishedNumber

METRICS = {"d": (weat, {"ddof": 1}), "p": (weat_p_value, {}), "direct_bias": (direct_bias, {})}


def compute_rows(numbers: list[PublishedNumber], vectors: str, *, permutations: int, seed: int) -> list[dict]:
    """Compute one row per number, from a file of vectors that is read once."""
    wanted = list(dict.fromkeys(word for number in numbers for word in _words(number)))
    known = lookup.find_vectors(lookup.open_embedding(vectors) or vectors, wanted)
    return [compute_row(number, known, permutations=permutations, seed=seed) for number in numbers]


def compute_row(number: PublishedNumber, vectors: dict, *, permutations: int, seed: int) -> dict:
    """Compute a number with `measure` and compare it with the published one; words are looked up as written."""
    metric, options = METRICS[number.quantity]
    if number.quantity == "p":
        options = {"permutations": permutations, "seed": seed}
    words = _words(number)
    missing_words = [word for word in words if word not in vectors]
    computed, reason = _measure(metric.__name__.split(".")[-1], number, vectors, options)
    agreement = agrees(computed, number.published)
    if number.quantity == "p" and math.isclose(computed, 1 / (permutations + 1), rel_tol=1e-12):
        if agreement is False and float(number.published) <= computed:  # which is an upper limit
            agreement = None
        reason = f"none of {permutations:,} permutations reaches the observed value"
    elif agreement is False:
        reason = f"{len(missing_words)} of {len(words)} words are missing" if missing_words else "no word is missing"
    elif not number.published and not reason:
        reason = "no published number"
    return {
        "test": number.test, "vectors": number.vectors, "quantity": number.quantity,
        "ddof": options.get("ddof"), "n_found": len(words) - len(missing_words), "n_missing": len(missing_words),
        "computed": computed, "published": number.published,
        "difference": computed - float(number.published) if number.published else math.nan,
        "agrees": agreement, "reason": reason, "missing_words": " ".join(missing_words), "source": number.source,
    }  # fmt: skip


def agrees(computed: float, published: str) -> bool | None:
    """Return whether a number rounds to the published digits, or is at most a published bound such as 1e-7.

    None if there is no published number or the computed one is NaN.
    """
    if not published or math.isnan(computed):
        return None
    if "e" in published.lower():
        return computed <= float(published)
    digits = len(published.partition(".")[2])
    return abs(computed - float(published)) <= 0.5 * 10**-digits + 1e-9


def _measure(metric: str, number: PublishedNumber, vectors: dict, options: dict) -> tuple[float, str]:
    """Compute a number; NaN with a reason if a list has too few words or the value is undefined."""
    try:
        result = entry.measure(metric, targets=number.targets, groups=number.groups, vectors=vectors, **options)
    except ValueError as error:
        return math.nan, str(error)
    return result.set, result.undefined.get("set", "")


def _words(number: PublishedNumber) -> list[str]:
    return [word for lists in (number.targets, number.groups) for words in lists.values() for word in words]
