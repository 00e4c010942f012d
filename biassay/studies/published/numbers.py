"""Numbers that papers print, computed from the vectors that they are printed for."""

import math

from biassay.measurement import entry
from biassay.vectors import lookup
from biassay.words.published_numbers import PublishedNumber

METRICS = {"d": ("weat", {"ddof": 1}), "p": ("weat_p_value", {}), "direct_bias": ("direct_bias", {})}


def rows(numbers: list[PublishedNumber], vectors: str, *, permutations: int, seed: int) -> list[dict]:
    """A row a number, all of the vectors at a path, which are read once."""
    wanted = list(dict.fromkeys(word for number in numbers for word in _words(number)))
    found = lookup.find_vectors(lookup.open_embedding(vectors) or vectors, wanted)
    return [row(number, found, permutations=permutations, seed=seed) for number in numbers]


def row(number: PublishedNumber, vectors: dict, *, permutations: int, seed: int) -> dict:
    """What a number is by `measure`, beside what is printed; words are looked up as they are written."""
    metric, options = METRICS[number.quantity]
    if number.quantity == "p":
        options = {"permutations": permutations, "seed": seed}
    words = _words(number)
    missing = [word for word in words if word not in vectors]
    ours, why = _measured(metric, number, vectors, options)
    agreed = agrees(ours, number.published)
    if number.quantity == "p" and math.isclose(ours, 1 / (permutations + 1), rel_tol=1e-12):
        agreed, why = agreed or None, f"none of {permutations:,} draws is as far out"
    elif agreed is False:
        why = f"{len(missing)} of {len(words)} words have no vector" if missing else "all words have a vector"
    elif not number.published and not why:
        why = "no printed number at hand"
    return {
        "test": number.test, "vectors": number.vectors, "quantity": number.quantity,
        "ddof": options.get("ddof"), "found": len(words) - len(missing), "missing": len(missing),
        "ours": ours, "published": number.published,
        "difference": ours - float(number.published) if number.published else math.nan,
        "agrees": agreed, "reason": why, "missing_words": " ".join(missing), "source": number.source,
    }  # fmt: skip


def agrees(ours: float, published: str) -> bool | None:
    """Whether a number is the printed one to its digits, or not above an order such as 1e-7; None: no telling."""
    if not published or math.isnan(ours):
        return None
    if "e" in published.lower():
        return ours <= float(published)
    digits = len(published.partition(".")[2])
    return abs(ours - float(published)) <= 0.5 * 10**-digits + 1e-9


def _measured(metric: str, number: PublishedNumber, vectors: dict, options: dict) -> tuple[float, str]:
    """A number, or NaN and why: too few words of a list, or an undefined value."""
    known = {"targets": number.targets, "groups": number.groups, "vectors": vectors}
    try:
        result = entry.measure(metric, **known, **options)
    except ValueError as error:
        return math.nan, str(error)
    return result.set, result.undefined.get("set", "")


def _words(number: PublishedNumber) -> list[str]:
    return [word for lists in (number.targets, number.groups) for words in lists.values() for word in words]
