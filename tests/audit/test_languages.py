"""Languages of audits, and grammatical gender: nothing is found where only grammar carries gender."""

from dataclasses import replace

import numpy as np
import pytest

from biassay.auditing import languages, questions
from biassay.auditing.entry import audit
from biassay.auditing.grammatical_gender import add_both_forms, describe_imbalance, find_control, mean_of_forms
from biassay.auditing.source_vectors import SourceVectors, find_words
from tests.audit.example_vectors import write

OTHERS = languages.codes()[1:]
QUICK = {"permutations": 199, "resamples": 20, "random_words": 199, "board": False}
D = 40
TEST = "groups: {she: [Frau, Mutter], he: [Mann, Vater]}\ntargets: {a: [%s, Tür], b: [Tisch, Stuhl]}\n"


@pytest.mark.parametrize("code", OTHERS)
def test_the_lists_of_a_language_are_whole(code):
    language, tests = languages.load(code), questions.shipped_tests(code)
    assert {"gender", "weat1", "weat6", "weat7", "weat8"} <= set(tests)
    assert all(sentence.count("{}") == 1 for sentence in language.sentences)
    assert len(set(language.random_words)) == len(language.random_words) >= 2 * 60  # enough for the longest targets
    assert tests["gender"].paired
    assert tests["gender"].default
    assert tests["weat7"].scored == "targets"
    assert "Anna" not in tests["weat1"].sensitive
    assert tests["weat6"].sensitive >= {word for words in tests["weat6"].groups.values() for word in words}
    for test in tests.values():
        assert all(len(words) >= 8 for lists in (test.groups, test.targets) for words in lists.values()), test.name
        if test.noun_genders:  # the lists have the same number of words of each gender
            genders = [sorted(test.noun_genders[word] for word in words) for words in test.targets.values()]
            assert genders[0] == genders[1], test.name
    n_words = sum(map(len, tests["gender"].targets.values()))  # one form for both would lean to one gender
    assert len(tests["gender"].both_forms) == (n_words if language.genders else 0)


@pytest.mark.parametrize(("code", "chosen"), [
    ("en", ["sea"]), ("fr", ["sea", "tür", "стол", "桌子椅"]), ("de", ["sea", "Sea", "tür", "Tür", "стол", "桌子椅"]),
])  # fmt: skip
def test_random_words_are_no_names_and_have_letters_only_those_of_english_ascii_ones(code, chosen):
    words = ["sea", "Sea", "SEA", "tür", "Tür", "стол", "a1b", "桌子椅", "ab", "a b", ""]
    assert [word for word in words if languages.load(code).is_random_word(word)] == chosen


@pytest.mark.parametrize(("text", "code", "message"), [
    (TEST % "Arzt", "dee", r"language: unknown name 'dee' .*expected one of: en, de, "),
    (TEST % "a/b/c", "de", r"targets\.a: .*two forms such as .*'a/b/c'"),
    (TEST % "/b", "de", r"targets\.a: .*'/b'"),
    (TEST % "b/b", "de", r"targets\.a: .*'b/b'"),
    ((TEST % "x").replace("[x, Tür]", "{female: [Tür]}"), "de", r"targets\.a: unknown grammatical gender 'female'"),
    ((TEST % "x").replace("[x, Tür]", "{feminine: Tür}"), "de", r"targets\.a\.feminine: .*'Tür'"),
    ("groups: gender/small\ntargets: {a: [b, c]}\n", "de", "groups: the list 'gender/small' is English"),
])  # fmt: skip
def test_an_error_names_the_key_and_the_value(tmp_path, text, code, message):
    (tmp_path / "mine.yaml").write_text(text)
    with pytest.raises(ValueError, match=message):
        questions.find([tmp_path / "mine.yaml"], code)


def test_both_forms_weigh_the_same():
    first, second = np.array([[3.0, 0.0], [0.0, 0.0]]), np.array([[0.0, 1.0], [0.0, 2.0]])
    assert mean_of_forms(first, second).tolist() == [[1.0, 1.0], [0.0, 0.5]]  # lengths 3 and 1, then 0 and 2
    rows = {"Ärztin": first[:1], "arzt": second[:1], "Lehrer": first[:1], "Köchin": first[:1], "Koch": first[:1]}
    targets = ["Ärztin/Arzt", "Lehrerin/Lehrer", "Köchin/Koch", "Kind"]
    test = questions.Question("t", "T", {}, {"a": targets}, language="de")
    inner = SourceVectors("", "", "vectors", rows, None, [], None)
    variants = {"cls": {word: 2 * row for word, row in rows.items()}}
    source = replace(inner, ranks=dict.fromkeys(rows, 1) | {"Ärztin": 5, "arzt": 2}, variants=variants, bare=inner)
    both = add_both_forms(source, [test])
    assert test.words == ["Ärztin", "Arzt", "Lehrerin", "Lehrer", "Köchin", "Koch", "Kind"]
    assert set(both.rows) - set(rows) == {"Ärztin/Arzt"}  # Lehrerin has no vector, Köchin none of her own
    assert both.ranks["Ärztin/Arzt"] == 5
    for added, scale in ((both.rows, 1), (both.bare.rows, 1), (both.variants["cls"], 2)):
        assert (added["Ärztin/Arzt"] / scale).tolist() == [[1.0, 1.0]]
    assert add_both_forms(source, [replace(test, language="fi")]) is source  # without grammatical gender / is a letter


