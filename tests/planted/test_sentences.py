"""Sentences that plant groups of several attributes, and those that ask for them, against text put together plainly."""

import re
from pathlib import Path

import numpy as np
import pytest
import yaml

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from biassay.language_models import loading, unmasking  # noqa: E402
from biassay.language_models.planted import sentences, template_files  # noqa: E402
from biassay.language_models.tokens import Tokens  # noqa: E402

FILE = "resources/templates/intrinsic.yaml"
ALL = template_files.read(FILE)
SLOT = re.compile(r"\{(\w+)\.(\w+)\}")
SIZES = {name: len(attribute.groups) for name, attribute in ALL.attributes.items()}
CONTENT = yaml.safe_load(Path(FILE).read_text(encoding="utf-8"))
TERMS = {name: given["forms"] for name, given in CONTENT["attributes"].items()}
WORDS = ["accountant", "bus driver", "nurse", "artist"]
SHORT = 40  # templates of each list, for what asks a model


def plain(text, occupation, mention, groups, own=None):
    """A template filled by str.replace alone, [MASK] in place of its mention by number (None: of the occupation)."""
    slots = list(SLOT.finditer(text))
    for number, match in enumerate(slots):
        name, form = match[1], TERMS[match[1]][match[2]]
        named = groups.get(name)
        if mention is not None and name == slots[mention][1]:
            named = own
        word = form["neutral"] if named is None else form[ALL.attributes[name].groups[named]]
        text = text.replace(match[0], "[MASK]" if number == mention else word, 1)
    for article in ("a", "A"):
        if occupation[0] in "aeiou":
            text = text.replace(f"{article} {{occupation}}", f"{article}n {{occupation}}")
    text = text.replace("{occupation}", "[MASK]" if mention is None else occupation)
    return re.sub(" +", " ", text)


def mentions_of(text, name):
    return [number for number, match in enumerate(SLOT.finditer(text)) if match[1] == name]


@pytest.fixture(scope="module")
def tiny():
    return loading.load("resources/models/bert-tiny-enwiki", device="cpu")


@pytest.fixture(scope="module")
def model(tiny):
    """What a text's [MASK]s are expected to be, log p of all pieces at each: (masks, vocabulary)."""

    def ask(text):
        inputs = tiny.tokenizer(text, return_tensors="pt")
        with torch.inference_mode():
            found = tiny.model(**inputs).logits[0].log_softmax(dim=-1)
        return found[inputs["input_ids"][0] == tiny.tokenizer.mask_token_id].numpy()

    return ask


def texts_of(tiny, found):
    return [tuple(row[:length]) for row, length in zip(found.ids.tolist(), found.lengths, strict=True)]


def tokens_of(tiny, texts):
    return [tuple(ids) for ids in tiny.tokenizer(texts)["input_ids"]]


def test_columns_are_templates_and_their_attributes():
    columns = sentences.attribute_columns(ALL.training)
    assert len(columns) == 250
    assert columns[0] == (0, "gender")
    last = [name for number, name in columns if number == 164]
    assert last == [name for name in SIZES if f"{{{name}." in ALL.training[164].text]
    assert [number for number, _ in columns] == sorted(number for number, _ in columns)


@pytest.mark.parametrize("seed", [1, 2])
def test_every_training_sentence_has_one_mask_of_the_group_drawn(tiny, seed):
    columns = sentences.attribute_columns(ALL.training)
    random, names = np.random.default_rng(seed), [name for _, name in columns]
    drawn = [np.stack([random.integers(0, SIZES[name], 4) for name in names], axis=1) for _ in range(2)]
    found = sentences.training_sentences(tiny.tokenizer, ALL.training, WORDS, drawn)
    assert [len(part) for part in found] == [4 * 250] * 2
    for groups, part in zip(drawn, found, strict=True):
        texts, labels = [], []
        for row, word in enumerate(WORDS):
            of = {pair: int(group) for pair, group in zip(columns, groups[row], strict=True)}
            for number, name in columns:
                text = ALL.training[number].text
                mention = mentions_of(text, name)[0]
                texts.append(plain(text, word, mention, {n: of.get((number, n)) for n in SIZES}))
                form = list(SLOT.finditer(text))[mention][2]
                labels.append(TERMS[name][form][ALL.attributes[name].groups[of[number, name]]])
        assert texts_of(tiny, part) == tokens_of(tiny, texts)
        assert part.labels.tolist() == tiny.tokenizer.convert_tokens_to_ids(labels)
        masks = part.ids == tiny.tokenizer.mask_token_id
        assert (masks.sum(axis=1) == 1).all()
        assert (masks.argmax(axis=1) == part.positions).all()
    decoded = tiny.tokenizer.decode([int(i) for i in found[0].ids[0] if i != tiny.tokenizer.pad_token_id])
    assert decoded == "[CLS] would [MASK] agree to work as an accountant again? [SEP]"


