"""Sentences that plant groups of several attributes, and those that ask for them, against text put together plainly."""

import re
from pathlib import Path

import numpy as np
import pytest
import torch
import yaml

from biassay.language_models import loading
from biassay.language_models.planted import material

FILE = "resources/templates/intrinsic.yaml"
WHOLE = material.select(FILE, None, None, None, seed=1)
SLOT = re.compile(r"\{(\w+)\.(\w+)\}")
SIZES = {"gender": 2, "ethnicity": 5, "religion": 4}
CONTENT = yaml.safe_load(Path(FILE).read_text(encoding="utf-8"))
TERMS = {name: given["forms"] for name, given in CONTENT["attributes"].items()}
GROUPS = {name: given["groups"] for name, given in CONTENT["attributes"].items()}
WORDS = ["accountant", "bus driver", "nurse", "artist"]
SHORT = 12  # templates of each list, for what asks a model


def chosen(training=WHOLE.training, test=WHOLE.test, words=WORDS):
    return material.GroupMaterial(words, WHOLE.attributes, training, test)


def plain(text, occupation, mention, groups):
    """A template filled by str.replace alone, [MASK] in place of its mention by number (None: of the occupation)."""
    slots = list(SLOT.finditer(text))
    for number, match in enumerate(slots):
        name, form = match[1], TERMS[match[1]][match[2]]
        named = None if mention is not None and name == slots[mention][1] else groups.get(name)
        word = form["neutral"] if named is None else form[GROUPS[name][named]]
        text = text.replace(match[0], "[MASK]" if number == mention else word, 1)
    for article in ("a", "A"):
        if occupation[0] in "aeiou":
            text = text.replace(f"{article} {{occupation}}", f"{article}n {{occupation}}")
    text = text.replace("{occupation}", "[MASK]" if mention is None else occupation)
    return re.sub(" +", " ", text)


def mentions_of(text, name):
    return [number for number, match in enumerate(SLOT.finditer(text)) if match[1] == name]


def terms_of(text, mention):
    """The terms of all groups in the form of a mention."""
    name, form = list(SLOT.finditer(text))[mention].groups()
    return [TERMS[name][form][group] for group in GROUPS[name]]


@pytest.fixture(scope="module")
def tiny():
    return loading.load("resources/models/bert-tiny-enwiki", device="cpu")


def texts_of(found):
    return [tuple(row[:length]) for row, length in zip(found.ids.tolist(), found.lengths, strict=True)]


def tokens_of(tiny, texts):
    return [tuple(ids) for ids in tiny.tokenizer(texts)["input_ids"]]


def test_every_training_sentence_has_one_mask_of_the_group_drawn(tiny):
    whole = chosen()
    columns = whole.draws
    assert (len(columns), columns[0], whole.sizes) == (250, (0, "gender"), SIZES)
    assert [name for number, name in columns if number == 164] == [
        name for name in SIZES if f"{{{name}." in CONTENT["training"][164]
    ]
    random = np.random.default_rng(1)
    drawn = [np.stack([random.integers(0, SIZES[name], 4) for name in whole.columns], axis=1) for _ in range(2)]
    found = whole.training_sentences(tiny.tokenizer, drawn)
    for groups, part in zip(drawn, found, strict=True):
        texts, labels = [], []
        for row, word in enumerate(WORDS):
            of = {pair: int(group) for pair, group in zip(columns, groups[row], strict=True)}
            for number, name in columns:
                text = CONTENT["training"][number]
                mention = mentions_of(text, name)[0]
                texts.append(plain(text, word, mention, {n: of.get((number, n)) for n in SIZES}))
                labels.append(terms_of(text, mention)[of[number, name]])
        assert texts_of(part) == tokens_of(tiny, texts)
        assert part.labels.tolist() == tiny.tokenizer.convert_tokens_to_ids(labels)
        masks = part.ids == tiny.tokenizer.mask_token_id
        assert (masks.sum(axis=1) == 1).all()
        assert (masks.argmax(axis=1) == part.positions).all()


@pytest.mark.parametrize("name", SIZES)
def test_targets_and_defining_sentences(tiny, name):
    asked = [(text, number) for text in CONTENT["test"] for number in mentions_of(text, name)]
    assert len(asked) == {"gender": 84, "ethnicity": 53, "religion": 34}[name]
    embedded = chosen().embedded_sentences(tiny.tokenizer)
    assert list(embedded) == [f"{attribute}/{part}" for attribute in SIZES for part in ("targets", "groups")]
    (targets, place), (groups, group_place) = embedded[f"{name}/targets"], embedded[f"{name}/groups"]
    assert (place, group_place) == (1, 0)
    expected = [plain(text, word, number, {}) for word in WORDS for text, number in asked]
    assert texts_of(targets) == tokens_of(tiny, expected)
    for row, (start, end) in enumerate(targets.places[:, 1]):
        assert tiny.tokenizer.decode(targets.ids[row, start:end].tolist()) == WORDS[row // len(asked)]
    texts = [text for text in CONTENT["test"] if f"{{{name}." in text]
    expected = [plain(text, "worker", None, {name: group}) for group in range(SIZES[name]) for text in texts]
    assert texts_of(groups) == tokens_of(tiny, expected)


@pytest.mark.parametrize("name", ["gender", "religion"])
def test_probabilities_of_groups_at_the_mask(tiny, name):
    texts = CONTENT["test"][-SHORT:]
    short = chosen(test=[t for t in WHOLE.test if t.text in texts], words=WORDS[:2])
    queries = short.queries(tiny.tokenizer)
    asked = [(text, number) for text in texts for number in mentions_of(text, name)]
    expected = np.empty((2, len(asked), SIZES[name]))
    for i, word in enumerate(WORDS[:2]):
        for j, (text, number) in enumerate(asked):
            ids = tiny.tokenizer.convert_tokens_to_ids(terms_of(text, number))
            inputs = tiny.tokenizer(plain(text, word, number, {}), return_tensors="pt")
            with torch.inference_mode():
                log_p = tiny.model(**inputs).logits[0].log_softmax(dim=-1)
            expected[i, j] = log_p[inputs["input_ids"][0] == tiny.tokenizer.mask_token_id].numpy()[0, ids]
    np.testing.assert_allclose(queries[f"{name}/unmasking"](tiny.model), expected, atol=2e-4)
    shares = np.exp(expected)
    means = (shares / shares.sum(axis=2, keepdims=True)).mean(axis=1)
    np.testing.assert_allclose(short.unmasked_probabilities(queries, tiny.model)[name], means, atol=1e-4)
