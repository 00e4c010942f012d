"""Material of a study of planted bias: its occupations and templates, with the sentences and queries made from them.

Materials have equal methods: the templates of same-2021 have one attribute, gender, by a pronoun; those of
intrinsic-2023 have one or more.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from biassay.language_models import encoding, masked_sentences, unmasking
from biassay.language_models import templates as pronoun_templates
from biassay.language_models.masked_sentences import MaskedSentences
from biassay.language_models.planted import distributions, template_files
from biassay.language_models.planted.distributions import HELD_OUT
from biassay.language_models.planted.templates import Templates, choose, mentions
from biassay.language_models.templates import GROUPS
from biassay.language_models.tokens import Tokens
from biassay.statistics.seeds import seed_of

OCCUPATIONS, TEMPLATES = 14, 15  # purposes of seeds
Query = Callable[[Any], np.ndarray]  # of a model


@dataclass(frozen=True)
class PronounMaterial:
    """Occupations, and templates with one pronoun and one occupation.

    held_out: share of the training sentences that a model is not trained on.
    """

    occupations: list[str]
    training: list[pronoun_templates.Template]
    test: list[pronoun_templates.Template]
    held_out: float

    @property
    def forms(self) -> range:
        """Numbers of the forms of the pronouns."""
        return range(len(self.test[0].forms[0]))

    def draw_groups(self, model: Mapping, *, seed: int) -> tuple[np.ndarray, np.ndarray]:
        """Draw p(male) of each occupation for a model of `grids.plan_normal`, and the groups of its sentences."""
        p = distributions.normal_probabilities(len(self.occupations), model["mean"], model["spread"], seed=seed)
        return p, distributions.draw_pronouns(p, len(self.training), self.held_out, seed=model["seed"])

    def constant_groups(self) -> list[np.ndarray]:
        """Make the groups of sentences that all have the same group, for each of GROUPS."""
        return [np.full((len(self.occupations), len(self.training)), group) for group in range(len(GROUPS))]

    def training_sentences(self, tokenizer: Any, groups: Sequence[np.ndarray]) -> list[MaskedSentences]:
        """Make the training sentences of each model from its groups (occupations, templates), without HELD_OUT."""
        masked = masked_sentences.mask(tokenizer, pronoun_templates.fill(self.training, self.occupations))
        flat = [of_model.ravel().astype(np.int64) for of_model in groups]
        trained = [np.flatnonzero(drawn != HELD_OUT) for drawn in flat]
        return [masked.take(len(GROUPS) * rows + drawn[rows]) for drawn, rows in zip(flat, trained, strict=True)]

    def embedded_sentences(self, tokenizer: Any) -> dict[str, tuple[Tokens, int]]:
        """Make the test sentences by folder, with the place of the inserted word.

        targets: one per occupation and template, with the pronoun masked. groups: one per group, form of its pronouns
        and template, with the occupation masked. The i-th sentences of the groups belong together.
        """
        targets = [template.fill(word, GROUPS[0]) for word in self.occupations for template in self.test]
        groups = [
            template.fill(encoding.PLACEHOLDER, group, form)
            for group in GROUPS
            for form in self.forms
            for template in self.test
        ]
        return {
            "targets": (encoding.mask_place(tokenizer, targets, 0), 1),
            "groups": (encoding.mask_place(tokenizer, groups, 1), 0),
        }

    def queries(self, tokenizer: Any) -> dict[str, Query]:
        """Prepare the log-probabilities of both groups' pronouns (occupations · templates, 2), by file."""
        sentences = [pronoun_templates.fill(self.test, self.occupations, form) for form in self.forms]
        masked = [masked_sentences.mask(tokenizer, of_form) for of_form in sentences]
        return {"pronouns": lambda model: unmasking.pronoun_log_probabilities(model, *masked)}


