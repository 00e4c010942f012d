"""The downstream study's part of the configuration, and kept steps of language models: each message."""

import re

import pytest

from biassay.workflow import config as settings
from biassay.workflow import contents, downstream, study_metrics
from tests.running import ROOT
from tests.workflow.changes import DEFAULT, a_set, changed, crows

CROWS = {"source": "crows", "url": "https://x.org/a/pairs.csv", "checksum": f"sha256:{'0' * 64}"}
PRETRAINED = {"corpus": "generated_biased", "steps": 20, "checkpoint_steps": [5, 10]}


@pytest.fixture(autouse=True)
def in_the_project(monkeypatch):
    monkeypatch.chdir(ROOT)


def corpus():
    return next(name for name, of in DEFAULT["corpora"].items() if of["source"] == "generator")


@pytest.mark.bad_input(
    "values across the configuration", "refused at the start; the message names key, value and expected values"
)
@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"models": ["bert"]}, "downstream.models: unknown name 'bert'; expected one of: tiny"),
        ({"planted.language_model": "tin"}, "planted.language_model: unknown name 'tin' (did you mean 'tiny'?)"),
        ({"texts": ["biography"]}, "downstream.texts: unknown name 'biography' (did you mean 'biographies'?)"),
        ({"pairs": ["sentence"]}, "downstream.pairs: unknown name 'sentence' (did you mean 'sentences'?)"),
        ({"metrics": ["wea"]}, "downstream.metrics: unknown name 'wea' (did you mean 'weat'?); expected one of: "),
        ({"metrics": []}, "downstream.metrics: [] "),
        ({"metrics": ["clustering"]}, "downstream.metrics: 'clustering' is label-based"),
        ({"metrics": ["pll"]}, "downstream.metrics: 'pll' takes a language model, but this study measures vectors"),
        ({"metrics": ["tpr_gap"]}, "downstream.metrics: 'tpr_gap' takes predictions, but this study measures vectors"),
        ({"metrics": ["first_order"]}, "downstream.metrics: 'first_order' takes explicit vectors, which"),
        ({"metrics": ["downstream"], "variants.downstream": {"metric": "mac"}},
         "downstream.metrics: 'downstream' is reserved"),
        ({"metrics": ["db"], "variants.db": {"metric": "direct"}}, "variants.db.metric: unknown name 'direct' (did"),
        ({"metrics": ["db"], "variants.db": {"metric": "direct_bias", "options": {"n_direction": 1}}},
         "downstream.variants.db.options: unknown option 'n_direction' (did you mean 'n_directions'?)"),
        ({"metrics": ["db"], "variants.db": {"metric": "direct_bias", "options": {"n_directions": 0}}},
         "downstream.variants.db.options.n_directions: expected an integer"),
        ({"texts": [], "pairs": []}, "downstream: texts and pairs are both empty"),
        ({"models": [], "planted.strengths": []},
         "downstream: models and planted.strengths are both empty"),
        ({"texts": ["biographies", "sentences"], "text_sets.sentences": {"source": "bios", "path": "README.md"}},
         "downstream: 'sentences' is in both texts and pairs"),
        *(({"models": [name], f".language_models.{name}": DEFAULT["language_models"]["tiny"]},
           f"downstream.models: '{name}' is reserved")
          for name in ("planted", "planted_12")),
        ({"planted.min_p": 0.8}, "downstream.planted: expected min_p < max_p, got 0.8 and 0.8"),
        ({"planted.max_p": 0.01}, "downstream.planted: expected min_p < max_p, got 0.05 and 0.01"),
        ({"planted.max_p": 1.1}, "downstream.planted.max_p: expected a number ≤ 1, got 1.1"),
        *(({"planted.strengths": given}, f"planted.strengths: expected [] or increasing numbers from 0, got {given}")
          for given in ([0], [0.2, 1], [0, 1, 0.5])),
        ({"planted.strengths": [0, 1.5]}, "downstream.planted.strengths.1: expected a number ≤ 1, got 1.5"),
        ({"planted.strengths": [0, 0]}, "downstream.planted.strengths: [0, 0] has non-unique elements"),
        ({"planted.templates": "no.yaml"}, "downstream.planted.templates: there is no file 'no.yaml'"),
        ({"planted.repeats": 0}, "downstream.planted.repeats: expected a number ≥ 1, got 0"),
        ({"defining": "no.yaml"}, "downstream.defining: there is no file 'no.yaml'"),
        (a_set(source="bio", path="x"), "text_sets.mine.source: unknown value 'bio'"),
        (a_set(source="bios"), "text_sets.mine: lacks the key 'path'"),
        (a_set(source="bios", path="no.csv"), "downstream.text_sets.mine.path: there is no file 'no.csv'"),
        (a_set(source="jigsaw", path=["no.csv", "README.md"], attribute="race"),
         "downstream.text_sets.mine.path.0: there is no file 'no.csv'"),
        (a_set(source="jigsaw", path=["README.md", "no.csv"], attribute="race"),
         "downstream.text_sets.mine.path.1: there is no file 'no.csv'"),
        (a_set(source="comments", path="no.csv", attribute="race"), "text_sets.mine.path: there is no file 'no.csv'"),
        (a_set(source="generated", templates="no.yaml", n=100, proxy=0.5),
         "downstream.text_sets.mine.templates: there is no file 'no.yaml'"),
        (a_set(source="generated", templates="README.md", n=99, proxy=0.5),
         "text_sets.mine.n: expected a number ≥ 100, got 99"),
        (a_set(source="wikipedia", corpus="wiki", n_words=50, min_texts=30),
         "downstream.text_sets.mine.corpus: unknown name 'wiki'"),
        (a_set(source="wikipedia", corpus=corpus(), n_words=50, min_texts=30),
         f"text_sets.mine.corpus: expected the source wikipedia or wikiextractor, got generator ('{corpus()}')"),
        (crows(), "downstream.pair_sets.mine: expected either path"),
        (crows(path="README.md", url="https://x.org/pairs.csv", checksum="unknown"),
         "downstream.pair_sets.mine: expected either path"),
        (crows(url="https://x.org/pairs.csv"), "downstream.pair_sets.mine: url and checksum"),
        (crows(path="README.md", checksum="unknown"), "downstream.pair_sets.mine: url and checksum"),
        (crows(url="https://x.org/pairs.csv", checksum="abc"), "downstream.pair_sets.mine.checksum"),
        (crows(url="ftp://x.org/pairs.csv", checksum="unknown"), "downstream.pair_sets.mine.url: 'ftp://x.org/pairs.csv'"),
        *((crows(url=f"https://x.org/a/{name}", checksum="unknown"), f"downstream.pair_sets.mine.url: ends in {name!r}")
          for name in ("..", ".x", "{x}", "a b", "-x")),
        (crows(path="no.csv"), "downstream.pair_sets.mine.path: there is no file 'no.csv'"),
        ({"pair_sets.mine": CROWS, "pair_sets.other": CROWS | {"url": "https://y.org/pairs.csv"}},
         "downstream.pair_sets.other.url: another download is also named pairs.csv"),
        ({"pair_sets.mine": {"source": "generated"}}, "pair_sets.mine: lacks the key 'n'"),
        ({"pair_sets.mine": {"source": "generated", "n": 9}}, "pair_sets.mine.n: expected a number ≥ 10, got 9"),
        ({"heads.biographies.folds": 1}, "downstream.heads.biographies.folds: expected a number ≥ 2, got 1"),
        ({"heads.n_directions": [0]}, "downstream.heads.n_directions.0: expected a number ≥ 1, got 0"),
        ({"robustness.shares": [0.5]}, "robustness.shares.0: expected a number < 0.5, got 0.5"),
        ({"robustness.permutations": 1}, "robustness.permutations: expected a number ≥ 2, got 1"),
        ({"resamples": 9}, "downstream.resamples: expected a number ≥ 10, got 9"),
        *(({".language_models.base": {"pretrain": PRETRAINED | {"corpus": corpus()} | more},
            ".language_models.early": {"checkpoint": {"model": of, "step": step}}}, message)
          for of, step, more, message in [
              ("bas", 5, {}, "early.checkpoint.model: unknown name 'bas' (did you mean 'base'?)"),
              ("tiny", 5, {}, "language_models.early.checkpoint.model: unknown name 'tiny'; expected one of: base"),
              ("base", 7, {}, "base.pretrain.checkpoint_steps, [5, 10], got 7"),
              ("base", 7, {"checkpoint_steps": []}, "base.pretrain.checkpoint_steps, [], got 7"),
              ("base", 5, {"checkpoint_steps": [5, 20]},
               "language_models.base.pretrain.checkpoint_steps: expected steps between 1 and 19, got [5, 20]"),
              ("base", 5, {"checkpoint_steps": [5, 5]}, "checkpoint_steps: [5, 5] has non-unique elements"),
              ("base", 0, {"checkpoint_steps": [5]}, "early.checkpoint.step: expected a number ≥ 1, got 0"),
          ]),
        ({".language_models.early": {"checkpoint": {"model": "tiny", "step": 5}, "path": "resources"}},
         "early: expected one of: path, hub with revision, pretrain, checkpoint; got checkpoint, path"),
    ],
)  # fmt: skip
def test_errors_name_key_value_and_choices(changes, message):
    with pytest.raises(ValueError, match=re.escape(message)) as caught:
        settings.check(changed(changes), ROOT / "config.schema.yaml")
    assert "problems:" not in str(caught.value)


