"""Templates that name groups of protected attributes, such as gender and religion, and one occupation.

After intrinsic-2023 §4: an attribute has groups, and forms in which a template names them ("his", "church"). A form has
a term for each group and a neutral term, which names no group; the neutral term is "" where the word is left out.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np

from biassay.corpora.plain_text import add_article
from biassay.language_models.masked_sentences import Sentence

OCCUPATION = "occupation"
NO_GROUPS: Mapping[str, int] = MappingProxyType({})


@dataclass(frozen=True)
class ProtectedAttribute:
    """A protected attribute: its groups, and for each form the groups' terms, in their order, and the neutral term."""

    groups: tuple[str, ...]
    terms: Mapping[str, tuple[str, ...]]
    neutral: Mapping[str, str]


@dataclass(frozen=True)
class Slot:
    """A slot of a template: the occupation, or a protected attribute in one of its forms."""

    name: str
    form: str = ""


@dataclass(frozen=True)
class Template:
    """A template as pairs of a text and the slot after it (None after the last text).

    english: whether "a" before the occupation becomes "an" where needed, and words at the start of a sentence get a
    capital.
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

        Parameters
        ----------
        mention
            Number of the slot that gets the group's term. Other mentions of its attribute are neutral.
        group
            Number of the group.
        others
            Numbers of the groups of other attributes; attributes that are not in it are neutral.
        every
            Give all mentions of the attribute the group's term.
        """
        slots = self.slots
        groups = {**others, slots[mention].name: group if every else None}
        text = ""
        for number, (before, slot) in enumerate(self.parts):
            text += before[1:] if before.startswith(" ") and (not text or text.endswith(" ")) else before
            if slot is None:
                continue
            chosen = group if number == mention else groups.get(slot.name)
            word = self._word(slot, occupation, chosen)
            if self.english:
                text, word = _in_english(text, word, slot)
            text += word
            if slot.name == OCCUPATION:
                occupation_place = len(text) - len(word), len(text)
            elif number == mention:
                mention_place = len(text) - len(word), len(text)
        places = (_with_ending(text, *place) for place in (mention_place, occupation_place))
        return Sentence(text[:1].upper() + text[1:] if self.english else text, *places)

    def _word(self, slot: Slot, occupation: str, group: int | None) -> str:
        if slot.name == OCCUPATION:
            return occupation
        attribute = self.attributes[slot.name]
        return attribute.neutral[slot.form] if group is None else attribute.terms[slot.form][group]


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


def choose(templates: Sequence[Template], n: int | None, *, seed: int) -> list[Template]:
    """Choose n templates at random, in their order; None chooses all.

    The share of each combination of attributes changes by less than one template. Raises ValueError for an n below 1 or
    above the number of templates.
    """
    if n is None:
        return list(templates)
    if not 1 <= n <= len(templates):
        raise ValueError(f"expected 1 to {len(templates)} templates, got {n!r}")
    random = np.random.default_rng(seed)
    order = sorted(random.permutation(len(templates)), key=lambda i: templates[i].names)
    places = (np.arange(n) + random.random()) * len(templates) / n
    return [templates[i] for i in sorted(order[int(place)] for place in places)]


def _with_ending(text: str, start: int, end: int) -> tuple[int, int]:
    """Extend the place of a word by letters attached to it, such as a plural s."""
    return start, end + len(re.match(r"\w*", text[end:])[0])


def _in_english(text: str, word: str, slot: Slot) -> tuple[str, str]:
    """Correct the article before an occupation, and capitalise a word after the end of a sentence."""
    if slot.name == OCCUPATION and re.search(r"\b[Aa] $", text):
        text = text[:-1] + "n " if add_article(word).startswith("an ") else text
    return text, word[:1].upper() + word[1:] if re.search(r"[.?!] $", text) else word
