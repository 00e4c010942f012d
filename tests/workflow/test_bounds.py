"""Every number that a user can set has a finite range; other values are refused before any computation."""

import copy
import math

import numpy as np
import pytest
import yaml

from biassay.auditing import arguments
from biassay.auditing.scoring import Settings
from biassay.core import options, registry
from biassay.measurement.entry import measure
from biassay.workflow import config as settings
from biassay.workflow import plugins, schemas, study_metrics
from tests.running import ROOT
from tests.workflow.test_bad_values import DEFAULT, leaves

SCHEMA = yaml.safe_load((ROOT / "config.schema.yaml").read_text("utf-8"))
HUGE = 10**9
REFUSED = pytest.mark.bad_input(
    "values of the configuration: each key × each bad kind",
    "refused at the start; the message names key, value and expected values",
)


def numbers(node, place=()):
    """Yield (place, schema) of every integer and number of the schema."""
    kinds = node.get("type", []) if isinstance(node, dict) else []
    if {"integer", "number"} & {*(kinds if isinstance(kinds, list) else [kinds])}:
        yield place, node
    for key, value in node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ():
        yield from numbers(value, (*place, key))


NUMBERS = [pytest.param(node, id=".".join(map(str, place))) for place, node in numbers(SCHEMA)]


def test_there_are_numbers():
    assert len(NUMBERS) > 80
    assert len(list(declared())) > 40
    assert len(PLACES) > 80


@pytest.mark.parametrize("node", NUMBERS)
def test_every_number_of_the_schema_has_both_bounds(node):
    assert {"minimum", "exclusiveMinimum"} & set(node)
    assert {"maximum", "exclusiveMaximum"} & set(node)


def declared():
    """Yield (name of a plug-in, option) for all numeric options of metrics and embedding algorithms."""
    for kind, functions in (("metrics", ("word_bias", "set_bias", "scores")), ("embeddings", ("train",))):
        for name in registry.names(kind):
            path = registry.find(kind, name)
            for function in functions:
                if f"\ndef {function}(" in path.read_text("utf-8"):
                    for option in options.read_options(path, function).values():
                        if option.kind in ("int", "float"):
                            yield name, option


@pytest.mark.parametrize(("name", "option"), list(declared()), ids=lambda part: getattr(part, "name", part))
def test_every_number_of_a_plug_in_has_both_bounds(name, option):
    low, _, high, _ = option.bounds
    assert math.isfinite(low)
    assert math.isfinite(high)


def with_value(place, value):
    config = copy.deepcopy(DEFAULT)
    parent = config
    for key in place[:-1]:
        parent = parent[key]
    parent[place[-1]] = value
    return config


PLACES = [place for place, value in leaves(DEFAULT) if isinstance(value, int | float) and not isinstance(value, bool)]
ABOVE = {"seed", "tokens", "shift", "x_max", "c", "range"}  # keys of which HUGE is a right value


@REFUSED
@pytest.mark.parametrize("place", PLACES, ids=lambda place: ".".join(map(str, place)))
def test_a_huge_number_is_refused_before_anything_is_computed(place):
    config = with_value(place, HUGE)
    if ABOVE & set(place):
        schemas.check(config, ROOT / "config.schema.yaml")
        return
    if "options" in place:
        with pytest.raises(ValueError, match=str(HUGE)) as caught:
            study_metrics.check_variant("direct_bias_1", config, "intrinsic")
    elif place[0] != "embeddings":  # their options are those of their algorithm
        with pytest.raises(ValueError, match=str(HUGE)) as caught:
            schemas.check(config, ROOT / "config.schema.yaml")
    else:
        with pytest.raises(ValueError, match=str(HUGE)) as caught:
            plugins.check_embedding(place[1], config["embeddings"][place[1]], list(config["counts"]))
    assert ".".join(map(str, place)) in str(caught.value)


@REFUSED
@pytest.mark.parametrize(
    ("place", "value"),
    [
        (("same", "means"), [share / 1000 for share in range(1000)]),
        (("intrinsic", "min_p"), [share / 10_000 for share in range(1000)]),
        (("downstream", "planted", "strengths"), [share / 1000 for share in range(1001)]),
    ],
)
def test_models_without_end_are_refused(place, value):
    config = with_value(place, value)
    parent = config["downstream"]["planted"] if place[0] == "downstream" else config[place[0]]
    parent["repeats"] = 1000
    with pytest.raises(ValueError, match=r"config: [a-z.]+\.repeats: .* 100,000 models") as caught:
        settings.check(config, ROOT / "config.schema.yaml")
    assert f"{'.'.join(place[:-1])}.repeats" in str(caught.value)


@REFUSED
@pytest.mark.parametrize("key", ["permutations", "resamples", "random_words", "seed"])
def test_huge_numbers_of_an_audit_are_refused(key):
    numbers = {"permutations": 19, "resamples": 20, "random_words": 0, "seed": 1}
    arguments.check_settings(Settings(**numbers))
    with pytest.raises(ValueError, match=rf"{key}: expected an integer from .* to .*, got {10**10}"):
        arguments.check_settings(Settings(**numbers | {key: 10**10}))


@REFUSED
@pytest.mark.parametrize(
    ("metric", "option"), [("ripa", "n_pairings"), ("clustering", "n_init"), ("weat_p_value", "permutations")]
)
def test_huge_options_of_a_metric_are_refused(metric, option):
    groups = {} if metric == "clustering" else {"groups": np.eye(2)[:, None]}
    with pytest.raises(ValueError, match=rf"{metric}: {option}: expected an integer from 1 to .*, got {HUGE}"):
        measure(metric, targets=np.eye(2), labels=[0, 1], **groups, **{option: HUGE})