def test_a_pretraining_without_kept_steps_has_none():
    changes = {".language_models.base": {"pretrain": {"corpus": corpus()}},
               ".language_models.early": {"checkpoint": {"model": "base", "step": 5}}}  # fmt: skip
    with pytest.raises(
        ValueError, match=r"step: expected one of language_models.base.pretrain.checkpoint_steps, \[\], got 5"
    ):
        settings.check(changed(changes), ROOT / "config.schema.yaml")


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"models": []},
        {"planted.strengths": []},
        {"texts": []},
        {"pairs": []},
        crows(path="README.md"),
        {"pair_sets.mine": CROWS, "pair_sets.other": CROWS},
        a_set(source="bios", path="README.md"),
        a_set(source="jigsaw", path=["README.md"], attribute="race"),
        a_set(source="comments", path="README.md", attribute="age"),
        {"metrics": ["downstream_1", "same"], "variants.downstream_1": {"metric": "mac"}},
        {".language_models.planted_by_me": DEFAULT["language_models"]["tiny"], "models": ["planted_by_me"]},
        {".language_models.base": {"pretrain": PRETRAINED | {"corpus": corpus()}},
         ".language_models.early": {"checkpoint": {"model": "base", "step": 5}}},
    ],
)  # fmt: skip
def test_what_is_right(changes):
    settings.check(changed(changes), "config.schema.yaml")
    contents.check(changed(changes))


