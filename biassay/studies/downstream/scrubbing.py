"""What tells a person's group, taken out of a text: terms with all that a hyphen binds to them, and names."""

import re
from collections.abc import Iterable

HYPHENS = 3  # words that hyphens may bind to a term on either side
_POSSESSIVE = r"(?:['’]s?(?!\w))?"


def terms(words: Iterable[str]) -> re.Pattern:
    """What finds words in upper or lower case, with all of a compound: mother-in-law with mother."""
    forms = {re.escape(word.lower()).replace(r"\ ", r"[\s-]+") for word in words}
    inner = "|".join(sorted(forms, key=lambda form: (-len(form), form)))
    bound = rf"(?:-\w+){{0,{HYPHENS}}}"
    return re.compile(rf"(?<!\w)(?:\w+-){{0,{HYPHENS}}}(?:{inner}){bound}(?!\w){_POSSESSIVE}", re.IGNORECASE)


def names(words: Iterable[str]) -> re.Pattern | None:
    """What finds names as they are written, so that Rose goes and a rose stays; None of no words."""
    inner = "|".join(sorted(map(re.escape, set(words)), key=lambda form: (-len(form), form)))
    return re.compile(rf"(?<!\w)(?:{inner})(?!\w){_POSSESSIVE}") if inner else None


def without(text: str, *patterns: re.Pattern | None) -> str:
    """A text without what patterns find, and the spaces that it leaves."""
    for pattern in patterns:
        text = pattern.sub(" ", text) if pattern else text
    return re.sub(r"\s+([,.;:!?])", r"\1", " ".join(text.split()))
