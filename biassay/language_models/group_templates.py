"""Templates that name groups of several attributes, such as gender and religion, and one occupation.

After intrinsic-2023 §4: an attribute has groups, and forms in which a template may name them ("his", "church"). A form
has a term for every group, and a neutral one that tells no group, "" where the word is just left out.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np

from biassay.corpora.plain_text import add_article
from biassay.language_models.template_sentences import Sentence

OCCUPATION = "occupation"
NOBODY: Mapping[str, int] = MappingProxyType({})


@dataclass(frozen=True)
class ProtectedAttribute:
    """An attribute: its groups, and by form the terms of the groups, in their order, and the neutral term."""

    groups: tuple[str, ...]
    terms: Mapping[str, tuple[str, ...]]
    neutral: Mapping[str, str]


@dataclass(frozen=True)
class Slot:
    """A place in a template: of the occupation, or of an attribute in one of its forms."""

    attribute: str
    form: str = ""


@dataclass(frozen=True)
class Template:
    """A template: `parts` are its text, in pieces with the slot behind each (None behind the last).

    english: whether "a" before the occupation becomes "an" where it should, and words at a sentence's start get their
    capital; else everything stays as it is written.
    """

    text: str
    parts: tuple[tuple[str, Slot | None], ...]
    attributes: Mapping[str, ProtectedAttribute] = field(repr=False)
    english: bool = True

    @property
    def slots(self) -> list[Slot]:
        return [slot for _, slot in self.parts if slot is not None]

    @property
    def names(self) -> tuple[str, ...]:
        """The attributes that it mentions, in the order of all attributes."""
        used = {slot.attribute for slot in self.slots}
        return tuple(name for name in self.attributes if name in used)

    def mentions(self, name: str) -> list[int]:
        """Numbers of the slots of an attribute."""
        return [number for number, slot in enumerate(self.slots) if slot.attribute == name]

    def fill(
        self, occupation: str, mention: int, group: int, others: Mapping[str, int] = NOBODY, every: bool = False
    ) -> Sentence:
        """A sentence, and the places of one mention of an attribute, a slot by number, and of the occupation.

        The mention has the term of a group, by number; other mentions of its attribute are neutral, or (every) of the
        group too. Another attribute is of its group in `others`, or neutral.
        """
        slots = self.slots
        groups = {**others, slots[mention].attribute: group if every else None}
        text = ""
        for number, (before, slot) in enumerate(self.parts):
            text += before[1:] if before.startswith(" ") and (not text or text.endswith(" ")) else before
            if slot is None:
                continue
            chosen = group if number == mention else groups.get(slot.attribute)
            word = self._word(slot, occupation, chosen)
            if self.english:
                text, word = _in_english(text, word, slot)
            text += word
            if slot.attribute == OCCUPATION:
                of_occupation = len(text) - len(word), len(text)
            elif number == mention:
                of_mention = len(text) - len(word), len(text)
        places = (_with_ending(text, *place) for place in (of_mention, of_occupation))
        return Sentence(text[:1].upper() + text[1:] if self.english else text, *places)

    def _word(self, slot: Slot, occupation: str, group: int | None) -> str:
        if slot.attribute == OCCUPATION:
            return occupation
        attribute = self.attributes[slot.attribute]
        return attribute.neutral[slot.form] if group is None else attribute.terms[slot.form][group]


@dataclass(frozen=True)
class Templates:
    """Occupations, attributes by name, and templates to train and to test with, each with one attribute or more."""

    occupations: list[str]
    attributes: dict[str, ProtectedAttribute]
    training: list[Template]
    test: list[Template]


def mentions(templates: Sequence[Template], name: str) -> list[tuple[Template, int]]:
    """All mentions of an attribute: the template, and the number of the slot."""
    return [(template, number) for template in templates for number in template.mentions(name)]


def choose(templates: Sequence[Template], n: int | None, *, seed: int) -> list[Template]:
    """n of the templates at random, in their order; None: all. Every combination of attributes keeps its share, by less
    than one. Raises ValueError for an n below 1 or above their number.
    """
    if n is None:
        return list(templates)
    if not 1 <= n <= len(templates):
        raise ValueError(f"n: {n!r} is not from 1 to {len(templates)}, the templates that there are")
    random = np.random.default_rng(seed)
    order = sorted(random.permutation(len(templates)), key=lambda i: templates[i].names)
    places = (np.arange(n) + random.random()) * len(templates) / n
    return [templates[i] for i in sorted(order[int(place)] for place in places)]


def _with_ending(text: str, start: int, end: int) -> tuple[int, int]:
    """The place of a word with what is written on to it, as the s of a plural."""
    return start, end + len(re.match(r"\w*", text[end:])[0])


def _in_english(text: str, word: str, slot: Slot) -> tuple[str, str]:
    """The text with the article that the word asks for, and the word with a capital behind a sentence's end."""
    if slot.attribute == OCCUPATION and re.search(r"\b[Aa] $", text):
        text = text[:-1] + "n " if add_article(word).startswith("an ") else text
    return text, word[:1].upper() + word[1:] if re.search(r"[.?!] $", text) else word
