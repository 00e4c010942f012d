"""Words used and missing, ranks, and warnings."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from biassay.auditing import conclusions, source_vectors
from tests.audit.example_vectors import question, used, vectors, write


def without(source, *words):
    for word in words:
        del source.rows[word]
    return source


def test_a_pair_goes_with_its_missing_word_and_case_does_not_count():
    example = question(groups=3, targets=3, paired=True)
    example.targets["care"][0] = "CAREa"
    source = vectors(question(groups=3, targets=3), 0)
    used_words = used(example, without(source, "herwordb", "craftc"))
    assert used_words.groups == {"her": ["herworda", "herwordc"], "his": ["hisworda", "hiswordc"]}
    assert used_words.targets == {"care": ["carea", "careb", "carec"], "craft": ["crafta", "craftb"]}
    assert used_words.has_two_words
    table = used_words.table("s").set_index("list")
    assert table.loc["his", ["n_words", "n_used", "n_missing", "missing_words"]].tolist() == [3, 2, 1, "hiswordb"]
    assert table.loc["craft", "missing_words"] == "craftc"
    assert table.loc["care", "median_rank"] == np.median([source.ranks[word] for word in used_words.targets["care"]])


def test_spellings_that_a_source_cannot_tell_apart_are_one_word():
    source, example = vectors(question(), 0), question()
    source.rows["Carea"] = source.rows["carea"] * (1 + 1e-7)  # as a model without upper case
    example.targets["care"][1:3] = ["CAREA", "Carea"]
    example.targets["craft"][0] = "Carea"
    table = used(example, source).table("s").set_index("list")
    assert table.loc["care", ["n_words", "n_used", "n_missing", "missing_words"]].tolist() == [8, 6, 2, "CAREA Carea"]
    assert "carea" in kinds(example, source)["overlap"]


def rows(**columns):
    row = {"metric": "weat", "level": "set", "value": 1.2, "random_q95": 1.4, "finding": "none", "reason": ""}
    row |= {"sides": "groups and targets", "b_0": 0.0, "min_p_value": np.nan, "variant_low": 0.9, "variant_high": 1.3}
    return pd.DataFrame([row | {"min_detectable_effect": 1.0} | columns])


def kinds(example, source, table=None):
    return dict(conclusions.warn_of_test(used(example, source), rows() if table is None else table))


def test_words_of_one_spelling_are_dropped_as_pairs():
    """Partners stay together: of two words that a source spells alike, the first pair counts."""
    example = question(groups=4, targets=2, paired=True)
    source = vectors(example, 0)
    example.groups["her"][1] = "HERworda"
    example.groups["his"][3] = "HISwordc"
    used_words = used(example, source)
    assert used_words.groups == {"her": ["herworda", "herwordc"], "his": ["hisworda", "hiswordc"]}
    assert [one.missing for one in used_words.lists[:2]] == [["HERworda", "herwordd"], ["hiswordb", "HISwordc"]]


def test_few_words_have_the_least_p_of_the_tests_of_their_metrics():
    example = question(groups=4, targets=9)
    source, table = vectors(example, 0), pd.concat([rows(min_p_value=0.014), rows(min_p_value=0.17)])
    warning = kinds(example, source, table)["few words"]
    assert "her 4, his 4;" in warning
    assert " 0.014," in warning
    assert " 0.17" in kinds(example, source, rows(min_p_value=0.17))["few words"]
    assert "permutation" not in kinds(example, source)["few words"]
    example = question(groups=8, targets=8)
    assert "few words" not in kinds(example, vectors(example, 0))


def test_frequency_overlap_missing_unspecific_unchecked_and_power():
    example = question(groups=8, targets=8)
    source = vectors(example, 0)
    for number, word in enumerate(example.groups["her"]):
        source.ranks[word] = 1000 + number
    for number, word in enumerate(example.groups["his"]):
        source.ranks[word] = 100 + number
    assert "median ranks: her 1,004, his 104" in kinds(example, source)["frequency"]
    assert kinds(example, source)["frequency"].startswith("groups ")
    for word in example.groups["his"]:
        source.ranks[word] += 400
    assert "groups " not in kinds(example, source).get("frequency", "")
    example.targets["craft"][0] = "carea"
    assert kinds(example, source)["overlap"] == "care and craft share words (1): carea"
    assert "missing" not in kinds(example, source)
    shipped = replace(example, name="gender-words")
    assert "missing" not in kinds(shipped, without(source, "careb"))
    assert kinds(example, source)["missing"] == "care lacks 1 of 8 words: careb"
    shipped_warning = kinds(shipped, without(source, "herworda", "herwordb"))["missing"]
    assert "herworda, herwordb" in shipped_warning
    assert {"random words", "not tested"}.isdisjoint(kinds(example, source))
    assert kinds(example, source, rows(finding="found"))["variants"].endswith(": weat 0.90 to 1.30")
    crossing = kinds(example, source, rows(finding="found", variant_low=-0.1))["variants"]
    assert crossing.endswith("weat −0.10 to 1.30; some on the other side of no bias: weat")
    unspecific = rows(finding="unspecific", p_random_corrected=0.123)
    assert kinds(example, source, unspecific)["random words"].endswith("weat 1.20 (corrected p 0.123)")
    assert kinds(example, source, rows(finding="not tested", reason="why"))["not tested"].endswith(": weat (why)")
    assert kinds(example, source, rows(min_detectable_effect=np.inf))["power"].endswith(": weat")


def test_a_file_is_read_with_its_ranks_and_random_words(tmp_path):
    example = question()
    source = vectors(example, 0)
    path = write(tmp_path / "glove.txt", source)
    read = source_vectors.read(str(path), example.words, name="g", seed=1)
    assert read.n_words == len(source.rows)
    assert read.n_dimensions == 12
    assert {word: read.ranks[word] for word in example.words} == {word: source.ranks[word] for word in example.words}
    assert set(read.pool) == set(source.pool)  # so few words are all taken
    for word in [*example.words, *source.pool[:5]]:
        assert read.rows[word][0] == pytest.approx(source.rows[word][0], abs=1e-4)


def test_alphabetical_order_is_no_frequency(tmp_path):
    example = question()
    source = vectors(example, 0)
    for rank, word in enumerate(sorted(source.rows), 1):
        source.ranks[word] = rank
    read = source_vectors.read(str(write(tmp_path / "abc.txt", source)), example.words, name="g", seed=1)
    assert read.ranks is None
    assert "ranks" in dict(conclusions.warn_of_source(read, [used(example, read)]))


def test_warnings_of_a_source():
    example = question()
    few_words, many_words = (vectors(example, 0, pool=pool) for pool in (31, 32))  # twice the 16 targets
    assert "few random words" in dict(conclusions.warn_of_source(few_words, [used(example, few_words)]))
    warning = conclusions.warn_of_source(replace(many_words, notes=["of the reader"]), [used(example, many_words)])
    assert [kind for kind, _ in warning] == ["reading", "ranks"]
    model = conclusions.warn_of_source(replace(many_words, kind="model", ranks=None), [used(example, many_words)])
    assert [kind for kind, _ in model] == ["sentences"]
