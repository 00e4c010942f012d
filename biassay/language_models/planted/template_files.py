"""Files of templates with several protected attributes, in our format or that of intrinsic-2023's code."""

import logging
import re
from collections.abc import Mapping
from pathlib import Path

from biassay.core import registry
from biassay.language_models.planted.templates import OCCUPATION, ProtectedAttribute, Slot, Template, Templates
from biassay.words import files

NEUTRAL = "neutral"
SLOT = re.compile(r"\{([^{}]*)\}")
LISTS = {"training": "templates_train", "test": "templates_test"}  # our name and that of the published format


def read(path: str | Path) -> Templates:
    """Read occupations, protected attributes, and the lists `training` and `test` of templates.

    Our format has slots {occupation} and {attribute.form}, and attributes with `groups` and `forms`, each a mapping
    from the groups and `neutral` to terms; resources/templates/intrinsic.yaml is an example. In the published format
    (`protected_attr`, slots such as GENDER1), templates that cannot be filled are left out, with a warning.

    Raises
    ------
    ValueError
        Naming file, list and template, unless each template has one occupation and at least one attribute, without an
        article before the attribute, which would reveal the group ("an asian").
    """
    content = files.read_yaml(path)
    if "protected_attr" in content:
        return _published(path, content)
    occupations = _occupations(path, content.get("occupations"))
    attributes = {name: _attribute(path, name, value) for name, value in _mapping(path, content, "attributes").items()}
    templates: dict[str, list[Template]] = {}
    for name in LISTS:
        lines = _texts(path, name, content.get(name))
        templates[name] = [_parse(line, f"{path}: {name}", attributes) for line in lines]
    return _checked(path, Templates(occupations, attributes, **templates))


def _parse(line: str, where: str, attributes: Mapping[str, ProtectedAttribute]) -> Template:
    """Parse a template of our format."""
    parts, at = [], 0
    for match in SLOT.finditer(line):
        name, _, form = match[1].partition(".")
        if match[1] != OCCUPATION:
            registry.check_names(f"{where}: {line!r}: attribute", [name], attributes)
            registry.check_names(f"{where}: {line!r}: form of {name}", [form], attributes[name].terms)
            if re.search(r"\b[Aa]n? $", line[: match.start()]):
                raise ValueError(
                    f"{where}: {line!r}: the article before {match[0]} reveals the group; use the, this or my"
                )
        parts.append((line[at : match.start()], Slot(name, form)))
        at = match.end()
    if set(line[at:] + "".join(text for text, _ in parts)) & set("{}"):
        raise ValueError(f"{where}: {line!r}: unmatched brace")
    slots = [slot.name for _, slot in parts]
    if slots.count(OCCUPATION) != 1 or len(slots) == 1:
        raise ValueError(
            f"{where}: {line!r}: expected one {{occupation}} and one or more attributes, got "
            f"{slots.count(OCCUPATION)} and {len(slots) - slots.count(OCCUPATION)}"
        )
    return Template(line, (*parts, (line[at:], None)), attributes)


def _attribute(path: str | Path, name: str, content: object) -> ProtectedAttribute:
    """Check an attribute of our format: groups, and terms of each for every form."""
    where = f"{path}: attributes.{name}"
    files.check_name(f"{path}: attributes", name)
    if name == OCCUPATION or not isinstance(content, dict) or set(content) != {"groups", "forms"}:
        raise ValueError(
            f"{where}: expected a name other than {OCCUPATION}, with groups and forms, got {content!r:.80}"
        )
    groups = _texts(where, "groups", content["groups"])
    if len(groups) < 2 or NEUTRAL in groups:
        raise ValueError(f"{where}.groups: expected two or more, without {NEUTRAL}, got {', '.join(groups)}")
    forms = _mapping(where, content, "forms")
    for form, terms in forms.items():
        files.check_word(f"{where}.forms", form)
        at = f"{where}.forms.{form}"
        if not isinstance(terms, dict) or set(terms) != {*groups, NEUTRAL}:
            raise ValueError(f"{at}: expected a term for each of {', '.join([*groups, NEUTRAL])}, got {terms!r:.80}")
        for group, term in terms.items():
            if (group, term) != (NEUTRAL, ""):
                files.check_word(f"{at}.{group}", term)
    terms = {form: tuple(forms[form][group] for group in groups) for form in forms}
    return _distinct(where, ProtectedAttribute(tuple(groups), terms, {form: forms[form][NEUTRAL] for form in forms}))


