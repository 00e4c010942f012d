"""First sentences of biographies: the occupations that they name, and the person's name."""

import re
from dataclasses import dataclass
from pathlib import Path

from biassay.words import files

PARTICLES = re.compile(
    r"of|the|de|del|della|dei|der|den|di|da|do|dos|du|des|la|le|las|los|el|al|von|van|zu|zur|bin|ibn|ben|y|e|i|af|av"
)
# Words with a capital that stand about a name and are none, and those that are one only in a title.
ABOUT = re.compile(
    r"The|Born|BC|AD|CE|Old|New|An?|And|Of|In|On|Greek|Latin|French|German|English|Italian|Russian|Sir|Dame"
)
MONTH = re.compile(
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
    """Classes of biographies: their names, and the numbers of those that a form stands for (none of some forms)."""

    names: list[str]
    forms: dict[str, list[int]]
    unreal: re.Pattern


def classes(path: str | Path, content: dict) -> Classes:
    """The classes of a file's content; raises ValueError, naming file and key, for what is no list of words."""
    given = content.get("classes")
    if not isinstance(given, dict) or len(given) < 2:
        raise ValueError(f"{path}: classes: {given!r:.80}; give a mapping of two classes or more to lists of words")
    forms: dict[str, list[int]] = {}
    for number, (name, words) in enumerate(given.items()):
        files.check_word(f"{path}: classes", name)
        for form in words_of(path, f"classes.{name}", words):
            forms.setdefault(form.lower(), []).append(number)
    for form in words_of(path, "none", content.get("none")):
        if forms.setdefault(form.lower(), []):
            raise ValueError(f"{path}: {form!r} stands in none and in classes.{list(given)[forms[form.lower()][0]]}")
    unreal = "|".join(map(re.escape, words_of(path, "unreal", content.get("unreal"))))
    return Classes(list(given), forms, re.compile(rf"\b(?:{unreal})\b", re.IGNORECASE))


def words_of(path: str | Path, key: str, given: object) -> list[str]:
    """A list of words; raises ValueError, naming file and key, for anything else."""
    if not isinstance(given, list) or not given:
        raise ValueError(f"{path}: {key}: {given!r:.80}; give a list of one word or more")
    for word in given:
        files.check_word(f"{path}: {key}", word)
    return given


def occupations(sentence: str, found: Classes) -> list[int]:
    """Numbers of the classes that a first sentence, without brackets, names as what a person is or was."""
    match = _SENTENCE.match(sentence)
    if not match or not _is_name(match[1]) or found.unreal.search(sentence):
        return []
    several = match[2] == "one of the"  # most important painters of …
    predicate = re.sub(r"^(?:most|best|greatest)\b", "", match[3].rstrip(" ."))
    stop = _STOP.search(predicate)
    predicate = predicate[: stop.start()] if stop else predicate
    numbers = {n for item in _ITEM.split(predicate) for n in _classes_of(item.lower(), found.forms, several)}
    return sorted(numbers)


def names(title: str, sentence: str) -> set[str]:
    """Words of a person's names: of the title, and of a first sentence, its brackets included, before "is" or "was"."""
    plain = " ".join(re.sub(r"\([^()]*\)", " ", sentence).split())
    match = _SENTENCE.match(plain)
    entitled = _capitals(re.sub(r"\(.*", "", title))
    found = {word for text in (match[1] if match else "", *_BORN.findall(sentence)) for word in _capitals(text)}
    return {
        word for word in entitled | {word for word in found if not MONTH.fullmatch(word)} if not ABOUT.fullmatch(word)
    }


def _capitals(text: str) -> set[str]:
    """Words with a capital, those that a hyphen or an apostrophe binds also alone, without a possessive s."""
    words = {re.sub(r"['’]s$", "", word) for word in re.findall(r"(?:[dl]['’])?[^\W\d_a-z][\w.’'-]*\w", text)}
    words |= {part for word in words for part in re.split(r"[-'’]", word) if len(part) > 2}
    return {word for word in words if not word.islower()}


def _is_name(head: str) -> bool:
    """Whether a sentence begins with a name alone: words with a capital, and particles between them."""
    words = _ASIDE.sub("", head).split()
    if not 0 < len(words) <= 8 or words[0] == "The" or words[0][0].islower():
        return False
    return not any(
        re.sub(r"^(?:[dl]['’]|[\"“'‘])", "", word)[:1].islower() for word in words if not PARTICLES.fullmatch(word)
    )


def _classes_of(item: str, forms: dict[str, list[int]], plural: bool) -> list[int]:
    """Classes of the longest form that an item ends with."""
    words = item.split()
    for start in range(len(words)):
        end = " ".join(words[start:])
        for form in (end, end.removesuffix("s")) if plural else (end,):
            if form in forms:
                return forms[form]
    return []
