"""Sentence templates with one group word and one occupation.

A "pronoun" can be any word of a group, such as a noun. Each slot has one or more forms per group.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from string import Formatter

from biassay.corpora.plain_text import add_article
from biassay.language_models.masked_sentences import Sentence
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
    """A template as pairs of a text and the slot after it (None after the last text).

    kind: the slot of its pronoun. forms: words for this slot by group, in the order of GROUPS.
    """

    text: str
    parts: tuple[tuple[str, str | None], ...]
    kind: str
    forms: tuple[tuple[str, ...], ...]

    def fill(self, occupation: str, group: str, form: int = 0) -> Sentence:
        """Make the sentence of an occupation and a group, one of GROUPS, with the pronoun in one of its forms."""
        words = {self.kind: self.forms[GROUPS.index(group)][form], "occ": occupation, "a_occ": add_article(occupation)}
        text, places = "", {}
        for before, slot in self.parts:
            text += before
            if slot is not None:
                word = words[slot.lower()]
                text += word if slot.islower() else word[:1].upper() + word[1:]
                kind, bare = ("occupation", occupation) if slot.lower() in OCCUPATIONS else ("pronoun", word)
                places[kind] = (len(text) - len(bare), len(text))
        return Sentence(text, places["pronoun"], places["occupation"])


def read(path: str | Path, group_words: GroupWords = GROUP_WORDS) -> dict[str, list[Template]]:
    """Read the lists `training` and `test` of templates.

    Raises ValueError, naming file, list and template, unless each template has one pronoun (a slot of the group words)
    and one occupation ({occ} or {a_occ}), a capital in a slot at its start, and occurs once.
    """
    content, templates, list_of = files.read_yaml(path), {}, {}
    for name in ("training", "test"):
        lines = content.get(name)
        if not isinstance(lines, list) or not lines:
            raise ValueError(f"{path}: {name}: expected a list of one or more templates")
        templates[name] = [parse(line, f"{path}: {name}", group_words) for line in lines]
        for line in lines:
            if line in list_of:
                raise ValueError(f"{path}: {name}: {line!r} is already in {list_of[line]}")
            list_of[line] = name
    return templates


def parse(line: str, where: str = "template", group_words: GroupWords = GROUP_WORDS) -> Template:
    """Parse the text of a template; raise ValueError that begins with `where` if it is malformed."""
    where = f"{where}: {line!r}"
    if not isinstance(line, str):
        raise ValueError(f"{where} is not text; put it in quotes")
    try:
        fields = [(text, slot, form or conversion) for text, slot, form, conversion in Formatter().parse(line)]
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from error
    slots = [slot for _, slot, _ in fields if slot is not None]
    pronouns = tuple(group_words[GROUPS[0]])
    allowed = [name for slot in (*pronouns, *OCCUPATIONS) for name in (slot, slot.capitalize())]
    for number, slot in enumerate(slots):
        if slot not in allowed:
            raise ValueError(f"{where}: unknown slot {{{slot}}}; expected one of: {', '.join(allowed)}")
        expected = slot.capitalize() if number == 0 and fields[0][0] == "" else slot.lower()
        if slot != expected:
            raise ValueError(f"{where}: expected {{{expected}}} at this place, got {{{slot}}}")
    if any(extra for *_, extra in fields):
        raise ValueError(f"{where}: expected only a name in the braces of a slot, no format")
    for what, names in (("pronoun", pronouns), ("occupation", OCCUPATIONS)):
        if (n := sum(slot.lower() in names for slot in slots)) != 1:
            raise ValueError(f"{where}: expected one slot for the {what} ({', '.join(names)}), got {n}")
    kind = next(slot.lower() for slot in slots if slot.lower() not in OCCUPATIONS)
    forms = tuple(tuple(group_words[group][kind]) for group in GROUPS)
    return Template(line, tuple((text, slot) for text, slot, _ in fields), kind, forms)


def occupations(path: str | Path) -> tuple[list[str], dict[str, str]]:
    """Read a CSV file with the columns word and stereotype: the words, and the stereotype of those that have one.

    Raises ValueError, naming file, line and word, for an empty word, or a stereotype that is not one of GROUPS.
    """
    table = files.read_word_table(path, ["word", "stereotype"])
    for line, word, stereotype in table[["word", "stereotype"]].itertuples():
        if stereotype not in ("", *GROUPS):
            expected = f"{', '.join(GROUPS)}, or nothing"
            raise ValueError(f"{path}, line {line}: stereotype of {word!r}: expected {expected}, got {stereotype!r}")
    rated = table[table["stereotype"] != ""]
    return table["word"].tolist(), dict(zip(rated["word"], rated["stereotype"], strict=True))


def fill(templates: list[Template], occupations: list[str], form: int | None = None) -> list[Sentence]:
    """Make all sentences: each occupation in each template with the pronoun of each of GROUPS, in this order.

    form: number of the pronouns' form; None takes the forms in turn over templates and occupations.
    """
    return [
        template.fill(word, group, (i + j) % len(template.forms[0]) if form is None else form)
        for i, word in enumerate(occupations) for j, template in enumerate(templates) for group in GROUPS
    ]  # fmt: skip