class GroupMaterial(Templates):
    """Occupations, protected attributes, and templates that mention one or more of them."""

    @property
    def draws(self) -> list[tuple[int, str]]:
        """Draws of a group for an occupation: number of the training template, and attribute."""
        return [(number, name) for number, template in enumerate(self.training) for name in template.names]

    @property
    def columns(self) -> list[str]:
        """Attribute of each draw."""
        return [name for _, name in self.draws]

    @property
    def sizes(self) -> dict[str, int]:
        """Number of groups by attribute."""
        return {name: len(attribute.groups) for name, attribute in self.attributes.items()}

    def draw_groups(self, model: Mapping, *, seed: int) -> tuple[dict[str, np.ndarray], np.ndarray]:
        """Draw the probabilities of groups by attribute for a model of `grids.grid`, and the groups of its draws."""
        limits = model["min_p"], model["max_p"], model["strength"]
        p = distributions.probabilities(len(self.occupations), self.sizes, *limits, seed=seed)
        return p, distributions.draw_groups(p, self.columns, seed=model["seed"])

    def constant_groups(self) -> list[np.ndarray]:
        """Make draws that all have the group of one number, for each; attributes of fewer groups repeat the last."""
        last = np.array([self.sizes[name] - 1 for name in self.columns])
        return [np.tile(np.minimum(n, last), (len(self.occupations), 1)) for n in range(last.max() + 1)]

    def training_sentences(
        self, tokenizer: Any, groups: Sequence[np.ndarray], *, with_occupations: bool = False
    ) -> list[MaskedSentences]:
        """Make the training sentences of each model from its groups (occupations, draws), one sentence per draw.

        The first mention of the draw's attribute is masked; `with_occupations`, the sentences follow again with the
        occupation masked. Other mentions of the attribute are neutral, so that they do not reveal the group; other
        attributes have the groups drawn for them. A sentence of several models is tokenised once.
        """
        numbers: dict[tuple, int] = {}  # of each distinct sentence
        draws, rows = self.draws, []
        for drawn in groups:
            of_model = []
            for occupation, of_occupation in enumerate(drawn.tolist()):
                by_template: dict[int, dict[str, int]] = {}
                for (template, name), group in zip(draws, of_occupation, strict=True):
                    by_template.setdefault(template, {})[name] = group
                for template, name in draws:
                    key = occupation, template, name, tuple(by_template[template].items())
                    of_model.append(numbers.setdefault(key, len(numbers)))
            rows.append(of_model)
        sentences = []
        for occupation, number, name, drawn_groups in numbers:
            template, by_name = self.training[number], dict(drawn_groups)
            mention = template.mentions(name)[0]
            sentences.append(template.fill(self.occupations[occupation], mention, by_name[name], by_name))
        places = (0, 1) if with_occupations else (0,)
        masked = masked_sentences.mask(tokenizer, sentences, places)
        return [masked.take(np.add.outer(len(sentences) * np.array(places), of_model).ravel()) for of_model in rows]

    def embedded_sentences(self, tokenizer: Any) -> dict[str, tuple[Tokens, int]]:
        """Make the test sentences by folder, with the place of the inserted word.

        targets: one per occupation and mention of an attribute, with the mention masked. groups: one per group and
        template, of which all mentions name the group, with the occupation masked. All other attributes are neutral.
        """
        embedded = {}
        for name, n_groups in self.sizes.items():
            mentioned = mentions(self.test, name)
            targets = [template.fill(word, slot, 0) for word in self.occupations for template, slot in mentioned]
            first = [(template, template.mentions(name)[0]) for template in self.test if template.mentions(name)]
            groups = [
                template.fill(encoding.PLACEHOLDER, slot, group, every=True)
                for group in range(n_groups)
                for template, slot in first
            ]
            embedded[f"{name}/targets"] = encoding.mask_place(tokenizer, targets, 0), 1
            embedded[f"{name}/groups"] = encoding.mask_place(tokenizer, groups, 1), 0
        return embedded

    def queries(self, tokenizer: Any) -> dict[str, Query]:
        """Prepare the log-probabilities of each attribute's groups, by file."""
        return {f"{name}/unmasking": self._query(tokenizer, name) for name in self.attributes}

    def _query(self, tokenizer: Any, name: str) -> Query:
        """Prepare the log-probabilities of an attribute's groups in the targets: (occupations, mentions, groups)."""
        mentioned = mentions(self.test, name)
        sentences = [
            template.fill(word, slot, group)
            for word in self.occupations
            for template, slot in mentioned
            for group in range(self.sizes[name])
        ]
        tokens = masked_sentences.tokenise(tokenizer, sentences)
        prepared = unmasking.Queries.from_tokens(tokens, 0, tokenizer.mask_token_id)
        shape = len(self.occupations), len(mentioned), self.sizes[name]
        return lambda model: prepared.run(model).reshape(shape)

    def unmasked_probabilities(self, queries: Mapping[str, Query], model: Any) -> dict[str, np.ndarray]:
        """Compute a model's probabilities of groups, means over sentences, by attribute: (occupations, groups)."""
        return {name: unmasking.normalise(queries[f"{name}/unmasking"](model)).mean(axis=1) for name in self.attributes}


def vocabulary(which: str, tokenizer: Any, material: PronounMaterial | GroupMaterial) -> list[int] | None:
    """Find the ids of all tokens that training sentences can have, if `which` is texts; None if it is all."""
    if which == "all":
        return None
    sentences = material.training_sentences(tokenizer, material.constant_groups())
    return np.unique(np.concatenate([np.append(part.ids, part.labels) for part in sentences])).tolist()


def read(
    templates: str | Path, occupations: Sequence[str], settings: dict, *, seed: int
) -> PronounMaterial | GroupMaterial:
    """Read pronoun templates with a table of occupations, or, without one, a selection of a file of several attributes.

    settings: `groups`, the words of both groups, `n_occupations` and `held_out`; or the numbers of `select`.
    """
    if not occupations:
        return select(templates, **settings, seed=seed)
    words, stereotypes = pronoun_templates.occupations(occupations[0])
    words = distributions.choose_occupations(words, stereotypes, settings["n_occupations"], seed=seed)
    by_part = pronoun_templates.read(templates, settings["groups"])
    return PronounMaterial(words, **by_part, held_out=settings["held_out"])


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
        templates = getattr(whole, name)
        if n is not None and not 1 <= n <= len(templates):
            raise ValueError(f"n_templates.{name}: expected 1 to {len(templates)} templates, got {n!r} ({path})")
        parts[name] = templates if n is None else choose(templates, n, seed=seed_of(seed, TEMPLATES, number))
        for attribute in whole.attributes:
            if not mentions(parts[name], attribute):
                raise ValueError(f"n_templates.{name}: {n} templates are too few: none mentions {attribute}")
    return GroupMaterial([words[i] for i in chosen], whole.attributes, **parts)
