"""Bad names, and grids of too many models."""

import copy

import pytest

from biassay.workflow import preparation
from tests.running import ROOT
from tests.workflow.changes import DEFAULT, changed


@pytest.mark.parametrize("name", [2024, None, "a b", "", "../x", "{x}", "a.b", "x\n"])
def test_bad_names_are_refused(name):
    config, keys = copy.deepcopy(DEFAULT), ("corpora", "counts", "embeddings", "language_models", "reference_pairs")
    for key in keys:
        config[key][name] = next(iter(config[key].values()))
    config["own_metrics"][name] = str(ROOT / "biassay/metrics/mac.py")
    with pytest.raises(ValueError, match="config: ") as caught:
        preparation.check(config, ROOT)
    assert all(f"config: {key}" in str(caught.value) for key in (*keys, "own_metrics"))


def test_models_without_end_are_refused():
    for study, key in (("same", "means"), ("intrinsic", "min_p"), ("downstream.planted", "strengths")):
        many = {key: [number / 10_000 for number in range(1001)], "repeats": 1000}
        with pytest.raises(ValueError, match=rf"config: {study}\.repeats: .* 100,000 models"):
            preparation.check(changed(many, study), ROOT)
