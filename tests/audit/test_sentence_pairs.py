"""Pairs of sentences: constructed models that do or do not associate groups with what they do, and broken files."""

import json
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

pytest.importorskip("torch")

from biassay.auditing import sentence_pairs, sentences
from biassay.auditing.entry import audit, load_metrics
from biassay.auditing.scoring import Settings
from biassay.metrics import log_likelihood
from tests.audit.constructed_models import constructed
from tests.audit.test_models import SMALL

SETTINGS = Settings(permutations=199, resamples=50, random_words=99)
WOMEN, MEN = ["she", "woman", "mother", "girl"], ["he", "man", "father", "boy"]
CARE, CRAFT = ["nurse", "maid", "nanny", "clerk"], ["pilot", "miner", "guard", "chief"]
FREQUENCY = {"he": 3.0, "man": 2.0, "father": 1.0, "nurse": 1.5, "pilot": 0.5}
PLANTED = {(who, job): 1.0 for who in WOMEN for job in CARE} | {(who, job): 1.0 for who in MEN for job in CRAFT}
PLANTED |= {(job, who): value for (who, job), value in PLANTED.items()}
HEADER = "stereotypical,antistereotypical\n"
FRAMED = [frame.format(word) for frame in sentence_pairs.FRAMES for word in (*WOMEN, *MEN)]


def rows_of(controls):
    """Pairs on women in care and men in craft, with the other work as control, or none."""
    for women, men in zip(WOMEN, MEN, strict=True):
        for care, craft in zip(CARE, CRAFT, strict=True):
            texts = [f"{who} was a {job}" for job in (care, craft) for who in (women, men)]
            yield texts if controls else [*texts[:2], "", ""]
            yield [*texts[:1:-1], *texts[1::-1]] if controls else [*texts[:1:-1], "", ""]


def write(path, controls, **columns):
    table = pd.DataFrame(rows_of(controls), columns=[*sentence_pairs.COLUMNS, *sentence_pairs.CONTROLS])
    table.assign(**columns).to_csv(path, index=False)
    return path


def score(path, kind, effects=None, metric=log_likelihood, name="log_likelihood"):
    (test,) = sentence_pairs.read(path)
    texts = [text for pair in [*test.pairs, *filter(None, test.controls)] for text in pair]
    model = constructed(kind, [*texts, *FRAMED], FREQUENCY, effects)
    found = sentence_pairs.score(name, metric, test, model, SETTINGS)
    return {row["level"]: row for row in found.rows}, found.variants


@pytest.mark.parametrize("kind", ["masked", "causal"])
@pytest.mark.parametrize("controls", [True, False])
def test_a_preference_for_words_is_none_and_a_planted_association_is_found(kind, controls, tmp_path):
    path = write(tmp_path / "pairs.csv", controls)
    null, variants = score(path, kind)
    row = null["difference from controls"]
    assert row["value"] == pytest.approx(0, abs=1e-5)
    assert variants["per token"] == pytest.approx(0, abs=1e-5)
    assert not row["p"] <= 0.05
    assert row["sides"] == "groups and targets"
    assert null["set"]["sides"] == "groups only"
    assert null["set"]["permutation_test"] == "sentences exchanged in random pairs"
    planted, _ = score(path, kind, PLANTED)
    row = planted["difference from controls"]
    assert row["value"] > 0.4
    assert (row["p"], row["p_random"]) == (pytest.approx(1 / 200), pytest.approx(1 / 100))
    assert row["ci_low"] > 0
    assert row["direction"] == "stereotypical sentences more likely"
    opposite, _ = score(path, kind, {words: -effect for words, effect in PLANTED.items()})
    assert opposite["difference from controls"]["direction"] == "antistereotypical sentences more likely"


def test_men_everywhere_is_a_preference_of_the_set_only(tmp_path):
    """All pairs have the man in the first sentence, so the share of pairs is 1, and nothing can tell it from bias."""
    lines = [f"he was a {job},she was a {job}" for job in CRAFT]
    (tmp_path / "pairs.csv").write_text(HEADER + "\n".join(lines) + "\n")
    found, _ = score(tmp_path / "pairs.csv", "causal")
    assert found["set"]["value"] == 1
    assert found["set"]["direction"] == "stereotypical sentences more likely"
    assert found["difference from controls"]["value"] == pytest.approx(0, abs=1e-5)
    assert found["difference from controls"]["min_p_value"] == 1


