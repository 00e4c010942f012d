"""Sentences that plant groups of several attributes in language models, and those that the models are asked with."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from biassay.language_models import encoding, template_sentences, unmasking
from biassay.language_models.group_templates import ProtectedAttribute, Template, mentions
from biassay.language_models.masked_sentences import MaskedSentences
from biassay.language_models.tokens import Tokens


def attribute_columns(templates: Sequence[Template]) -> list[tuple[int, str]]:
    """What a group is drawn for, beside each occupation: (number of the template, attribute), by template."""
    return [(number, name) for number, template in enumerate(templates) for name in template.names]


def training_sentences(
    tokenizer: Any, templates: Sequence[Template], occupations: Sequence[str], drawn: Sequence[np.ndarray]
) -> list[MaskedSentences]:
    """The sentences of each model, by its groups (occupations, columns): one an occupation and column.

    The first mention of the column's attribute is masked, others of it are neutral, so that they do not give it away;
    other attributes are of the group drawn for them. A sentence that several models have is tokenised once.
    """
    pairs = attribute_columns(templates)
    of_template = np.array([number for number, _ in pairs])
    places = {pair: column for column, pair in enumerate(pairs)}
    stacked = np.stack(drawn).astype(np.int64)
    codes = np.zeros_like(stacked)
    for column, (number, _) in enumerate(pairs):
        for other in np.flatnonzero(of_template == number):
            codes[:, :, column] = codes[:, :, column] * (stacked.max() + 1) + stacked[:, :, other]
    shape = np.indices(stacked.shape[1:])
    keys = np.stack([codes, *(np.broadcast_to(part, codes.shape) for part in shape)], axis=-1).reshape(-1, 3)
    _, first, which = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    sentences = []
    for model, occupation, column in zip(*np.unravel_index(first, stacked.shape), strict=True):
        number, name = pairs[column]
        template = templates[number]
        groups = {other: int(stacked[model, occupation, places[number, other]]) for other in template.names}
        mention = template.mentions(name)[0]
        sentences.append(template.fill(occupations[occupation], mention, groups[name], groups))
    masked = template_sentences.mask(tokenizer, sentences)
    return [masked.take(rows) for rows in which.reshape(len(drawn), -1)]


def target_sentences(tokenizer: Any, templates: Sequence[Template], name: str, occupations: Sequence[str]) -> Tokens:
    """Sentences of each occupation and mention of an attribute, in this order, the mention masked, all else neutral."""
    asked = mentions(templates, name)
    return encoding.mask_place(tokenizer, [t.fill(word, slot, 0) for word in occupations for t, slot in asked], 0)


def group_sentences(tokenizer: Any, templates: Sequence[Template], name: str, attribute: ProtectedAttribute) -> Tokens:
    """Templates that mention an attribute, the occupation masked, all mentions of one group, all else neutral.

    The sentences of the first group come first; the i-th of each group belong together.
    """
    chosen = [template for template in templates if template.mentions(name)]
    sentences = [
        template.fill(encoding.PLACEHOLDER, template.mentions(name)[0], group, every=True)
        for group in range(len(attribute.groups)) for template in chosen
    ]  # fmt: skip
    return encoding.mask_place(tokenizer, sentences, 1)


def queries(
    tokenizer: Any, templates: Sequence[Template], name: str, attribute: ProtectedAttribute, occupations: Sequence[str]
) -> unmasking.Queries:
    """Each group's term in the sentences of `targets`, the groups of a sentence side by side."""
    sentences = [
        template.fill(word, slot, group)
        for word in occupations for template, slot in mentions(templates, name)
        for group in range(len(attribute.groups))
    ]  # fmt: skip
    return unmasking.Queries.from_tokens(template_sentences.tokenise(tokenizer, sentences), 0, tokenizer.mask_token_id)


def joint_queries(
    tokenizer: Any, templates: Sequence[Template], given: tuple[str, ProtectedAttribute], asked: tuple[str, ProtectedAttribute],
    occupations: Sequence[str],
) -> unmasking.Queries | None:  # fmt: skip
    """Each group's term of the asked attribute where the given one is of each of its groups, then neutral.

    Sentences of occupations, mentions of the asked attribute in templates that mention both, given groups and neutral,
    asked groups, in this order; None if no template mentions both.
    """
    name, attribute = asked
    sentences = [
        template.fill(word, slot, group, {} if other is None else {given[0]: other})
        for word in occupations for template, slot in mentions(templates, name) if template.mentions(given[0])
        for other in [*range(len(given[1].groups)), None] for group in range(len(attribute.groups))
    ]  # fmt: skip
    if not sentences:
        return None
    return unmasking.Queries.from_tokens(template_sentences.tokenise(tokenizer, sentences), 0, tokenizer.mask_token_id)


def probabilities(answers: np.ndarray, occupations: int, groups: int) -> np.ndarray:
    """Probabilities among the groups from the answers to `questions`: (occupations, mentions, groups), intrinsic-2023
    eq 1; their mean over mentions is eq 2."""
    return unmasking.normalise(np.asarray(answers).reshape(occupations, -1, groups))
