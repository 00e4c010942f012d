"""After a change, the jobs that depend on it run again, and no others."""

import shutil
from pathlib import Path

import pytest

from tests.running import planned

SHOWN = ("answer", "plot", "write", "draw", "collect_board", "time_board")  # rules that show results
CHANGED = "\n\nCHANGED = 1\n"


@pytest.fixture(scope="module")
def project(finished, tmp_path_factory):
    """A copy of the finished run."""
    return Path(shutil.copytree(finished, tmp_path_factory.mktemp("untouched") / "project"))


def test_without_a_change_nothing_runs(project):
    """Modification times, comments, docstrings and layout are no changes."""
    for path in project.rglob("*"):
        if path.is_file() and not {".snakemake", "results"} & set(path.parts):
            path.touch()
    for path, old, new in [
        ("biassay/statistics/geometry.py", "", "# changed\n"),
        ("biassay/metrics/weat.py", '"""', '"""Changed. '),
        ("scripts/same/score.py", "run(main, snakemake)", "run(  # changed\n        main, snakemake\n    )"),
    ]:
        text = (project / path).read_text("utf-8")
        assert old in text
        (project / path).write_text(text.replace(old, new, 1) if old else text + new, "utf-8")
    assert planned(project) == {}


def slow(*values):
    return pytest.param(*values, marks=pytest.mark.slow)


@pytest.mark.parametrize(("file", "old", "new", "expected"), [
    ("resources/words/gender/medium.yaml", ", ", "", {"list_words", "score_first_order"}),
    slow("biassay/metrics/second_order_nnd.py", None, CHANGED, {"score_first_order"}),
    slow("biassay/metrics/mac.py", None, CHANGED, {"check_properties_0", "score_same"}),
    slow("biassay/embeddings/glove.py", None, CHANGED, {"train_embedding", "score_first_order"}),
    slow("scripts/silhouette/score.py", None, CHANGED, {"score_silhouettes"}),
    slow("resources/templates/same.yaml", "training:", "training:\n  - '{Pronoun} is {a_occ}, too.'",
         {"plan_same", "train_same", "encode_same", "score_same"}),
    slow("biassay/report/templates/style.css", None, "/* changed */", set()),
])  # fmt: skip
def test_a_changed_file_reruns_what_depends_on_it(project, file, old, new, expected):
    path = project / file
    text = path.read_text("utf-8")
    path.write_text(text + new if old is None else text.replace(old, new, 1), "utf-8")
    try:
        reruns = {rule for rule in planned(project) if not rule.startswith(SHOWN)}
    finally:
        path.write_text(text, "utf-8")
    assert expected <= reruns
    later = {"tabulate", "correlate", "measure", "select", "compare", "diagnose", "classify", "list"}
    assert all(rule.split("_")[0] in later for rule in reruns - expected), reruns


@pytest.mark.slow
@pytest.mark.parametrize(("config", "expected"), [
    ({"first_order": {"resamples": 11}}, {"correlate_first_order"}),
    ({"seed": 7}, {"generate_corpus", "plan_same", "plan_intrinsic", "plan_downstream"}),
    ({"same": {"metrics": ["weat"]}}, {"tabulate_same"}),
])  # fmt: skip
def test_a_changed_option_reruns_what_depends_on_it(project, config, expected):
    assert expected <= set(planned(project, config=config))
