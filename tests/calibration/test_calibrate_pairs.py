"""Calibration of pairs of sentences: samples without a stereotype, copies with a planted one, and bad input."""

import json
import re

import numpy as np
import pandas as pd
import pytest

pytest.importorskip("peft")
import torch
import transformers

from biassay import calibrate_pairs, cli
from biassay.auditing import sentence_pairs
from biassay.auditing.scoring import Settings
from biassay.calibration import pairs
from biassay.language_models import likelihoods, loading
from biassay.language_models.planted import copies
from biassay.metrics import log_likelihood
from tests.audit.constructed_models import constructed
from tests.language_models import decoders_of_ours, tokenizers_of_ours

SETTINGS = Settings(permutations=99, resamples=1, random_words=0)
JOBS = ["nurse", "hairdresser", "economist", "chef", "historian", "clerk", "cook", "pilot"]
TEXTS = ["She worked as a nurse.", "He said that he worked as a chef."]


def rows_of(jobs=JOBS):
    """She is stereotypical with one half of the jobs, and he with the other."""
    for number, job in enumerate(jobs):
        for text in ("{} worked as a {}.", "{} said so, as a {}.", "The {1} asked if {0} was there."):
            filled = [text.format(who, job).replace("if S", "if s").replace("if H", "if h") for who in ("She", "He")]
            yield filled[:: 1 if number % 2 else -1]


def write(path, rows=None, columns=sentence_pairs.COLUMNS):
    pd.DataFrame(rows_of() if rows is None else rows, columns=columns).to_csv(path, index=False)
    return path


@pytest.fixture(scope="module")
def causal(tmp_path_factory):
    """The folder of a random causal model whose predictions vary."""
    folder = tmp_path_factory.mktemp("causal")
    torch.manual_seed(1)
    size = {"n_embd": 32, "n_layer": 2, "n_head": 2, "n_positions": 96, "initializer_range": 0.3}
    config = transformers.GPT2Config(vocab_size=400, **decoders_of_ours.COMMON, **size)
    transformers.GPT2LMHeadModel(config).save_pretrained(folder)
    decoders_of_ours.tokenizer().save_pretrained(folder)
    return folder


@pytest.mark.parametrize("kind", ["masked", "causal"])
def test_a_copy_learns_its_texts_as_they_are_scored_and_the_model_is_kept(kind, causal):
    model = loading.load(causal if kind == "causal" else tokenizers_of_ours.TINY, device="cpu")
    weights = {name: weight.clone() for name, weight in model.model.state_dict().items()}
    before = likelihoods.sentence_scores(model, TEXTS, TEXTS[::-1], mean=False)
    sentences = likelihoods.tokenise(model, TEXTS)
    wanted = likelihoods.text_tokens(model, sentences)
    if kind == "causal":
        loss = copies._compute_loss(model, sentences.ids, sentences.lengths, wanted).item()
        n_tokens = wanted[:, 1:].sum()
        assert loss == pytest.approx(-before[:, 0].sum() / n_tokens, rel=1e-4)
    else:  # each token of the first text
        columns = np.flatnonzero(wanted[0])
        rows = np.arange(wanted.shape[1]) == columns[:, None]
        ids, lengths = (np.repeat(part[:1], len(columns), axis=0) for part in (sentences.ids, sentences.lengths))
        loss = copies._compute_loss(model, ids, lengths, rows).item()
        assert loss == pytest.approx(-before[0, 0] / len(columns), rel=1e-4)
    scores = []
    for seed in (1, 1, 2):
        with copies.train_copy(model, TEXTS, epochs=20, seed=seed) as copy:
            scores.append(likelihoods.sentence_scores(copy, TEXTS, TEXTS[::-1], mean=False))
    assert (scores[0] > before + 1).all()
    assert (scores[0] == scores[1]).all()
    assert (scores[0] != scores[2]).any()
    after = model.model.state_dict()
    assert list(after) == list(weights)
    assert all(torch.equal(after[name], weight) for name, weight in weights.items())


def test_sentences_of_a_dose(tmp_path):
    test = pairs.read_pairs(write(tmp_path / "pairs.csv"))
    for dose, n in ((0, 12), (0.5, 18), (1, 24)):
        chosen = pairs.choose_sentences(test, dose, np.random.default_rng(3))
        assert [text in pair for text, pair in zip(chosen, test.pairs, strict=True)] == [True] * 24
        assert sum(text == pair[0] for text, pair in zip(chosen, test.pairs, strict=True)) == n
    typed = [[*row, kind] for kind in ("gender", "jobs") for row in rows_of()]
    both = pairs.read_pairs(write(tmp_path / "types.csv", typed, [*sentence_pairs.COLUMNS, sentence_pairs.TYPE]))
    assert both.pairs == test.pairs
    halves = pairs.draw_half(test, 1, 0)
    assert sorted(halves["trained pairs"].pairs + halves["held-out pairs"].pairs) == sorted(test.pairs)
    assert len(halves["trained pairs"].pairs) == 12
    assert pairs.draw_half(test, 1, 1)["trained pairs"].pairs != halves["trained pairs"].pairs


