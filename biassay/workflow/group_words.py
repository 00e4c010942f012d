"""Checks of the words of groups that studies put in the slots of their templates."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from biassay.language_models import model_files, templates
from biassay.language_models.group_templates import Templates
from biassay.words import files

UNKNOWN = ("[UNK]", "<unk>")  # as BERT and others name the piece for what they do not know


def check(attributes: templates.GroupWords) -> None:
    """Raise ValueError unless both groups have the same slots, with as many forms, and no word stands in both."""
    first, second = templates.GROUPS
    where = f"config: same.groups.{second}"
    slots, others = list(attributes[first]), list(attributes[second])
    if set(slots) != set(others):
        raise ValueError(f"{where}: has the slots {', '.join(others)}; {first} has {', '.join(slots)}")
    for slot in slots:
        if slot in templates.OCCUPATIONS:
            raise ValueError(f"{where}: the slot {slot} is the occupation's; choose another name")
        of_first, of_second = attributes[first][slot], attributes[second][slot]
        for group, words in ((first, of_first), (second, of_second)):
            for word in words:
                files.check_word(f"config: same.groups.{group}.{slot}", word)
        if len(of_first) != len(of_second):
            raise ValueError(f"{where}.{slot}: has {len(of_second)} forms; {first} has {len(of_first)}")
        if shared := [word for word in of_second if word in of_first]:
            raise ValueError(f"{where}.{slot}: {shared[0]!r} is a form of {first}, too")


def check_groups(path: str, material: Templates, name: str, models: Mapping[str, dict]) -> None:
    """Check the terms of a file of templates of several groups, and its texts, as `check_single_tokens`."""
    words = {f"{path}: attributes.{key}": [term for row in attribute.terms.values() for term in row]
             for key, attribute in material.attributes.items()}  # fmt: skip
    neutral = [term for attribute in material.attributes.values() for term in attribute.neutral.values()]
    lines = [template.text for template in (*material.training, *material.test)]
    check_single_tokens(words, {path: [*material.occupations, *neutral, *lines]}, name, models)


def check_single_tokens(
    words: Mapping[str, Iterable[str]], texts: Mapping[str, Iterable[str]], name: str, models: Mapping[str, dict]
) -> None:
    """Raise ValueError for a word that the named language model has in several pieces, or does not know, and for words
    and texts with one of its special tokens, such as [MASK].

    words, texts: by where they stand. Nothing is checked where the tokenizer is not there yet: of a model to be
    downloaded, or a vocabulary to be learned.
    """
    model = models.get(name, {})
    source = model.get("path") or model.get("pretrain", {}).get("vocabulary")
    if not isinstance(source, str) or not Path(source).exists():
        return
    special = model_files.special_tokens(Path(source))
    for where, of_place in [*words.items(), *texts.items()]:
        for text in of_place:
            if token := next((token for token in special if token in text), None):
                raise ValueError(
                    f"{where}: {text!r:.200} has {token!r}, a special token of the language model {name!r}; expected "
                    "words"
                )
    for where, of_place in words.items():
        for word, pieces in model_files.subword_tokens(Path(source), list(of_place)).items():
            if len(pieces) != 1 or pieces[0] in UNKNOWN:
                raise ValueError(
                    f"{where}: {word!r} has the pieces {', '.join(pieces)} in the language model {name!r}; it must be "
                    "one token"
                )