def test_downloads():
    changes = {"pair_sets.mine": CROWS, "pair_sets.other": CROWS}
    assert settings.downloads(changed(changes)) == {"pairs.csv": {key: CROWS[key] for key in ("url", "checksum")}}
    assert settings.downloads(changed({})) == {}


def test_kept_steps_of_a_pretraining():
    found = settings.pretraining({"pretrain": PRETRAINED})
    assert (found["checkpoint_steps"], found["steps"], found["layers"]) == ((5, 10), 20, 2)
    assert settings.pretraining({"pretrain": {"corpus": "x"}})["checkpoint_steps"] == ()


@pytest.mark.parametrize(
    ("changes", "units"),
    [({}, ["tiny", "planted"]), ({"planted.strengths": []}, ["tiny"]), ({"models": []}, ["planted"])],
)
def test_units(changes, units):
    assert downstream.units(changed(changes)) == units


def test_what_follows_from_the_sets():
    sets = {"web": {"source": "bios", "path": "x.csv"}, "wiki": {"source": "wikipedia"}}
    config = changed({"texts": ["wiki", "web"], "text_sets": sets, "pairs": ["mine"], "pair_sets": {"mine": CROWS}})
    assert downstream.groupings(config) == {"wiki": "share", "web": "count"}
    assert downstream.sources(config) == {"wiki": "wikipedia", "web": "bios", "mine": "crows"}
    assert downstream.paths(config) == {
        "downstream.defining": "resources/words/defining.yaml",
        "downstream.planted.templates": "resources/templates/intrinsic.yaml",
        "downstream.text_sets.web.path": "x.csv",
    }
    assert downstream.paths(changed({}))["downstream.text_sets.biographies.templates"].endswith("biographies.yaml")
    chosen = study_metrics.chosen_metrics(changed({"metrics": ["same", "weat"]}), "downstream")
    assert chosen["same"] == {"metric": "same", "options": {}, "range": None}
