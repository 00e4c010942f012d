"""Pairs of sentences made from templates, in the direction of what is planted, each once."""

import re
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from biassay.language_models import template_files
from biassay.studies.downstream import pairs


@pytest.fixture(scope="module")
def material():
    return template_files.read("resources/templates/intrinsic.yaml")


def test_pairs_from_templates(material):
    random = np.random.default_rng(1)
    full = {name: random.dirichlet(np.ones(len(of.groups)), len(material.occupations))
            for name, of in material.attributes.items()}  # fmt: skip
    table = pairs.make_pairs(material, full, 40, seed=3)
    assert table.columns.tolist() == pairs.COLUMNS
    assert table["attribute"].value_counts().to_dict() == dict.fromkeys(material.attributes, 40)
    assert not table.duplicated(["stereotypical", "antistereotypical"]).any()
    used = set()
    for row in table.itertuples():
        before, after = row.masked.split("[MASK]")
        words = [text.removeprefix(before).removesuffix(after) for text in (row.stereotypical, row.antistereotypical)]
        assert all(
            f"{before}{word}{after}" == text
            for word, text in zip(words, (row.stereotypical, row.antistereotypical), strict=True)
        )
        of, places = material.attributes[row.attribute], []
        for group, word in zip((row.group_stereotypical, row.group_antistereotypical), words, strict=True):
            places.append(of.groups.index(group))
            bare = [terms[places[-1]] for terms in of.terms.values()]
            assert any(word.lower() in (term.lower(), f"{term.lower()}s") for term in bare)
        named = [word for word in material.occupations if re.search(rf"\b{word}", row.stereotypical, re.IGNORECASE)]
        occupation = max(named, key=len)
        p = full[row.attribute][material.occupations.index(occupation)]
        assert p[places[0]] >= p[places[1]]
        used.add(occupation)
        assert row.stereo_antistereo == "stereo"
    assert len(used) > 20
    assert {tuple(sorted(pair)) for pair in table[["group_stereotypical", "group_antistereotypical"]].to_numpy()} >= {
        ("female", "male")
    }
    pd.testing.assert_frame_equal(table, pairs.make_pairs(material, full, 40, seed=3))
    assert not table.equals(pairs.make_pairs(material, full, 40, seed=4))


def test_no_more_pairs_than_there_are(material):
    asked = SimpleNamespace(occupations=material.occupations[:2], test=material.test, attributes=material.attributes)
    full = {name: np.full((2, len(of.groups)), 0.5) for name, of in material.attributes.items()}
    table = pairs.make_pairs(asked, full, 10**6, seed=3)
    for name in material.attributes:
        slots = sum(len(template.mentions(name)) for template in material.test)
        assert (table["attribute"] == name).sum() == 2 * slots
