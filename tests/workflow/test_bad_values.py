"""Every value of the configuration, replaced by bad values: refused at the start, and named."""

import copy
import math

import pytest

from biassay.core import options, registry
from biassay.workflow import preparation
from biassay.workflow.configuration import Configuration
from tests.running import ROOT
from tests.workflow.changes import DEFAULT, changed

WRONG = {
    bool: ["true", 1],
    int: [math.nan, "3", True, 2.5, -1_000_000],
    float: [math.inf, "three", True, -1_000_000, [1]],
    str: [1, True, {"a": 1}],
    type(None): [True, {"a": 1}],
}
FRACTIONS = {"x_max", "shift", "range"}  # whole in the default


def leaves(node, place=()):
    """(place, value) of every plain value of the configuration, of a list the first."""
    items = node.items() if isinstance(node, dict) else enumerate(node[:1]) if isinstance(node, list) else ()
    for key, value in items:
        if isinstance(value, dict | list) and value:
            yield from leaves(value, (*place, key))
        elif not isinstance(value, dict | list):
            yield (*place, key), value


PLACES = {".".join(map(str, place)): (place, value) for place, value in leaves(DEFAULT)}


@pytest.mark.parametrize("name", PLACES)
def test_a_bad_value_is_refused_and_named(name):
    (*parents, last), value = PLACES[name]
    config = copy.deepcopy(DEFAULT)
    parent = config
    for key in parents:
        parent = parent[key]
    for bad in WRONG[float if FRACTIONS & {*parents, last} else type(value)]:
        if bad == -1_000_000 and "range" in parents:
            continue
        parent[last] = bad
        with pytest.raises(ValueError, match="config: ") as caught:
            preparation.check(copy.deepcopy(config), ROOT)
        assert ".".join(map(str, parents)) in str(caught.value), bad


@pytest.mark.parametrize("name", [2024, None, "a b", "", "../x", "{x}", "a.b", "x\n"])
def test_bad_names_are_refused(name):
    for key in ("corpora", "counts", "embeddings", "language_models", "own_metrics", "reference_pairs"):
        config = copy.deepcopy(DEFAULT)
        config[key][name] = next(iter(config[key].values()), "mine.py")
        with pytest.raises(ValueError, match=f"config: .*{key}"):
            preparation.validate(config)


@pytest.mark.parametrize("key", [key for key, value in DEFAULT.items() if isinstance(value, dict)])
def test_bad_sections_are_refused(key):
    for value in (None, [], {1: 2}):
        with pytest.raises(ValueError, match=f"config: .*{key}"):
            preparation.check(changed({key: value}), ROOT)


def numbers(node, place=()):
    """Yield (place, schema) of every integer and number of the JSON schema."""
    if isinstance(node, dict) and node.get("type") in ("integer", "number"):
        yield ".".join(map(str, place)), node
    for key, value in node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ():
        yield from numbers(value, (*place, key))


def test_every_number_has_both_bounds():
    schema = dict(numbers(Configuration.model_json_schema()))
    assert len(schema) > 80
    for place, node in schema.items():
        assert {"minimum", "exclusiveMinimum"} & set(node), place
        assert {"maximum", "exclusiveMaximum"} & set(node), place


@pytest.mark.parametrize(("kind", "name"), [(kind, name) for kind in registry.KINDS for name in registry.names(kind)])
def test_every_option_of_a_plug_in_has_a_type_and_both_bounds(kind, name):
    path = registry.find(kind, name)
    for function in ("train", "word_bias", "set_bias", "scores"):
        declared = options.read_options(path, function) if f"\ndef {function}(" in path.read_text("utf-8") else {}
        for option in declared.values():
            low, _, high, _ = option.bounds
            assert option.kind != "any", option
            assert option.kind not in ("int", "float") or (math.isfinite(low) and math.isfinite(high)), option


def test_models_without_end_are_refused():
    for study, key in (("same", "means"), ("intrinsic", "min_p"), ("downstream.planted", "strengths")):
        many = {key: [number / 10_000 for number in range(1001)], "repeats": 1000}
        with pytest.raises(ValueError, match=rf"config: {study}\.repeats: .* 100,000 models"):
            preparation.check(changed(many, study), ROOT)