def test_the_difference_by_hand(tmp_path):
    (tmp_path / "pairs.csv").write_text(
        "stereotypical,antistereotypical,control_stereotypical,control_antistereotypical\n"
        "she was a nurse,he was a nurse,she was a pilot,he was a pilot\n"
    )
    log_p = {"she was a nurse": -4.0, "he was a nurse": -9.0, "she was a pilot": -6.0, "he was a pilot": -7.5}

    def scores(model, first, second):
        return [[log_p.get(text, 0.0) for text in pair] for pair in zip(first, second, strict=True)]

    (test,) = sentence_pairs.read(tmp_path / "pairs.csv")
    metric, model = SimpleNamespace(**vars(log_likelihood) | {"scores": scores}), SimpleNamespace(kind="causal")
    of_set, difference = sentence_pairs.score("own", metric, test, model, SETTINGS).rows
    assert (of_set["value"], difference["value"]) == (1.0, (9.0 - 4.0) - (7.5 - 6.0))


@pytest.mark.parametrize("kind", ["masked", "causal"])
def test_templates_of_a_model_with_a_preference_only(kind):
    """The difference of lists is 0 with frequencies, and positive with what is planted."""
    frames = ["{} is the {}.", "{} became {}."]
    texts = [[frame.format(who, job) for job in (*CARE, *CRAFT) for frame in frames] for who in ("she", "he")]
    for effects, is_planted in ((None, False), (PLANTED, True)):
        model = constructed(kind, [text for of_group in texts for text in of_group], {"he": 3.0, "nurse": 1.5}, effects)
        lists = np.array([0] * 4 + [1] * 4)
        filled = sentences.FilledTemplates(model, texts, [*CARE, *CRAFT], lists, frames, ("f", "m"), ("care", "craft"))
        for name in ("log_likelihood", "pll", "lpbs"):
            if name == "pll" and kind == "causal":
                continue
            (module,) = load_metrics([name], ()).values()
            row = sentences.score(name, module, filled, SETTINGS).rows[1]
            assert (row["value"] > 0.5) == is_planted
            assert (row["p"] <= 0.05) == is_planted
            if is_planted:
                assert row["direction"] == "f nearer care"
            else:
                assert row["value"] == pytest.approx(0, abs=1e-5)


def test_clusters_count_what_can_be_exchanged(tmp_path):
    """Two pairs with the same words in both orders, and one with other words: 2 · 2 exchanges."""
    assert sentence_pairs._count_exchanges(np.array([0, 0, 1]), np.array([1, -1, 1])) == 4
    assert sentence_pairs._count_exchanges(np.array([0, 0, 0]), np.array([1, -1, 1])) == 6
    text = "She sang,He sang\nhe ran,she ran\nA black cat ran,A cat ran\n"
    (tmp_path / "pairs.csv").write_text(HEADER.replace("\n", ",bias_type\n") + text.replace("\n", ",animals and us\n"))
    (test,) = sentence_pairs.read(tmp_path / "pairs.csv")
    assert test.name == "pairs-animals-and-us"
    assert test.words == [("She", "He"), ("he", "she"), None]
    assert test.count_controls() == {"own": 0, "neutral": 2, "missing": 1}
    scored = sentence_pairs.score_pairs(log_likelihood, test, constructed("causal", [text, *FRAMED], {"he": 1.0}))
    assert (scored.signs[:2].tolist(), scored.clusters.tolist()) == ([-1, 1], [0, 0, 1])
    np.testing.assert_allclose(scored.controls, [-1, 1, np.nan], atol=1e-6)


