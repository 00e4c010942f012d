"""The shipped lists, and errors about bad ones."""

import itertools

import pytest

from biassay.words import resources

LISTS = {"tiny": 1, "small": 16, "medium": 32, "large": 78}


def test_definitional_lists_begin_with_the_shorter_one():
    lists = [resources.read_groups(f"resources/words/gender/{name}.yaml") for name in LISTS]
    for groups, pairs in zip(lists, LISTS.values(), strict=True):
        assert list(groups) == ["female", "male"]
        assert [len(words) for words in groups.values()] == [pairs, pairs]
        assert not set(groups["female"]) & set(groups["male"])
    for shorter, longer in itertools.pairwise(lists):
        for group, words in shorter.items():
            assert longer[group][: len(words)] == words


def test_statistics_and_occupations():
    labor, census = (resources.read_percentages(f"resources/statistics/{name}.csv") for name in ("labor", "census"))
    assert (len(labor), len(census)) == (40, 96)
    assert (labor["carpenter"], labor["secretary"]) == (2, 95)
    occupations = resources.read_occupations("resources/words/occupations.csv")
    assert len(occupations) >= 500
    assert set(labor.index) | set(census.index) <= set(occupations["word"])
    neutral = set(occupations["word"][occupations["mark"] == "n"])
    large = resources.read_groups("resources/words/gender/large.yaml")
    assert not neutral & {word for words in large.values() for word in words}


def test_a_test_of_an_audit_is_no_word_list(tmp_path):
    path = tmp_path / "mine.yaml"
    path.write_text("groups: {a: [b, c], d: [e, f]}\ntargets: {x: [y, z]}\n")
    with pytest.raises(ValueError, match=r"mine\.yaml: .*groups and targets"):
        resources.word_lists(path)
    path.write_text("groups: [b, c]\ntargets: [y, z]\n")  # two lists with these names
    assert resources.word_lists(path) == {"groups": ["b", "c"], "targets": ["y", "z"]}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("# source\nword,percent_female\nnurse,90\njudge,many\n", "line 4: percent_female of 'judge': .*'many'"),
        ("word,percent_female\nnurse,120\n", "line 2: percent_female of 'nurse': .*'120'"),
        ("word,percent_female\nnurse,.9\njudge,1\n", "percent_female: .*shares of at most 1"),
    ],
)
def test_bad_statistics_name_file_and_line(tmp_path, content, message):
    path = tmp_path / "shares.csv"
    path.write_text(content)
    with pytest.raises(ValueError, match=f"shares.csv.*{message}"):
        resources.read_percentages(path)


@pytest.mark.parametrize("name", ["../audit/tests", "gender/../names", "/x", "gender", ""])
def test_lists_by_name_are_those_that_come_with_biassay(name):
    with pytest.raises(ValueError, match="names"):
        resources.word_lists(name)
