"""What holds for every value of the configuration and for every option of a plug-in, and bad names and sections."""

import copy
import math

import pytest

from biassay.core import options, registry
from biassay.measurement import evaluation
from biassay.workflow import preparation
from biassay.workflow.configuration import Configuration
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


SCHEMA = Configuration.model_json_schema()
TYPES = {"type", "$ref", "enum", "const", "anyOf", "oneOf"}


def values(node, place):
    """Yield (place, schema) of a node of the JSON schema and of all values below it; "$ref" is not followed."""
    yield place, node
    children = node.get("properties", {}) | {key: node.get(key) for key in ("items", "additionalProperties")}
    children |= dict(enumerate(node.get("anyOf", node.get("oneOf", []))))
    for key, child in children.items():
        if isinstance(child, dict):
            yield from values(child, f"{place}.{key}")


VALUES = dict(pair for name, section in (SCHEMA["$defs"] | {"": SCHEMA}).items() for pair in values(section, name))


def test_every_value_has_a_type_and_sections_have_no_other_keys():
    assert len(VALUES) > 300
    assert [place for place, node in VALUES.items() if not TYPES & set(node)] == []
    sections = {place: node["additionalProperties"] for place, node in VALUES.items() if "properties" in node}
    assert [place for place, others in sections.items() if others is not False] == ["Embedding"]  # options of plug-ins


def test_every_number_has_both_bounds():
    numbers = {place: node for place, node in VALUES.items() if node.get("type") in ("integer", "number")}
    assert len(numbers) > 80
    for place, node in numbers.items():
        assert {"minimum", "exclusiveMinimum"} & set(node), place
        assert {"maximum", "exclusiveMaximum"} & set(node), place


@pytest.mark.parametrize(("kind", "name"), [(kind, name) for kind in registry.KINDS for name in registry.names(kind)])
def test_every_option_of_a_plug_in_has_a_type_and_both_bounds(kind, name):
    module = registry.load(kind, name)
    declared = options.read(module.train) if kind == "embeddings" else evaluation.read_options(module)
    for option in declared.values():
        low, _, high, _ = option.bounds
        assert option.kind != "any", option
        assert option.kind not in ("int", "float") or (math.isfinite(low) and math.isfinite(high)), option


def test_models_without_end_are_refused():
    for study, key in (("same", "means"), ("intrinsic", "min_p"), ("downstream.planted", "strengths")):
        many = {key: [number / 10_000 for number in range(1001)], "repeats": 1000}
        with pytest.raises(ValueError, match=rf"config: {study}\.repeats: .* 100,000 models"):
            preparation.check(changed(many, study), ROOT)
