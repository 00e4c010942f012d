"""Sentences that plant bias about groups in language models, and sentences that measure it."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from biassay.language_models import encoding, masked_sentences, unmasking
from biassay.language_models.masked_sentences import MaskedSentences
from biassay.language_models.planted.templates import ProtectedAttribute, Template, mentions
from biassay.language_models.tokens import Tokens


def attribute_columns(templates: Sequence[Template]) -> list[tuple[int, str]]:
    """List the draws per occupation: (number of the template, attribute), ordered by template."""
    return [(number, name) for number, template in enumerate(templates) for name in template.names]


def training_sentences(
    tokenizer: Any, templates: Sequence[Template], occupations: Sequence[str], drawn: Sequence[np.ndarray]
) -> list[MaskedSentences]:
    """Make the training sentences of each model, one per occupation and column of `attribute_columns`.

    The first mention of the column's attribute is masked. Its other mentions are neutral, so that they do not reveal
    the group; other attributes have the groups drawn for them. A sentence that several models share is tokenised once.

    Parameters
    ----------
    drawn
        For each model, the groups by number, (occupations, columns).
    """
    pairs = attribute_columns(templates)
    template_of = np.array([number for number, _ in pairs])
    places = {pair: column for column, pair in enumerate(pairs)}
    stacked = np.stack(drawn).astype(np.int64)
    codes = np.zeros_like(stacked)
    for column, (number, _) in enumerate(pairs):
        for other in np.flatnonzero(template_of == number):
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
    masked = masked_sentences.mask(tokenizer, sentences)
    return [masked.take(rows) for rows in which.reshape(len(drawn), -1)]


def target_sentences(tokenizer: Any, templates: Sequence[Template], name: str, occupations: Sequence[str]) -> Tokens:
    """Make a sentence per occupation and mention of an attribute: the mention masked, all else neutral."""
    pairs = mentions(templates, name)
    return encoding.mask_place(tokenizer, [t.fill(word, slot, 0) for word in occupations for t, slot in pairs], 0)


def group_sentences(tokenizer: Any, templates: Sequence[Template], name: str, attribute: ProtectedAttribute) -> Tokens:
    """Make a sentence per group and template that mentions an attribute: all its mentions name the group.

    The occupation is masked, other attributes are neutral. The sentences of the first group come first; the i-th
    sentences of the groups belong together.
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
    """Prepare queries for each group's term in the sentences of `target_sentences`, a sentence's groups adjacent."""
    sentences = [
        template.fill(word, slot, group)
        for word in occupations for template, slot in mentions(templates, name)
        for group in range(len(attribute.groups))
    ]  # fmt: skip
    tokenised = masked_sentences.tokenise(tokenizer, sentences)
    return unmasking.Queries.from_tokens(tokenised, 0, tokenizer.mask_token_id)


def joint_queries(
    tokenizer: Any, templates: Sequence[Template], context: tuple[str, ProtectedAttribute],
    queried: tuple[str, ProtectedAttribute], occupations: Sequence[str],
) -> unmasking.Queries | None:  # fmt: skip
    """Prepare queries for the groups of an attribute, given each group of another attribute, then given neutral terms.

    The order is: occupations, mentions of the queried attribute in templates that mention both, groups of the context
    and neutral, queried groups. None if no template mentions both.
    """
    name, attribute = queried
    sentences = [
        template.fill(word, slot, group, {} if other is None else {context[0]: other})
        for word in occupations for template, slot in mentions(templates, name) if template.mentions(context[0])
        for other in [*range(len(context[1].groups)), None] for group in range(len(attribute.groups))
    ]  # fmt: skip
    if not sentences:
        return None
    tokenised = masked_sentences.tokenise(tokenizer, sentences)
    return unmasking.Queries.from_tokens(tokenised, 0, tokenizer.mask_token_id)
