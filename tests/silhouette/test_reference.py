"""Words that both reference models have."""

import numpy as np
import pandas as pd
import pytest

from biassay.studies.silhouette import reference
from biassay.words.target_lists import Lists
from scripts.silhouette import collect_words


@pytest.fixture
def files(tmp_path):
    """A cased GloVe file and a Numberbatch file of lower-case words with their prefix, of other dimensions."""
    random = np.random.default_rng(0)
    texts = {
        "glove.txt": (["Adam", "adam", "she", "he", "woman", "nurse", "doctor", "Anna", "her"], 4, ""),
        "numberbatch.txt": (["adam", "she", "he", "man", "woman", "nurse", "doctor", "anna", "his"], 3, "/c/en/"),
    }
    for name, (words, d, prefix) in texts.items():
        rows = [f"{prefix}{word} " + " ".join(f"{x:.3f}" for x in random.standard_normal(d)) for word in words]
        head = [f"{len(words)} {d}"] if prefix else []
        (tmp_path / name).write_text("\n".join(head + rows) + "\n")
    return {"biased": str(tmp_path / "glove.txt"), "unbiased": str(tmp_path / "numberbatch.txt")}


def lists(paired=False):
    groups = {"female": ["she", "woman", "her", "Anna"], "male": ["he", "man", "his", "Adam"]}
    return Lists(groups, {"female": ["nurse", "midwife"], "male": ["doctor"]}, paired)


def test_words_that_one_model_lacks_are_left_out(files, tmp_path):
    found, missing = reference.collect_words({"gender": lists()}, files)
    assert found.lists["gender"]["groups"] == {"female": ["she", "woman", "Anna"], "male": ["he", "Adam"]}
    assert found.lists["gender"]["targets"] == {"female": ["nurse"], "male": ["doctor"]}
    row = missing.set_index("group").loc["female"].iloc[0]
    assert (row["n_words"], row["n_in_biased"], row["n_in_unbiased"], row["n_used"]) == (4, 4, 3, 3)
    assert row["unused_words"] == "her"
    found.save(tmp_path / "words")
    again = reference.Reference.open(tmp_path / "words")
    assert [rows.shape for rows in again.select_vectors("biased", "gender", "groups")] == [(3, 4), (2, 4)]
    assert [rows.shape for rows in again.select_vectors("unbiased", "gender", "targets")] == [(1, 3), (1, 3)]
    assert again.lists == found.lists
    assert again.paired == found.paired == []


def test_of_pairs_a_word_goes_with_its_partner(files):
    found, _ = reference.collect_words({"gender": lists(paired=True)}, files)
    assert found.paired == ["gender"]
    assert found.lists["gender"]["groups"] == {"female": ["she", "Anna"], "male": ["he", "Adam"]}


def test_spellings_that_come_out_the_same_count_once(files):
    doubled = Lists({"a": ["Anna", "anna"], "b": ["he"]}, {"c": ["nurse"], "d": ["doctor"]}, False)
    assert reference.collect_words({"x": doubled}, files)[0].lists["x"]["groups"]["a"] == ["Anna"]


def test_a_list_that_becomes_empty(files):
    absent = Lists({"a": ["she"], "b": ["unheard"]}, {"c": ["nurse"], "d": ["doctor"]}, False)
    with pytest.raises(ValueError, match="gender: b: none of the 1 words is in both models"):
        reference.collect_words({"gender": absent}, files)


def test_the_script_saves_the_words_that_were_found_and_lists_the_missing(files, tmp_path):
    (tmp_path / "jobs.yaml").write_text("source: x\nfemale: [nurse, midwife]\nmale: [doctor]\n")
    groups = "groups: {female: [she, woman, her, Anna], male: [he, man, his, Adam]}"
    (tmp_path / "gender.yaml").write_text(f"source: x\npaired: false\ntargets: jobs.yaml\n{groups}\n")
    (tmp_path / "out").mkdir()
    collect_words.main(
        files, {"gender": str(tmp_path / "gender.yaml")}, [], str(tmp_path / "out"), str(tmp_path / "missing.csv")
    )
    saved = reference.Reference.open(tmp_path / "out")
    assert saved.lists["gender"]["groups"] == {"female": ["she", "woman", "Anna"], "male": ["he", "Adam"]}
    missing = pd.read_csv(tmp_path / "missing.csv").set_index(["list", "group"])
    assert missing.columns.tolist()[:3] == ["bias", "n_words", "n_in_biased"]
    assert missing.loc[("groups", "male"), ["n_words", "n_used", "unused_words"]].tolist() == [4, 2, "man his"]
    assert missing.loc[("targets", "female"), "unused_words"] == "midwife"