def test_another_mention_of_the_masked_attribute_tells_nothing(tiny):
    """Were the groups of a model's own column or of another model taken by mistake, the sentences would change."""
    chosen = [t for t in ALL.training if len(t.names) > 1 or len(t.slots) > 2][:12]
    columns = sentences.attribute_columns(chosen)
    base = np.zeros((1, len(columns)), np.int8)
    first = sentences.training_sentences(tiny.tokenizer, chosen, ["nurse"], [base])[0]
    for column, (number, name) in enumerate(columns):
        other = base.copy()
        other[0, column] = 1
        same, found = sentences.training_sentences(tiny.tokenizer, chosen, ["nurse"], [base, other])
        assert texts_of(tiny, same) == texts_of(tiny, first)
        changed = {
            i for i, (a, b) in enumerate(zip(texts_of(tiny, found), texts_of(tiny, first), strict=True)) if a != b
        }
        assert changed == {i for i, (n, other_name) in enumerate(columns) if n == number and other_name != name}
        assert np.flatnonzero(found.labels != first.labels).tolist() == [column]


@pytest.mark.parametrize("name", SIZES)
def test_targets_and_defining_sentences(tiny, name):
    asked = [(t.text, number) for t in ALL.test for number in mentions_of(t.text, name)]
    assert len(asked) == {"gender": 84, "ethnicity": 53, "religion": 34}[name]
    found = sentences.target_sentences(tiny.tokenizer, ALL.test, name, WORDS)
    assert isinstance(found, Tokens)
    expected = [plain(text, word, number, {}) for word in WORDS for text, number in asked]
    assert texts_of(tiny, found) == tokens_of(tiny, expected)
    for row, (start, end) in enumerate(found.places[:, 1]):
        assert tiny.tokenizer.decode(found.ids[row, start:end].tolist()) == WORDS[row // len(asked)]
    attribute = ALL.attributes[name]
    found = sentences.group_sentences(tiny.tokenizer, ALL.test, name, attribute)
    expected = [
        plain(t.text, "worker", None, {name: group})
        for group in range(SIZES[name]) for t in ALL.test if f"{{{name}." in t.text
    ]  # fmt: skip
    assert texts_of(tiny, found) == tokens_of(tiny, expected)
    assert "".join(expected).count(" an [MASK]") == 0


@pytest.mark.parametrize("name", SIZES)
def test_probabilities_are_the_softmax_over_the_groups_at_the_mask(tiny, model, name):
    test, words, n = ALL.test[-SHORT:], WORDS[:2], SIZES[name]
    asked = [(t.text, number) for t in test for number in mentions_of(t.text, name)]
    questions = sentences.queries(tiny.tokenizer, test, name, ALL.attributes[name], words)
    found = unmasking.normalise(questions.run(tiny.model).reshape(len(words), -1, n))
    assert found.shape == (2, len(asked), n)
    np.testing.assert_allclose(found.sum(axis=2), 1)
    for i, word in enumerate(words):
        for j, (text, number) in enumerate(asked):
            form = TERMS[name][list(SLOT.finditer(text))[number][2]]
            ids = tiny.tokenizer.convert_tokens_to_ids([form[group] for group in ALL.attributes[name].groups])
            p = np.exp(model(plain(text, word, number, {}))[0, ids])
            np.testing.assert_allclose(found[i, j], p / p.sum(), atol=1e-4)


def test_joint_questions_give_a_group_of_the_other_attribute_or_none(tiny, model):
    gender, religion = ("gender", ALL.attributes["gender"]), ("religion", ALL.attributes["religion"])
    asked = [
        (t.text, number)
        for t in ALL.test
        for number in mentions_of(t.text, "gender")
        if mentions_of(t.text, "religion")
    ]
    assert len(asked) > 5
    found = sentences.joint_queries(tiny.tokenizer, ALL.test, religion, gender, WORDS[:2]).run(tiny.model)
    found = found.reshape(2, len(asked), 5, 2)
    for i, word in enumerate(WORDS[:2]):
        for j, (text, number) in enumerate(asked):
            form = TERMS["gender"][list(SLOT.finditer(text))[number][2]]
            ids = tiny.tokenizer.convert_tokens_to_ids([form["male"], form["female"]])
            for k in range(5):
                text_k = plain(text, word, number, {"religion": k if k < 4 else None})
                np.testing.assert_allclose(found[i, j, k], model(text_k)[0, ids], atol=2e-4)
    alone = [t for t in ALL.test if len(t.names) == 1]
    assert sentences.joint_queries(tiny.tokenizer, alone, religion, gender, WORDS) is None
