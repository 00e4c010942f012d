"""A small file of templates with several attributes, in each of the two forms, for the tests."""

import copy

import yaml

from biassay.language_models.planted.templates import ProtectedAttribute

OURS = {
    "occupations": ["nurse", "engineer", "social worker"],
    "attributes": {
        "gender": {
            "groups": ["male", "female"],
            "forms": {
                "subject": {"male": "he", "female": "she", "neutral": "they"},
                "possessive": {"male": "his", "female": "her", "neutral": "their"},
                "adjective": {"male": "male", "female": "female", "neutral": ""},
            },
        },
        "faith": {
            "groups": ["christian", "muslim", "jewish"],
            "forms": {
                "adjective": {"christian": "christian", "muslim": "muslim", "jewish": "jewish", "neutral": ""},
                "house": {
                    "christian": "church", "muslim": "mosque", "jewish": "synagogue", "neutral": "place of worship"
                },
            },
        },
    },
    "training": [
        "Once {gender.subject} became a {occupation}.",
        "The {faith.adjective} {occupation} left {gender.possessive} bag.",
        "The {occupation} lost {gender.possessive} hat, so {gender.subject} asked in the {faith.house}.",
    ],
    "test": ["In the {faith.house} a {occupation} sang.", "Who is {gender.subject}? {gender.possessive} {occupation}."],
}  # fmt: skip
ATTRIBUTES = {  # of OURS
    "gender": ProtectedAttribute(
        ("male", "female"),
        {"subject": ("he", "she"), "possessive": ("his", "her"), "adjective": ("male", "female")},
        {"subject": "they", "possessive": "their", "adjective": ""},
    ),
    "faith": ProtectedAttribute(
        ("christian", "muslim", "jewish"),
        {"adjective": ("christian", "muslim", "jewish"), "house": ("church", "mosque", "synagogue")},
        {"adjective": "", "house": "place of worship"},
    ),
}
PUBLISHED = {
    "target": "JOB",
    "JOB": ["nurse", "engineer"],
    "protected_attr": ["GENDER", "FAITH"],
    "GENDER": [["he", "she"], ["man", "woman"]],
    "GENDER_neutral": ["they", "person"],
    "FAITH": [["christian", "muslim", "jewish"], ["church", "mosque", "synagogue"]],
    "FAITH_neutral": [None, "house"],
    "templates_train": ["GENDER0 is a JOB.", "the FAITH0 JOB and the GENDER1 met."],
    "templates_test": ["a JOB saw the FAITH1.", "the GENDER1 is a JOB."],
}

SELECTED = {
    "occupations": ["nurse", "chef", "editor", "baker", "poet"],
    "attributes": {
        "gender": {"groups": ["male", "female"],
                   "forms": {"noun": {"male": "man", "female": "woman", "neutral": "person"}}},
        "religion": {"groups": ["jewish", "hindu"],
                     "forms": {"kind": {"jewish": "jewish", "hindu": "hindu", "neutral": ""}}},
    },
    "training": [f"{word} {{gender.noun}} is the {{occupation}}." for word in ("This", "That", "The")]
    + ["The {religion.kind} {gender.noun} is the {occupation}."],
    "test": ["That {religion.kind} {occupation} is my {gender.noun}.", "This {gender.noun} was the {occupation}."],
}  # fmt: skip


DROP = object()  # no value


def changed(content, path, value):
    """A copy of a file's content with the value at a path of keys changed; taken out where the value is DROP."""
    found = copy.deepcopy(content)
    at = found
    for key in path[:-1]:
        at = at[key]
    if value is DROP:
        del at[path[-1]]
    else:
        at[path[-1]] = value
    return found


def write(folder, content):
    """The file of a content."""
    path = folder / "templates.yaml"
    path.write_text(yaml.safe_dump(content, allow_unicode=True, sort_keys=False), encoding="utf-8")
    return path
