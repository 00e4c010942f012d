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


def test_a_further_seed_reads_its_own_embeddings(project):
    study = {"corpora": ["biased"], "embeddings": ["pmi"], "retrained": []}
    table = "results/seeds/5/reliability/frequency.csv"
    done = snakemake(project, table, config={"seeds": [1, 5], "reliability": study})
    assert done.returncode == 0, done.stderr
    assert not (project / "results/embeddings/biased/pmi").exists()


def test_a_download_belongs_to_all_seeds(project):
    pairs = {"source": "crows", "url": "https://x.org/crows.csv", "checksum": "unknown"}
    changed = {"seeds": [1, 5], "downstream": {"pairs": ["mine"], "pair_sets": {"mine": pairs}}}
    tables = [f"results/{folder}downstream/pairs/mine.csv" for folder in ("", "seeds/5/")]
    assert planned(project, *tables, config=changed)["download_file"] == 1


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
