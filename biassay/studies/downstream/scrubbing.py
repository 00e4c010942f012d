"""Removal of words that reveal a person's group: terms with their hyphenated compounds, and names."""

import re
from collections.abc import Iterable

MAX_HYPHENS = 3  # hyphenated words on either side of a term
_POSSESSIVE = r"(?:['’]s?(?!\w))?"


def compile_terms(words: Iterable[str]) -> re.Pattern:
    """Compile a pattern for words in any case, including compounds: mother-in-law for mother."""
    forms = {re.escape(word.lower()).replace(r"\ ", r"[\s-]+") for word in words}
    inner = "|".join(sorted(forms, key=lambda form: (-len(form), form)))
    bound = rf"(?:-\w+){{0,{MAX_HYPHENS}}}"
    return re.compile(rf"(?<!\w)(?:\w+-){{0,{MAX_HYPHENS}}}(?:{inner}){bound}(?!\w){_POSSESSIVE}", re.IGNORECASE)


def compile_names(words: Iterable[str]) -> re.Pattern | None:
    """Compile a pattern for names, which is case-sensitive: Rose but not rose; None without names."""
    inner = "|".join(sorted(map(re.escape, set(words)), key=lambda form: (-len(form), form)))
    return re.compile(rf"(?<!\w)(?:{inner})(?!\w){_POSSESSIVE}") if inner else None


def remove(text: str, *patterns: re.Pattern | None) -> str:
    """Remove all matches of patterns, and superfluous spaces."""
    for pattern in patterns:
        text = pattern.sub(" ", text) if pattern else text
    return re.sub(r"\s+([,.;:!?])", r"\1", " ".join(text.split()))
