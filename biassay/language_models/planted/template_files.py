"""Files of templates with several protected attributes, in our format or that of intrinsic-2023's code."""

import logging
import re
from pathlib import Path

from biassay.core import registry
from biassay.language_models.planted.templates import OCCUPATION, ProtectedAttribute, Slot, Template, Templates
from biassay.words import files

NEUTRAL = "neutral"
SLOT = re.compile(r"\{([^{}.]*)\.?([^{}]*)\}")  # name and form
LISTS = {"training": "templates_train", "test": "templates_test"}  # our name and that of the published format


def read(path: str | Path) -> Templates:
    """Read occupations, protected attributes, and the lists `training` and `test` of templates.

    Our format has slots {occupation} and {attribute.form}, and attributes with `groups` and `forms`, each a mapping
    from the groups and `neutral` to terms. A template has one occupation and at least one attribute, without an article
    before the attribute, which would reveal the group ("an asian"). In the published format (`protected_attr`, slots
    such as GENDER1), templates that cannot be filled are left out, with a warning. No template is in both lists, and
    each list mentions every attribute.
    """
    content = files.read_yaml(path)
    if "protected_attr" in content:
        templates = _read_published(path, content)
    else:
        occupations = files.check_words(f"{path}: occupations", content.get("occupations"), 2)
        attributes = _attributes(f"{path}: attributes", content.get("attributes"))
        templates = Templates(occupations, attributes, [], [])
        for name in LISTS:
            for line in files.check_words(f"{path}: {name}", content.get(name)):
                try:
                    getattr(templates, name).append(_parse(line, SLOT, {}, attributes, english=True))
                except ValueError as error:
                    raise ValueError(f"{path}: {name}: {line!r}: {error}") from error
    in_both = {template.text for template in templates.training} & {template.text for template in templates.test}
    if in_both:
        raise ValueError(f"{path}: {min(in_both)!r} is in training and test")
    for name in LISTS:
        for attribute in templates.attributes:
            if not any(template.mentions(attribute) for template in getattr(templates, name)):
                raise ValueError(f"{path}: {name}: no template mentions {attribute}")
    return templates


def _parse(
    line: str, pattern: re.Pattern, names: dict[str, str], attributes: dict[str, ProtectedAttribute], english: bool
) -> Template:
    """Split a template at its slots; raise ValueError with the reason if it cannot be filled.

    pattern: finds the name and the form of a slot. names: our names of slots that have another name in the file.
    """
    pieces = pattern.split(line)
    texts, slots = pieces[::3], []
    for name, form in zip(pieces[1::3], pieces[2::3], strict=True):
        slots.append(Slot(OCCUPATION) if names.get(name) == OCCUPATION else Slot(names.get(name, name), form))
    if stray := re.search(r"[{}]" if english else r"[A-Z]{4,}\w*", " ".join(texts)):
        raise ValueError(f"{stray[0]} is not a slot")
    forms = {OCCUPATION: [""]} | {name: attribute.terms for name, attribute in attributes.items()}
    for before, slot in zip(texts, slots, strict=False):
        registry.check_names("slot", [slot.name], forms)
        registry.check_names(f"form of {slot.name}", [slot.form], forms[slot.name])
        if english and slot.name != OCCUPATION and re.search(r"\b[Aa]n? $", before):
            raise ValueError(f"the article before {slot.name}.{slot.form} reveals the group; use the, this or my")
    n_occupations = [slot.name for slot in slots].count(OCCUPATION)
    if n_occupations != 1 or len(slots) == 1:
        n = len(slots) - n_occupations
        raise ValueError(f"expected one occupation and one or more attributes, got {n_occupations} and {n}")
    return Template(line, tuple(zip(texts, [*slots, None], strict=True)), attributes, english)


def _attributes(where: str, content: object) -> dict[str, ProtectedAttribute]:
    """Check the attributes of our format: groups, and a term of each for every form."""
    attributes = {}
    for name, attribute in _mapping(where, content).items():
        files.check_name(where, name)
        at = f"{where}.{name}"
        if name == OCCUPATION or not isinstance(attribute, dict) or set(attribute) != {"groups", "forms"}:
            raise ValueError(f"{at}: expected another name than occupation, groups and forms, got {attribute!r:.80}")
        groups = files.check_words(f"{at}.groups", attribute["groups"], 2)
        forms = _mapping(f"{at}.forms", attribute["forms"])
        for form, terms in forms.items():
            files.check_word(f"{at}.forms", form)
            if NEUTRAL in groups or not isinstance(terms, dict) or set(terms) != {*groups, NEUTRAL}:
                names = ", ".join([*groups, NEUTRAL])
                raise ValueError(f"{at}.forms.{form}: expected terms for {names}, got {terms!r:.80}")
            files.check_words(f"{at}.forms.{form}", [terms[group] for group in groups])
            if terms[NEUTRAL] != "":
                files.check_word(f"{at}.forms.{form}.{NEUTRAL}", terms[NEUTRAL])
        terms = {form: tuple(forms[form][group] for group in groups) for form in forms}
        neutral = {form: forms[form][NEUTRAL] for form in forms}
        attributes[name] = ProtectedAttribute(tuple(groups), terms, neutral)
    return attributes


def _read_published(path: str | Path, content: dict) -> Templates:
    """Read the format of intrinsic-2023's code: forms are numbers, groups are the terms of form 0."""
    target = str(content.get("target"))
    protected, names = {}, {target: OCCUPATION}
    for name in files.check_words(f"{path}: protected_attr", content["protected_attr"]):
        rows, neutral = content.get(name), content.get(f"{name}_neutral")
        if name.lower() in (OCCUPATION, *protected):
            raise ValueError(f"{path}: protected_attr: {name!r} is also the name of another slot, in lower case")
        if not isinstance(rows, list) or not rows or not isinstance(neutral, list) or len(neutral) < len(rows):
            raise ValueError(f"{path}: {name}, {name}_neutral: expected lists of groups' terms and of neutral terms")
        if len(neutral) > len(rows):
            logging.warning("%s: %s_neutral has %d terms for %d forms", path, name, len(neutral), len(rows))
        forms = {}
        for number, row in enumerate(rows):
            if len(files.check_words(f"{path}: {name}, form {number}", row)) != len(rows[0]):
                raise ValueError(f"{path}: {name}, form {number}: expected {len(rows[0])} terms, got {row!r:.80}")
            forms[str(number)] = dict(zip(rows[0], row, strict=True)) | {NEUTRAL: neutral[number] or ""}
        protected[name.lower()] = {"groups": list(forms["0"])[:-1], "forms": forms}
        names[name] = name.lower()
    attributes = _attributes(f"{path}: protected_attr", protected)
    templates = Templates(files.check_words(f"{path}: {target}", content.get(target), 2), attributes, [], [])
    pattern = re.compile(rf"\b({'|'.join(map(re.escape, names))})(\d*)")
    for name, key in LISTS.items():
        for line in files.check_words(f"{path}: {key}", content.get(key)):
            try:
                getattr(templates, name).append(_parse(line, pattern, names, attributes, english=False))
            except ValueError as error:
                logging.warning("%s: %s: left out %r: %s", path, key, line, error)
    return templates


def _mapping(where: str, content: object) -> dict:
    if not isinstance(content, dict) or not content:
        raise ValueError(f"{where}: expected a mapping of names, got {content!r:.80}")
    return content
