"""Checks of the group words that studies put in the slots of their templates."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from biassay.language_models import model_files, templates
from biassay.language_models.group_templates import Templates
from biassay.words import files

UNKNOWN = ("[UNK]", "<unk>")  # token for unknown words in BERT and other models


def check(groups: templates.GroupWords) -> None:
    """Raise ValueError unless both groups have the same slots with equally many forms, and share no word."""
    first, second = templates.GROUPS
    where = f"config: same.groups.{second}"
    slots, others = list(groups[first]), list(groups[second])
    if set(slots) != set(others):
        raise ValueError(f"{where}: has the slots {', '.join(others)}; {first} has {', '.join(slots)}")
    for slot in slots:
        if slot in templates.OCCUPATIONS:
            raise ValueError(f"{where}: the slot {slot} is reserved for the occupation; choose another name")
        of_first, of_second = groups[first][slot], groups[second][slot]
        for group, words in ((first, of_first), (second, of_second)):
            for word in words:
                files.check_word(f"config: same.groups.{group}.{slot}", word)
        if len(of_first) != len(of_second):
            raise ValueError(f"{where}.{slot}: has {len(of_second)} forms; {first} has {len(of_first)}")
        if shared := [word for word in of_second if word in of_first]:
            raise ValueError(f"{where}.{slot}: {shared[0]!r} is also a form of {first}")


def check_groups(path: str, material: Templates, name: str, models: Mapping[str, dict]) -> None:
    """Make the checks of `check_single_tokens` for the terms and texts of a file of templates."""
    words = {f"{path}: attributes.{key}": [term for row in attribute.terms.values() for term in row]
             for key, attribute in material.attributes.items()}  # fmt: skip
    neutral = [term for attribute in material.attributes.values() for term in attribute.neutral.values()]
    lines = [template.text for template in (*material.training, *material.test)]
    check_single_tokens(words, {path: [*material.occupations, *neutral, *lines]}, name, models)


def check_single_tokens(
    words: Mapping[str, Iterable[str]], texts: Mapping[str, Iterable[str]], name: str, models: Mapping[str, dict]
) -> None:
    """Raise ValueError for a word that is not one token of a language model, and for special tokens such as [MASK].

    Parameters
    ----------
    words, texts
        By place, for the message. Both are searched for special tokens.
    name
        The language model. Nothing is checked if its tokenizer does not exist yet.
    models
        The configured language models.
    """
    model = models.get(name, {})
    source = model.get("path") or model.get("pretrain", {}).get("vocabulary")
    if not isinstance(source, str) or not Path(source).exists():
        return
    special = model_files.special_tokens(Path(source))
    for where, strings in [*words.items(), *texts.items()]:
        for text in strings:
            if token := next((token for token in special if token in text), None):
                problem = f"{text!r:.200} has {token!r}, a special token of the language model {name!r}"
                raise ValueError(f"{where}: {problem}; expected words")
    for where, strings in words.items():
        for word, tokens in model_files.subword_tokens(Path(source), list(strings)).items():
            if len(tokens) != 1 or tokens[0] in UNKNOWN:
                problem = f"{word!r} has the tokens {', '.join(tokens)} in the language model {name!r}"
                raise ValueError(f"{where}: {problem}; expected one token")