def test_nulls_of_pairs_by_hand():
    """Two pairs with the same words in both orders, δ = 3 and 1: exchanged or flipped, the mean is ±2."""
    frames = np.array([[0.0, 1.0, 3.0, 7.0], [0.0, -1.0, -3.0, -7.0]])
    scores, columns = np.zeros((2, 2)), {"differences": np.array([3.0, 1.0]), "controls": np.zeros(2)}
    pairs = sentence_pairs.ScoredPairs(
        scores, scores, **columns, frames=frames, frame_scores=np.zeros((2, 4, 2)), clusters=np.zeros(2, int),
        signs=np.array([1, -1]), has_own=np.zeros(2, bool),
    )  # fmt: skip
    null, _, neutral, min_p = sentence_pairs._controlled_samples(pairs, SETTINGS, np.random.default_rng(0))
    assert set(null.tolist()) == {-2.0, 2.0}
    assert set(neutral.tolist()) == {0.0}  # of opposite words in the same two sentences
    assert min_p == 1
    own = sentence_pairs.ScoredPairs(**vars(pairs) | {"has_own": np.ones(2, bool)})
    null, resampled, _, min_p = sentence_pairs._controlled_samples(own, SETTINGS, np.random.default_rng(0))
    assert (set(null.tolist()), min_p) == ({-2.0, -1.0, 1.0, 2.0}, 0.5)  # each pair by itself
    assert set(resampled.tolist()) == {1.0, 2.0, 3.0}
    one = pairs.take(np.array([True, False]))
    neutral = sentence_pairs._controlled_samples(one, SETTINGS, np.random.default_rng(0))[2]
    assert set(np.abs(neutral).tolist()) == {1.0, 2.0, 3.0, 4.0, 6.0, 7.0}
    two = sentence_pairs.ScoredPairs(**vars(pairs) | {"frames": np.abs(frames), "signs": np.array([1, 1])})
    null, _, neutral, _ = sentence_pairs._controlled_samples(two, SETTINGS, np.random.default_rng(0))
    assert set(np.abs(neutral).tolist()) == {1.0, 2.0, 3.0, 4.0, 6.0, 7.0}
    assert set(null.tolist()) == {-2.0, 2.0}


def test_the_interval_counts_the_noise_of_neutral_sentences_that_pairs_share():
    """The true difference is 0; eight pairs of words, in twelve sentences each, have four noisy neutral sentences."""
    random, covers, clusters = np.random.default_rng(8), [], np.repeat(np.arange(8), 12)
    for seed in range(60):
        words, frames = random.normal(size=(8, 1)), random.normal(size=(8, 4))
        differences = words[clusters, 0] + random.normal(size=96)
        frames = (words + frames)[clusters]
        halves, of_frames = np.outer(differences, [0.5, -0.5]), frames[..., None] * [0.5, -0.5]
        pairs = sentence_pairs.ScoredPairs(
            halves, np.full((96, 2), np.nan), differences, frames.mean(axis=1), frames, of_frames, clusters,
            np.ones(96, int), np.zeros(96, bool),
        )  # fmt: skip
        row = sentence_pairs.make_rows(log_likelihood, pairs, replace(SETTINGS, resamples=200, seed=seed))[1]
        covers.append(row["ci_low"] <= 0 <= row["ci_high"])
    assert np.mean(covers) > 0.85


def test_a_share_without_an_exception_has_no_interval(tmp_path):
    path = write(tmp_path / "pairs.csv", True)
    row = score(path, "masked", dict.fromkeys(PLANTED, 9.0))[0]["set"]
    assert row["value"] == 1
    assert np.isnan([row["ci_low"], row["ci_high"], row["min_detectable_effect"]]).all()  # all resamples agree


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("stereotypical\nShe sang\n", "expected one column antistereotypical, got the columns 'stereotypical'"),
        (HEADER + "She sang,\n", "line 2: antistereotypical: expected a sentence .* got an empty cell"),
        (HEADER + f"She sang,{'la ' * 400}\n", "line 2: antistereotypical: .* got 1199 characters"),
        (HEADER + "She sang,She sang\n", "line 2: .*expected two different sentences"),
        (
            HEADER.replace("\n", ",control_stereotypical,control_antistereotypical\n") + "She sang,He sang,She ran,\n",
            "line 2: control_antistereotypical: .* an empty cell",
        ),
        (HEADER.replace("\n", ",bias_type\n") + "She sang,He sang,<b>\n", "line 2: bias_type: expected up to 40"),
        (HEADER.replace("\n", ",bias_type\n") + "She sang,He sang,a b\nShe ran,He ran,a-b\n",
         "line 3: bias_type: 'a-b' and 'a b' have the same name, pairs-a-b"),
        ("sent_more,sent_less,stereotypical\na,b,c\n", "expected one column stereotypical"),
    ],
    ids=range(8),
)  # fmt: skip
def test_broken_files_are_named(content, problem, tmp_path):
    (tmp_path / "pairs.csv").write_text(content)
    with pytest.raises(ValueError, match=rf"pairs\.csv.*{problem}"):
        sentence_pairs.read(tmp_path / "pairs.csv")


