"""Training sentences of the models, and the selection of models that learned their bias."""

import logging
from itertools import product

import numpy as np
import pandas as pd
import pytest
import scipy.stats

from biassay.language_models import distributions
from tests.same import inputs
from tests.scripted import run

STUDY = {"n_occupations": 5, "means": [0.0, 0.4, 1.0], "spreads": [0.0, 0.2], "repeats": 2, "held_out": 0.3, "chunk": 5}


def planned(folder, seed=3, **study):
    out = {name: folder / f"{name}.csv" for name in ("plan", "occupations", "training")}
    out["sentences"] = folder / "sentences.parquet"
    given = {"templates": inputs.templates(folder), "occupations": inputs.occupations(folder)}
    params = {"study": STUDY | study, "seed": seed, "groups": inputs.GROUPS}
    run("same/plan.py", input=given, output=out, params=params)
    chosen = pd.read_csv(out["occupations"], keep_default_na=False)
    return pd.read_csv(out["plan"]), chosen, pd.read_csv(out["training"]), pd.read_parquet(out["sentences"])


def test_plan_has_a_row_a_model_and_the_chosen_occupations(tmp_path):
    plan, occupations, training, _ = planned(tmp_path)
    assert list(plan) == ["model", "distribution", "mean", "spread", "repeat", "seed", "chunk"]
    assert plan["model"].tolist() == list(range(12))
    assert plan["chunk"].tolist() == [0] * 5 + [1] * 5 + [2] * 2
    grid = [(d, m, s, r) for d, (m, s) in enumerate((m, s) for m in (0, 0.4, 1) for s in (0, 0.2)) for r in (0, 1)]
    assert list(plan[["distribution", "mean", "spread", "repeat"]].itertuples(index=False, name=None)) == grid
    assert plan["seed"].nunique() == 12
    assert list(occupations) == ["word", "stereotype"]
    assert len(occupations) == 5
    assert occupations["word"].tolist() == [word for word in inputs.OCCUPATIONS if word in set(occupations["word"])]
    assert occupations["stereotype"].tolist() == [inputs.OCCUPATIONS[word] for word in occupations["word"]]
    assert list(training) == ["model", "occupation", "planted", "training"]
    assert training["occupation"].tolist() == occupations["word"].tolist() * 12
    assert training["model"].tolist() == [model for model in range(12) for _ in range(5)]


def test_sentences_say_what_was_planted(tmp_path):
    plan, _, training, sentences = planned(tmp_path)
    assert sentences.index.tolist() == list(range(12 * 5 * 3))
    planted = training.groupby("model")["planted"].apply(list)
    for row in plan.itertuples():
        p, part = np.array(planted[row.model]), sentences[sentences["model"] == row.model]
        assert planted[row.model] == planted[2 * row.distribution]  # the same in all repeats
        assert (np.ptp(p) > 0) == (row.spread > 0)
        if row.spread == 0:
            assert p == pytest.approx(np.full(5, row.mean))
        assert part["held_out"].sum() == 4  # 30 % of 15, rounded
        assert part[["occupation", "template"]].to_numpy().tolist() == [[i, j] for i in range(5) for j in range(3)]
        expected = distributions.draw_sentences(p, 3, seed=row.seed, model=row.model, held_out=0.3)
        pd.testing.assert_frame_equal(part.reset_index(drop=True), expected)
        if row.spread == 0 and row.mean in (0, 1):
            assert (part["male"] == bool(row.mean)).all()
    assert not planted[2] == planted[6] == planted[10]  # of other distributions


def test_training_bias_is_that_of_the_sentences_trained_on(tmp_path):
    _, _, training, sentences = planned(tmp_path)
    for (model, occupation), share in zip(product(range(12), range(5)), training["training"], strict=True):
        rows = sentences[(sentences["model"] == model) & (sentences["occupation"] == occupation)]
        seen = [male for male, held_out in zip(rows["male"], rows["held_out"], strict=True) if not held_out]
        assert share == pytest.approx(np.mean(seen) if seen else np.nan, rel=1e-5, nan_ok=True)


def test_another_seed_is_another_plan(tmp_path):
    (tmp_path / "other").mkdir()
    plan, words, *_, sentences = planned(tmp_path, n_occupations=2)
    other, other_words, *_, others = planned(tmp_path / "other", seed=4, n_occupations=2)
    assert (plan["seed"] != other["seed"]).all()
    assert words["word"].tolist() != other_words["word"].tolist()
    assert sentences["held_out"].tolist() != others["held_out"].tolist()


