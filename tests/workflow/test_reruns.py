"""After a change, the jobs that depend on it run again, and no others."""

import pytest

from tests.running import planned, snakemake

SHOWN = ("answer", "plot", "write", "draw", "collect_board", "time_board")  # rules that show results
CHANGED = "\n\nCHANGED = 1\n"


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


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "old", "new", "expected"),
    [
        ("resources/words/gender/medium.yaml", ", ", "", {"list_words", "score_first_order"}),
        ("biassay/metrics/mac.py", "", CHANGED, {"check_properties_0", "score_same"}),
        ("biassay/embeddings/glove.py", "", CHANGED, {"train_embedding", "score_first_order"}),
        ("scripts/silhouette/score.py", "", CHANGED, {"score_silhouettes"}),
        (
            "resources/templates/same.yaml",
            "training:",
            "training:\n  - '{Pronoun} is {a_occ}, too.'",
            {"plan_same", "train_same", "score_same"},
        ),
        ("biassay/report/templates/style.css", "", "/* changed */", {"write_study_board", "write_board"}),
    ],
)
def test_a_changed_file_reruns_what_depends_on_it(project, file, old, new, expected):
    path = project / file
    text = path.read_text("utf-8")
    path.write_text(text.replace(old, new, 1) if old else text + new, "utf-8")
    try:
        reruns = set(planned(project))
    finally:
        path.write_text(text, "utf-8")
    assert expected <= reruns
    later = (*SHOWN, "tabulate", "correlate", "measure", "select", "compare", "diagnose", "classify", "list")
    assert all(rule.startswith(later) for rule in reruns - expected), reruns


@pytest.mark.slow
def test_declarations_are_parameters_of_what_reads_them(project):
    """So a changed one counts also if a run is interrupted after the jobs whose results stay the same."""
    metric, old = project / "biassay/metrics/mac.py", "Level(0.0, 2.0"
    text = metric.read_text("utf-8")
    assert old in text
    metric.write_text(text.replace(old, "Level(0.0, 4.0"), "utf-8")
    try:
        changed = snakemake(project, "--list-params-changes").stdout
    finally:
        metric.write_text(text, "utf-8")
    assert {"results/same/tables/correlations.csv", "results/board/board.csv"} <= {*changed.split()}
    assert "results/silhouette/planted/scores.csv" not in changed  # without this metric


@pytest.mark.slow
def test_a_changed_option_reruns_what_depends_on_it(project):
    changed = {"first_order": {"resamples": 11}, "seed": 7}
    assert {"correlate_first_order", "generate_corpus", "plan_same"} <= set(planned(project, config=changed))
    other_first = {"first_order": {"corpora": ["control", "biased"]}}  # the board has the numbers of the first
    assert "correlate_first_order" in planned(project, config=other_first)
