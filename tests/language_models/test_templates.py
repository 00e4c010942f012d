"""Templates, the occupations and stereotypes that come with them, and what they are filled with."""

import pytest

from biassay.language_models import templates
from biassay.words import files, resources

SAME = templates.read("resources/templates/same.yaml")
OCCUPATIONS, STEREOTYPES = templates.occupations("resources/words/same_occupations.csv")


def test_the_shipped_templates():
    assert [len(SAME[name]) for name in ("training", "test")] == [30, 20]
    for template in SAME["training"] + SAME["test"]:
        for group, other in (("female", "male"), ("male", "female")):
            text, (start, end), (first, last) = template.fill("nurse", group)
            assert text[start:end].lower() in ({"she", "her"} if group == "female" else {"he", "his"})
            assert text[first:last].lower() == "nurse"
            assert text[0].isupper()
            assert text.endswith(".")
            assert "  " not in text
            assert text[:start] == template.fill("nurse", other).text[:start]
    starts = [template.fill("nurse", "male").group_word[0] for template in SAME["training"]]
    assert len(set(starts)) > 10


def test_the_shipped_occupations():
    assert len(OCCUPATIONS) == len(set(OCCUPATIONS)) == 258
    assert sorted(OCCUPATIONS) == OCCUPATIONS
    assert (STEREOTYPES["nurse"], STEREOTYPES["engineer"]) == ("female", "male")
    assert [STEREOTYPES.get(word) for word in ("caretaker", "accountant", "bartender", "servant", "editor")] == [
        "female", "male", "male", None, "male"
    ]  # fmt: skip
    assert min(list(STEREOTYPES.values()).count(group) for group in templates.GROUPS) >= 30
    marks = resources.read_occupations("resources/words/occupations.csv").set_index("word")["mark"]
    assert {marks.get(word, "n") for word in OCCUPATIONS} == {"n"}


def ratings():
    table = files.read_word_table(
        "resources/words/bolukbasi_professions.csv", ["word", "definitional", "stereotypical"]
    )
    assert table["definitional"].astype(float).between(-1, 1).all()
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
        figures = {"bolukbasi": row.rating, "labor": row.percent_female, "census": row.percent_female}
        assert (row.rating != "", row.percent_female != "") == (source == "bolukbasi", source in ("labor", "census"))
        if source:
            value, judge = known[source][row.word], by_rating if source == "bolukbasi" else by_share
            assert float(figures[source]) == pytest.approx(value, abs=1e-3)
            assert row.stereotype == judge(value)
        else:
            assert row.stereotype == ""
    assert table["source"].value_counts().to_dict() == {"bolukbasi": 148, "": 72, "census": 24, "labor": 14}


def test_the_papers_occupations():
    path, known = "configs/paper_same_occupations.csv", ratings()
    table = files.read_word_table(path, ["word", "rating", "stereotype"])
    assert len(table) == 258
    assert [word for word in table["word"] if word not in known] == ["flight attendant"]
    for row in table.itertuples():
        assert row.rating == (f"{known[row.word]:g}" if row.word in known else "")
        assert row.stereotype == (by_rating(known[row.word]) if row.word in known else "")
    assert len(templates.occupations(path)[1]) == 194


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
    assert [sentence.text for sentence in templates.fill(lines[:1], ["nurse", "chef"], 1)] == [
        "Woman is a nurse.", "Man is a nurse.", "Woman is a chef.", "Man is a chef."
    ]  # fmt: skip
    assert lines[0].fill("nurse", "male", 1).group_word == (0, 3)
    with pytest.raises(
        ValueError, match=r"unknown slot \{possessive\}; expected one of: noun, Noun, pronoun, Pronoun, occ"
    ):
        templates.parse("The {occ} likes {possessive} job.", "", SEVERAL)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{Pronuon} is {a_occ}.", r"unknown slot \{Pronuon\}; expected one of: pronoun, Pronoun"),
        ("The {occ} left.", "slot for the pronoun .* got 0"),
        ("{Pronoun} said {pronoun} is {a_occ}.", "slot for the pronoun .* got 2"),
        ("{Pronoun} likes {possessive} {occ}.", "slot for the pronoun .* got 2"),
        ("{Pronoun} left.", "slot for the occupation .* got 0"),
        ("{pronoun} is {a_occ}.", r"expected \{Pronoun\} at this place, got \{pronoun\}"),
        ("There {Pronoun} is {a_occ}.", r"expected \{pronoun\} at this place, got \{Pronoun\}"),
        ("{Pronoun} is {a_occ!r}.", "no format"),
        ("{Pronoun} is {a_occ.", "expected '}'"),
        ("{Pronoun} is {}.", r"unknown slot \{\}"),
        (3, "3 is not text"),
    ],
)
def test_bad_templates_are_named(tmp_path, line, message):
    path = tmp_path / "mine.yaml"
    path.write_text(f"training:\n- {line!r}\ntest:\n- '{{Pronoun}} is {{a_occ}}.'\n")
    with pytest.raises(ValueError, match=f"mine.yaml: training: .*{message}"):
        templates.read(path)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("training: ['{Pronoun} is {a_occ}.']", "test: "),
        ("training: ['{Pronoun} is {a_occ}.']\ntest: ['{Pronoun} is {a_occ}.']", "is already in training"),
    ],
)
def test_bad_files_are_named(tmp_path, content, message):
    path = tmp_path / "mine.yaml"
    path.write_text(content)
    with pytest.raises(ValueError, match=rf"mine\.yaml: .*{message}"):
        templates.read(path)
    path.write_text("word,stereotype\nnurse,woman\n")
    with pytest.raises(ValueError, match=r"stereotype of 'nurse': .* got 'woman'"):
        templates.occupations(path)
