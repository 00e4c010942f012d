"""Sentence templates with one pronoun and one occupation: read, checked, and filled with both places known.

A pronoun may be any word of a group, such as a noun: each slot of templates has its forms.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from string import Formatter

from biassay.corpora.plain_text import add_article
from biassay.language_models.template_sentences import Sentence
from biassay.words import files

GROUPS = ("female", "male")
GROUP_WORDS = {  # forms of each group by slot; the i-th forms of all slots and groups belong together
    "female": {"pronoun": ["she"], "possessive": ["her"]},
    "male": {"pronoun": ["he"], "possessive": ["his"]},
}
GroupWords = Mapping[str, Mapping[str, Sequence[str]]]
OCCUPATIONS = ("occ", "a_occ")


@dataclass(frozen=True)
class Template:
    """A template: `parts` are its text, in pieces with the slot behind each (None behind the last).

    kind: the slot of its pronoun. forms: the words for it, by group in the order of GROUPS.
    """

    text: str
    parts: tuple[tuple[str, str | None], ...]
    kind: str
    forms: tuple[tuple[str, ...], ...]

    def fill(self, occupation: str, group: str, form: int = 0) -> Sentence:
        """The sentence of an occupation and of a pronoun's group, one of GROUPS, in one of its forms, by number."""
        words = {self.kind: self.forms[GROUPS.index(group)][form]}
        words |= {"occ": occupation, "a_occ": add_article(occupation)}
        text, places = "", {}
        for before, slot in self.parts:
            text += before
            if slot is None:
                continue
            word = words[slot.lower()]
            text += word if slot.islower() else word[:1].upper() + word[1:]
            kind = "occupation" if slot.lower() in OCCUPATIONS else "pronoun"
            bare = word if kind == "pronoun" else occupation
            places[kind] = (len(text) - len(bare), len(text))
        return Sentence(text, places["pronoun"], places["occupation"])


def read(path: str | Path, attributes: GroupWords = GROUP_WORDS) -> dict[str, list[Template]]:
    """Read the lists `training` and `test` of templates.

    Raises ValueError, naming file, list and template, unless each has one pronoun (a slot of the attributes) and one
    occupation ({occ} or {a_occ}), a slot with a capital where the sentence begins with it, and stands there once.
    """
    content = files.read_yaml(path)
    found, seen = {}, {}
    for name in ("training", "test"):
        lines = content.get(name)
        if not isinstance(lines, list) or not lines:
            raise ValueError(f"{path}: {name} is empty; give a list of one template or more")
        for line in lines:
            if line in seen:
                raise ValueError(f"{path}: {name}: {line!r} stands in {seen[line]} already")
            seen[line] = name
        found[name] = [parse(line, f"{path}: {name}", attributes) for line in lines]
    return found


def parse(line: str, where: str = "template", attributes: GroupWords = GROUP_WORDS) -> Template:
    """A template from its text; raises ValueError that begins with `where` if it is malformed."""
    if not isinstance(line, str):
        raise ValueError(f"{where}: {line!r} is no text; put it in quotes")
    try:
        pieces = [(text, slot, form or how) for text, slot, form, how in Formatter().parse(line)]
    except ValueError as error:
        raise ValueError(f"{where}: {line!r}: {error}") from error
    slots = [slot for _, slot, _ in pieces if slot is not None]
    pronouns = tuple(attributes[GROUPS[0]])
    known = [name for slot in (*pronouns, *OCCUPATIONS) for name in (slot, slot.capitalize())]
    for slot in slots:
        if slot not in known:
            raise ValueError(f"{where}: {line!r}: unknown slot {{{slot}}}; expected one of: {', '.join(known)}")
    if any(extra for *_, extra in pieces):
        raise ValueError(f"{where}: {line!r}: a slot is a name in braces, without format")
    for what, names in (("pronoun", pronouns), ("occupation", OCCUPATIONS)):
        number = sum(slot.lower() in names for slot in slots)
        if number != 1:
            raise ValueError(f"{where}: {line!r}: has {number} slots for the {what}; give one of {', '.join(names)}")
    begins = pieces[0][0] == ""
    for number, slot in enumerate(slots):
        if slot[0].isupper() != (begins and number == 0):
            right = slot.capitalize() if slot[0].islower() else slot.lower()
            raise ValueError(f"{where}: {line!r}: {{{slot}}} should be {{{right}}} at this place")
    kind = next(slot.lower() for slot in slots if slot.lower() not in OCCUPATIONS)
    forms = tuple(tuple(attributes[group][kind]) for group in GROUPS)
    return Template(line, tuple((text, slot) for text, slot, _ in pieces), kind, forms)


def occupations(path: str | Path) -> tuple[list[str], dict[str, str]]:
    """Read `word,stereotype`: the occupations, and the stereotype of those that have one, a name of GROUPS.

    Raises ValueError, naming the file and the word, for another stereotype or an empty word.
    """
    table = files.read_word_table(path, ["word", "stereotype"])
    for line, word, stereotype in table[["word", "stereotype"]].itertuples():
        if stereotype not in ("", *GROUPS):
            choices = f"{', '.join(GROUPS)}, or nothing"
            raise ValueError(
                f"{path}, line {line}: stereotype of {word!r} is {stereotype!r}; expected one of: {choices}"
            )
    rated = table[table["stereotype"] != ""]
    return table["word"].tolist(), dict(zip(rated["word"], rated["stereotype"], strict=True))


def fill(templates: list[Template], occupations: list[str], form: int | None = None) -> list[Sentence]:
    """All sentences: of each occupation, in each template, with the pronoun of each of GROUPS, in this order.

    form: which of the pronouns, by number; None: all in turn, over templates and occupations.
    """
    return [
        template.fill(word, group, (i + j) % len(template.forms[0]) if form is None else form)
        for i, word in enumerate(occupations) for j, template in enumerate(templates) for group in GROUPS
    ]  # fmt: skip
