"""Templates, the occupations and stereotypes that come with them, and what they are filled with."""

import pytest

from biassay.language_models import templates
from biassay.words import files, resources

SAME = templates.read("resources/templates/same.yaml")


def test_the_shipped_templates():
    assert [len(SAME[name]) for name in ("training", "test")] == [30, 20]
    for template in SAME["training"] + SAME["test"]:
        for group, pronouns in (("female", {"she", "her"}), ("male", {"he", "his"})):
            text, (start, end), (first, last) = template.fill("nurse", group)
            assert text[start:end].lower() in pronouns
            assert text[first:last].lower() == "nurse"
            assert text[0].isupper()
            assert text.endswith(".")


def ratings():
    columns = ["word", "definitional", "stereotypical"]
    table = files.read_word_table("resources/words/bolukbasi_professions.csv", columns)
    return dict(zip(table["word"], table["stereotypical"].astype(float), strict=True))


def by_rating(value):
    return "female" if value <= -0.3 else "male" if value >= 0.3 else ""


def by_share(value):
    return "female" if value >= 60 else "male" if value <= 40 else ""


def test_stereotypes_follow_ratings_and_else_statistics():
    """Each word has the first source that knows it, and its figure; a word that none knows has no stereotype."""
    columns = ["word", "rating", "percent_female", "stereotype", "source"]
    table, known = files.read_word_table("resources/words/same_occupations.csv", columns), {"bolukbasi": ratings()}
    known |= {name: resources.read_percentages(f"resources/statistics/{name}.csv") for name in ("labor", "census")}
    for row in table.itertuples():
        source = next((name for name in known if row.word in known[name]), "")
        assert row.source == source
        assert (row.rating != "", row.percent_female != "") == (source == "bolukbasi", source in ("labor", "census"))
        value = known[source][row.word] if source else None
        judge = by_rating if source == "bolukbasi" else by_share
        assert row.stereotype == (judge(value) if source else "")
        assert not source or float(row.rating or row.percent_female) == pytest.approx(value, abs=1e-3)
    words, stereotypes = templates.occupations("resources/words/same_occupations.csv")
    assert words == sorted(set(table["word"]))
    assert stereotypes == {row.word: row.stereotype for row in table.itertuples() if row.stereotype}


def test_the_papers_occupations():
    known = ratings()
    table = files.read_word_table("configs/paper_same_occupations.csv", ["word", "rating", "stereotype"])
    assert [word for word in table["word"] if word not in known] == ["flight attendant"]
    for row in table.itertuples():
        assert row.rating == (f"{known[row.word]:g}" if row.word in known else "")
        assert row.stereotype == (by_rating(known[row.word]) if row.word in known else "")


def test_articles_and_capitals():
    fill = templates.parse("{A_occ} has {possessive} office.").fill
    assert fill("economist", "female") == ("An economist has her office.", (17, 20), (3, 12))
    assert fill("chef", "male").text == "A chef has his office."
    assert templates.parse("{Occ}s, said {pronoun}.").fill("chef", "male").occupation == (0, 4)


SEVERAL = {
    "female": {"noun": ["Anna", "woman"], "pronoun": ["she", "her"]},
    "male": {"noun": ["Adam", "man"], "pronoun": ["he", "him"]},
}


def test_forms_of_ones_own_stand_in_their_slots_in_turn():
    lines = [templates.parse(line, "", SEVERAL) for line in ("{Noun} is {a_occ}.", "The {occ} said {pronoun} left.")]
    assert [line.kind for line in lines] == ["noun", "pronoun"]
    texts = [sentence.text for sentence in templates.fill(lines, ["nurse", "chef"])]
    assert texts == [
        "Anna is a nurse.", "Adam is a nurse.", "The nurse said her left.", "The nurse said him left.",
        "Woman is a chef.", "Man is a chef.", "The chef said she left.", "The chef said he left.",
    ]  # fmt: skip
    assert lines[0].fill("nurse", "male", 1).group_word == (0, 3)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{Pronuon} is {a_occ}.", r"unknown slot \{Pronuon\}; expected one of: pronoun, Pronoun"),
        ("The {occ} left.", "slot for the pronoun .* got 0"),
        ("{Pronoun} likes {possessive} {occ}.", "slot for the pronoun .* got 2"),
        ("{Pronoun} left.", "slot for the occupation .* got 0"),
        ("{pronoun} is {a_occ}.", r"expected \{Pronoun\} at this place, got \{pronoun\}"),
        ("{Pronoun} is {a_occ!r}.", "no format"),
        ("{Pronoun} is {a_occ.", "expected '}'"),
        (3, "3 is not text"),
        ({"The boss said": "{pronoun} is {a_occ}."}, "is not text"),
    ],
)
def test_bad_templates_are_named(tmp_path, line, message):
    path = tmp_path / "mine.yaml"
    path.write_text(f"training:\n- {line!r}\ntest:\n- '{{Pronoun}} is {{a_occ}}.'\n")
    with pytest.raises(ValueError, match=f"mine.yaml: training: .*{message}"):
        templates.read(path)


def test_bad_files_are_named(tmp_path):
    path, line = tmp_path / "mine.yaml", "['{Pronoun} is {a_occ}.']"
    for test, message in (("", "test: "), (f"\ntest: {line}", "already in training")):
        path.write_text(f"training: {line}{test}")
        with pytest.raises(ValueError, match=rf"mine\.yaml: .*{message}"):
            templates.read(path)
    path.write_text("word,stereotype\nnurse,woman\n")
    with pytest.raises(ValueError, match=r"stereotype of 'nurse': .* got 'woman'"):
        templates.occupations(path)
