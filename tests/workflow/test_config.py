"""The configuration: what is refused, with key, value and choices, and what rules derive from it."""

import os
import re

import pytest

from biassay.workflow import config as settings
from biassay.workflow import preparation
from tests.running import ROOT
from tests.workflow.changes import CROWS, DEFAULT, a_set, changed, crows

TEXT = {"source": "text", "path": "no/such.txt", "min_count": 1, "boundaries": "line"}
SWAP = "resources/words/silhouette/swap_gender.yaml"
SWAPPED = {"source": "counterfactual", "corpus": "biased", "swap": [SWAP]}
WIKI = {"source": "wikipedia", "min_count": 1, "boundaries": "line"}
PRETRAINED = {"corpus": "biased", "steps": 20, "checkpoint_steps": [5, 10]}


def checkpoint(step, of="base", **more):
    """Return changes that add a pretrained model and a checkpoint."""
    early = {"checkpoint": {"model": of, "step": step}}
    return {"language_models.base": {"pretrain": PRETRAINED | more}, "language_models.early": early}


def own(**options):
    return {"language_models.mine": options}


CASES = {
    "": [
        ({"corpora.biased.min_count": 0}, "corpora.biased.min_count: expected an integer ≥ 1, got 0"),
        ({"sed": 3}, "top level: unknown key 'sed' (did you mean 'seed'?); expected one of: seed, "),
        ({"seeds": [1, 1]}, "seeds: [1, 1] has non-unique elements"),
        ({"corpora.biased.source": "genrator"}, "corpora.biased.source: unknown value 'genrator' (did you mean"),
        ({"corpora.mine": {key: TEXT[key] for key in TEXT if key != "path"}}, "corpora.mine: lacks the key 'path'"),
        ({"corpora.swapped": SWAPPED | {"corpus": "swapped"}}, "'swapped' is counterfactual itself; expected one of:"),
        ({"corpora.mixed": {"source": "shuffled", "corpus": "biasd"}}, "corpora.mixed.corpus: unknown"),
        ({"corpora.mine": TEXT, "first_order.corpora": ["mine"]}, "corpora.mine.path: there is no file 'no/such.txt'"),
        ({"corpora.wiki": WIKI}, "corpora.wiki: expected either path"),
        ({"corpora.wiki": WIKI | {"url": "http://x.org/a.xml"}}, "corpora.wiki: url and checksum are needed together"),
        ({"corpora.wiki": WIKI | {"url": "http://x.org/a", "checksum": "sha256:1"}}, "wiki.checksum: invalid value"),
        ({"embeddings.skipgram.algorithm": "word2vec"}, "embeddings.skipgram.algorithm: embeddings: unknown name"),
        ({"embeddings.skipgram.seed": 3}, "embeddings.skipgram.seed: the run's `seed` is that of all embeddings"),
        ({"embeddings.skipgram.dimension": 3}, "embeddings.skipgram: unknown option 'dimension' (did you mean"),
        ({"embeddings.pmi.counts": "glovee"}, "embeddings.pmi.counts: unknown name 'glovee' (did you mean 'glove'?)"),
        ({"embeddings.skipgram.counts": "glove"}, "embeddings.skipgram.counts: the algorithm skipgram does not use"),
        (own(), "language_models.mine: expected one of: path, hub with revision, pretrain, checkpoint; got none"),
        (own(hub="a/b", revision="main"), "language_models.mine.revision: 'main' does not match"),
        (own(path="no/such"), "language_models.mine.path: expected a folder with a config.json, got 'no/such'"),
        (own(pretrain={"corpus": "biased", "heads": 3}), "mine.pretrain.heads: expected a divisor of the width, 128"),
        (own(pretrain={"corpus": "biased", "vocabulary": "no.txt"}), "pretrain.vocabulary: there is no file 'no.txt'"),
        (checkpoint(7), "base.pretrain.checkpoint_steps, [5, 10], got 7"),
        (checkpoint(5, checkpoint_steps=[5, 20]), "pretrain.checkpoint_steps: expected steps between 1 and 19, got [5"),
        ({"reference_pairs.planted.biased.corpus": "control"}, "reference_pairs.planted: the biased and the unbiased"),
        ({"audit.models": {"mine": {}}}, "audit.models.mine: expected file, or corpus and embedding, or language_mod"),
        ({"reliability.metrics": ["aul"]}, "reliability.metrics: 'aul' takes a language model"),
        ({"properties.metrics": ["mac", "aul"]}, "properties.metrics: 'aul' takes a language model"),
    ],
    "first_order": [
        ({"metrics": ["gweat"]}, "first_order.metrics: 'gweat' has no word level, only set"),
        ({"diagnosed_embedding": "ppmi"}, "diagnosed_embedding: 'ppmi' has no context vectors (algorithm pmi)"),
        ({"word_lists.mine": "a{b}.yaml"}, "word_lists.mine: 'a{b}.yaml' has braces or a line break"),
        ({"word_lists.medium": None}, "first_order.main_list: unknown name 'medium'"),
        ({"occupation_statistics.planted": SWAP}, "first_order.occupation_statistics.planted: this name is reserved"),
    ],
    "silhouette": [
        ({"metrics": ["first_order"]}, "silhouette.metrics: 'first_order' has no set level, only word"),
        ({"metrics": ["tpr_gap"]}, "silhouette.metrics: 'tpr_gap' takes predictions, but this study measures vectors"),
        ({"variants.ect_raw.options": {"row": True}}, "silhouette.variants.ect_raw.options: unknown option 'row' (did"),
        ({"variants.ect_raw.range": [1, 1, 0]}, "ect_raw.range: expected b_min < b_max, got [1, 1, 0]"),
        ({"variants.ect_raw.range": [0, 1, -1]}, "ect_raw.range: expected b_min ≤ b_0 ≤ b_max, got [0, 1, -1]"),
        ({"steps.groups": 3}, "silhouette.steps.groups: expected an even number, for two lists, got 3"),
    ],
    "same": [
        ({"means": [0.3, "x"]}, "same.means.1: expected a number, got 'x'"),
        ({"training.weight_decay": float("inf")}, "same.training.weight_decay: expected a number, got inf"),
        ({"training.learning_rate": "1e-3"}, "same.training.learning_rate: expected a number, got '1e-3'; write 0.001"),
        ({"metrics": ["first_order"]}, "same.metrics: 'first_order' takes explicit vectors"),
        (
            {"groups.male.noun": ["man"]},
            "male: has the slots pronoun, possessive, noun; female has pronoun, possessive",
        ),
        ({"groups.female.pronoun": ["she", "mary"]}, "same.groups.male.pronoun: has 1 forms; female has 2"),
        ({"groups.male.pronoun": ["she"]}, "same.groups.male.pronoun: 'she' is also a form of female"),
        ({"groups.male.pronoun": [" he"]}, "same.groups.male.pronoun: invalid word ' he'"),
        ({"groups.female.occ": ["a"], "groups.male.occ": ["b"]}, "the slot occ is reserved for the occupation"),
    ],
    "intrinsic": [
        ({"min_p": [0.05, 0.8]}, "intrinsic: expected min_p < max_p, got 0.8 and 0.8"),
        ({"detection.strengths": [0, 1, 0.5]}, "intrinsic.detection.strengths: expected [] or increasing numbers from"),
        ({"metrics": ["data"], "variants.data": {"metric": "mac"}}, "intrinsic.metrics: 'data' is reserved"),
        (
            {"variants.direct_bias_published.options": {"n_directions": 0}},
            "direct_bias_published.options.n_directions: expected an int",
        ),
        ({"variants.ripa_published.leaking": True}, "ripa_published.leaking: expected false, because 'ripa' is not"),
    ],
    "downstream": [
        ({"metrics": ["clustering"]}, "downstream.metrics: 'clustering' is label-based"),
        ({"metrics": ["downstream"], "variants.downstream": {"metric": "mac"}}, "downstream.metrics: 'downstream' is"),
        ({"texts": [], "pairs": []}, "downstream: texts and pairs are both empty"),
        ({"models": [], "planted.strengths": []}, "downstream: models and planted.strengths are both empty"),
        ({"pairs": ["biographies"], "pair_sets.biographies": CROWS}, "'biographies' is in both texts and pairs"),
        (
            {"models": ["planted_12"], ".language_models.planted_12": DEFAULT["language_models"]["tiny"]},
            "downstream.models: 'planted_12' is reserved",
        ),
        (a_set(source="bios", path="no.csv"), "downstream.text_sets.mine.path: there is no file 'no.csv'"),
        (
            a_set(source="wikipedia", corpus="biased", n_words=50, min_texts=30),
            "text_sets.mine.corpus: expected the source wikipedia or wikiextractor, got generator ('biased')",
        ),
        (crows(url="ftp://x.org/pairs.csv", checksum="unknown"), "downstream.pair_sets.mine.url: 'ftp://x.org/pairs"),
        (crows(url="https://x.org/a/..", checksum="unknown"), "downstream.pair_sets.mine.url: ends in '..'"),
        (
            {"pair_sets.mine": CROWS, "pair_sets.other": CROWS | {"url": "https://y.org/pairs.csv"}},
            "downstream.pair_sets.other.url: another download is also named pairs.csv",
        ),
    ],
}


