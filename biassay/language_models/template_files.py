"""Files of templates with several attributes, read and checked: in our form, or in that of intrinsic-2023's code."""

import logging
import re
from collections.abc import Mapping
from pathlib import Path

from biassay.language_models.group_templates import OCCUPATION, ProtectedAttribute, Slot, Template, Templates
from biassay.support import registry
from biassay.words import files

NEUTRAL = "neutral"
SLOT = re.compile(r"\{([^{}]*)\}")
LISTS = {"training": "templates_train", "test": "templates_test"}  # by their names in the published form


def read(path: str | Path) -> Templates:
    """Read occupations, attributes, and the lists `training` and `test` of templates.

    Our form has slots {occupation} and {attribute.form}, and attributes with `groups` and `forms`, each a mapping from
    the groups and `neutral` to terms; resources/templates/intrinsic.yaml is one. Raises ValueError, naming file, list
    and template, unless each template has one occupation and one attribute or more, without an article before the
    latter, which would tell the group ("an asian").

    The published form (`protected_attr`, slots such as GENDER1) is read as it is: a template that it cannot be filled
    in is left out, with a warning that names it.
    """
    content = files.read_yaml(path)
    if "protected_attr" in content:
        return _published(path, content)
    occupations = _occupations(path, content.get("occupations"))
    attributes = {name: _attribute(path, name, given) for name, given in _mapping(path, content, "attributes").items()}
    found: dict[str, list[Template]] = {}
    for name in LISTS:
        lines = _texts(path, name, content.get(name))
        found[name] = [_parse(line, f"{path}: {name}", attributes) for line in lines]
    return _checked(path, Templates(occupations, attributes, **found))


def _parse(line: str, where: str, attributes: Mapping[str, ProtectedAttribute]) -> Template:
    """A template of our form from its text."""
    parts, at = [], 0
    for match in SLOT.finditer(line):
        name, _, form = match[1].partition(".")
        if match[1] != OCCUPATION:
            registry.check_names(f"{where}: {line!r}: attribute", [name], attributes)
            registry.check_names(f"{where}: {line!r}: form of {name}", [form], attributes[name].terms)
            if re.search(r"\b[Aa]n? $", line[: match.start()]):
                raise ValueError(
                    f"{where}: {line!r}: has an article before {match[0]}, which tells the group; take the, this, my"
                )
        parts.append((line[at : match.start()], Slot(name, form)))
        at = match.end()
    if set(line[at:] + "".join(text for text, _ in parts)) & set("{}"):
        raise ValueError(f"{where}: {line!r}: a brace without its counterpart")
    slots = [slot.attribute for _, slot in parts]
    if slots.count(OCCUPATION) != 1 or len(slots) == 1:
        raise ValueError(
            f"{where}: {line!r}: has {slots.count(OCCUPATION)} occupations and {len(slots) - slots.count(OCCUPATION)} "
            "slots of attributes; give one {occupation}, and one attribute or more"
        )
    return Template(line, (*parts, (line[at:], None)), attributes)


def _attribute(path: str | Path, name: str, given: object) -> ProtectedAttribute:
    """An attribute of our form: groups, and terms of each for every form."""
    where = f"{path}: attributes.{name}"
    files.check_name(f"{path}: attributes", name)
    if name == OCCUPATION or not isinstance(given, dict) or set(given) != {"groups", "forms"}:
        raise ValueError(f"{where}: {given!r:.80}; give a name other than {OCCUPATION}, groups and forms")
    groups = _texts(where, "groups", given["groups"])
    if len(groups) < 2 or NEUTRAL in groups:
        raise ValueError(f"{where}.groups: {', '.join(groups)}; give two or more, none of them {NEUTRAL}")
    forms = _mapping(where, given, "forms")
    for form, terms in forms.items():
        files.check_word(f"{where}.forms", form)
        at = f"{where}.forms.{form}"
        if not isinstance(terms, dict) or set(terms) != {*groups, NEUTRAL}:
            raise ValueError(f"{at}: {terms!r:.80}; give a term for each of {', '.join([*groups, NEUTRAL])}")
        for group, term in terms.items():
            if (group, term) != (NEUTRAL, ""):
                files.check_word(f"{at}.{group}", term)
    terms = {form: tuple(forms[form][group] for group in groups) for form in forms}
    return _distinct(where, ProtectedAttribute(tuple(groups), terms, {form: forms[form][NEUTRAL] for form in forms}))


