"""Arguments of an audit are checked before anything is read or computed."""

import json
from dataclasses import replace

import numpy as np
import pytest

from biassay import cli
from biassay.auditing import conclusions, entry, questions, source_vectors
from biassay.auditing.source_vectors import UsedWords
from tests.audit.conftest import QUICK
from tests.audit.example_vectors import question
from tests.audit.test_entry import OWN

HEADER = ",".join(conclusions.BOARD_COLUMNS)
PAIRED = questions.shipped_tests()["gender"]
THREE = questions.Question("three", "", {name: ["aa", "bb"] for name in "xyz"}, {"c": ["cc", "dd"]})


@pytest.mark.parametrize(("options", "named"), [
    ({"metrics": []}, "metrics"), ({"metrics": "weat"}, "metrics"), ({"metrics": 7}, "metrics"),
    ({"tests": []}, "tests"), ({"tests": "gender"}, "tests"), ({"tests": [PAIRED, PAIRED]}, "gender"),
    ({"own_metrics": "mine.py"}, "own_metrics"), ({"names": "ab"}, "names"),
    ({"rank_by": "wheat"}, "wheat"), ({"rank_by": "clustering"}, "clustering"),
    ({"permutations": 99.0}, "permutations"), ({"permutations": np.True_}, "permutations"),
    ({"seed": np.float64(1)}, "seed"),
    ({"seed": 2**32}, "seed"), ({"resamples": None}, "resamples"), ({"random_words": "9"}, "random_words"),
    ({"board": "nope.csv"}, "nope.csv"), ({"board": ""}, "board"), ({"board": True}, "board"), ({"board": 0}, "board"),
    ({"own_metrics": {"weat": "other.py"}}, "weat"), ({"metrics": ["mac"], "own_metrics": ["x/weat.py"]}, "weat"),
    ({"own_metrics": ["a/mine.py", "b/mine.py"]}, "mine"),
])  # fmt: skip
def test_wrong_arguments_are_refused_at_the_start(files, tmp_path, monkeypatch, options, named):
    monkeypatch.chdir(tmp_path)
    for folder in "abx":
        (tmp_path / folder).mkdir()
    for name in ("a/mine.py", "b/mine.py", "x/weat.py", "other.py"):
        (tmp_path / name).write_text(OWN)
    monkeypatch.setattr(source_vectors, "read", lambda *arguments, **keywords: pytest.fail("it has begun"))
    with pytest.raises(ValueError, match=named) as error:
        entry.audit(files[0], **{"tests": [str(files[2])], **QUICK, **options})
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(("ranking", "test"), [("weat", THREE), ("direct_bias", question())])
def test_a_ranking_that_a_test_does_not_fit_is_refused_before_scores(files, monkeypatch, ranking, test):
    monkeypatch.setattr(entry, "_score_all", lambda *arguments: pytest.fail("it has begun"))
    words = dict.fromkeys(test.words, np.ones((1, 2)))
    monkeypatch.setattr(source_vectors, "read", lambda path, *_, name, **keywords: source_vectors.SourceVectors(
        name, path, "vectors", words, None, [], None))  # fmt: skip
    with pytest.raises(ValueError, match=ranking):
        entry.audit(files[0], tests=[test], rank_by=ranking, **QUICK)


def test_the_last_source_is_looked_for_before_the_first_is_read(files, monkeypatch):
    monkeypatch.setattr(source_vectors, "read", lambda *arguments, **keywords: pytest.fail("it has begun"))
    with pytest.raises(ValueError, match=r"none\.txt"):
        entry.audit([files[0], files[0].parent / "none.txt"], **QUICK)


def test_numbers_of_numpy_are_numbers(files, tmp_path):
    quick = {key: np.int64(value) for key, value in QUICK.items()}
    common_options = {"tests": [str(files[2])], "metrics": ["mac"], "board": False}
    outcome = entry.audit(files[0], **common_options, **quick, seed=np.uint8(3), processes=np.int32(1))
    assert outcome.table.equals(entry.audit(files[0], **common_options, **QUICK, seed=3).table)
    outcome.write(tmp_path / "out")
    assert json.loads((tmp_path / "out/audit.json").read_text())["settings"]["seed"] == 3


def test_own_metrics_are_called_as_a_mapping_says(tmp_path):
    (tmp_path / "weat.py").write_text(OWN)
    outcome = entry.load_metrics(["mac"], {"mine": str(tmp_path / "weat.py")})
    assert list(outcome) == ["mac", "mine"]
    assert outcome["mine"].__file__ == str(tmp_path / "weat.py")


