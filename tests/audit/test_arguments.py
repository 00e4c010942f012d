"""Arguments of an audit are checked before anything is read or computed."""

import numpy as np
import pytest
import yaml

from biassay import cli
from biassay.auditing import entry, questions, source_vectors, trust
from biassay.auditing.source_vectors import SourceVectors
from biassay.studies.board import board as boards
from tests.audit.conftest import OWN, QUICK
from tests.audit.example_vectors import question, used, vectors

THREE = questions.Question("three", "", {name: ["aa", "bb"] for name in "xyz"}, {"c": ["cc", "dd"]})


@pytest.mark.parametrize(("options", "named"), [
    ({"metrics": []}, "metrics"), ({"metrics": "weat"}, "metrics"),
    ({"metrics": ["wheat"]}, "metrics: unknown name 'wheat' .did you mean 'weat'"),
    ({"tests": []}, "tests"), ({"tests": ["wheat"]}, "tests: unknown name 'wheat'"),
    ({"own_metrics": "mine.py"}, "own_metrics"), ({"own_metrics": ["weat"]}, r"own_metrics: .*\.py.*'weat'"),
    ({"names": ["a", "b"]}, r"names: .*\['a', 'b'\]"),
    ({"rank_by": "wheat"}, "wheat"), ({"rank_by": "clustering"}, "clustering"), ({"rank_by": "ect"}, "rank_by: ect"),
    ({"permutations": 99.0}, "permutations"), ({"permutations": np.True_}, "permutations"),
    ({"permutations": 3}, "permutations: .*3$"), ({"seed": 2**32}, "seed"), ({"threads": 0}, "threads"),
    ({"board": "nope.csv"}, "nope.csv"), ({"board": True}, "board"),
    ({"own_metrics": {"weat": "other.py"}}, "weat"), ({"metrics": ["mac"], "own_metrics": ["x/weat.py"]}, "weat"),
    ({"own_metrics": ["a/mine.py", "b/mine.py"]}, "mine"),
])  # fmt: skip
def test_wrong_arguments_are_refused_at_the_start(files, tmp_path, monkeypatch, options, named):
    monkeypatch.chdir(tmp_path)
    for name in ("a/mine.py", "b/mine.py", "x/weat.py", "other.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(OWN)
    monkeypatch.setattr(source_vectors, "read", lambda *arguments, **keywords: pytest.fail("it has begun"))
    with pytest.raises(ValueError, match=named) as error:
        entry.audit(files[0], **{"tests": [str(files[2])], **QUICK, **options})
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(("ranking", "test"), [("weat", THREE), ("direct_bias", question())])
def test_a_ranking_that_a_test_does_not_fit_is_refused_before_scores(files, monkeypatch, ranking, test):
    monkeypatch.setattr(entry, "_score_vectors", lambda *arguments: pytest.fail("it has begun"))
    words = dict.fromkeys(test.words, np.ones((1, 2)))
    source = SourceVectors("ours", "ours", "vectors", words, None, [], None)
    monkeypatch.setattr(source_vectors, "read", lambda *arguments, **keywords: source)
    with pytest.raises(ValueError, match=ranking):
        entry.audit(files[0], tests=[test], rank_by=ranking, **QUICK)


def test_the_board_that_comes_with_biassay_judges_its_own_metrics_only(files, tmp_path, monkeypatch):
    (tmp_path / "ripa_pairs.py").write_text(OWN)  # a variant of the board's study has that name
    board = tmp_path / "board.csv"
    rows = [f"{name},{value},,,,,300,draws,s," for name in ("ripa_pairs", "mac")
            for value in ("false_positive_rate,.04", "auc,.98")]  # fmt: skip
    board.write_text("\n".join([",".join(boards.COLUMNS), *rows]) + "\n")
    monkeypatch.setattr(trust, "board_path", lambda: board)
    common_options = {"tests": [str(files[2])], "metrics": ["mac"], "own_metrics": [str(tmp_path / "ripa_pairs.py")]}
    for board_path, verdict in ((None, "not judged"), (board, "trusted")):
        table = entry.audit(files[0], **common_options, board=board_path, **QUICK).trust
        assert table["verdict"].tolist() == ["trusted", verdict]


def test_a_group_and_a_list_of_targets_have_different_names(files, tmp_path):
    test = yaml.safe_load(files[2].read_text())
    test["targets"] = {"her": test["targets"]["care"], "craft": test["targets"]["craft"]}
    (tmp_path / "same.yaml").write_text(yaml.safe_dump(test))
    with pytest.raises(ValueError, match=r"same: .* different names for groups and targets, got 'her' for both"):
        entry.audit(files[0], tests=[tmp_path / "same.yaml"], **QUICK)


def test_names_of_sources():
    assert entry.name_sources(["a/x.txt", "b/y.txt"], ["second", "first"]) == ["second", "first"]
    assert entry.name_sources(["d/a/x.txt", "d/b/x.txt", "y"]) == ["a/x.txt", "b/x.txt", "y"]
    assert entry.name_sources(["hf:a/x", "hf-inputs:a/x"]) == ["hf:a/x", "hf-inputs:a/x"]
    for names in (["x", "x"], ["x"], ["x", "y", "z"]):
        with pytest.raises(ValueError, match="names"):
            entry.name_sources(["a", "b"], names)
    with pytest.raises(ValueError, match=r"sources: .*same file"):
        entry.name_sources(["a/x", "a/x/"])


def test_the_command_line_passes_its_options_on(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    calls = []
    monkeypatch.setattr(entry, "audit", lambda sources, **options: calls.append((sources, options)) or 1 / 0)
    line = ("a.txt b.txt --tests gender --groups gender/small --targets traits --metrics weat same "
            "--own-metric mine.py --rank-by ripa --permutations 39 --resamples 40 --random-words 9 --seed 4 "
            "--threads 3 --allow-pickle --prompt query --pooling cls --calibrate")  # fmt: skip
    with pytest.raises(ZeroDivisionError):
        cli.main(["audit", *line.split()])
    ((sources, options),) = calls
    (gender, own) = options.pop("tests")
    assert (gender, list(own.groups), "pleasant" in own.targets) == ("gender", ["female", "male"], True)
    assert sources == ["a.txt", "b.txt"]
    assert options == {
        "metrics": ["weat", "same"], "own_metrics": ["mine.py"], "rank_by": "ripa", "permutations": 39,
        "resamples": 40, "random_words": 9, "seed": 4, "threads": 3, "allow_pickle": True, "language": "en",
        "prompt": "query", "pooling": "cls", "pairs": None, "calibrate": True,
    }  # fmt: skip


@pytest.mark.parametrize(("n_words", "is_default", "name", "skipped"), [
    (1, False, "ours", True), (2, False, "ours", False), (1, True, entry.ALWAYS, True), (2, True, entry.ALWAYS, False),
    (3, True, "ours", True), (4, True, "ours", False),
])  # fmt: skip
def test_default_tests_need_half_of_the_words_and_others_two_of_each_list(n_words, is_default, name, skipped):
    source = vectors(question(targets=n_words), 0)
    example = question()
    found = used(questions.Question(name, "", example.groups, example.targets), source)
    assert bool(entry._reason_to_skip(found, is_default)) == skipped
