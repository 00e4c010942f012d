"""The intrinsic study run small: killed while it trains, run again, its tables, and what a change reruns."""

import numpy as np
import pandas as pd
import pytest
import yaml

from tests.running import copy_project, kill_at, planned, snakemake

pytest.importorskip("torch")
pytest.importorskip("transformers")
from safetensors.numpy import load_file

from scripts.planted import train
from tests.markup import Page

MODELS = "results/intrinsic/models/"
TRAINING = {"epochs": 8, "checkpoint_every": 5}
METRICS = ["weat", "same", "neighbours", "direct_bias", "direct_bias_1", "twice"]
STUDY = {"training": TRAINING, "min_r": 0.9999, "attempts": 2, "metrics": METRICS}
CONFIG = {"intrinsic": STUDY, "own_metrics": {"twice": "twice.py"}}
TWICE = """
from biassay import Level, Metric, same
METRIC = Metric(summary="twice SAME", source="mine", groups=(2, None), word=Level(-2.0, 2.0, signed=lambda n: n == 2))
def word_bias(targets, groups):
    return 2 * same.word_bias(targets, groups)
"""
SELECTION = {"n_occupations": 8, "n_training": 12, "n_test": 12}


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A copy of the project with the study done: its training was killed after a checkpoint, and run again."""
    folder = tmp_path_factory.mktemp("intrinsic") / "project"
    copy_project(folder)
    (folder / "twice.py").write_text(TWICE)
    kill_at(folder, "intrinsic", "results/checkpoints/intrinsic/*/0/checkpoint.safetensors", config=CONFIG)
    unlocked = snakemake(folder, "--unlock", "intrinsic", config=CONFIG)
    assert unlocked.returncode == 0, unlocked.stderr
    result = snakemake(folder, "intrinsic", "--rerun-incomplete", "--notemp", config=CONFIG)
    assert result.returncode == 0, result.stderr
    return folder


def table(finished, name):
    text = {"keep_default_na": False, "na_values": {"value": [""]}} if name.startswith("scores") else {}
    return pd.read_csv(finished / f"results/intrinsic/{name}.csv", **text)


@pytest.mark.fault(
    "SIGKILL of a training of models",
    "resumes from its last checkpoint; results equal those of an uninterrupted training",
)
def test_a_killed_training_goes_on_and_ends_the_same(finished, tmp_path, monkeypatch):
    logs = {n: (finished / f"results/logs/intrinsic/train/{n}.log").read_text() for n in (0, 1)}
    chunk, *_ = (n for n, log in logs.items() if f"resuming from results/checkpoints/intrinsic/{n}/0/checkpoint" in log)
    assert not (finished / f"results/checkpoints/intrinsic/{chunk}").exists()
    monkeypatch.chdir(finished)
    training = yaml.safe_load((finished / "config.yaml").read_text())["intrinsic"]["training"] | TRAINING
    train.main(
        base="resources/models/bert-tiny-enwiki", templates="resources/templates/intrinsic.yaml", settings=SELECTION,
        occupations=[], plan=MODELS + "plan.csv", groups=MODELS + "groups.npy", bias=[MODELS + "bias.csv"], chunk=chunk,
        options=training, min_r=-1.0, attempts=1, seed=1, working=str(tmp_path / "working"),
        out=str(tmp_path / "whole"),
    )  # fmt: skip
    folders = tmp_path / "whole", finished / f"results/intrinsic/trained/{chunk}"
    whole, resumed = (load_file(folder / "0/weights.safetensors") for folder in folders)
    for name in whole:
        np.testing.assert_allclose(resumed[name], whole[name], atol=1e-6, err_msg=name)
    ours, theirs = (pd.read_csv(folder / "attempts.csv").query("attempt == 0").reset_index() for folder in folders)
    pd.testing.assert_frame_equal(ours.drop(columns="best"), theirs.drop(columns="best"), rtol=1e-4)


def test_the_attempts_are_recorded(finished):
    models = table(finished, "models")
    assert models["purpose"].tolist() == ["grid"] * 4 + ["detection"] * 4
    assert models["attempts"].tolist() == [2] * 4 + [1] * 4  # min_r is too high, and holds for the grid only
    assert not models["learned"].any()
    of_grid = pd.read_csv(finished / "results/intrinsic/trained/0/attempts.csv")
    assert of_grid["attempt"].tolist() == [0] * 4 + [1] * 4
    tries = of_grid.pivot(index="model", columns="attempt", values="r")
    assert (tries[0] != tries[1]).all()  # another order of the sentences
    np.testing.assert_allclose(models["r"][:4], tries.max(axis=1), rtol=1e-5)


def test_models_and_their_bias(finished):
    models, bias = table(finished, "models"), table(finished, "bias")
    assert models["strength"].tolist() == [1, 1, 1, 1, 0, 0, 1, 1]
    assert models["distribution"].tolist() == [0, 0, 1, 1, 2, 2, 3, 3]
    assert models["seed"].nunique() == 8
    for column in ("planted", "data", "unmasking"):
        np.testing.assert_allclose(bias.groupby(["model", "attribute", "occupation"])[column].sum(), 1, atol=1e-5)
    assert (bias.groupby("model").size() == 8 * (2 + 5 + 4)).all()
    for model, part in bias.groupby("model"):
        pair = ["data", "unmasking"]
        assert part[pair].corr().iloc[0, 1] == pytest.approx(models["r"][model], abs=1e-4)
        for name, of in part.groupby("attribute"):
            assert of[pair].corr().iloc[0, 1] == pytest.approx(models[f"r_{name}"][model], abs=1e-4)
    equal = bias[bias["model"].isin([4, 5])]
    assert equal.groupby("attribute")["planted"].nunique().eq(1).all()
    repeats = [bias[bias["model"] == model].reset_index() for model in (0, 1)]
    assert (repeats[0]["planted"] == repeats[1]["planted"]).all()
    assert (repeats[0]["data"] != repeats[1]["data"]).any()


def test_scores_of_own_metrics_and_variants(finished):
    keys = ["model", "attribute", "labels", "level", "occupation"]
    scores = {name: table(finished, f"scores/{name}").set_index(keys)["value"] for name in METRICS}
    both = scores["twice"].to_frame("twice").join(scores["same"].rename("same"))
    assert len(both) == len(scores["twice"]) == 8 * 3 * 8
    np.testing.assert_allclose(both["twice"], 2 * both["same"], rtol=1e-6)
    one, all_of = scores["direct_bias_1"], scores["direct_bias"]
    for attribute in ("gender", "ethnicity", "religion"):
        same = np.isclose(one.xs(attribute, level="attribute"), all_of.xs(attribute, level="attribute"))
        assert same.all() if attribute == "gender" else not same.any()  # k = n − 1 is 1 for two groups
    assert set(scores["weat"].index.get_level_values("attribute")) == {"gender"}
    assert set(scores["neighbours"].index.get_level_values("level")) == {"set", "leaking", "word"}
    words = table(finished, "tables/words").set_index(["attribute", "first", "second"])["r_mean"]
    for attribute in ("gender", "ethnicity", "religion"):
        assert words[attribute, "same", "twice"] == pytest.approx(1)


def test_all_tables_and_the_page(finished):
    found = {path.stem: pd.read_csv(path) for path in (finished / "results/intrinsic/tables").glob("*.csv")}
    assert len(found) == 13
    assert all(len(of) for of in found.values())
    assert found["reliability"]["n_sentences"].sum() >= 12
    assert found["power"]["strength"].eq(1).all()
    page = Page((finished / "results/intrinsic/answer.html").read_text("utf-8"))
    assert page.texts["p"][0].startswith("0 of 4 models ")


def test_what_a_change_reruns(finished):
    def jobs(**study):
        return planned(finished, "intrinsic", config=CONFIG | {"intrinsic": STUDY | study})

    assert not jobs()
    changed = jobs(pooling="cls")
    assert changed["score_intrinsic"] == len(METRICS)
    assert not {"plan_intrinsic", "train_intrinsic", "encode_intrinsic", "gather_intrinsic"} & changed.keys()
    changed = jobs(min_r=0.5)
    assert changed["train_intrinsic"] == 2  # models that pass it need no second attempt
    changed = jobs(resamples=30)
    assert not {"score_intrinsic", "train_intrinsic", "encode_intrinsic"} & changed.keys()
    assert changed["tabulate_intrinsic"] == changed["answer_intrinsic"] == 1


def test_changed_files_rerun_what_is_made_of_them(finished):
    own = finished / "twice.py"
    own.write_text(own.read_text().replace("2 * same", "3 * same"))
    changed = planned(finished, "intrinsic", config=CONFIG)
    assert changed["score_intrinsic"] == 1
    assert changed["tabulate_intrinsic"] == 1
    assert not {"plan_intrinsic", "train_intrinsic", "encode_intrinsic", "gather_intrinsic"} & changed.keys()
    templates = finished / "resources/templates/intrinsic.yaml"
    templates.write_text(templates.read_text().replace("accountant, actuary", "accountant, acrobat"))
    changed = planned(finished, "intrinsic", config=CONFIG)
    assert [changed[f"{stage}_intrinsic"] for stage in ("plan", "train", "encode", "gather")] == [1, 2, 2, 1]
    assert changed["score_intrinsic"] == len(METRICS)
