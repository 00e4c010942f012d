"""The downstream study run small: killed while it trains, run again, its tables, and what a change reruns."""

import numpy as np
import pandas as pd
import pytest

from tests.running import copy_project, kill_at, planned, snakemake

pytest.importorskip("torch")
pytest.importorskip("transformers")
from biassay.language_models.heads import Heads
from biassay.studies.downstream.texts import Texts
from tests.markup import Page

METRICS = ["same", "weat", "direct_bias", "direct_bias_2", "twice"]
STUDY = {
    "metrics": METRICS,
    "variants": {"direct_bias_2": {"metric": "direct_bias", "options": {"c": 2.0}}},
    "planted": {"training": {"epochs": 3, "checkpoint_every": 5}},
    "pairs": ["sentences", "mine"],
    "pair_sets": {"mine": {"source": "crows", "path": "mine.csv"}},
}
CONFIG = {"downstream": STUDY, "own_metrics": {"twice": "twice.py"}}
TWICE = """
from biassay import Level, Metric, same
METRIC = Metric(summary="twice SAME", source="mine", groups=(2, None), set=Level(0.0, 2.0),
                word=Level(-2.0, 2.0, signed=lambda n: n == 2))
def word_bias(targets, attributes):
    return 2 * same.word_bias(targets, attributes)
def set_bias(targets, attributes):
    return 2 * same.set_bias(targets, attributes)
"""
PAIRS = """,sent_more,sent_less,stereo_antistereo,bias_type
0,"The old men sat by the river.","The young men sat by the river.",stereo,age
1,Her sister sold the house.,His sister sold the house.,antistereo,gender
2,She wrote a long letter.,He wrote a long letter.,stereo,gender
3,She wrote a long letter.,John wrote a long letter.,stereo,gender
4,A poor man sang.,A rich man sang.,stereo,socioeconomic
"""


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A copy of the project with the study done: its training was killed after a checkpoint, and run again."""
    folder = tmp_path_factory.mktemp("downstream") / "project"
    copy_project(folder)
    (folder / "twice.py").write_text(TWICE)
    (folder / "mine.csv").write_text(PAIRS)
    kill_at(folder, "downstream", "results/checkpoints/downstream/checkpoint.safetensors", config=CONFIG)
    unlocked = snakemake(folder, "--unlock", "downstream", config=CONFIG)
    assert unlocked.returncode == 0, unlocked.stderr
    result = snakemake(folder, "downstream", "--rerun-incomplete", "--notemp", config=CONFIG)
    assert result.returncode == 0, result.stderr
    return folder


def table(finished, name):
    return pd.read_csv(finished / f"results/downstream/{name}.csv", keep_default_na=False, na_values={"value": [""]})


@pytest.mark.fault(
    "SIGKILL of a training of models",
    "resumes from its last checkpoint; results equal those of an uninterrupted training",
)
def test_a_killed_training_goes_on(finished):
    log = (finished / "results/logs/downstream/train.log").read_text()
    assert "resuming from results/checkpoints/downstream/checkpoint.safetensors" in log
    assert not (finished / "results/checkpoints/downstream").exists()
    models = table(finished, "models")
    assert models["name"].tolist() == ["tiny", "planted_0", "planted_1"]
    assert models["strength"].tolist() == ["", "0", "1"]


def test_texts_and_their_datasheet(finished):
    texts = Texts.open(finished / "results/downstream/texts/biographies")
    sheet = table(finished, "datasheets/biographies").set_index("class")
    assert len(texts) == sheet.loc["", "n_texts"] == 160
    assert texts.classes == ["accountant", "farmer", "lawyer", "nurse"]
    assert sheet.loc["", ["male", "female"]].tolist() == np.bincount(texts.groups).tolist()
    ground_truth = table(finished, "planted").query("attribute == 'gender' and group == 'male'").set_index("occupation")
    share = sheet["share_male"].drop("")
    assert (
        np.corrcoef(ground_truth.loc[share.index, "probability"], share)[0, 1] > 0.8
    )  # the texts are of what is planted


def test_pairs_and_which_sentence_is_the_likelier(finished):
    sheet = table(finished, "datasheets/pairs/mine").set_index("attribute")
    assert sheet.loc["gender"].tolist() == [3, 2]  # a name is no term
    assert sheet.loc["age"].tolist() == [1, 1]
    pairs = table(finished, "pairs/mine")
    assert pairs["group_stereotypical"].tolist() == ["old", "female", "female"]
    shares = table(finished, "tables/shares")
    for unit, model in (("tiny", "tiny"), ("planted", "planted_1")):
        scores = np.load(finished / f"results/downstream/encoded/{unit}/{model}/pairs/mine/scores.npy")
        of = shares.query("set == 'mine' and attribute == 'gender' and model == @model").iloc[0]
        assert of["n_pairs"] == 2
        assert of["share_stereotypical"] == (scores[1:, 0] > scores[1:, 1]).mean()


def test_gaps_are_those_of_the_classifiers_probabilities(finished):
    texts = Texts.open(finished / "results/downstream/texts/biographies")
    classes = table(finished, "tables/classes")
    assert len(classes) == 3 * 2 * 3 * 4
    heads = Heads.open(finished / "results/downstream/heads/planted/planted_1/biographies/raw.npz")
    for row, k in enumerate((0, 1, 3)):
        said = heads.probabilities[row] > 0.5
        of = classes.query("model == 'planted_1' and version == 'raw'")
        of = of[of["n_directions"] == k].set_index("class")
        for number, name in enumerate(texts.classes):
            gaps = []
            for fold in (0, 1):
                mine = (heads.folds == fold) & (texts.labels[:, number] == 1)
                rates = [said[mine & (texts.groups == group), number].mean() for group in (0, 1)]
                gaps.append(rates[0] - rates[1])
            assert float(of.loc[name, "gap"]) == pytest.approx(np.mean(gaps), abs=1e-5)


def test_scores_of_own_metrics_and_variants(finished):
    keys = ["set", "attribute", "model", "version", "n_directions", "group_words", "level", "class"]
    scores = {name: table(finished, f"scores/{name}").set_index(keys)["value"] for name in METRICS}
    both = scores["twice"].to_frame("twice").join(scores["same"].rename("same"))
    assert len(both) == len(scores["same"])
    np.testing.assert_allclose(both["twice"].astype(float), 2 * both["same"].astype(float), rtol=1e-6)
    squared = scores["direct_bias_2"].xs("class", level="level").astype(float)
    plain = scores["direct_bias"].xs("class", level="level").astype(float)
    assert (squared <= plain + 1e-9).all()
    ranks = table(finished, "tables/ranking")
    pairs = ranks[ranks["ground_truth"] == "planted"]
    assert pairs["n_pairs"].eq(1).all()  # two models
    accuracies = pairs.set_index([*keys[:2], "version"]).groupby("score")["ranking_accuracy"]
    assert (accuracies.get_group("same") == accuracies.get_group("twice")).all()


def test_all_tables_and_the_page(finished):
    found = {path.stem: table(finished, f"tables/{path.stem}")
             for path in (finished / "results/downstream/tables").glob("*.csv")}  # fmt: skip
    assert set(found) == {
        "classifiers", "classes", "shares", "ranking", "by_class", "by_pair", "correlations", "sets", "cases",
        "robustness", "titles",
    }  # fmt: skip
    assert all(len(of) for of in found.values())
    page = Page((finished / "results/downstream/answer.html").read_text("utf-8"))
    assert page.texts["p"][0].startswith("3 language models, 2 of them with planted bias of 2 strengths.")


def test_texts_of_persons_stay_in_their_store(finished):
    texts = Texts.open(finished / "results/downstream/texts/biographies")
    sentences = {sentence.strip() for text in (*texts.raw, *texts.scrubbed) for sentence in text.split(".")}
    sentences = {sentence for sentence in sentences if len(sentence.split()) > 4}
    assert len(sentences) > 100
    shown = [
        path for path in (finished / "results").rglob("*") if path.suffix in (".csv", ".log", ".html", ".svg", ".json")
    ]
    assert len(shown) > 40
    for path in shown:
        content = path.read_text("utf-8")
        assert not any(sentence in content for sentence in sentences), path


def test_what_a_change_reruns(finished):
    def jobs(**study):
        return planned(finished, "downstream", config=CONFIG | {"downstream": STUDY | study})

    assert not jobs()
    changed = jobs(heads={"epochs": 2})
    assert changed["train_downstream_heads"] == 2
    assert not {"encode_downstream", "train_downstream", "score_downstream"} & changed.keys()
    changed = jobs(robustness={"permutations": 4})
    assert changed["score_downstream"] == len(METRICS)
    assert not {"train_downstream_heads", "encode_downstream"} & changed.keys()
    changed = jobs(resamples=30)
    assert not {"score_downstream", "encode_downstream", "train_downstream"} & changed.keys()
    assert changed["rank_downstream"] == changed["answer_downstream"] == 1


def test_a_model_that_is_added_is_the_only_one_encoded(finished):
    models = {"other": {"path": "resources/models/bert-tiny-enwiki"}}
    config = CONFIG | {"language_models": models, "downstream": STUDY | {"models": ["tiny", "other"]}}
    changed = planned(finished, "downstream", config=config)
    assert changed["encode_downstream"] == changed["train_downstream_heads"] == 1
    assert not {"train_downstream", "collect_downstream_texts", "collect_downstream_pairs"} & changed.keys()
    assert changed["score_downstream"] == len(METRICS)


def test_what_is_planted_says_nothing_of_pairs_of_a_file(finished):
    config = CONFIG | {"downstream": STUDY | {"planted": STUDY["planted"] | {"min_p": 0.1}}}
    assert not planned(finished, "results/downstream/pairs/mine.csv", config=config)
    changed = planned(finished, "results/downstream/pairs/sentences.csv", config=config)
    assert changed["collect_downstream_pairs"] == 1


def test_changed_files_rerun_what_is_made_of_them(finished):
    own = finished / "twice.py"
    own.write_text(own.read_text().replace("2 * same", "3 * same"))
    changed = planned(finished, "downstream", config=CONFIG)
    assert changed["score_downstream"] == 1
    assert not {"encode_downstream", "train_downstream_heads", "collect_downstream_texts"} & changed.keys()
    words = finished / "resources/words/defining.yaml"
    words.write_text(words.read_text().replace("gentleman", "lad"))
    changed = planned(finished, "downstream", config=CONFIG)
    assert [changed[f"{stage}_downstream"] for stage in ("encode", "score")] == [2, len(METRICS)]
    assert "train_downstream" not in changed