def test_gender_is_controlled_only_if_all_targets_have_both_forms():
    both, mixed = ["Ärztin/Arzt", "Köchin/Koch"], ["Lehrerin/Lehrer", "Schmied"]
    for second, control in ((both, "both forms"), (mixed, "not controlled")):
        test = questions.Question("t", "T", {}, {"a": both, "b": second}, language="de")
        assert find_control(test) == control


def test_lists_that_differ_in_gender_are_refused(tmp_path):
    random, weat = np.random.default_rng(1), questions.shipped_tests("de")["weat1"]
    source = write(tmp_path / "v.txt", _source({word: random.standard_normal(D) for word in weat.words}))
    gone = ["Frieden", "Himmel", "Regenbogen", "Urlaub"]  # all masculine ones of a list of 18: 0 % against 22 %
    rows = {word.lower(): np.ones((1, 2)) for word in weat.words if word not in gone}
    found = find_words(weat, SourceVectors("", "", "vectors", rows, None, [], None))
    assert describe_imbalance(found).endswith("(words found that are masculine: pleasant 0%, unpleasant 22%)")
    result = audit(source, tests=["weat1"], language="de", metrics=["weat", "mac"], **QUICK)
    assert result.table["metric"].tolist() == ["weat"]
    assert "grammatical gender" in result.skipped.set_index("metric").loc["mac", "reason"]
    text = source.read_text()
    source.write_text("".join(line for line in text.splitlines(True) if line.split()[0] not in gone))
    with pytest.raises(ValueError, match="weat1: not tested: lists of targets differ in grammatical gender"):
        audit(source, tests=["weat1"], language="de", metrics=["weat"], **QUICK)


def _source(rows):
    """Vectors in random order, with random words that carry grammatical gender too."""
    random = np.random.default_rng(9)
    pool = ["".join(letters) for letters in random.choice(list("abcdefghijklm"), (400, 7))]
    rows = {word: vector[None] for word, vector in rows.items()}
    rows |= {word: (random.standard_normal(D) + random.choice([-2, 2]) * np.eye(D)[0])[None] for word in pool}
    ranks = {word: rank for rank, word in enumerate(random.permutation(list(rows)), 1)}
    return SourceVectors("", "", "vectors", rows, ranks, pool, len(rows))


def _rows(test, stereotype):
    """Vectors: the first direction is grammatical gender, the second one what women and men differ in otherwise."""
    random, (grammar, person) = np.random.default_rng(3), np.eye(D)[:2]
    rows = {}
    for sign, words in zip((1, -1), test.groups.values(), strict=True):
        rows |= {word: random.standard_normal(D) + sign * (2 * grammar + 2 * person) for word in words}
    for sign, words in zip((1, -1), test.targets.values(), strict=True):
        for word in words:
            stem = random.standard_normal(D) + sign * stereotype * person
            for gender, form in zip((1, -1), test.both_forms[word], strict=True):
                rows[form] = stem + 0.3 * random.standard_normal(D) + gender * 2 * grammar
    return rows


def test_grammar_alone_is_not_found_and_a_stereotype_is(tmp_path):
    """Occupations in one form each, as stereotyped, differ by grammar alone; the means of both forms do not."""
    test = questions.shipped_tests("de")["gender"]
    forms = zip((0, 1), test.targets.items(), strict=True)
    one_form = {name: [word.split("/")[number] for word in words] for number, (name, words) in forms}
    naive = replace(test, name="one_form", targets=one_form)
    metrics = ["weat", "gweat", "ect", "same", "same_stereotype", "second_order_cosine"]
    for stereotype, found in ((0, {"one_form"}), (2.5, {"one_form", "gender"})):
        path = write(tmp_path / f"{stereotype}.txt", _source(_rows(test, stereotype)))
        result = audit(path, tests=[test, naive], language="de", metrics=metrics, **QUICK)
        counts = result.table[result.table["finding"] == "found"].groupby("test").size()
        assert set(counts.index) == found, counts
    warnings = result.warning_table[result.warning_table["kind"] == "grammatical gender"].set_index("test")["text"]
    assert "mean of both" in warnings["gender"]
    assert "does not control" in warnings["one_form"]


def test_an_encoder_reads_words_and_sentences_of_the_language():
    texts, random = set(), np.random.default_rng(2)
    vectors = {}

    def encode(batch):
        texts.update(batch)
        return np.stack([vectors.setdefault(text, random.standard_normal(8)) for text in batch])

    result = audit(encode, tests=["gender"], language="fr", metrics=["weat"], **QUICK)
    language, (source,) = languages.load("fr"), result.sources
    test = questions.shipped_tests("fr")["gender"]
    asked = {*test.words, *language.random_words}
    assert texts >= {sentence.format(word) for sentence in language.sentences for word in asked}
    assert not {"infirmière/infirmier", "This is femme."} & texts
    assert source["random_words"] == len(language.random_words)
    assert result.lists["n_missing"].sum() == 0
    assert result.settings["language"] == "fr"
