"""Words used and missing, ranks, and warnings."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from biassay.auditing import source_vectors, warnings, word_lists
from tests.audit.example_vectors import question, used, vectors, write
from tests.vectors.test_readers import numbered


def without(found, *words):
    for word in words:
        del found.rows[word]
    return found


def test_a_pair_goes_with_its_missing_word_and_case_does_not_count():
    asked = question(groups=3, targets=3, paired=True)
    asked.targets["care"][0] = "CAREa"
    found = vectors(question(groups=3, targets=3), 0)
    of = used(asked, without(found, "herwordb", "craftc"))
    assert of.groups == {"her": ["herworda", "herwordc"], "his": ["hisworda", "hiswordc"]}
    assert of.targets == {"care": ["carea", "careb", "carec"], "craft": ["crafta", "craftb"]}
    assert of.missing["groups", "his"] == ["hiswordb"]
    assert of.missing["targets", "craft"] == ["craftc"]
    assert of.min_words == 2
    table = of.table(found).set_index("list")
    assert table.loc["her", ["n_words", "n_used", "n_missing"]].tolist() == [3, 2, 1]
    assert table.loc["care", "median_rank"] == np.median([found.ranks[word] for word in of.targets["care"]])


def test_enough_words():
    asked = question(groups=8, targets=8)
    found = vectors(asked, 0)
    assert used(asked, found).has_enough_words
    assert used(asked, without(found, *asked.groups["her"][:4])).has_enough_words
    assert not used(asked, without(found, asked.groups["her"][4])).has_enough_words


def rows(**columns):
    known = {
        "metric": ["weat"],
        "level": ["set"],
        "value": [1.2],
        "random_q95": [1.4],
        "finding": ["none"],
        "min_detectable_effect": [1.0],
    }
    return pd.DataFrame(known | {key: [value] for key, value in columns.items()})


def kinds(asked, found, table=None):
    return dict(warnings.for_test(used(asked, found), found, rows() if table is None else table))


def test_few_words_have_a_least_p():
    asked = question(groups=4, targets=9)
    said = kinds(asked, vectors(asked, 0))["few words"]
    assert said.startswith("few words: her 4, his 4;")
    assert " 0.014," in said  # 1 / C(8, 4)
    asked = question(groups=3, targets=2)
    assert kinds(asked, vectors(asked, 0))["few words"].endswith(" below 0.17")
    asked = question(groups=8, targets=8)
    assert "few words" not in kinds(asked, vectors(asked, 0))


def test_frequency_overlap_missing_noise_and_power():
    asked = question(groups=8, targets=8)
    found = vectors(asked, 0)
    for number, word in enumerate(asked.groups["her"]):
        found.ranks[word] = 1000 + number
    for number, word in enumerate(asked.groups["his"]):
        found.ranks[word] = 100 + number
    assert "median ranks: her 1,004, his 104" in kinds(asked, found)["frequency"]
    assert kinds(asked, found)["frequency"].startswith("groups ")
    for word in asked.groups["his"]:
        found.ranks[word] += 400
    assert "groups " not in kinds(asked, found).get("frequency", "")
    asked.targets["craft"][0] = "carea"
    assert kinds(asked, found)["overlap"] == "care and craft share words (1): carea"
    assert "missing" not in kinds(asked, found)
    said = kinds(asked, without(found, "herworda", "herwordb"))["missing"]
    assert said.startswith("2 of 8 words of her ")
    assert said.endswith(": herworda, herwordb")
    noise = kinds(asked, found, rows(finding="noise"))["noise"]
    assert "weat 1.20" in noise
    assert " 1.40 " in noise
    assert kinds(asked, found, rows(min_detectable_effect=np.inf))["power"].endswith(": weat")


def test_a_file_is_read_with_its_ranks_and_random_words(tmp_path):
    asked = question()
    found = vectors(asked, 0)
    path = write(tmp_path / "glove.txt", found)
    read = source_vectors.read(str(path), [asked], name="g", seed=1)
    assert read.n_words == len(found.rows)
    assert read.n_dimensions == 12
    assert {word: read.ranks[word] for word in asked.words} == {word: found.ranks[word] for word in asked.words}
    assert set(read.pool) == set(found.pool)  # so few words are all taken
    for word in [*asked.words, *found.pool[:5]]:
        assert read.rows[word][0] == pytest.approx(found.rows[word][0], abs=1e-4)
    packed = tmp_path / "glove.vec"
    packed.write_text(f"{len(found.rows)} 12\n" + path.read_text())
    assert source_vectors.read(str(packed), [asked], name="g", seed=1).ranks == read.ranks


def test_alphabetical_order_is_no_frequency(tmp_path):
    asked = question()
    found = vectors(asked, 0)
    for rank, word in enumerate(sorted(found.rows), 1):
        found.ranks[word] = rank
    read = source_vectors.read(str(write(tmp_path / "abc.txt", found)), [asked], name="g", seed=1)
    assert read.ranks is None
    assert "frequency" in dict(warnings.for_source(read, [used(asked, read)]))
    assert numbered  # Numberbatch's files, whose order is known to be alphabetical, are read by the same reader


def test_what_is_no_source_is_told(tmp_path):
    asked = question()
    with pytest.raises(ValueError, match=r"no\.txt: .*hf:"):
        source_vectors.read(str(tmp_path / "no.txt"), [asked], name="n", seed=1)
    (tmp_path / "other.txt").write_text("word 1 2\nwort 3 4\n")
    with pytest.raises(ValueError, match=r"other\.txt: .* 32 words .*'herworda'"):
        source_vectors.read(str(tmp_path / "other.txt"), [asked], name="n", seed=1)
    assert word_lists.MIN_WORDS == 4


def test_warnings_at_their_limits():
    asked = question(groups=8, targets=8)
    found = vectors(asked, 0)
    for name, least in (("her", 300), ("his", 100)):
        for number, word in enumerate(asked.groups[name]):
            found.ranks[word] = least if number < 5 else 400
    assert "frequency" not in kinds(asked, found)  # three times is not yet apart
    for word in asked.groups["his"][:5]:
        found.ranks[word] = 99
    assert "median ranks: her 300, his 99" in kinds(asked, found)["frequency"]
    assert not {"noise", "power"} & set(kinds(asked, found))
    two = pd.concat([rows(finding="noise"), rows(metric="mac", min_detectable_effect=np.inf)])
    assert "mac" not in kinds(asked, found, two)["noise"]
    assert kinds(asked, found, two)["power"].endswith(": mac")
    assert kinds(asked, without(found, *asked.groups["her"][:6]))["missing"].endswith("herwordf")
    assert kinds(asked, without(found, asked.groups["her"][6]))["missing"].endswith("herwordf, …")


def test_warnings_of_a_source():
    asked = question()
    few, many = (vectors(asked, 0, pool=pool) for pool in (31, 32))  # twice the 16 targets
    assert "random words" in dict(warnings.for_source(few, [used(asked, few)]))
    said = warnings.for_source(replace(many, notes=["of the reader"]), [used(asked, many)])
    assert [kind for kind, _ in said] == ["reading", "frequency"]
    model = warnings.for_source(replace(many, kind="model", ranks=None), [used(asked, many)])
    assert [kind for kind, _ in model] == ["sentences"]


def test_what_a_source_is(tmp_path):
    for folder, files in {"model": ["config.json"], "ours": ["config.json", "embedding.json"], "other": []}.items():
        (tmp_path / folder).mkdir()
        for file in files:
            (tmp_path / folder / file).write_text("{}")
    for folder, prefix in {"model": "hf:", "ours": "", "other": ""}.items():
        assert source_vectors.locate(str(tmp_path / folder)) == f"{prefix}{tmp_path / folder}"
    for text in ("hf:someone/model", "hf-inputs:someone/model"):
        assert source_vectors.locate(text) == text