@pytest.mark.parametrize(
    ("study", "changes", "message"),
    [pytest.param(study, *case, id=case[1]) for study, cases in CASES.items() for case in cases],
)
def test_errors_name_key_value_and_choices(study, changes, message):
    with pytest.raises(ValueError, match=re.escape(message)) as caught:
        preparation.check(changed(changes, study), ROOT)
    assert str(caught.value).startswith("config: ")  # one problem


@pytest.mark.parametrize(
    ("study", "changes"),
    [
        ("", {"corpora.swapped": SWAPPED} | checkpoint(5)),
        ("", {"audit.models": {"mine": {"language_model": "tiny"}, "his": {"corpus": "biased", "embedding": "glove"}}}),
        ("counts", {"glove.sample": 0}),
        ("silhouette", {"variants.ect_raw.range": [None, 1, 0]}),
        ("intrinsic", {"detection.strengths": [0, 0.5, 1], "n_occupations": None}),
        ("downstream", {"models": []}),
        ("downstream", {"planted.strengths": [], "texts": []}),
        ("downstream", {"pair_sets.mine": CROWS, "pair_sets.other": CROWS}),
        ("downstream", a_set(source="comments", path=["README.md"], attribute="age")),
        ("downstream", {"text_sets.unused": {"source": "bios", "path": "no.csv"}}),
    ],
)
def test_valid_configurations_are_kept(study, changes):
    config = changed(changes, study)
    preparation.check(config, ROOT)
    assert repr(config) == repr(changed(changes, study))  # also in type and order