def test_the_board_that_comes_with_biassay_speaks_of_its_own_metrics_only(files, tmp_path, monkeypatch):
    (tmp_path / "ripa_pairs.py").write_text(OWN)  # a variant of the board's study has that name
    board = tmp_path / "board.csv"
    rows = [f"{name},{value},,,300,draws,s," for name in ("ripa_pairs", "mac")
            for value in ("false_positive_rate,.04", "auc,.98")]  # fmt: skip
    board.write_text("\n".join([HEADER, *rows]) + "\n")
    monkeypatch.setattr(conclusions, "board_path", lambda: board)
    common_options = {"tests": [str(files[2])], "metrics": ["mac"], "own_metrics": [str(tmp_path / "ripa_pairs.py")]}
    verdicts = {
        board_path: entry.audit(files[0], **common_options, board=board_path, **QUICK).trust["verdict"].tolist()
        for board_path in (None, board)
    }
    assert verdicts == {None: ["trusted", "not judged"], board: ["trusted", "trusted"]}


@pytest.mark.parametrize(("text", "named"), [
    ("", "board.csv"), (HEADER + "\n", "board.csv"), ("metric,value\nweat,1\n", "board.csv.*criterion"),
    (HEADER + "\nweat,power,much,,,,,,\n", "line 2.*value.*much"), (HEADER + "\nweat,power,inf,,,,,,\n", "line 2.*inf"),
    (HEADER + "\nmac,power,1,,,,,,\nweat,auc,98,,,100,,,\n", "line 3.*98"),
    (HEADER + "\nweat,power,.5,,,few,,,\n", "line 2.*n: .*few"), (HEADER + "\nweat,power,.5\n", "line 2"),
    (HEADER + "\nweat,power,.5,,,,,,\nweat,power,.6,,,,,,\n", "line 3.*weat, power"), ("\x00\x01", "board.csv"),
])  # fmt: skip
def test_a_malformed_board_is_refused(tmp_path, text, named):
    (tmp_path / "board.csv").write_text(text)
    with pytest.raises(ValueError, match=named) as error:
        conclusions.read_board(tmp_path / "board.csv")
    assert "board.csv" in str(error.value)


def test_only_the_board_that_comes_with_biassay_may_be_absent(tmp_path, monkeypatch):
    monkeypatch.setattr(conclusions, "board_path", lambda: tmp_path / "none.csv")
    assert conclusions.read_board() is None
    assert conclusions.read_board(False) is None
    with pytest.raises(ValueError, match=r"none\.csv"):
        conclusions.read_board(tmp_path / "none.csv")


def test_sources_are_called_by_the_ends_of_their_paths_or_as_they_are_named():
    assert entry.name_sources(["a/x.txt", "b/y.txt"], ["second", "first"]) == ["second", "first"]
    assert entry.name_sources(["d/a/x.txt", "d/b/x.txt", "y"]) == ["a/x.txt", "b/x.txt", "y"]
    for names in (["x", "x"], ["x"], ["x", "y", "z"]):
        with pytest.raises(ValueError, match="names"):
            entry.name_sources(["a", "b"], names)


def test_the_command_line_asks_for_what_it_was_given(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    example = []
    monkeypatch.setattr(entry, "audit", lambda sources, **options: example.append((sources, options)) or 1 / 0)
    line = ("a.txt b.txt --tests gender --groups gender/small --targets traits --metrics weat same "
            "--own-metric mine.py --rank-by ripa --permutations 39 --resamples 40 --seed 4 --processes 3 "
            "--allow-pickle")  # fmt: skip
    with pytest.raises(ZeroDivisionError):
        cli.main(["audit", *line.split()])
    sources, options = example[0]
    (gender, own) = options.pop("tests")
    assert (gender, list(own.groups), "pleasant" in own.targets) == ("gender", ["female", "male"], True)
    assert sources == ["a.txt", "b.txt"]
    assert options == {
        "metrics": ["weat", "same"], "own_metrics": ["mine.py"], "rank_by": "ripa", "permutations": 39,
        "resamples": 40, "seed": 4, "processes": 3, "allow_pickle": True,
    }  # fmt: skip


def test_tests_that_nobody_named_need_half_of_the_words_and_others_two_of_each_list():
    def of_size(size, name):
        example = replace(question(), name=name)
        return UsedWords(example, example.groups, {name: words[:size] for name, words in example.targets.items()}, {})

    sizes = [of_size(size, f"{size} words") for size in (0, 1, 2, 3, 4, 8)] + [of_size(2, entry.ALWAYS)]
    skipped = [row[:3] for row in entry._skipped_tests("s", sizes, True)]
    assert skipped == [["s", f"{size} words", ""] for size in (0, 1, 2, 3)]
    assert [row[1] for row in entry._skipped_tests("s", sizes, False)] == ["0 words", "1 words"]
