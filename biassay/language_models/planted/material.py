"""Material of a study of planted bias: its occupations and templates, with the sentences and queries made from them.

Materials have equal methods: the templates of same-2021 have one attribute, gender, by a pronoun; those of
intrinsic-2023 have one or more.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from biassay.language_models import encoding, masked_sentences, unmasking
from biassay.language_models import templates as pronoun_templates
from biassay.language_models.masked_sentences import MaskedSentences
from biassay.language_models.planted import sentences, template_files
from biassay.language_models.planted.distributions import HELD_OUT
from biassay.language_models.planted.templates import Templates, choose, mentions
from biassay.language_models.templates import GROUPS
from biassay.language_models.tokens import Tokens
from biassay.statistics.seeds import seed_of

OCCUPATIONS, TEMPLATES = 14, 15  # purposes of seeds
Query = Callable[[Any], np.ndarray]  # of a model


@dataclass(frozen=True)
class PronounMaterial:
    """Occupations, and templates with one pronoun and one occupation."""

    occupations: list[str]
    training: list[pronoun_templates.Template]
    test: list[pronoun_templates.Template]

    def training_sentences(self, tokenizer: Any, groups: Sequence[np.ndarray]) -> list[MaskedSentences]:
        """Make the training sentences of each model from its groups (occupations, templates), without HELD_OUT."""
        masked = masked_sentences.mask(tokenizer, pronoun_templates.fill(self.training, self.occupations))
        flat = [of_model.ravel().astype(np.int64) for of_model in groups]
        trained = [np.flatnonzero(drawn != HELD_OUT) for drawn in flat]
        return [masked.take(len(GROUPS) * rows + drawn[rows]) for drawn, rows in zip(flat, trained, strict=True)]

    def embedded_sentences(self, tokenizer: Any) -> dict[str, tuple[Tokens, int]]:
        """Make the test sentences by folder, with the place of the inserted word.

        targets: a sentence per occupation and template, with the pronoun masked. groups: one per group, form of its
        pronouns and template, with the occupation masked; the i-th sentences of the groups belong together.
        """
        targets = [template.fill(word, GROUPS[0]) for word in self.occupations for template in self.test]
        groups = [
            template.fill(encoding.PLACEHOLDER, group, form)
            for group in GROUPS for form in range(len(self.test[0].forms[0])) for template in self.test
        ]  # fmt: skip
        return {
            "targets": (encoding.mask_place(tokenizer, targets, 0), 1),
            "groups": (encoding.mask_place(tokenizer, groups, 1), 0),
        }

    def queries(self, tokenizer: Any, intersections: Sequence[Sequence[str]] = ()) -> dict[str, Query]:
        """Prepare the log-probabilities of both groups' pronouns (occupations · templates, 2), by file."""
        forms = [
            masked_sentences.mask(tokenizer, pronoun_templates.fill(self.test, self.occupations, form))
            for form in range(len(self.test[0].forms[0]))
        ]
        return {"pronouns": lambda model: unmasking.pronoun_log_probabilities(model, *forms)}


class GroupMaterial(Templates):
    """Occupations, protected attributes, and templates that mention one or more of them."""

    @property
    def columns(self) -> list[str]:
        """Attribute of each draw of an occupation."""
        return [name for _, name in sentences.attribute_columns(self.training)]

    @property
    def sizes(self) -> dict[str, int]:
        """Number of groups by attribute."""
        return {name: len(attribute.groups) for name, attribute in self.attributes.items()}

    def training_sentences(self, tokenizer: Any, groups: Sequence[np.ndarray]) -> list[MaskedSentences]:
        """Make the training sentences of each model from its groups (occupations, columns)."""
        return sentences.training_sentences(tokenizer, self.training, self.occupations, groups)

    def embedded_sentences(self, tokenizer: Any) -> dict[str, tuple[Tokens, int]]:
        """Make the `targets` and `groups` of each attribute by folder, with the place of the inserted word."""
        embedded = {}
        for name, attribute in self.attributes.items():
            targets = sentences.target_sentences(tokenizer, self.test, name, self.occupations)
            embedded[f"{name}/targets"] = targets, 1
            embedded[f"{name}/groups"] = sentences.group_sentences(tokenizer, self.test, name, attribute), 0
        return embedded

    def queries(self, tokenizer: Any, intersections: Sequence[Sequence[str]] = ()) -> dict[str, Query]:
        """Prepare the log-probabilities of groups by file: of each attribute, and given another (`intersections`)."""
        queries, n = {}, len(self.occupations)
        for name, attribute in self.attributes.items():
            query = sentences.queries(tokenizer, self.test, name, attribute, self.occupations)
            queries[f"{name}/unmasking"] = query, (n, -1, self.sizes[name])
        for condition, name in intersections:
            pair = [(attribute, self.attributes[attribute]) for attribute in (condition, name)]
            query = sentences.joint_queries(tokenizer, self.test, *pair, self.occupations)
            queries[f"{name}/given_{condition}"] = query, (n, -1, self.sizes[condition] + 1, self.sizes[name])
        return {
            file: lambda model, query=query, shape=shape: query.run(model).reshape(shape)
            for file, (query, shape) in queries.items()
        }

    def unmasked_probabilities(self, queries: dict[str, Query], model: Any) -> dict[str, np.ndarray]:
        """Compute a model's probabilities of groups, means over sentences, by attribute: (occupations, groups)."""
        return {name: unmasking.normalise(queries[f"{name}/unmasking"](model)).mean(axis=1) for name in self.attributes}


def read(
    templates: str | Path, occupations: Sequence[str], settings: dict, *, seed: int
) -> PronounMaterial | GroupMaterial:
    """Read the material of a study: pronoun templates with a table of occupations, or a selection of a file.

    Parameters
    ----------
    templates
        File of templates.
    occupations
        The table of occupations of pronoun templates; none for templates of several attributes.
    settings
        `groups`, the words of both groups, or the numbers of `select`.
    """
    if not occupations:
        return select(templates, **settings, seed=seed)
    words, _ = pronoun_templates.occupations(occupations[0])
    return PronounMaterial(words, **pronoun_templates.read(templates, settings["groups"]))


def select(
    path: str | Path, n_occupations: int | None, n_training: int | None, n_test: int | None, *, seed: int
) -> GroupMaterial:
    """Select occupations and templates of a file at random, in the file's order; None selects all.

    Raises ValueError if the file has fewer, or if no selected template mentions a protected attribute.
    """
    whole = template_files.read(path)
    words = whole.occupations
    if n_occupations is not None and not 2 <= n_occupations <= len(words):
        raise ValueError(f"n_occupations: expected 2 to {len(words)}, got {n_occupations!r} ({path})")
    random = np.random.default_rng(seed_of(seed, OCCUPATIONS))
    chosen = sorted(random.permutation(len(words))[:n_occupations])
    parts = {}
    for number, (name, n) in enumerate({"training": n_training, "test": n_test}.items()):
        try:
            parts[name] = choose(getattr(whole, name), n, seed=seed_of(seed, TEMPLATES, number))
        except ValueError as error:
            raise ValueError(f"n_templates.{name}: {error} ({path})") from error
        for attribute in whole.attributes:
            if not mentions(parts[name], attribute):
                raise ValueError(f"n_templates.{name}: {n} templates are too few: none mentions {attribute}")
    return GroupMaterial([words[i] for i in chosen], whole.attributes, **parts)