def test_all_problems_are_reported_at_once():
    of_values = {"seed": -1, "sed": 1, "corpora.biased.token": 1, "corpora.biased.tokens": 1.0}
    of_values |= {"embeddings.skipgram.window": 0, "silhouette.steps.groups": 3}
    across = {"same.metrics": ["wea"], "first_order.diagnosed_embedding": "ppmi", "audit.metrics": ["wea"]}
    for changes in (of_values, across):
        with pytest.raises(ValueError, match=rf"^{len(changes)} problems:\n- config: ") as caught:
            preparation.check(changed(changes), ROOT)
        assert all(f"config: {key.rpartition('.')[0]}" in str(caught.value) for key in changes)


def test_duplicate_keys_are_refused(tmp_path):
    path = tmp_path / "mine.yaml"
    path.write_text("seed: 1\nboard:\n  repeats: 3\n  repeats: 4\n")
    with pytest.raises(ValueError, match=r"mine\.yaml: .*line \d: duplicate key 'repeats'"):
        preparation.prepare({}, ROOT, config_files=[path])


def test_files_that_are_given_twice_are_refused(tmp_path):
    (tmp_path / "a").write_text("x")
    os.link(tmp_path / "a", tmp_path / "b")
    both = [str(tmp_path / "a"), str(tmp_path / "b")]
    jigsaw = a_set(source="jigsaw", path=both, attribute="gender")
    models = dict(zip(("biased", "unbiased"), ({"file": path} for path in both), strict=True))
    for key, changes in {
        "corpora.swapped.swap": {"corpora.swapped": SWAPPED | {"swap": both}},
        "reference_pairs.planted": {f"reference_pairs.planted.{side}": model for side, model in models.items()},
        "downstream.text_sets.mine.path": {f"downstream.{path}": value for path, value in jigsaw.items()},
        "corpora.mine.path": {"corpora.mine": TEXT | {"path": both}, "first_order.corpora": ["mine"]},
    }.items():
        with pytest.raises(ValueError, match=rf"^config: {key}: '.*a' and '.*b' are the same file"):
            preparation.check(changed(changes), ROOT)