def test_a_chunk_is_trained_on_the_sentences_that_are_not_held_out(tmp_path, caplog):
    transformers = pytest.importorskip("transformers")
    tokenizer = transformers.AutoTokenizer.from_pretrained(inputs.BERT)
    words = list(inputs.OCCUPATIONS)
    frames = [
        distributions.draw_sentences(np.full(6, 0.5), 3, seed=model, model=model, held_out=0.4) for model in range(5)
    ]
    sentences = pd.concat(frames, ignore_index=True)
    sentences.to_parquet(tmp_path / "sentences.parquet")
    calls = []

    def train(base, data, *, seeds, folder, **options):
        calls.append((base, data, seeds, options))
        folder = inputs.made(folder)
        for name in ("weights.safetensors", "losses.csv", "checkpoint.safetensors"):
            (folder / name).write_text(f"{name} of {len(data)}")

    given = {"templates": inputs.templates(tmp_path), "occupations": inputs.occupations(tmp_path),
             "plan": inputs.plan(tmp_path, {0: 0, 1: 1, 4: 1, 2: 1, 3: 2}),
             "sentences": tmp_path / "sentences.parquet"}  # fmt: skip
    params = {"base": str(inputs.BERT), "training": {"epochs": 3, "batch": 7}, "working": str(tmp_path / "working")}
    params |= {"groups": inputs.GROUPS}
    inputs.made(tmp_path / "out/1")
    with caplog.at_level(logging.INFO):
        run("same/train.py", input=given, output={"out": tmp_path / "out/1"}, params=params, wildcards={"chunk": "1"},
            replace={"biassay.language_models.stacked.training.train": train})  # fmt: skip
    ((base, data, seeds, options),) = calls
    assert (base, seeds, options) == (str(inputs.BERT), [101, 104, 102], {"epochs": 3, "batch": 7})
    assert "3 models, 11 sentences each" in caplog.text
    for model, masked in zip((1, 4, 2), data, strict=True):
        rows = sentences[(sentences["model"] == model) & ~sentences["held_out"]]
        assert len(masked) == len(rows) == 11
        for i, row in enumerate(rows.itertuples()):
            template, word = inputs.TRAINING[row.template], words[row.occupation]
            hidden = tokenizer(inputs.text(template, word, row.male, tokenizer.mask_token)).input_ids
            shown = tokenizer(inputs.text(template, word, row.male)).input_ids
            assert masked.ids[i, : masked.lengths[i]].tolist() == hidden
            assert masked.ids[i, masked.positions[i]] == tokenizer.mask_token_id
            assert masked.labels[i] == shown[masked.positions[i]]
    assert {path.name: path.read_text()[-4:] for path in (tmp_path / "out/1").iterdir()} == {
        "weights.safetensors": "of 3", "losses.csv": "of 3"
    }  # fmt: skip
    assert not (tmp_path / "working").exists()


def selected(folder, min_r2, training, p_male, replace=None):
    """Select among three models in two chunks, 4 occupations in 2 templates; return models.csv and bias.csv."""
    models = {0: 0, 1: 0, 2: 1}
    for model, chunk in models.items():
        values = np.array(p_male[model]) * np.array([0.1, 0.3, 0.5, 0.2])[:, None, None]  # a share of all words
        np.save(inputs.made(folder / f"chunk {chunk}/{model}") / "pronouns.npy", np.log(values).reshape(8, 2))
    rows = [(m, f"word {w}", 0.5, training[m][w]) for m in models for w in range(4)]
    pd.DataFrame(rows, columns=["model", "occupation", "planted", "training"]).to_csv(folder / "t.csv", index=False)
    given = {"plan": inputs.plan(folder, models), "training": folder / "t.csv",
             "encoded": [folder / "chunk 0", folder / "chunk 1"]}  # fmt: skip
    out = {"models": folder / "models.csv", "bias": folder / "bias.csv"}
    run("same/select_models.py", input=given, output=out, params={"min_r2": min_r2}, replace=replace)
    return pd.read_csv(out["models"]), pd.read_csv(out["bias"])


P = {model: np.random.default_rng(model).uniform(0.1, 0.9, (4, 2)) for model in range(3)}
BOTH = {model: np.stack([1 - p, p], axis=2) for model, p in P.items()}  # in the order female, male
TRAINING = {0: P[0].mean(axis=1), 1: [0.1, 0.9, 0.5, np.nan], 2: P[2].mean(axis=1) ** 2}


def test_models_whose_unmasking_follows_their_training_are_selected(tmp_path, caplog):
    with caplog.at_level(logging.INFO):
        models, bias = selected(tmp_path, 0.9, TRAINING, BOTH)
    assert list(models) == ["model", "distribution", "mean", "spread", "repeat", "seed", "r2", "learned"]
    assert models["seed"].tolist() == [100, 101, 102]
    assert list(bias) == ["model", "occupation", "training", "unmasking"]
    assert bias["occupation"].tolist() == [f"word {w}" for w in range(4)] * 3
    expected = np.array([P[model].mean(axis=1) for model in range(3)])
    np.testing.assert_allclose(bias["unmasking"], expected.ravel(), rtol=1e-5)
    np.testing.assert_allclose(bias["training"], np.concatenate(list(TRAINING.values())), rtol=1e-5)
    r2 = [1, scipy.stats.pearsonr(expected[1][:3], TRAINING[1][:3])[0] ** 2,
          scipy.stats.pearsonr(expected[2], TRAINING[2])[0] ** 2]  # fmt: skip
    np.testing.assert_allclose(models["r2"], r2, rtol=1e-5)
    assert models["learned"].tolist() == [True, False, True]
    assert "2 models learned their bias (R² ≥ 0.9), 1 did not" in caplog.text
    smallest, first, middle, third, largest = np.percentile(r2, [0, 25, 50, 75, 100])
    assert (
        f"minimum {smallest:.3f}, quartiles {first:.3f} {middle:.3f} {third:.3f}, maximum {largest:.3f}" in caplog.text
    )


def test_min_r2_at_its_value_and_above_all(tmp_path):
    values = iter([0.7, 0.69, 0.71])
    replace = {"biassay.language_models.distributions.learning_r2": lambda *_: next(values)}
    assert selected(tmp_path, 0.7, TRAINING, BOTH, replace)[0]["learned"].tolist() == [True, False, True]
    with pytest.raises(ValueError, match=r"same.min_r2: none of 3 models reaches R² ≥ 1.01, the maximum is 1.000"):
        selected(tmp_path, 1.01, TRAINING, BOTH)
