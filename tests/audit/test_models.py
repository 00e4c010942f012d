"""Audits of language models: SEAT on sentences, and metrics of models on templates."""

import numpy as np
import pytest

pytest.importorskip("torch")

from biassay.auditing import languages, questions
from biassay.auditing.entry import audit
from biassay.measurement.entry import measure, measure_language_model
from biassay.vectors import readers
from tests.language_models.decoders_of_ours import save
from tests.running import ROOT

MODEL = str(ROOT / "resources/models/bert-tiny-enwiki")
QUICK = {"permutations": 99, "resamples": 20, "random_words": 20}
SMALL = questions.Question(
    "small", "Women and men, with occupations",
    {"female": ["woman", "girl", "mother"], "male": ["man", "boy", "father"]},
    {"care": ["nurse", "teacher", "maid"], "craft": ["carpenter", "pilot", "farmer"]}, paired=True,
)  # fmt: skip


@pytest.fixture(scope="module")
def model_audit():
    return audit(MODEL, tests=[SMALL], metrics=["weat", "same", "pll", "unmasking", "lpbs", "log_likelihood"], **QUICK)


def test_seat_is_weat_on_sentences(model_audit):
    texts = {word: [sentence.format(word) for sentence in languages.load("en").sentences] for word in SMALL.words}
    usable, rows = readers.read_vectors(f"hf:{MODEL}", [text for of_word in texts.values() for text in of_word])
    vectors = dict(zip(usable, rows, strict=True))

    def sentences(lists):
        return {name: [text for word in words for text in texts[word]] for name, words in lists.items()}

    expected = measure("weat", targets=sentences(SMALL.groups), groups=sentences(SMALL.targets), vectors=vectors)
    row = model_audit.table.set_index(["test", "metric"]).loc[("small", "weat")]
    assert row["value"] == pytest.approx(expected.set, abs=1e-5)
    assert row["min_p_value"] == pytest.approx(2 / 20)  # of 6 words, not of 24 sentences
    assert row["n_words"] == 12


def test_metrics_of_models_score_templates(model_audit):
    rows = model_audit.table[model_audit.table["test"] == "small"].set_index(["metric", "level"])
    assert ("pll", "set") in rows.index
    assert ("pll", "difference of lists") in rows.index
    assert ("unmasking", "difference of lists") not in rows.index  # without a sign
    assert rows.loc[("pll", "set"), "sides"] == "groups only"
    assert np.isnan(rows.loc[("unmasking", "set"), "p"])  # it does not hang on which group is which
    assert ("log_likelihood", "difference of lists") in rows.index


def test_their_values_are_those_of_measure_language_model(model_audit):
    from biassay.language_models import templates
    from biassay.words import resources

    usable = templates.read(resources.shipped_path("templates") / "same.yaml")["test"]
    usable = [one for one in usable if one.text.lower().find("{p") < one.text.lower().find("occ}")][::2][:4]
    words = [word for of_list in SMALL.targets.values() for word in sorted(of_list)]
    texts = [sentence.text for sentence in templates.fill(usable, words, form=0)]
    result = measure_language_model("pll", model=MODEL, stereotypical=texts[::2], antistereotypical=texts[1::2])
    rows = model_audit.table.set_index(["metric", "level"])["value"]
    assert rows["pll", "set"] == pytest.approx(result.set)
    means = result.word.reshape(2, -1).mean(axis=1)
    assert rows["pll", "difference of lists"] == pytest.approx(means[0] - means[1], abs=1e-4)


def test_a_causal_model(tmp_path):
    model_audit = audit(
        save(tmp_path / "decoder"), tests=[SMALL], metrics=["weat", "log_likelihood", "lpbs", "aul", "pll"], **QUICK
    )
    rows = model_audit.table.set_index(["metric", "level"])
    assert {"weat", "log_likelihood", "lpbs", "aul"} == {metric for metric, _ in rows.index}
    assert "it takes a masked language model" in model_audit.skipped["reason"].tolist()
    assert rows["value"].notna().all()
