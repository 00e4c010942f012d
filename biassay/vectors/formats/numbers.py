"""Compiled parser of decimal numbers in many lines."""

import numba
import numpy as np

from biassay.vectors.formats.files import MAX_VALUE

POWERS = 10.0 ** np.arange(23)  # exact in double precision
SPACE, TAB, RETURN, PLUS, MINUS, POINT, ZERO = 32, 9, 13, 43, 45, 46, 48


@numba.njit(cache=True, nogil=True)
def parse(text, starts, ends, values):
    """Parse lines of a word and d numbers.

    Line r is text[starts[r] : ends[r]], with text as uint8; its numbers go to values[r]. Returns the length of the word
    of each line, or −1 if the line is not one word and d finite numbers; values[r] is then undefined.
    """
    lengths = np.full(len(starts), -1, np.int64)
    for r in range(len(starts)):
        at, end = starts[r], ends[r]
        while end > at and (text[end - 1] == SPACE or text[end - 1] == TAB or text[end - 1] == RETURN):
            end -= 1
        while at < end and text[at] != SPACE and text[at] != TAB:
            at += 1
        word_end, column = at, 0
        while at < end:
            while text[at] == SPACE or text[at] == TAB:
                at += 1
            at, value = _parse_number(text, at, end)
            if at < 0 or column == values.shape[1]:
                column = -1
                break
            values[r, column] = value
            column += 1
        if column == values.shape[1] and word_end > starts[r]:
            lengths[r] = word_end - starts[r]
    return lengths


@numba.njit(cache=True, nogil=True, inline="always")
def _parse_number(text, at, end):
    """Parse the number at text[at:end]; return the position after it, −1 without a number, and the value.

    Uses up to 18 digits. The double is exact to one unit in its last place, far more precise than float32.
    """
    negative = text[at] == MINUS
    if negative or text[at] == PLUS:
        at += 1
    mantissa, digits, exponent, point = np.int64(0), 0, 0, False
    while at < end:
        code = np.int64(text[at])
        if ZERO <= code <= ZERO + 9:
            digits += 1
            if mantissa < 100_000_000_000_000_000:
                mantissa = mantissa * 10 + (code - ZERO)
                exponent -= point
            else:
                exponent += not point
        elif code == POINT and not point:
            point = True
        else:
            break
        at += 1
    if digits and at < end and (text[at] == 101 or text[at] == 69):  # e, E
        at, power = _parse_exponent(text, at + 1, end)
        exponent += power
    if digits == 0 or at < 0 or (at < end and text[at] != SPACE and text[at] != TAB):
        return -1, 0.0
    if -23 < exponent < 23:
        value = mantissa / POWERS[-exponent] if exponent < 0 else mantissa * POWERS[exponent]
    else:
        value = mantissa * 10.0**exponent
    return (at, -value if negative else value) if value <= MAX_VALUE else (-1, 0.0)


@numba.njit(cache=True, nogil=True)
def _parse_exponent(text, at, end):
    """Parse the exponent at text[at:end]; return the position after it, −1 without an exponent, and the value."""
    negative = at < end and text[at] == MINUS
    if at < end and (negative or text[at] == PLUS):
        at += 1
    first, power = at, 0
    while at < end and ZERO <= text[at] <= ZERO + 9:
        power = min(power * 10 + np.int64(text[at]) - ZERO, 9999)
        at += 1
    return (at if at > first else -1), (-power if negative else power)
