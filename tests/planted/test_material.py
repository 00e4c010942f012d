"""Selection of the occupations and templates of a file."""

import re

import numpy as np
import pytest

from biassay.language_models import loading
from biassay.language_models.planted import material
from biassay.language_models.templates import GROUP_WORDS
from tests.planted.files import SELECTED as TEMPLATES
from tests.planted.files import write


@pytest.fixture
def path(tmp_path):
    return write(tmp_path, TEMPLATES)


def test_material_is_a_part_in_its_order(path):
    whole = material.select(path, None, None, None, seed=1)
    assert whole.occupations == TEMPLATES["occupations"]
    assert [template.text for template in whole.training] == TEMPLATES["training"]
    words = [material.select(path, 3, None, 2, seed=seed).occupations for seed in range(40)]
    places = [[TEMPLATES["occupations"].index(word) for word in of] for of in words]
    assert places[:3] == [[0, 2, 4], [0, 2, 3], [0, 2, 3]]  # a seed chooses the same for ever
    assert len(set(map(tuple, places))) == 10  # all threes of five, each in the order of the file
    assert all(of == sorted(of) for of in places)
    training = [material.select(path, None, 2, 2, seed=seed).training for seed in (6, 7, 8)]
    texts = [[TEMPLATES["training"].index(template.text) for template in of] for of in training]
    assert texts == [[1, 3], [0, 3], [1, 3]]


@pytest.mark.parametrize(
    ("n", "message"),
    [
        ((1, None, None), "n_occupations: expected 2 to 5, got 1 ({path})"),
        ((2, None, 0), "n_templates.test: expected 1 to 2 templates, got 0 ({path})"),
        ((None, 1, None), "n_templates.training: 1 templates are too few: none mentions religion"),
    ],
)
def test_more_or_less_than_there_is(path, n, message):
    with pytest.raises(ValueError, match=re.escape(message.format(path=path))):
        material.select(path, *n, seed=1)


@pytest.mark.parametrize("kind", ["groups", "pronouns"])
def test_the_vocabulary_has_the_tokens_of_all_sentences_that_can_be_drawn(kind, path):
    tokenizer = loading.load("resources/models/bert-tiny-enwiki", device="cpu").tokenizer
    if kind == "groups":
        chosen = material.select(path, None, None, None, seed=1)
        models = [{"min_p": 0.05, "max_p": 0.8, "strength": 1.0, "seed": seed} for seed in range(30)]
    else:
        words, templates = "resources/words/same_occupations.csv", "resources/templates/same.yaml"
        settings = {"groups": GROUP_WORDS, "n_occupations": 3, "held_out": 0.1}
        chosen = material.read(templates, [words], settings, seed=1)
        models = [{"mean": 0.5, "spread": 0.3, "seed": seed} for seed in range(30)]
    drawn = chosen.training_sentences(tokenizer, [chosen.draw_groups(model, seed=2)[1] for model in models])
    expected = np.unique(np.concatenate([np.append(part.ids, part.labels) for part in drawn]))
    found = material.vocabulary("texts", tokenizer, chosen)
    assert found == expected.tolist()
    assert material.vocabulary("all", tokenizer, chosen) is None
