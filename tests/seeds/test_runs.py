"""A run with several seeds: what is planned, and that a further seed is a run with that seed."""

import pytest

from tests.running import copy_project, planned, snakemake

pytestmark = pytest.mark.slow
SMALL = {"corpora": {name: {"tokens": 3000} for name in ("biased", "control")}}


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    folder = tmp_path_factory.mktemp("seeds")
    copy_project(folder)
    return folder


def test_a_further_seed_is_a_run_with_that_seed(project):
    ours = "results/corpora/biased/ground_truth.csv"
    theirs = "results/seeds/5/corpora/biased/ground_truth.csv"
    done = snakemake(project, ours, theirs, config=SMALL | {"seeds": [1, 5]})
    assert done.returncode == 0, done.stderr
    one, five = ((project / path).read_text() for path in (ours, theirs))
    assert one != five
    again = snakemake(project, ours, "--forcerun", "generate_corpus", config=SMALL | {"seed": 5})
    assert again.returncode == 0, again.stderr
    assert (project / ours).read_text() == five


def test_all_studies_of_all_seeds_are_planned_without_pages_of_the_others(project):
    one = planned(project, "seeds", config={"seeds": [1]})
    three = planned(project, "seeds", config={"seeds": [1, 2, 9]})
    assert not any(name.startswith("seed_") for name in one)
    for name, number in one.items():
        if name not in ("seeds", "summarise_seeds"):
            assert three[f"seed_2_{name}"] == three[f"seed_9_{name}"] == three[name] == number
    assert three["summarise_seeds"] == one["summarise_seeds"] >= 5
    assert not any("plot" in name or "answer" in name for name in three if name.startswith("seed_"))
    assert not any("seed" in name for name in planned(project))
    done = snakemake(project, "seeds", "-n")  # without `seeds`
    assert done.returncode == 1
    assert "config: seeds: " in done.stdout + done.stderr
