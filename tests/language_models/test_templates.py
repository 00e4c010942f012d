"""Templates, and masks placed by position with every kind of tokenizer."""

import numpy as np
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
    starts = [template.fill("nurse", "male").pronoun[0] for template in SAME["training"]]
    assert len(set(starts)) > 10


def test_the_shipped_occupations():
    assert len(OCCUPATIONS) == len(set(OCCUPATIONS)) == 258
    assert sorted(OCCUPATIONS) == OCCUPATIONS
    assert (STEREOTYPES["nurse"], STEREOTYPES["engineer"]) == ("female", "male")
    assert "editor" not in STEREOTYPES
    assert min(list(STEREOTYPES.values()).count(group) for group in templates.GROUPS) >= 30
    marks = resources.occupations("resources/words/occupations.csv").set_index("word")["mark"]
    assert {marks.get(word, "n") for word in OCCUPATIONS} == {"n"}


def test_percentages_are_those_of_the_statistics():
    table = files.table("resources/words/same_occupations.csv", ["word", "percent_female", "stereotype", "source"])
    for name in ("labor", "census"):
        known = resources.percentages(f"resources/statistics/{name}.csv")
        for row in table[table["source"] == name].itertuples():
            assert float(row.percent_female) == pytest.approx(known[row.word], abs=1e-3)
            share = float(row.percent_female)
            assert row.stereotype == ("female" if share >= 60 else "male" if share <= 40 else "")


def test_articles_and_capitals():
    fill = templates.parse("{A_occ} has {possessive} office.").fill
    assert fill("economist", "female") == ("An economist has her office.", (17, 20), (3, 12))
    assert fill("chef", "male").text == "A chef has his office."
    assert templates.parse("{Occ}s, said {pronoun}.").fill("chef", "male").occupation == (0, 4)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{Pronuon} is {a_occ}.", r"unknown slot \{Pronuon\}; choices: pronoun, Pronoun"),
        ("The {occ} left.", "has 0 slots for the pronoun"),
        ("{Pronoun} said {pronoun} is {a_occ}.", "has 2 slots for the pronoun"),
        ("{Pronoun} likes {possessive} {occ}.", "has 2 slots for the pronoun"),
        ("{Pronoun} left.", "has 0 slots for the occupation"),
        ("{pronoun} is {a_occ}.", r"\{pronoun\} should be \{Pronoun\} at this place"),
        ("There {Pronoun} is {a_occ}.", r"\{Pronoun\} should be \{pronoun\}"),
        ("{Pronoun} is {a_occ!r}.", "without format"),
        ("{Pronoun} is {a_occ.", "expected '}'"),
        ("{Pronoun} is {}.", r"unknown slot \{\}"),
        (3, "3 is no text"),
    ],
)
def test_bad_templates_are_named(tmp_path, line, message):
    path = tmp_path / "mine.yaml"
    path.write_text(f"training:\n- {line!r}\ntest:\n- '{{Pronoun}} is {{a_occ}}.'\n")
    with pytest.raises(ValueError, match=f"mine.yaml: training: .*{message}"):
        templates.read(path)


def test_bad_files_are_named(tmp_path):
    path = tmp_path / "mine.yaml"
    path.write_text("training: ['{Pronoun} is {a_occ}.']\n")
    with pytest.raises(ValueError, match=r"mine.yaml: test is empty"):
        templates.read(path)
    path.write_text("training: ['{Pronoun} is {a_occ}.']\ntest: ['{Pronoun} is {a_occ}.']\n")
    with pytest.raises(ValueError, match="stands in training already"):
        templates.read(path)
    path.write_text("word,stereotype\nnurse,woman\n")
    with pytest.raises(ValueError, match="stereotype of 'nurse' is 'woman'; choices: female, male"):
        templates.occupations(path)


@pytest.fixture(scope="module")
def kinds():
    pytest.importorskip("transformers")
    from tests.language_models import tokenizers_of_ours

    return {name: make() for name, make in tokenizers_of_ours.KINDS.items()}


@pytest.mark.parametrize("kind", ["word pieces", "byte pairs", "unigrams"])
def test_the_mask_stands_where_the_pronoun_stood(kinds, kind):
    tokenizer = kinds[kind]
    words = ["nurse", "economist", "hairdresser", "historian"]  # "historian" holds "his", "hairdresser" begins as "ha"
    sentences = [s for s in templates.fill(SAME["training"], words) if s.text.isascii()]
    known = []
    for sentence in sentences:
        try:
            known.append((sentence, templates.masked(tokenizer, [sentence])))
        except ValueError:
            assert kind != "word pieces"  # the small vocabularies split some pronouns
    assert len(known) > 100
    for sentence, masked in known:
        tokens, place = masked.ids[0].tolist(), masked.positions[0]
        assert tokens.count(tokenizer.mask_token_id) == 1
        assert tokens[place] == tokenizer.mask_token_id
        tokens[place] = masked.labels[0]
        assert tokens == tokenizer(sentence.text)["input_ids"]
        pronoun = sentence.text[slice(*sentence.pronoun)]
        piece = tokenizer.convert_ids_to_tokens(int(masked.labels[0])).strip("Ġ▁")
        assert piece == (pronoun if kind == "byte pairs" else pronoun.lower())
    together = templates.masked(tokenizer, [sentence for sentence, _ in known])
    for row, (_, masked) in enumerate(known):
        assert together.lengths[row] == masked.lengths[0] == len(masked.ids[0])
        np.testing.assert_array_equal(together.ids[row, : masked.lengths[0]], masked.ids[0])
        assert (together.ids[row, masked.lengths[0] :] == tokenizer.pad_token_id).all()


def test_a_pronoun_in_pieces_and_an_unknown_word_are_refused(kinds):
    tokenizer = kinds["byte pairs"]
    split = templates.Sentence("Thon is a nurse.", (0, 4), (10, 15))
    with pytest.raises(ValueError, match=r"pronoun 'Thon' in 'Thon is a nurse.' has several pieces, \['T"):
        templates.masked(tokenizer, [split])
    unknown = templates.parse("{Pronoun} is {a_occ}.").fill("✂", "male")
    with pytest.raises(ValueError, match=r"'✂' in .* has no pieces of its own .* but \['\[UNK\]'\]"):
        templates.masked(kinds["word pieces"], [unknown])


def test_an_occupation_hidden_and_collapsed(kinds):
    tokenizer = kinds["word pieces"]
    sentences = templates.fill([templates.parse("The {occ} likes {possessive} job.")], ["hairdresser", "nurse"])
    found = templates.tokenise(tokenizer, sentences)
    assert (found.places[:, 1, 1] - found.places[:, 1, 0]).tolist() == [3, 3, 1, 1]
    hidden = found.hide(1, tokenizer.mask_token_id)
    assert tokenizer.decode(hidden.ids[0]) == "[CLS] the [MASK] [MASK] [MASK] likes her job. [SEP]"
    short = found.collapse(1, tokenizer.mask_token_id, tokenizer.pad_token_id)
    assert [tokenizer.decode(ids[:n]) for ids, n in zip(short.ids, short.lengths, strict=True)] == [
        f"[CLS] the [MASK] likes {word} job. [SEP]" for word in ("her", "his", "her", "his")
    ]
    pronouns = short.ids[np.arange(4), short.places[:, 0, 0]]
    assert tokenizer.convert_ids_to_tokens(pronouns.tolist()) == ["her", "his", "her", "his"]
    assert short.places[0, 1].tolist() == [2, 3]