def _published(path: str | Path, content: dict) -> Templates:
    """Templates in the form of intrinsic-2023's repository: numbered slots, lists of terms."""
    occupations = _occupations(path, content.get(str(content.get("target"))))
    attributes = {}
    for name in _texts(path, "protected_attr", content["protected_attr"]):
        files.check_name(f"{path}: protected_attr", name)
        if name.lower() in (OCCUPATION, *attributes):
            raise ValueError(f"{path}: protected_attr: {name!r} is the name of another slot, in lower case too")
        attributes[name.lower()] = _numbered(path, name, content)
    target = re.escape(str(content["target"]))
    slots = re.compile(rf"\b({target}|{'|'.join(content['protected_attr'])})(\d*)")
    found = {}
    for name, key in LISTS.items():
        read = [(line, _parse_numbered(line, slots, content["target"], attributes))
                for line in _texts(path, key, content.get(key))]  # fmt: skip
        for line, what in read:
            if isinstance(what, str):
                logging.warning("%s: %s: %r is left out: %s", path, key, line, what)
        found[name] = [what for _, what in read if isinstance(what, Template)]
    return _checked(path, Templates(occupations, attributes, **found))


def _parse_numbered(line: str, slots: re.Pattern, target: str, attributes: Mapping[str, ProtectedAttribute]) -> Template | str:
    """A template of the published form, or why it is none."""
    parts, at = [], 0
    for match in slots.finditer(line):
        name, form = match[1].lower(), match[2]
        if match[1] != target and form not in attributes[name].terms:
            return f"{match[0]} has no terms"
        parts.append((line[at : match.start()], Slot(OCCUPATION) if match[1] == target else Slot(name, form)))
        at = match.end()
    rest = " ".join([*(text for text, _ in parts), line[at:]])
    if unknown := re.search(r"[A-Z]{4,}\w*", rest):
        return f"unknown slot {unknown[0]}"
    used = [slot.attribute for _, slot in parts]
    if used.count(OCCUPATION) != 1:
        return f"it has {used.count(OCCUPATION)} occupations"
    return Template(line, (*parts, (line[at:], None)), attributes, english=False) if len(used) > 1 else "no attribute"


def _numbered(path: str | Path, name: str, content: dict) -> ProtectedAttribute:
    """An attribute of the published form, whose forms are numbers and whose groups are named by the first form."""
    terms = content.get(name)
    neutral = content.get(f"{name}_neutral")
    if not isinstance(terms, list) or not terms or not isinstance(neutral, list) or len(neutral) < len(terms):
        raise ValueError(f"{path}: {name}, {name}_neutral: give lists of the groups' terms, and as many neutral ones")
    if len(neutral) > len(terms):
        logging.warning("%s: %s_neutral has %d terms for %d forms; they may not belong to each other", path, name,
                        len(neutral), len(terms))  # fmt: skip
    rows = [_texts(path, f"{name}, form {number}", row) for number, row in enumerate(terms)]
    for number, row in enumerate(rows):
        if len(row) < 2:
            raise ValueError(f"{path}: {name}, form {number}: {row[0]}; give two or more")
        if len(row) != len(rows[0]):
            raise ValueError(f"{path}: {name}, form {number}: has {len(row)} terms; form 0 has {len(rows[0])}")
    for term in filter(None, neutral):
        files.check_word(f"{path}: {name}_neutral", term)
    forms = {str(number): tuple(row) for number, row in enumerate(rows)}
    found = ProtectedAttribute(tuple(rows[0]), forms, {form: neutral[int(form)] or "" for form in forms})
    return _distinct(f"{path}: {name}", found)


def _distinct(where: str, attribute: ProtectedAttribute) -> ProtectedAttribute:
    for form, terms in attribute.terms.items():
        if len(set(terms)) < len(terms):
            raise ValueError(f"{where}: form {form}: two groups have the same term: {', '.join(terms)}")
    return attribute


def _checked(path: str | Path, found: Templates) -> Templates:
    """The templates, unless a list is empty, one stands in both, or an attribute is never mentioned in one of them."""
    twice = {template.text for template in found.training} & {template.text for template in found.test}
    if twice:
        raise ValueError(f"{path}: {min(twice)!r} stands in training and test")
    for name in LISTS:
        for attribute in found.attributes:
            if not any(template.mentions(attribute) for template in getattr(found, name)):
                raise ValueError(f"{path}: {name}: no template mentions {attribute}")
    return found


def _occupations(path: str | Path, given: object) -> list[str]:
    words = _texts(path, "occupations", given)
    if len(words) < 2:
        raise ValueError(f"{path}: occupations: {', '.join(words)}; give two or more")
    return words


def _mapping(where: str | Path, content: dict, key: str) -> dict:
    given = content.get(key)
    if not isinstance(given, dict) or not given:
        raise ValueError(f"{where}: {key}: {given!r:.80}; give a mapping of names")
    return given


def _texts(where: str | Path, key: str, given: object) -> list[str]:
    """A list of texts, each once; raises ValueError for anything else."""
    if not isinstance(given, list) or not given:
        raise ValueError(f"{where}: {key}: {given!r:.80}; give a list of one or more")
    for text in given:
        files.check_word(f"{where}: {key}", text)
    twice = next((text for number, text in enumerate(given) if text in given[:number]), None)
    if twice is not None:
        raise ValueError(f"{where}: {key}: {twice!r} stands twice")
    return given