def test_files_of_a_corpus(tmp_path):
    for name in ("a[1].txt", "a1.txt"):
        (tmp_path / name).write_text("x")
    for pattern, names in (("a[1].txt", ["a[1].txt"]), ("a*.txt", ["a1.txt", "a[1].txt"]), ("a[1-9].txt", ["a1.txt"])):
        config = {"corpora": {"mine": {"path": str(tmp_path / pattern)}}}
        assert settings.corpus_files(config, "mine") == [str(tmp_path / name) for name in names]


def test_paths_are_found_in_the_working_directory_or_in_the_workflow(tmp_path, monkeypatch):
    home, here = tmp_path / "home", tmp_path / "here"
    for path in (home / "lists/both.yaml", home / "lists/shipped.yaml", here / "lists/both.yaml", home / "mine.txt"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")
    (home / "resources").symlink_to(ROOT / "resources")
    monkeypatch.chdir(here)
    lists = {"a": "lists/both.yaml", "b": "lists/shipped.yaml", "c": "/abs/x"}
    mine = TEXT | {"path": ["*.txt", "no"]}
    config = changed({"reference_pairs.planted_glove.lists": lists, "corpora.mine": mine})
    preparation.check(config, str(home))
    found = config["reference_pairs"]["planted_glove"]["lists"]
    assert found == lists | {"b": "../home/lists/shipped.yaml"}
    assert config["corpora"]["mine"]["path"] == ["../home/*.txt", "no"]
    assert config["embeddings"]["skipgram"]["algorithm"] == "skipgram"


def test_addresses_with_passwords_are_taken_and_not_shown():
    wiki, pairs = ({"url": f"https://me:secret@host/{name}", "checksum": "unknown"} for name in ("a.xml", "b.csv"))
    config = changed({"corpora.wiki": WIKI | wiki, "downstream.pair_sets": {"mine": {"source": "crows"} | pairs}})
    config["downstream"]["pairs"] = []
    preparation.prepare(config, ".", read=False)
    assert [one["url"] for one in settings.downloads(config).values()] == [wiki["url"], pairs["url"]]
    assert "secret" not in repr([config, settings.downloads(config)])  # as Snakemake notes and shows parameters


@pytest.mark.parametrize(
    "options",
    [
        {"url": "https://me:secret@host/a.xml?key=secret", "checksum": "unknown"},
        {"path": "https://me:secret@host/a.xml"},
    ],
)
def test_errors_have_no_passwords(options):
    config = changed({"corpora.wiki": WIKI | options, "first_order.corpora": ["wiki"]})
    with pytest.raises(ValueError, match=r"corpora\.wiki\.") as raised:
        preparation.check(config, ROOT)
    assert "secret" not in str(raised.value)


def test_options_with_defaults():
    options = settings.train_options({"algorithm": "skipgram", "dimensions": 7})
    assert (options["dimensions"], options["negative"], "algorithm" in options) == (7, 5, False)
    found = settings.pretraining({"pretrain": PRETRAINED})
    assert (found["checkpoint_steps"], found["steps"], found["layers"]) == ((5, 10), 20, 2)
    assert settings.pretraining({"pretrain": {"corpus": "x", "seed": 3}})["checkpoint_steps"] == ()
    models = {"a": {"pretrain": PRETRAINED}, "b": {"pretrain": PRETRAINED | {"seed": 3}}}
    config = changed({f"language_models.{name}": model for name, model in models.items()} | {"seed": 7})
    preparation.check(config, ROOT)
    assert [settings.pretraining_seed(config, name) for name in models] == [7, 3]


@pytest.mark.parametrize(("strengths", "chunk", "number"), [([], 8, 1), ([], 3, 4), ([0, 1], 6, 4), ([0, 1], 18, 2)])
def test_training_jobs(strengths, chunk, number):
    """2 × 2 distributions × 2 repeats, and 5 of each strength."""
    config = changed({"detection.strengths": strengths, "chunk": chunk}, "intrinsic")
    jobs = settings.training_jobs(config, "intrinsic")
    assert len(jobs) == number
    assert sum(map(len, jobs.values())) == settings.count_models(config)["intrinsic"] == 8 + 5 * len(strengths)


def test_inputs_of_the_downstream_study():
    sets = {"web": {"source": "bios", "path": "x.csv"}, "wiki": {"source": "wikipedia"}, "talk": {"source": "jigsaw"}}
    chosen = {"texts": list(sets), "text_sets": sets, "pairs": ["mine"], "pair_sets": {"mine": CROWS, "other": CROWS}}
    config = changed(chosen, "downstream")
    assert settings.downstream_groupings(config) == {"web": "count", "wiki": "share", "talk": "share"}
    assert settings.downstream_sources(config) == {name: sets[name]["source"] for name in sets} | {"mine": "crows"}
    assert settings.downstream_heads(config)["folds"] == {"wiki": 5, "web": 5, "talk": 4}
    assert settings.downloads(config) == {"pairs.csv": {key: CROWS[key] for key in ("url", "checksum")}}
    assert settings.downstream_units(config) == ["tiny", "planted"]
    assert settings.downstream_units(changed({"planted.strengths": []}, "downstream")) == ["tiny"]


def test_null_removes_a_file_of_a_default_mapping():
    preparation.check(config := changed({"occupation_statistics.labor": None}, "first_order"), ROOT)
    assert config["first_order"]["occupation_statistics"].keys() == {"census"}


def test_the_configuration_of_a_further_seed_differs_in_its_seed_only():
    config = {"first_order": {"occupation_statistics": {"labor": None}}, "threads": 2, "seeds": [1, 2]}
    seeded = preparation.prepare(config, ROOT, read=False) | {"seed": 2}
    preparation.prepare(seeded, ROOT, read=False)
    assert seeded == config | {"seed": 2}


def test_seeds_of_trainings_differ_between_runs():
    seeds = {settings.retraining_seed({"seed": seed}, number) for seed in range(5) for number in range(1, 6)}
    assert len(seeds - set(range(5))) == 25


def test_numbers_in_lists_and_mappings_of_the_command_line():
    config = {
        "same": {"repeats": "3", "n_occupations": "null"},
        "seeds": ["1", "2"],
        "seed": 4,
    }  # as Snakemake reads them
    arguments = ["same={repeats: 3, n_occupations: null}", "seeds=[1, 2]", "seed=4"]
    preparation.prepare(config, ROOT, read=False, arguments=arguments)
    assert (config["same"]["repeats"], config["same"]["n_occupations"], config["seeds"]) == (3, None, [1, 2])
    assert config["same"]["means"]
