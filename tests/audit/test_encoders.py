"""Audits of encoders: bare words and words in sentences, every text once, and values by variant."""

import numpy as np
import pytest

from biassay.auditing import languages, result, source_vectors
from biassay.auditing.entry import audit
from biassay.measurement.entry import measure
from biassay.vectors.encoders.encoder import Encoder
from tests.audit.example_vectors import question

QUICK = {"permutations": 19, "resamples": 20, "random_words": 19, "metrics": ["weat", "mac"], "tests": [question()]}
WEIGHTS = np.random.default_rng(3).standard_normal((2, 256, 6))


def encode(texts, weights=WEIGHTS[0]):
    """Vectors of the counts of characters."""
    return np.stack([np.bincount(np.frombuffer(text.encode(), np.uint8), minlength=256) @ weights for text in texts])


def in_sentence(sentence, texts_encode=encode):
    """The value of WEAT with every word in a sentence."""
    targets, groups = (
        {name: [sentence.format(word) for word in words] for name, words in lists.items()}
        for lists in (question().groups, question().targets)
    )
    return measure("weat", vectors=texts_encode, targets=targets, groups=groups).set


@pytest.fixture(scope="module")
def calls():
    return []


@pytest.fixture(scope="module")
def encoder_audit(calls):
    ours = Encoder(
        "ours", lambda texts: calls.append(texts) or encode(texts),
        variants={"prompt query": lambda texts: encode(texts, WEIGHTS[1])},
    )  # fmt: skip
    return audit([ours, encode], **QUICK)


def test_words_in_sentences_and_bare_words_are_two_tests(encoder_audit):
    assert encoder_audit.summary[["source", "test"]].to_numpy().tolist() == [
        [source, test] for source in ("ours", "encode") for test in ("ours", "ours-words")
    ]
    assert encoder_audit.summary["title"].tolist() == ["Ours (words in sentences)", "Ours (bare words)"] * 2
    value = encoder_audit.table.set_index(["source", "test", "metric"])["value"]
    for source in ("ours", "encode"):
        assert value[source, "ours-words", "weat"] == pytest.approx(in_sentence("{}"), abs=1e-5)
    assert value["encode", "ours", "weat"] != pytest.approx(in_sentence("{}"), abs=1e-3)


def test_every_text_is_encoded_once(encoder_audit, calls):
    texts = [text for batch in calls for text in batch]
    assert len(set(texts)) == len(texts)
    n_words = len(question().words) + encoder_audit.sources[0]["random_words"]
    assert len(texts) == (1 + len(languages.load("en").sentences)) * n_words


def test_variants_are_single_sentences_and_other_ways_to_encode(encoder_audit, tmp_path):
    value = encoder_audit.variants.set_index(["source", "test", "metric", "variant"])["value"].sort_index()
    templates = [f"sentence {sentence}" for sentence in languages.load("en").sentences]
    assert set(value["ours", "ours", "weat"].index) == {*templates, "prompt query"}
    assert list(value["ours", "ours-words", "weat"].index) == ["prompt query"]
    assert set(value["encode", "ours", "weat"].index) == set(templates)
    for template in templates:
        expected = in_sentence(template.removeprefix("sentence "))
        assert value["ours", "ours", "weat", template] == pytest.approx(expected, abs=1e-5)
    prompted = in_sentence("{}", lambda texts: encode(texts, WEIGHTS[1]))
    assert value["ours", "ours-words", "weat", "prompt query"] == pytest.approx(prompted, abs=1e-5)
    row = encoder_audit.table.set_index(["source", "test", "metric"]).loc[("ours", "ours", "weat")]
    spread = value["ours", "ours", "weat"].agg(["min", "max"]).tolist()
    assert row[["variant_low", "variant_high"]].tolist() == spread
    encoder_audit.write(tmp_path / "out")
    assert len(result.read(tmp_path / "out").variants) == len(value)


@pytest.mark.parametrize(("has_context", "text"), [(True, "This is taxi driver."), (False, "taxi_driver")])
def test_sentences_have_spaces_for_underscores(has_context, text):
    seen = []
    ours = Encoder("ours", lambda texts: seen.extend(texts) or encode(texts), has_context=has_context)
    rows = source_vectors.read(ours, ["taxi_driver"], name="ours", seed=1).rows
    assert text in seen
    assert "taxi_driver" in rows


def test_an_encoder_without_context_runs_bare_words_only():
    static = audit(Encoder("static", encode, has_context=False), names=["mine"], **QUICK)
    assert static.summary["test"].tolist() == ["ours"]
    assert static.table["source"].unique().tolist() == ["mine"]
    assert static.table["value"].iloc[0] == pytest.approx(in_sentence("{}"), abs=1e-5)
    assert len(static.variants) == 0


@pytest.mark.parametrize(("sources", "named"), [
    (lambda texts: encode(texts) * np.nan, "not finite"),
    (Encoder("ours", encode, is_known=lambda text: False), "ours: knows none"),
    ([{"nurse": [1.0]}], r"sources: .*nurse"), ({"nurse": [1.0]}, r"sources: .*nurse"), (5, "sources: .*5"),
    ([], "sources: the list is empty"),
])  # fmt: skip
def test_sources_that_cannot_be_audited(sources, named):
    with pytest.raises(ValueError, match=named):
        audit(sources, **QUICK)
