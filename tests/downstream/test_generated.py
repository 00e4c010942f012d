"""Generated biographies: who works where, what tells a group, and what is left of it."""

import re
from itertools import chain

import numpy as np
import pandas as pd
import pytest
import yaml

from biassay.studies.downstream import generated
from tests.downstream.wiki import DEFINING
from tests.running import ROOT

PATH = ROOT / "resources/templates/biographies.yaml"
PARTS = yaml.safe_load(PATH.read_text("utf-8"))
TERMS = set(chain(*DEFINING["gender"].values()))


def words(text):
    return re.findall(r"\w+", text.lower())


def make(n=140, seed=1, occupations=tuple(PARTS["occupations"]), p=None, proxy=0.5, renamed=None):
    p = np.full((len(occupations), 2), 0.5) if p is None else p
    probabilities = pd.DataFrame(p, occupations, list(PARTS["groups"])).rename(columns=renamed or {})
    return generated.generate(PATH, probabilities.iloc[:, ::-1], n=n, seed=seed, defining=DEFINING, proxy=proxy)


def test_occupations_are_of_the_intrinsic_study_and_unnamed_in_texts():
    occupations = yaml.safe_load((ROOT / "resources/templates/intrinsic.yaml").read_text("utf-8"))["occupations"]
    assert set(PARTS["occupations"]) <= set(occupations)
    known = set((ROOT / "resources/models/bert-tiny-enwiki/vocab.txt").read_text("utf-8").split("\n"))
    assert set(chain(*map(words, make(300).raw))) <= known - set(PARTS["occupations"])


def test_texts_have_one_class_three_to_five_sentences_and_words_of_their_group_unless_scrubbed():
    found = make(143)
    assert found.classes == list(PARTS["occupations"])
    assert found.labels.sum(axis=1).tolist() == [1] * 143
    assert sorted(found.labels.sum(axis=0).tolist()) == [10] * 11 + [11] * 3
    assert {text.count(".") for text in found.raw} == {3, 4, 5}
    assert all(re.fullmatch(r"(?:[A-Z][^.{}]+\. ?)+", text) for text in found.raw)
    for raw, scrubbed, group in zip(found.raw, found.scrubbed, found.groups, strict=True):
        own, other = (set(DEFINING["gender"][name]) for name in (found.names[group], found.names[1 - group]))
        assert not set(words(raw)) & (other - own)
        assert [word for word in words(raw) if word not in TERMS] == words(scrubbed)
    assert np.mean([bool(set(words(raw)) & TERMS) for raw in found.raw]) > 0.9


def test_the_groups_follow_the_probabilities_in_any_order_of_columns():
    p = np.array([[1, 0], [0, 1], [0.8, 0.2]])
    counts = make(300, occupations=["nurse", "chef", "lawyer"], p=p).count_texts()
    assert counts[:, :2].tolist() == [[100, 0], [0, 100]]
    assert abs(counts[0, 2] - 80) < 4 * np.sqrt(100 * 0.8 * 0.2)


@pytest.mark.parametrize("proxy", [0, 0.5, 1])
def test_proxies_tell_the_group_as_strongly_as_is_asked(proxy):
    found = make(400, proxy=proxy, seed=2)
    lists = [list(chain(*(proxies[name] for proxies in PARTS["proxies"].values()))) for name in found.names]
    named = np.array([[any(f" {word}" in text for word in of_group) for of_group in lists] for text in found.raw])
    assert (named.sum(axis=1) == 1).all()
    expected = (1 + proxy) / 2
    assert abs(np.mean(named.argmax(axis=1) == found.groups) - expected) <= 4 * np.sqrt(expected * (1 - expected) / 400)


@pytest.mark.parametrize("overlap", [0, 0.5, 1])
def test_words_of_other_occupations_come_as_often_as_is_asked(overlap, monkeypatch):
    monkeypatch.setattr(generated, "OVERLAP", overlap)
    chosen = ["nurse", "farmer", "chef", "lawyer"]
    found = make(800, occupations=chosen)
    lists = [set(chain(*(PARTS["occupations"][name][key] for key in generated.WORK_SLOTS))) for name in chosen]
    own_only = [words - set(chain(*(lists[i] for i in range(4) if i != number))) for number, words in enumerate(lists)]
    counts = np.array([[sum(term in text for term in terms) for terms in own_only] for text in found.raw])
    own = counts[found.labels == 1].sum()
    assert 1 - own / counts.sum() == pytest.approx(overlap * 3 / 4, abs=0.05)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n": 13}, "got 13 of 14"),
        ({"renamed": {"male": "men"}}, "groups: unknown group .* 'male' .*; expected one of: .*men"),
        ({"occupations": ["nurse"]}, "got 140 of 1"),
        ({"occupations": ["nurse", "king"]}, "occupations: unknown name 'king'; expected one of: .*nurse"),
    ],
)
def test_options_out_of_range_are_refused(options, message):
    with pytest.raises(ValueError, match=f"{PATH}: .*{message}"):
        make(**options)
    assert len(make(n=2, occupations=["nurse", "chef"])) == 2


@pytest.mark.parametrize(
    ("keys", "value", "message"),
    [
        (["groups"], {"male": {"a": "b"}, "female": {}}, "groups: male, female: expected the same slots"),
        (["groups", "male", "subject"], " x", "groups.male.subject: invalid word ' x'"),
        (["occupations", "nurse", "tasks"], [1], "occupations.nurse.tasks.0: .*, got 1"),
        (["proxies", "schools"], {"male": ["a"]}, "proxies.schools: .*unknown.*'female'"),
        (["work"], ["{subject} naps.", "{naps} here."], "work: '{naps} here.': slot: unknown name 'naps'"),
        (["filler"], ["{schools} here.", "b"], "filler: '{schools} here.': slot: unknown name 'schools'"),
        (["filler"], ["One."], "filler: "),
    ],
)
def test_a_malformed_file_is_refused(tmp_path, keys, value, message):
    content = place = yaml.safe_load(PATH.read_text("utf-8"))
    for key in keys[:-1]:
        place = place[key]
    place[keys[-1]] = value
    path = tmp_path / "parts.yaml"
    path.write_text(yaml.safe_dump(content, sort_keys=False))
    with pytest.raises(ValueError, match=f"^{path}: {message}"):
        generated.read(path)
