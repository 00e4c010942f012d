"""Tests of an audit, by name and from files, and errors in them."""

from dataclasses import replace

import pytest

from biassay.auditing import entry, questions
from biassay.auditing.sentence_pairs import SentencePairs
from tests.audit.example_vectors import question, yaml_of


def test_the_shipped_tests_are_whole():
    shipped = questions.shipped_tests()
    assert {"gender", "religion", "ethnicity", *(f"weat{number}" for number in range(1, 11))} <= set(shipped)
    for name, example in shipped.items():
        assert example.title, name
        assert len(example.groups) >= 2
        assert all(len(words) >= 6 for side in (example.groups, example.targets) for words in side.values()), name
        assert not set(example.groups) & set(example.targets), name
    assert shipped["gender"].paired
    assert shipped["weat7"].scored == "targets"
    assert list(shipped["weat6"].targets) == ["career", "family"]
    assert next(name for name, example in shipped.items() if example.default) == "gender"


def test_a_file_of_ones_own(tmp_path):
    example = question(groups=3, targets=2, paired=True)
    (tmp_path / "mine.yaml").write_text(yaml_of(example))
    (test,) = questions.find([str(tmp_path / "mine.yaml")])
    assert (test.name, test.paired, test.scored) == ("mine", True, "groups")
    assert test.groups == example.groups
    assert test.targets == example.targets
    assert test.title == "her and his, with care and craft"
    assert not test.default
    (tmp_path / "two.yml").write_text(
        "first: {groups: gender/small, targets: traits, paired: true}\n"
        "second: {title: T, groups: ['names:female as women', 'names:male'], targets: ['traits:pleasant']}\n"
    )
    first, second = questions.find([str(tmp_path / "two.yml")])
    assert list(first.groups) == ["female", "male"]
    assert (second.title, list(second.groups), list(second.targets)) == ("T", ["women", "male"], ["pleasant"])


@pytest.mark.parametrize(("text", "message"), [
    ("groups: {a: [b, c]}\n", "keys groups and targets"),
    ("groups: {a: [b, c], d: [e, f]}\ntargets: {x: [y, z]}\nwords: 1\n", "unknown name 'words'"),
    ("groups: {a: [b, c]}\ntargets: {x: [y, z]}\n", "groups: expected 2 or more lists"),
    ("groups: {a: [b], d: [e, f]}\ntargets: {x: [y, z]}\n", "groups: a: expected a list of 2 or more words"),
    ("groups: {a: [b, c], d: [e, f, g]}\ntargets: {x: [y, z]}\npaired: true\n", "groups: .*a 2, d 3"),
    ("groups: gender/smal\ntargets: traits\n", "unknown name 'gender/smal' .did you mean 'gender/small'"),
    ("groups: ['names:femal', 'names:male']\ntargets: traits\n", "unknown list of names 'femal'"),
    ("groups: gender/small\ntargets: traits\nscored: both\n", "scored: unknown value 'both'"),
    ("mine: 3\n", "mine: .*groups and targets.* 3$"),
    ("groups: ['names:male', 'names:male']\ntargets: traits\n", "groups: .*'male'"),
])  # fmt: skip
def test_an_error_names_file_key_and_value(tmp_path, text, message):
    (tmp_path / "mine.yaml").write_text(text)
    with pytest.raises(ValueError, match=message):
        questions.find([str(tmp_path / "mine.yaml")])


def test_unknown_and_double_names_are_told(tmp_path):
    with pytest.raises(ValueError, match=r"tests: unknown name 'wheat6' .did you mean 'weat6'.*or the path of a .yaml"):
        questions.find(["wheat6"])
    with pytest.raises(ValueError, match=r"tests: expected a name, .* got {'groups': {}}"):
        questions.find([{"groups": {}}])
    with pytest.raises(ValueError, match="tests: 'gender'"):
        questions.find(["gender", "gender"])
    (tmp_path / "weat6.yaml").write_text("groups: {a: [x, y], b: [u, v]}\ntargets: {c: [p, q], d: [r, s]}\n")
    with pytest.raises(ValueError, match=r"weat6.yaml: 'weat6' is the name of a shipped test; rename yours"):
        questions.find([tmp_path / "weat6.yaml"])
    first, second = (replace(questions.shipped_tests()["gender"], name=name) for name in ("mine", "mine-words"))
    pairs = SentencePairs("pairs.csv", "mine", [], [], [])
    for tests, of_pairs in (([first, second], []), ([first], [pairs])):
        with pytest.raises(ValueError, match=r"tests: 'mine(-words)?' is the name of two tests"):
            entry.check_names_of_tests(tests, of_pairs)
    entry.check_names_of_tests([second], [pairs])


def test_lists_put_together():
    example = questions.from_lists("names:female,names:male", "published:math,published:arts")
    assert (list(example.groups), list(example.targets)) == (["female", "male"], ["math", "arts"])
    assert not example.paired
    assert example.title == "female and male, with math and arts"
    assert questions.from_lists("gender/small", "traits").paired
    assert not questions.from_lists("gender/large:female,gender/small:male", "traits").paired
    assert questions.from_lists("gender/small", "traits", scored="targets").scored == "targets"


def test_names_and_slurs_of_shipped_lists_are_sensitive_and_own_words_are_not(tmp_path):
    shipped = questions.shipped_tests()
    assert {"hooker"} == shipped["gender"].sensitive
    assert {word for words in shipped["weat6"].groups.values() for word in words} <= shipped["weat6"].sensitive
    assert "amy" in shipped["weat6"].sensitive
    assert not shipped["weat6"].sensitive & {word for words in shipped["weat6"].targets.values() for word in words}
    assert questions.from_lists("gender/small", "names:female as f").sensitive >= {"emma"}
    (tmp_path / "mine.yaml").write_text("groups: {a: [Emma, hooker], b: [Paul, Bill]}\ntargets: [traits:pleasant]\n")
    assert not questions.find([tmp_path / "mine.yaml"])[0].sensitive
