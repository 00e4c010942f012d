"""Occupations and names in the first sentences of biographies."""

import re
from collections.abc import Mapping

PARTICLES = re.compile(
    r"of|the|de|del|della|dei|der|den|di|da|do|dos|du|des|la|le|las|los|el|al|von|van|zu|zur|bin|ibn|ben|y|e|i|af|av"
)
# Capitalised words next to a name that are not names, and words that are names only in titles.
NO_NAMES = re.compile(
    r"The|Born|BC|AD|CE|Old|New|An?|And|Of|In|On|Greek|Latin|French|German|English|Italian|Russian|Sir|Dame"
)
NO_NAMES_IN_TEXT = re.compile(
    r"January|February|March|April|May|June|July|August|September|October|November|December|American|British|Spanish"
)
_SENTENCE = re.compile(r"(.{2,250}?),? (?:is|was) (?:also )?(an?|the|one of the|both an?) (.+)")
_ASIDE = re.compile(r"\s*(?:\([^()]*\)|,.*|\bborn\b.*|\b(?:also|better|best|commonly|popularly|professionally)\b.*)")
_STOP = re.compile(
    r"\b(?:who|whom|whose|which|that|where|when|while|of|in|for|from|by|with|at|on|to|as|during|between|under|about|since|"
    r"(?<!-)born|based|he|she|his|her|through|throughout|serving|having|working|living|currently|remembered|recognized|"
    r"regarded|considered|generally|widely|often|(?:best|most|better)(?!-)|"
    r"(?:known|noted|notable|famous|renowned|reputed|celebrated|active)(?= (?:\w+ )?(?:for|as|in)\b))\b|[;:—–]| - "
)
_ITEM = re.compile(r"\s*(?:,|/|&|\band\b|\bor\b|\bturned\b|\bbut\b)\s*")
_BORN = re.compile(r"\b(?:[Bb]orn|née?|[Nn]ame)(?: as)?,? ((?:[\"“]?[^\W\d_a-z][\w.'’-]*[\"”]?(?:,? |(?=\W|$))){1,6})")


def find_occupations(sentence: str, forms: Mapping[str, list[str]]) -> set[str]:
    """Return the classes that a first sentence without brackets names as a person's occupations.

    `forms` are the classes of each word form, none for some, such as peer.
    """
    match = _SENTENCE.match(sentence)
    if not match or not _is_name(match[1]):
        return set()
    several = match[2] == "one of the"  # most important painters of …
    predicate = re.sub(r"^(?:most|best|greatest)\b", "", match[3].rstrip(" ."))
    stop = _STOP.search(predicate)
    predicate = predicate[: stop.start()] if stop else predicate
    return {name for item in _ITEM.split(predicate) for name in _find_classes(item.lower(), forms, several)}


def find_names(title: str, sentence: str) -> set[str]:
    """Return the words of a person's names: from the title, and from a first sentence (with brackets) before "is" or
    "was"."""
    plain = " ".join(re.sub(r"\([^()]*\)", " ", sentence).split())
    match = _SENTENCE.match(plain)
    in_title = _capitals(re.sub(r"\(.*", "", title))
    in_text = {word for text in (match[1] if match else "", *_BORN.findall(sentence)) for word in _capitals(text)}
    in_text = {word for word in in_text if not NO_NAMES_IN_TEXT.fullmatch(word)}
    return {word for word in in_title | in_text if not NO_NAMES.fullmatch(word)}


def _capitals(text: str) -> set[str]:
    """Return capitalised words and their parts at hyphens and apostrophes, without a possessive s."""
    words = {re.sub(r"['’]s$", "", word) for word in re.findall(r"(?:[dl]['’])?[^\W\d_a-z][\w.’'-]*\w", text)}
    words |= {part for word in words for part in re.split(r"[-'’]", word) if len(part) > 2}
    return {word for word in words if not word.islower()}


def _is_name(head: str) -> bool:
    """Return whether the beginning of a sentence is a name: capitalised words, and particles between them."""
    words = _ASIDE.sub("", head).split()
    if not 0 < len(words) <= 8 or words[0] == "The" or words[0][0].islower():
        return False
    return not any(
        re.sub(r"^(?:[dl]['’]|[\"“'‘])", "", word)[:1].islower() for word in words if not PARTICLES.fullmatch(word)
    )


def _find_classes(item: str, forms: Mapping[str, list[str]], plural: bool) -> list[str]:
    """Return the classes of the longest form at the end of an item."""
    words = item.split()
    for start in range(len(words)):
        end = " ".join(words[start:])
        for form in (end, end.removesuffix("s")) if plural else (end,):
            if form in forms:
                return forms[form]
    return []
