"""Occupations and names in the first sentences of biographies."""

import re
from dataclasses import dataclass
from pathlib import Path

from biassay.words import files

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


@dataclass(frozen=True)
class Classes:
    """Classes of biographies: their names, the class numbers of each word form (none for some), and unreal persons."""

    names: list[str]
    forms: dict[str, list[int]]
    unreal: re.Pattern


def read_classes(path: str | Path, content: dict) -> Classes:
    """Return the classes of a file's content; ValueError with file and key for anything but lists of words."""
    lists = content.get("classes")
    if not isinstance(lists, dict) or len(lists) < 2:
        raise ValueError(
            f"{path}: classes: expected a mapping of at least two classes to lists of words, got {lists!r:.80}"
        )
    forms: dict[str, list[int]] = {}
    for number, (name, words) in enumerate(lists.items()):
        files.check_word(f"{path}: classes", name)
        for form in read_words(path, f"classes.{name}", words):
            forms.setdefault(form.lower(), []).append(number)
    for form in read_words(path, "none", content.get("none")):
        if forms.setdefault(form.lower(), []):
            name = list(lists)[forms[form.lower()][0]]
            raise ValueError(f"{path}: {form!r} is in both none and classes.{name}; remove one")
    unreal = "|".join(map(re.escape, read_words(path, "unreal", content.get("unreal"))))
    return Classes(list(lists), forms, re.compile(rf"\b(?:{unreal})\b", re.IGNORECASE))


def read_words(path: str | Path, key: str, words: object) -> list[str]:
    """Return a list of words; ValueError with file and key for anything else."""
    if not isinstance(words, list) or not words:
        raise ValueError(f"{path}: {key}: expected a list of one or more words, got {words!r:.80}")
    for word in words:
        files.check_word(f"{path}: {key}", word)
    return words


def find_occupations(sentence: str, classes: Classes) -> list[int]:
    """Return the numbers of the classes that a first sentence without brackets names as a person's occupations."""
    match = _SENTENCE.match(sentence)
    if not match or not _is_name(match[1]) or classes.unreal.search(sentence):
        return []
    several = match[2] == "one of the"  # most important painters of …
    predicate = re.sub(r"^(?:most|best|greatest)\b", "", match[3].rstrip(" ."))
    stop = _STOP.search(predicate)
    predicate = predicate[: stop.start()] if stop else predicate
    numbers = {n for item in _ITEM.split(predicate) for n in _find_classes(item.lower(), classes.forms, several)}
    return sorted(numbers)


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


def _find_classes(item: str, forms: dict[str, list[int]], plural: bool) -> list[int]:
    """Return the classes of the longest form at the end of an item."""
    words = item.split()
    for start in range(len(words)):
        end = " ".join(words[start:])
        for form in (end, end.removesuffix("s")) if plural else (end,):
            if form in forms:
                return forms[form]
    return []