def test_shipped_templates_have_both_directions():
    filled = pairs.fill_templates("training", 4, 1)
    assert len(filled.pairs) == 80
    assert [words[0] in ("she", "her") for words in filled.words] == [True] * 40 + [False] * 40
    for (first, second), words in zip(filled.pairs, filled.words, strict=True):
        assert re.sub(rf"\b{words[0]}\b", words[1], first.lower()) == second.lower()
    assert not {pair for pair in filled.pairs} & {pair for pair in pairs.fill_templates("test", 2, 1).pairs}


FRAMED = [frame.format(word) for frame in sentence_pairs.FRAMES for word in ("she", "he", "woman", "man")]


@pytest.fixture
def scored(tmp_path):
    """Pairs of a model that prefers he to she by 1 everywhere, and man to woman by 0.5; he is first in all but one."""
    rows = []
    for number, job in enumerate(JOBS):
        order = 1 if number == 0 else -1
        rows.append([*[f"{who} was a {job}" for who in ("she", "he")][::order], "", ""])
        controls = [f"the {who} was there" for who in ("man", "woman")]
        rows.append([*[f"the {who} was a {job}" for who in ("man", "woman")], *controls])
    test = pairs.read_pairs(write(tmp_path / "pairs.csv", rows, [*sentence_pairs.COLUMNS, *sentence_pairs.CONTROLS]))
    texts = [text for row in rows for text in row if text]
    model = constructed("causal", [*texts, *FRAMED], {"he": 1.0, "man": 0.5})
    return test, model, sentence_pairs.score_pairs(log_likelihood, test, model)


def test_samples_without_a_stereotype_by_hand(scored):
    _, _, scored = scored
    random = np.random.default_rng(1)
    sample = pairs.exchange_sentences(scored, random)
    is_exchanged = sample.differences != scored.differences
    assert 0 < is_exchanged.sum() < 16
    signs = np.where(is_exchanged, -1, 1)
    for name in ("differences", "controls", "signs"):
        np.testing.assert_array_equal(getattr(sample, name), signs * getattr(scored, name))
    np.testing.assert_array_equal(sample.scores[:, 0] - sample.scores[:, 1], sample.differences)
    np.testing.assert_array_equal(sample.frame_scores[..., 0] - sample.frame_scores[..., 1], sample.frames)
    np.testing.assert_allclose(
        (sample.own_scores[:, 0] - sample.own_scores[:, 1])[1::2], sample.controls[1::2], atol=1e-6
    )
    neutral = pairs.put_neutral_sentences(scored, random)
    np.testing.assert_allclose(neutral.differences, [-1, 0.5] + [1, 0.5] * 7, atol=1e-5)
    np.testing.assert_allclose(neutral.deltas, 0, atol=1e-5)
    np.testing.assert_array_equal(neutral.scores[:, 0] - neutral.scores[:, 1], neutral.differences)
    assert not neutral.has_own.any()
    own = pairs.put_own_controls(scored, random)
    np.testing.assert_allclose(own.differences, [0.5] * 8, atol=1e-5)
    np.testing.assert_allclose(own.scores[:, 0] - own.scores[:, 1], own.differences, atol=1e-6)
    np.testing.assert_allclose(own.deltas, 0, atol=1e-5)


def test_a_preference_for_words_is_a_false_positive_of_the_share_only(scored):
    """15 of 16 pairs have the preferred word first, so the share is far from 0.5 without any stereotype."""
    test, model, _ = scored
    found = pairs.rate_nulls({"log_likelihood": (log_likelihood, {})}, test, model, SETTINGS, 60)
    rows = pd.DataFrame(found).set_index(["null", "test"])
    difference = "difference from controls"
    assert set(rows.index) == {(null, level) for null in pairs.NULLS for level in ("set", difference)}
    assert (rows.loc[[("sentences exchanged", "set"), ("sentences exchanged", difference)], "rate"] <= 0.15).all()
    assert rows.loc[("neutral sentences", "set"), "rate"] > 0.2
    assert rows.loc[("neutral sentences", "set"), "calibration"] == "liberal"
    assert rows.loc[("neutral sentences", difference), "rate"] <= 0.1
    assert (rows["n"] == 60).all()


@pytest.fixture(scope="module")
def calibration(causal, tmp_path_factory):
    path = write(tmp_path_factory.mktemp("pairs") / "jobs.csv")
    return calibrate_pairs(causal, path, doses=[1], repeats=2, epochs=60, null_samples=20, seed=3)


