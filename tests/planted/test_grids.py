"""Grids of models with planted bias, and the training jobs of their models."""

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biassay.language_models.planted import grids
from biassay.statistics.seeds import seed_of
from biassay.workflow import config

COUNTS, CHUNKS = st.integers(1, 3), st.integers(1, 12)


def jobs_of(means, spreads, repeats, chunk):
    """Training jobs of a grid with these numbers of means, spreads and repeats."""
    grid = {"means": [i / 10 for i in range(means)], "spreads": [0.1 + i / 10 for i in range(spreads)]}
    return config.training_jobs({"same": grid | {"repeats": repeats, "chunk": chunk}, "seed": 3}, "same")


@settings(max_examples=40)
@given(COUNTS, COUNTS, COUNTS, CHUNKS)
def test_each_model_is_in_one_job_and_jobs_are_few(means, spreads, repeats, chunk):
    jobs, n = jobs_of(means, spreads, repeats, chunk), means * spreads
    assert max(map(len, jobs.values())) <= chunk
    seeds = [model["seed"] for models in jobs.values() for model in models]
    assert len(set(seeds)) == len(seeds) == n * repeats
    assert len(jobs) == -(-repeats // max(1, chunk // n)) * -(-n // chunk)


@settings(max_examples=40)
@given(COUNTS, COUNTS, COUNTS, COUNTS, CHUNKS)
def test_more_repeats_leave_full_jobs_as_they_are(means, spreads, repeats, more, chunk):
    old, new = (jobs_of(means, spreads, n, chunk) for n in (repeats, repeats + more))
    kept = sum(len(models) for job, models in old.items() if new[job] == models)
    assert kept == means * spreads * (repeats - repeats % max(1, chunk // (means * spreads)))


@settings(max_examples=40)
@given(COUNTS, COUNTS, COUNTS, CHUNKS)
def test_a_value_appended_to_the_longest_list_leaves_full_jobs_as_they_are(means, spreads, repeats, chunk):
    old = jobs_of(means, spreads, repeats, chunk)
    new = jobs_of(means + (means >= spreads), spreads + (means < spreads), repeats, chunk)
    if means * spreads >= chunk:  # a job has models of one repeat
        assert all(new[job] == models for job, models in old.items() if len(models) == chunk)


def test_places_and_jobs_of_a_grid_and_of_detection():
    detection = {"min_p": 0, "max_p": 1, "strengths": [0, 1], "repeats": 2}
    table = grids.plan_several([0, 1], [2, 3], 2, detection, 3, seed=1)
    assert list(table) == ["model", *grids.COLUMNS, "chunk", "place"]
    assert table["model"].tolist() == list(range(12))
    assert table["distribution"].tolist() == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]
    assert table["chunk"].tolist() == [
        *["grid_0_0", "grid_1_0"] * 3, "grid_0_1", "grid_1_1", *["detection_0_0", "detection_1_0"] * 2
    ]  # fmt: skip
    assert table["place"].tolist() == [0, 0, 1, 1, 2, 2, 0, 0, 0, 0, 1, 1]
    assert grids.plan_normal([0.1, 0.2], [0.1], 3, 4, seed=1)["place"].tolist() == [0, 2, 0, 1, 3, 1]
    none = grids.plan_several([0, 1], [2, 3], 2, detection | {"strengths": []}, 3, seed=1)
    pd.testing.assert_frame_equal(none, table[:8])


def test_what_training_depends_on():
    study = {"min_p": [0, 0.2], "max_p": [1], "repeats": 1, "chunk": 2,
             "detection": {"min_p": 0, "max_p": 1, "strengths": [0], "repeats": 1}}  # fmt: skip
    jobs = config.training_jobs({"intrinsic": study, "seed": 5}, "intrinsic")
    assert {job: [list(model.values()) for model in models] for job, models in jobs.items()} == {
        "grid_0_0": [["grid", low / 10_000, 1.0, 1.0, seed_of(5, 12, low, 10_000, 10_000, 1, 0)] for low in (0, 2000)],
        "detection_0_0": [["detection", 0.0, 1.0, 0.0, seed_of(5, 12, 0, 10_000, 0, 0, 0)]],
    }
    alone = config.training_jobs({"intrinsic": study | {"min_p": [0]}, "seed": 5}, "intrinsic")
    assert repr(alone["grid_0_0"]) == repr(jobs["grid_0_0"][:1])  # of whole numbers only


def test_a_part_of_a_grid_has_the_data_of_the_whole():
    key = ["min_p", "max_p", "repeat", "seed"]
    whole = grids.grid((0.1, 0.15, 0.2), (0.8, 0.9), 3, seed=3)
    part = grids.grid((0.2, 0.1), (0.9,), 2, seed=3)
    assert len(pd.merge(part[key], whole[key])) == len(part) == 4
    assert not set(grids.grid((0.1,), (0.8,), 3, seed=4)["seed"]) & set(whole["seed"])


def test_models_by_strength():
    found = grids.detection_grid(0.1, 0.9, (0, 0.25, 1), 3, seed=3, first=16)
    assert found["distribution"].tolist() == [16, 16, 16, 17, 17, 17, 18, 18, 18]
    assert found["strength"].tolist() == [0.0] * 3 + [0.25] * 3 + [1.0] * 3
    assert found["seed"].tolist() == [seed_of(3, 12, 1000, 9000, s, 0, i) for s in (0, 2500, 10000) for i in range(3)]


def test_a_normal_grid_row_by_row():
    found = grids.plan_normal([0.4, 0.55], [0.1, 0.2, 0.3], 2, chunk=4, seed=9)
    assert list(found) == ["model", "distribution", "mean", "spread", "repeat", "seed", "chunk", "place"]
    for number, row in enumerate(found.to_dict("records")):
        mean, spread, repeat = number // 6, number // 2 % 3, number % 2
        assert (row["model"], row["distribution"], row["repeat"]) == (number, 3 * mean + spread, repeat)
        assert (row["mean"], row["spread"]) == ([0.4, 0.55][mean], [0.1, 0.2, 0.3][spread])
        assert row["seed"] == seed_of(9, 2, [4000, 5500][mean], [1000, 2000, 3000][spread], repeat)


def test_values_that_are_equal_in_seeds_are_an_error():
    assert len(grids.plan_normal([0.5, 0.5001], [0.1], 1, 4, seed=0)) == 2
    with pytest.raises(ValueError, match="means, spreads: "):
        grids.plan_normal([0.5, 0.50001], [0.1], 1, 4, seed=1)
    with pytest.raises(ValueError, match="min_p, max_p: "):
        grids.grid((0.1, 0.10001), (0.9,), 1, seed=1)
    with pytest.raises(ValueError, match="strengths: "):
        grids.detection_grid(0.1, 0.9, (0, 0.00001), 1, seed=1, first=0)
