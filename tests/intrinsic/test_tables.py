"""What models are asked with, and the tables that are read: material, stereotypes, scores, and what does not fit."""

import json
import re

import numpy as np
import pandas as pd
import pytest

from biassay.language_models.encoding import Encoded
from biassay.measurement import metric
from biassay.measurement.embedded import UNRATED, Embedded
from biassay.studies.intrinsic import material, scores, tables
from tests.intrinsic import believable

TEMPLATES = {
    "occupations": ["nurse", "chef", "editor", "baker", "poet"],
    "attributes": {
        "gender": {"groups": ["male", "female"],
                   "forms": {"noun": {"male": "man", "female": "woman", "neutral": "person"}}},
        "religion": {"groups": ["jewish", "hindu"],
                     "forms": {"kind": {"jewish": "jewish", "hindu": "hindu", "neutral": ""}}},
    },
    "training": [f"{word} {{gender.noun}} is the {{occupation}}." for word in ("This", "That", "The")]
    + ["The {religion.kind} {gender.noun} is the {occupation}."],
    "test": ["That {religion.kind} {occupation} is my {gender.noun}.", "This {gender.noun} was the {occupation}."],
}  # fmt: skip


@pytest.fixture
def path(tmp_path):
    (tmp_path / "forms.yaml").write_text(json.dumps(TEMPLATES))
    return tmp_path / "forms.yaml"


def test_material_is_a_part_in_its_order(path):
    whole = material.read(path, None, None, None, seed=1)
    assert whole.occupations == TEMPLATES["occupations"]
    assert [template.text for template in whole.training] == TEMPLATES["training"]
    chosen = {tuple(material.read(path, 3, None, 2, seed=seed).occupations) for seed in range(40)}
    assert len(chosen) == 10  # all threes of five, each in the order of the file
    assert all(list(words) == sorted(words, key=TEMPLATES["occupations"].index) for words in chosen)
    again = [material.read(path, 3, None, None, seed=8) for _ in range(2)]
    assert again[0] == again[1]


@pytest.mark.bad_input("parts of templates of several groups", "refused; file, key, value and what there is are named")
@pytest.mark.parametrize(
    ("n", "message"),
    [
        ((1, None, None), "n_occupations: 1 is not from 2 to 5, the occupations in {path}"),
        ((6, None, None), "n_occupations: 6 is not from 2 to 5, the occupations in {path}"),
        (
            (2, 5, None),
            "n_templates.training: n: 5 is not from 1 to 4, the templates that there are; they are in {path}",
        ),
        ((2, None, 3), "n_templates.test: n: 3 is not from 1 to 2, the templates that there are; they are in {path}"),
    ],
)
def test_more_than_there_is(path, n, message):
    with pytest.raises(ValueError, match=re.escape(message.format(path=path))):
        material.read(path, *n, seed=1)


@pytest.mark.bad_input("parts of templates of several groups", "refused; file, key, value and what there is are named")
def test_an_attribute_without_a_template(path):
    messages = set()
    for seed in range(20):
        try:
            material.read(path, None, 1, None, seed=seed)
        except ValueError as error:
            messages.add(str(error))
    assert messages == {"n_templates.training: 1: none of them mentions religion; take more"}


def model(purpose, seed=3):
    return pd.Series({"purpose": purpose, "seed": seed})


def bias(p, data=None):
    n, k = np.shape(p)
    rows = {"model": 5, "attribute": "age", "occupation": np.repeat([f"w{i}" for i in range(n)], k),
            "group": [f"g{i}" for i in range(k)] * n, "planted": np.ravel(p)}  # fmt: skip
    return pd.DataFrame(rows | {"data": np.ravel(p if data is None else data)})


def test_ideal_stereotypes_are_the_likeliest_of_the_data_and_planted_ones_of_what_was_planted():
    planted, data = [[0.2, 0.3, 0.5], [0.6, 0.3, 0.1]], [[0.1, 0.8, 0.1], [0.3, 0.3, 0.4]]
    found = scores.labels(bias(planted, data), model("grid"), "age", 0.0)
    assert {name: of.tolist() for name, of in found.items()} == {"noisy": [1, 2], "ideal": [1, 2]}
    found = scores.labels(bias(planted, data), model("detection"), "age", 0.3)
    assert {name: of.tolist() for name, of in found.items()} == {"planted": [2, 0]}


def test_noise_is_of_the_model_and_the_strength_asked_for():
    p = np.random.default_rng(2).dirichlet([2, 2, 2], 4000)
    found = scores.labels(bias(p), model("grid"), "age", 0.3)
    assert (found["ideal"] == p.argmax(axis=1)).all()
    noise = np.random.default_rng(9).normal(0, 0.3, p.shape)
    share = ((p + noise).argmax(axis=1) == p.argmax(axis=1)).mean()
    assert (found["noisy"] == found["ideal"]).mean() == pytest.approx(share, abs=0.03)
    same, other = (scores.labels(bias(p), model("grid", seed), "age", 0.3)["noisy"] for seed in (3, 4))
    assert (same == found["noisy"]).all()
    assert (other != same).any()