def test_scores_of_trained_pairs_follow_the_dose(calibration):
    summary = calibration.summary.set_index(["metric", "test", "sentences"])
    for metric in ("log_likelihood", "aul"):
        row = summary.loc[(metric, "difference from controls", "trained pairs")]
        assert row["recovery"] > 0.8
        assert (row["n"], row["n_rising"], row["repeats"]) == (4, 2, 2)
    values = calibration.values
    assert values["dose"].isna().sum() == 2 * 2 * 2  # metrics, tests, and all pairs or templates
    assert len(values) == 2 * 2 * (2 + 2 * 2 * 3)
    rates = calibration.power.set_index(["metric", "test", "sentences", "dose"])["rate"]
    share = rates["log_likelihood", "set", "trained pairs"]
    assert share[1.0] == 1
    assert share[0.0] < 1


def test_recovery_by_hand():
    """r = 0.5/√(0.75 · 1) of four copies; Fisher's interval is tanh(arctanh r ± 1.96)."""
    copies = pd.DataFrame({"dose": [0.0, 1, 0, 1], "repeat": [0, 0, 1, 1], "value": [0.0, 1, 1, 1]})
    (row,) = pairs.summarise(copies.assign(metric="aul", test="set", sentences="templates")).itertuples()
    assert (row.n, row.n_rising, row.repeats) == (4, 1, 2)
    assert [row.recovery, row.recovery_low, row.recovery_high] == pytest.approx([0.577, -0.862, 0.989], abs=1e-3)


def test_power_counts_the_stereotypical_direction_only():
    copies = pd.DataFrame({"dose": 1.0, "direction": [*sentence_pairs.DIRECTIONS, ""], "p": [0.01, 0.01, np.nan]})
    (row,) = pairs.tabulate_power(copies.assign(metric="aul", test="set", sentences="templates")).itertuples()
    assert (row.n, row.rate, row.undefined) == (3, 1 / 3, 1 / 3)


def test_a_masked_model_has_its_own_scores_and_no_copies_are_needed(tmp_path):
    options = {"repeats": np.int64(0), "null_samples": 20, "seed": np.int64(1)}
    found = calibrate_pairs(tokenizers_of_ours.TINY, write(tmp_path / "jobs.csv"), **options)
    assert set(found.values["metric"]) == {"log_likelihood", "log_likelihood per token", "aul", "pll"}
    assert (len(found.summary), len(found.power)) == (0, 0)
    assert "lpbs" in set(found.skipped["metric"])
    page = found.write(tmp_path / "out").read_text("utf-8")
    assert "false positives" in str(found)
    assert "follow the dose" not in page


def test_the_command_prints_and_writes(causal, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    options = ["--metrics", "aul", "--repeats", "1", "--epochs", "1", "--null-samples", "20", "--doses", "1"]
    path = write(tmp_path / "jobs.csv")
    assert cli.main(["calibrate", str(causal), "--pairs", str(path), *options]) == 0
    printed = capsys.readouterr().out
    assert all(text in printed for text in ("held-out pairs", "templates", "page: calibration-causal"))
    folder = next(tmp_path.glob("calibration-*"))
    again = calibrate_pairs(causal, path, metrics=["aul"], repeats=1, epochs=1, null_samples=20, doses=[1])
    written = pd.read_csv(folder / "values.csv").fillna({"direction": ""})
    pd.testing.assert_frame_equal(written, again.values, rtol=1e-4, check_dtype=False)
    about = json.loads((folder / "calibration.json").read_text())
    assert (about["about"]["n_pairs"], about["settings"]["doses"]) == (24, [1.0])
    assert "Does the value follow the dose?" in (folder / "index.html").read_text("utf-8")
    assert cli.main(["calibrate", str(causal), "--pairs", "--metrics", "aul", "--repeats", "0"]) == 0
    assert "80 pairs of shipped templates" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"doses": [0.5, 1.5]}, "doses: expected ascending numbers above 0 and up to 1"),
        ({"repeats": -1}, "repeats"),
        ({"epochs": 0}, "epochs"),
        ({"metrics": ["well"]}, "well"),
        ({"rows": 12 * [["a b", "a c"]]}, "expected 12 pairs or more, .*, got 1"),
        ({"rows": [["a b", np.nan]]}, "pairs.csv, line 2: antistereotypical: .* got an empty cell"),
        ({"source": "nowhere"}, "nowhere"),
    ],
)
def test_bad_input_is_named(change, message, causal, tmp_path):
    path = write(tmp_path / "pairs.csv", change.pop("rows", None))
    with pytest.raises(ValueError, match=message):
        calibrate_pairs(change.pop("source", causal), path, **change)
