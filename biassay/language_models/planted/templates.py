"""Templates that name groups of protected attributes, such as gender and religion, and one occupation.

After intrinsic-2023 §4: an attribute has groups, and forms in which a template names them ("his", "church"). A form has
a term for each group and a neutral term, which names no group; the neutral term is "" where the word is left out.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from biassay.corpora.plain_text import add_article
from biassay.language_models.masked_sentences import Sentence

OCCUPATION = "occupation"
NO_GROUPS: Mapping[str, int] = MappingProxyType({})


class ProtectedAttribute(NamedTuple):
    """A protected attribute: its groups, and for each form the groups' terms, in their order, and the neutral term."""

    groups: tuple[str, ...]
    terms: Mapping[str, tuple[str, ...]]
    neutral: Mapping[str, str]


class Slot(NamedTuple):
    """A slot of a template: the occupation, or a protected attribute in one of its forms."""

    name: str
    form: str = ""


@dataclass(frozen=True)
class Template:
    """A template as pairs of a text and the slot after it (None after the last text).

    english: whether to correct "a" before the occupation, and capitalise words at the start of a sentence.
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
        """Names of the attributes in the template, in the order of all attributes."""
        used = {slot.name for slot in self.slots}
        return tuple(name for name in self.attributes if name in used)

    def mentions(self, name: str) -> list[int]:
        """Numbers of the slots of an attribute."""
        return [number for number, slot in enumerate(self.slots) if slot.name == name]

    def fill(
        self, occupation: str, mention: int, group: int, others: Mapping[str, int] = NO_GROUPS, every: bool = False
    ) -> Sentence:
        """Make a sentence, with the places of one mention of an attribute and of the occupation.

        The slot number `mention` gets the term of the group number `group`. Other mentions of its attribute are neutral
        unless `every` is set; other attributes have the groups of `others` or are neutral.
        """
        groups = {**others, self.slots[mention].name: group if every else None}
        text = ""
        for number, (before, slot) in enumerate(self.parts):
            text += before[1:] if before.startswith(" ") and (not text or text.endswith(" ")) else before
            if slot is None:
                continue
            if slot.name == OCCUPATION:
                word = occupation
                if self.english and re.search(r"\b[Aa] $", text) and add_article(word).startswith("an "):
                    text = f"{text[:-1]}n "
            else:
                attribute, chosen = self.attributes[slot.name], group if number == mention else groups.get(slot.name)
                word = attribute.neutral[slot.form] if chosen is None else attribute.terms[slot.form][chosen]
            if self.english and re.search(r"[.?!] $", text):
                word = word[:1].upper() + word[1:]
            text += word
            if slot.name == OCCUPATION:
                occupation_place = len(text) - len(word), len(text)
            elif number == mention:
                mention_place = len(text) - len(word), len(text)
        places = []
        for start, end in (mention_place, occupation_place):  # with attached letters, such as a plural s
            places.append((start, end + len(re.match(r"\w*", text[end:])[0])))
        return Sentence(text[:1].upper() + text[1:] if self.english else text, *places)


@dataclass(frozen=True)
class Templates:
    """Occupations, protected attributes by name, and training and test templates."""

    occupations: list[str]
    attributes: dict[str, ProtectedAttribute]
    training: list[Template]
    test: list[Template]


def mentions(templates: Sequence[Template], name: str) -> list[tuple[Template, int]]:
    """List all mentions of an attribute as template and number of the slot."""
    return [(template, number) for template in templates for number in template.mentions(name)]


def choose(templates: Sequence[Template], n: int, *, seed: int) -> list[Template]:
    """Choose n templates at random, in their order.

    The share of each combination of attributes changes by less than one template.
    """
    random = np.random.default_rng(seed)
    order = sorted(random.permutation(len(templates)), key=lambda i: templates[i].names)
    places = (np.arange(n) + random.random()) * len(templates) / n
    return [templates[i] for i in sorted(order[int(place)] for place in places)]