def test_reading_embeddings(tmp_path):
    random = np.random.default_rng(1)
    vectors = {part: [random.normal(size=(rows, 3)).astype(np.float16) for _ in range(3)]
               for part, rows in (("targets", 8), ("attributes", 6))}  # fmt: skip
    for part, of in vectors.items():
        Encoded(*of).save(tmp_path / "age" / part)
    for number, pooling in enumerate(("mean", "cls", "word")):
        found = scores.read(tmp_path, "age", pooling, 4, 3)
        assert found.targets.tolist() == vectors["targets"][number].astype(float).reshape(4, 2, 3).tolist()
        assert [group.tolist() for group in found.attributes] == [
            vectors["attributes"][number][rows].astype(float).tolist() for rows in (slice(2), slice(2, 4), slice(4, 6))
        ]
        assert found.labels.tolist() == [UNRATED] * 4
        assert found.targets.dtype == float


def test_the_same_sentences_of_each_occupation():
    embedded = Embedded(np.arange(24.0).reshape(3, 4, 2), [], np.array([0, 1, 0]))
    assert scores.some_sentences(embedded, None, seed=1) is embedded
    assert scores.some_sentences(embedded, 4, seed=1) is embedded
    chosen = set()
    for seed in range(30):
        few = scores.some_sentences(embedded, 2, seed=seed)
        places = few.targets[0, :, 0] // 2
        assert (few.targets == embedded.targets[:, places.astype(int)]).all()
        assert few.labels is embedded.labels
        chosen.add(tuple(places))
    assert chosen == {(a, b) for a in range(4) for b in range(a + 1, 4)}


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tables")
    believable.write(folder, metrics={"weat": "weat"}, distributions=1, strengths=(0.0, 1.0), of_strength=1)
    return folder


@pytest.mark.bad_input("tables of the intrinsic study", "refused; file and what is wrong are named")
@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("models", lambda t: t.drop(columns="r"), "models.csv: lacks the columns r; it has purpose, distribution"),
        ("models", lambda t: pd.concat([t, t[1:2]]), "models.csv: model 1 stands twice"),
        (
            "models",
            lambda t: t.assign(purpose="gird"),
            "models.csv: purpose: unknown name 'gird' (did you mean 'grid'?)",
        ),
        ("models", lambda t: t[t["model"] != 2], "bias.csv: model 2 stands in one of it and {folder}/models.csv only"),
        ("bias", lambda t: t[t["model"] != 0], "bias.csv: model 0 stands in one of it and"),
        ("bias", lambda t: t.drop(columns=["data", "group"]), "bias.csv: lacks the columns group, data; it has model"),
        ("scores/weat", lambda t: t.assign(level="word"), "weat.csv: level: unknown name 'word'"),
        ("scores/weat", lambda t: t.assign(labels="none"), "weat.csv: labels: unknown name 'none'"),
        (
            "scores/weat",
            lambda t: t.assign(attribute="age"),
            "weat.csv: attribute: unknown name 'age'; choices: gender, r",
        ),
        ("scores/weat", lambda t: t.assign(model=9), "weat.csv: unknown model 9; models.csv has 4"),
    ],
)
def test_tables_that_do_not_fit(small, tmp_path, name, change, message):
    paths = {key: small / f"{key}.csv" for key in ("models", "bias", "scores/weat")}
    changed = tmp_path / f"{name.split('/')[-1]}.csv"
    change(pd.read_csv(paths[name], keep_default_na=False)).to_csv(changed, index=False)
    paths[name] = changed
    with pytest.raises(ValueError, match=re.escape(message.format(folder=tmp_path))):
        tables.scores(tables.load(str(paths["models"]), str(paths["bias"])), str(paths["scores/weat"]))


def test_names_as_they_stand(small, tmp_path):
    """Words that pandas takes for gaps are names here."""
    words = {"occupation 7": "nan", "occupation 3": "None"}
    for name in ("bias", "scores/weat"):
        table = pd.read_csv(small / f"{name}.csv", keep_default_na=False)
        table.replace({"occupation": words}).to_csv(tmp_path / f"{name.split('/')[-1]}.csv", index=False)
    study = tables.load(str(small / "models.csv"), str(tmp_path / "bias.csv"))
    assert study.attributes == ["gender", "religion"]
    assert study.groups("religion") == ["muslim", "christian", "jewish"]
    found = tables.word_scores(study, str(tmp_path / "weat.csv"), metric.load("weat"))
    ((attribute, (values, signed)),) = found.items()
    assert (attribute, signed, values.shape) == ("gender", True, (2, 8))
    assert values.columns[:2].tolist() == ["nan", "None"]
    assert values.notna().all(axis=None)
    sets = tables.set_answers(study, str(tmp_path / "weat.csv"), metric.load("weat"))
    assert list(sets) == [("gender", kind, "set") for kind in ("noisy", "ideal")]
    assert tables.word_scores(study, "none", metric.load("clustering")) == {}
    assert tables.set_answers(study, "none", metric.load("first_order")) == {}
