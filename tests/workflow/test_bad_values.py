"""Every value of the configuration, each replaced by every kind of bad value: refused at the start, and named."""

import copy
import math

import numpy as np
import pytest

from biassay.core import options, registry
from biassay.measurement.entry import measure
from biassay.workflow import preparation
from biassay.workflow.studies import Configuration
from tests.running import ROOT
from tests.workflow.changes import DEFAULT, changed

REFUSED = "refused at the start; the message names key, value and expected values"
HUGE = 10**9
BAD = {
    "not a number": float("nan"),
    "infinity": float("inf"),
    "a text": "three",
    "a text of a number": "3",
    "true": True,
    "a whole number with a point": 2.0,
    "a fraction": 2.5,
    "below any range": -1_000_000,
    "huge": HUGE,
    "a list": [[1]],
    "a mapping": {"a": 1},
    "nothing": None,
}
FINE = {
    bool: {"true"},
    int: set(),
    float: {"a whole number with a point", "a fraction"},
    str: {"a text", "a text of a number"},
    type(None): {"nothing", "a text", "a text of a number"},
}
FRACTIONS = ("x_max", "shift", "range")  # whole in the default
EMPTY = {"range", "n_occupations", "n_templates", "label_sentences", "n_directions"}  # may be null
LARGE = {"seed", "tokens", "shift", "x_max", "c", "range"}  # of which HUGE is a valid value


def leaves(node, place=()):
    """(place, value) of every plain value of the configuration, of a list the first."""
    items = node.items() if isinstance(node, dict) else enumerate(node[:1]) if isinstance(node, list) else ()
    for key, value in items:
        if isinstance(value, dict | list) and value:
            yield from leaves(value, (*place, key))
        elif not isinstance(value, dict | list):
            yield (*place, key), value


def is_bad(kind, place, value):
    keys, is_fraction = set(place), any(key in place for key in FRACTIONS)
    return not (
        kind in FINE[float if is_fraction else type(value)]
        or (kind == "nothing" and keys & EMPTY)
        or (kind == "huge" and keys & LARGE)
        or (kind == "below any range" and "range" in keys)
    )


PLACES = {".".join(map(str, place)): (place, value) for place, value in leaves(DEFAULT)}


@pytest.mark.parametrize("name", PLACES)
def test_a_bad_value_is_refused_and_named(name):
    place, value = PLACES[name]
    config = copy.deepcopy(DEFAULT)
    parent = config
    for key in place[:-1]:
        parent = parent[key]
    for kind in (kind for kind in BAD if is_bad(kind, place, value)):
        parent[place[-1]] = BAD[kind]
        with pytest.raises(ValueError, match="config: ") as caught:
            preparation.check(copy.deepcopy(config), ROOT)
        keys = [".".join(map(str, place[:length])) for length in (len(place), len(place) - 1)]
        assert any(key in str(caught.value) for key in keys if key), (kind, str(caught.value))


@pytest.mark.parametrize("name", [2024, True, 1.5, None, "a b", "", "ü", "../x", "{x}", "a/b", "a.b", "x\n", "x_"])
@pytest.mark.parametrize(
    "key", ["corpora", "counts", "embeddings", "language_models", "own_metrics", "reference_pairs"]
)
def test_bad_names_are_refused(key, name):
    config = copy.deepcopy(DEFAULT)
    config[key][name] = next(iter(config[key].values()), "mine.py")
    with pytest.raises(ValueError, match=f"config: .*{key}"):
        preparation.validate(config)


@pytest.mark.parametrize("value", [None, [], {1: 2}, {"biased": {"source": "text"}}])
@pytest.mark.parametrize("key", [key for key, value in DEFAULT.items() if isinstance(value, dict)])
def test_bad_sections_are_refused(key, value):
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
    unbounded = [
        place
        for place, node in schema.items()
        if not ({"minimum", "exclusiveMinimum"} & set(node) and {"maximum", "exclusiveMaximum"} & set(node))
    ]
    assert not unbounded


def functions():
    kinds = {"embeddings": ["train"], "metrics": ["word_bias", "set_bias", "scores"]}
    for kind, names in kinds.items():
        for name in registry.names(kind):
            path = registry.find(kind, name)
            yield from ((path, function) for function in names if f"\ndef {function}(" in path.read_text("utf-8"))


@pytest.mark.parametrize(("path", "function"), list(functions()), ids=lambda part: getattr(part, "stem", part))
def test_every_option_of_a_plug_in_has_a_type_and_both_bounds(path, function):
    for name, option in options.read_options(path, function).items():
        assert option.kind != "any", name
        low, _, high, _ = option.bounds
        assert option.kind not in ("int", "float") or (math.isfinite(low) and math.isfinite(high)), name


@pytest.mark.parametrize(
    ("study", "changes"),
    [
        ("same", {"means": [share / 1000 for share in range(1000)], "repeats": 1000}),
        ("intrinsic", {"min_p": [share / 10_000 for share in range(1000)], "repeats": 1000}),
        ("downstream.planted", {"strengths": [share / 1000 for share in range(1001)], "repeats": 1000}),
    ],
)
def test_models_without_end_are_refused(study, changes):
    with pytest.raises(ValueError, match=rf"config: {study}\.repeats: .* 100,000 models"):
        preparation.check(changed(changes, study), ROOT)


@pytest.mark.parametrize(
    ("metric", "option"), [("ripa", "n_pairings"), ("clustering", "n_init"), ("weat_p_value", "permutations")]
)
def test_huge_options_of_a_metric_are_refused(metric, option):
    groups = {} if metric == "clustering" else {"groups": np.eye(2)[:, None]}
    with pytest.raises(ValueError, match=rf"{metric}: {option}: expected an integer from 1 to .*, got {HUGE}"):
        measure(metric, targets=np.eye(2), labels=[0, 1], **groups, **{option: HUGE})