def _published(path: str | Path, content: dict) -> Templates:
    """Read templates in the format of intrinsic-2023's repository: numbered slots, lists of terms."""
    occupations = _occupations(path, content.get(str(content.get("target"))))
    attributes = {}
    for name in _texts(path, "protected_attr", content["protected_attr"]):
        files.check_name(f"{path}: protected_attr", name)
        if name.lower() in (OCCUPATION, *attributes):
            raise ValueError(f"{path}: protected_attr: {name!r} is also the name of another slot, in lower case")
        attributes[name.lower()] = _numbered(path, name, content)
    target = re.escape(str(content["target"]))
    slots = re.compile(rf"\b({target}|{'|'.join(content['protected_attr'])})(\d*)")
    templates = {}
    for name, key in LISTS.items():
        parsed = [(line, _parse_numbered(line, slots, content["target"], attributes))
                  for line in _texts(path, key, content.get(key))]  # fmt: skip
        for line, result in parsed:
            if isinstance(result, str):
                logging.warning("%s: %s: left out %r: %s", path, key, line, result)
        templates[name] = [result for _, result in parsed if isinstance(result, Template)]
    return _checked(path, Templates(occupations, attributes, **templates))


def _parse_numbered(
    line: str, slots: re.Pattern, target: str, attributes: Mapping[str, ProtectedAttribute]
) -> Template | str:
    """Parse a template of the published format, or return the reason why it cannot be filled."""
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
    used = [slot.name for _, slot in parts]
    if used.count(OCCUPATION) != 1:
        return f"it has {used.count(OCCUPATION)} occupations"
    return Template(line, (*parts, (line[at:], None)), attributes, english=False) if len(used) > 1 else "no attribute"


def _numbered(path: str | Path, name: str, content: dict) -> ProtectedAttribute:
    """Read an attribute of the published format: forms are numbers, groups are the terms of form 0."""
    terms = content.get(name)
    neutral = content.get(f"{name}_neutral")
    if not isinstance(terms, list) or not terms or not isinstance(neutral, list) or len(neutral) < len(terms):
        raise ValueError(f"{path}: {name}, {name}_neutral: expected lists of groups' terms, and as many neutral terms")
    if len(neutral) > len(terms):
        logging.warning("%s: %s_neutral has %d terms for %d forms; they may not match", path, name, len(neutral),
                        len(terms))  # fmt: skip
    rows = [_texts(path, f"{name}, form {number}", row) for number, row in enumerate(terms)]
    for number, row in enumerate(rows):
        if len(row) < 2:
            raise ValueError(f"{path}: {name}, form {number}: expected two or more terms, got {row[0]}")
        if len(row) != len(rows[0]):
            raise ValueError(
                f"{path}: {name}, form {number}: expected {len(rows[0])} terms like form 0, got {len(row)}"
            )
    for term in filter(None, neutral):
        files.check_word(f"{path}: {name}_neutral", term)
    forms = {str(number): tuple(row) for number, row in enumerate(rows)}
    attribute = ProtectedAttribute(tuple(rows[0]), forms, {form: neutral[int(form)] or "" for form in forms})
    return _distinct(f"{path}: {name}", attribute)


def _distinct(where: str, attribute: ProtectedAttribute) -> ProtectedAttribute:
    for form, terms in attribute.terms.items():
        if len(set(terms)) < len(terms):
            raise ValueError(f"{where}: form {form}: two groups have the same term: {', '.join(terms)}")
    return attribute


def _checked(path: str | Path, templates: Templates) -> Templates:
    """Raise ValueError if a template is in both lists, or a list never mentions an attribute."""
    in_both = {template.text for template in templates.training} & {template.text for template in templates.test}
    if in_both:
        raise ValueError(f"{path}: {min(in_both)!r} is in training and test")
    for name in LISTS:
        for attribute in templates.attributes:
            if not any(template.mentions(attribute) for template in getattr(templates, name)):
                raise ValueError(f"{path}: {name}: no template mentions {attribute}")
    return templates


def _occupations(path: str | Path, content: object) -> list[str]:
    words = _texts(path, "occupations", content)
    if len(words) < 2:
        raise ValueError(f"{path}: occupations: expected two or more, got {', '.join(words)}")
    return words


def _mapping(where: str | Path, content: dict, key: str) -> dict:
    value = content.get(key)
    if not isinstance(value, dict) or not value:
        raise ValueError(f"{where}: {key}: expected a mapping of names, got {value!r:.80}")
    return value


def _texts(where: str | Path, key: str, content: object) -> list[str]:
    """Check a list of different texts."""
    if not isinstance(content, list) or not content:
        raise ValueError(f"{where}: {key}: expected a list of one or more texts, got {content!r:.80}")
    for text in content:
        files.check_word(f"{where}: {key}", text)
    repeated = next((text for number, text in enumerate(content) if text in content[:number]), None)
    if repeated is not None:
        raise ValueError(f"{where}: {key}: {repeated!r} is there twice")
    return content