def test_an_audit_with_pairs_of_crows_pairs_form(tmp_path):
    text = ",sent_more,sent_less,bias_type\n0,She is a nurse.,He is a nurse.,gender\n"
    text += "1,He is a pilot.,She is a pilot.,gender\n"
    text += "2,他 is a judge.,她 is a judge.,gender\n"  # two unknown tokens
    (tmp_path / "crows.csv").write_text(text)
    model = "resources/models/bert-tiny-enwiki"
    options = {"tests": [SMALL], "permutations": 99, "resamples": 20, "random_words": 20, "board": False}
    found = audit(model, pairs=tmp_path / "crows.csv", metrics=["pll", "lpbs"], **options)
    rows = found.table[found.table["test"] == "pairs-gender"]
    assert rows["level"].tolist() == ["set", "difference from controls"]
    assert found.summary["test"].tolist() == ["small", "pairs-gender"]
    assert found.summary.loc[1, ["n_words", "n_asked"]].tolist() == [2, 3]
    assert rows["n_words"].tolist() == [2, 2]
    assert "missing" in found.warning_table.loc[found.warning_table["test"] == "pairs-gender", "kind"].tolist()
    of_page = found.write(tmp_path / "out").read_text("utf-8")
    assert [of_page.count(heading) for heading in ("Words that lean most to a group", "Lists and missing")] == [1, 1]
    record = json.loads((tmp_path / "out/every_eval_ever.json").read_text())
    [one] = [one for one in record["evaluation_results"] if one["evaluation_name"] == "biassay.pairs-gender"]
    assert one["source_data"]["dataset_name"].startswith("sentence pairs: ")
    assert one["metric_config"]["metric_id"] == "biassay.pll.difference_from_controls.distance"
    assert one["score_details"]["details"]["n_pairs"] == "2"
    (tmp_path / "crows.csv").write_text(text.replace("nurse", "[MASK]"))
    with pytest.raises(ValueError, match=r"crows\.csv: .*\[MASK\].*special token"):
        audit(model, pairs=tmp_path / "crows.csv", metrics=["pll"], **options)
    with pytest.raises(ValueError, match=r"crows\.csv: pairs of sentences need a language model"):
        audit(
            lambda texts: np.eye(9)[[len(text) % 9 for text in texts]],
            pairs=tmp_path / "crows.csv",
            metrics=["weat"],
            **options,
        )


def test_a_pair_counts_once_whatever_its_control(tmp_path, caplog):
    header = "stereotypical,antistereotypical,control_stereotypical,control_antistereotypical\n"
    rows = ["She sang,He sang,,", "she  SANG,He sang,,", "She sang,He sang,She ran,He ran", "She sang,He sang,,"]
    (tmp_path / "pairs.csv").write_text(header + "\n".join(rows) + "\n")
    (test,) = sentence_pairs.read(tmp_path / "pairs.csv")
    assert (test.pairs, test.controls) == ([("She sang", "He sang")], [None])
    assert "pairs.csv, line 3: repeats an earlier row; rows left out for this: 3" in caplog.text


def test_a_sentence_may_begin_with_a_hash(tmp_path):
    (tmp_path / "pairs.csv").write_text(HEADER + "#MeToo was hers,#MeToo was his\nShe sang,He sang\n")
    (test,) = sentence_pairs.read(tmp_path / "pairs.csv")
    assert test.pairs[0] == ("#MeToo was hers", "#MeToo was his")


def test_each_of_few_exchanges_counts_once_with_every_seed():
    """Of 64 ways to exchange the sentences of six pairs, none and all are as far from one half."""
    n, alike, nothing = 6, np.tile([1.0, 0.0], (6, 1)), np.full((6, 4, 2), np.nan)
    scored = sentence_pairs.ScoredPairs(
        alike, alike, np.ones(n), nothing[:, 0, 0], nothing[:, :, 0], nothing, np.arange(n), np.ones(n, int),
        np.zeros(n, bool),
    )  # fmt: skip
    for seed in range(5):
        (row,) = sentence_pairs.make_rows(log_likelihood, scored, Settings(permutations=99, resamples=20, seed=seed))
        assert (row["p"], row["min_p_value"]) == (2 / 64, 2 / 64)
