"""What every metric declares, and the defaults of its options, against what papers say."""

import inspect
import re

import pytest

from biassay.core import registry
from biassay.measurement import metric as metrics

COSINES, SHARE, SIGNED_SHARE = (-2, 2, 0, True), (0, 1, 0, False), (-1, 1, 0, True)
SIGNED, LENGTH = (None, None, 0, True), (0, None, 0, False)
PAIRS_WON = (0, 1, 0.5, False)
DIVERGENCE = {n: (0, pytest.approx(most, abs=1e-6), 0, False) for n, most in ((2, 0.215762), (5, 0.422810))}
# b_min, b_max, b_0 and whether the sign names a group; of two groups (or labels), and of three where they differ
RANGES = {
    ("aul", "word"): SIGNED,
    ("aul", "set"): PAIRS_WON,
    ("classification", "set"): {2: (0, 1, 1 / 2, False), 4: (0, 1, 1 / 4, False)},
    ("clustering", "set"): (0.5, 1, 0.5, False),
    ("direct_bias", "word"): SHARE,
    ("direct_bias", "set"): SHARE,
    ("ect", "set"): (0, 2, 0, False),
    ("first_order", "word"): SIGNED,
    ("gweat", "set"): {2: SIGNED, 3: (None, None, 0, False)},
    ("log_likelihood", "word"): SIGNED,
    ("log_likelihood", "set"): PAIRS_WON,
    ("lpbs", "word"): SIGNED,
    ("lpbs", "set"): SIGNED,
    ("mac", "word"): (0, 2, 1, False),
    ("mac", "set"): (0, 2, 1, False),
    ("neighbours", "word"): (0, 1, None, False),
    ("neighbours", "set"): (0, 1, None, False),
    ("pll", "word"): SIGNED,
    ("pll", "set"): PAIRS_WON,
    ("ripa", "word"): {2: SIGNED, 3: LENGTH},
    ("ripa", "set"): LENGTH,
    ("rnd", "word"): SIGNED,
    ("rnd", "set"): SIGNED,
    ("rnsb", "set"): SHARE,
    ("same", "word"): {2: SIGNED_SHARE, 3: SHARE},
    ("same", "set"): SHARE,
    ("same_skew", "set"): {2: SIGNED_SHARE, 3: SHARE},
    ("same_stereotype", "set"): SHARE,
    ("second_order_cosine", "word"): COSINES,
    ("second_order_nnd", "word"): COSINES,
    ("tpr_gap", "word"): {2: SIGNED_SHARE, 3: (0, 2 / 9, 0, False), 4: (0, 1 / 4, 0, False)},
    ("tpr_gap", "set"): {2: SHARE, 3: (0, 2 / 9, 0, False), 5: (0, 6 / 25, 0, False)},
    ("unmasking", "word"): DIVERGENCE,
    ("unmasking", "set"): DIVERGENCE,
    ("weat", "word"): COSINES,
    ("weat", "set"): COSINES,
    ("weat_p_value", "set"): (0, 1, None, False),
}

ANY_GROUPS = {
    "direct_bias",
    "gweat",
    "mac",
    "ripa",
    "rnsb",
    "same",
    "same_skew",
    "same_stereotype",
    "tpr_gap",
    "unmasking",
}
LABEL_BASED = {"classification", "clustering", "neighbours"}
CLASSES = {  # different labels at the least and at the most, for four groups
    ("classification", "set"): (2, None),
    ("clustering", "set"): (2, 2),
    ("gweat", "set"): (4, 4),
    ("neighbours", "word"): (2, None),
    ("neighbours", "set"): (2, None),
    ("rnsb", "set"): (2, 2),
    ("weat", "set"): (2, 2),
    ("weat_p_value", "set"): (2, 2),
}
# groups whose lengths count: means of raw vectors, RIPA's targets and RNSB's classifier
LENGTHS_COUNT = {"ect", "ripa", "rnsb", "second_order_cosine", "second_order_nnd"}
AGGREGATES = {
    **dict.fromkeys(("direct_bias", "mac", "neighbours", "rnd", "lpbs", "unmasking"), "mean"),
    **dict.fromkeys(("ripa", "same", "tpr_gap"), "mean of absolute values"),
}
DEFAULTS = {
    "classification": {"n_folds": 5, "c": 1, "balanced": False, "seed": 1},
    "clustering": {"n_init": 10, "seed": 1},
    "direct_bias": {"n_directions": None, "c": 1, "n_pairings": None, "seed": 1},
    "ect": {"raw": False},
    "log_likelihood": {"per": "sentence"},
    "lpbs": {"targets": None, "multi_token": "raise"},
    "neighbours": {"n_neighbors": 100},
    "ripa": {"direction": "component", "n_pairings": None, "seed": 1},
    "rnsb": {"per_word": False, "c": 1},
    "same_skew": {"contrast": "pairwise"},
    "same_stereotype": {"contrast": "pairwise"},
    "tpr_gap": {"spread": "variance"},
    "unmasking": {"multi_token": "raise"},
    "weat": {"ddof": 0},
    "weat_p_value": {
        "alternative": "greater", "strict": False, "max_exact_words": 32, "permutations": 10_000, "seed": 1,
    },
}  # fmt: skip
KINDS = {
    **dict.fromkeys(("aul", "lpbs"), ("masked", "causal")),
    **dict.fromkeys(("pll", "unmasking"), ("masked",)),
    "log_likelihood": ("causal",),
}
FUNCTIONS = (
    "scores",
    "word_bias",
    "set_bias",
    "by_contrast",
    "set_bias_by_pairing",
    "negativity",
    "set_bias_growing_targets",
    "set_bias_growing_groups",
)
MODULES = {name: metrics.load(name) for name in registry.names("metrics")}


@pytest.mark.parametrize(("name", "level"), RANGES)
def test_ranges(name, level):
    expected = RANGES[name, level]
    for n, bounds in (expected if isinstance(expected, dict) else dict.fromkeys((2, 3), expected)).items():
        assert MODULES[name].METRIC.range(level, n) == bounds


def test_every_level_is_in_the_table():
    levels = [(name, level) for name, module in MODULES.items() for level in module.METRIC.levels]
    assert sorted(levels) == sorted(RANGES)


@pytest.mark.parametrize("name", MODULES)
def test_its_papers_and_when_not_to_use_it(name):
    declared = MODULES[name].METRIC
    assert declared.cite
    assert all(re.fullmatch(r"[a-z]+\d{4}", key) for key in declared.cite)
    assert 60 < len(declared.avoid) < 320
    assert declared.avoid.endswith((".", "!"))
    years = set(re.findall(r"\b(?:19|20)\d\d\b", declared.source))
    assert years <= {key[-4:] for key in declared.cite}, "a paper of its source is not cited"


def test_keys_of_papers_are_author_and_year():
    with pytest.raises(ValueError, match=r"METRIC.cite: .*got 'Caliskan et al.\'"):
        metrics.Metric("s", "mine", cite=("Caliskan et al.",), set=metrics.Level(0, 1))


@pytest.mark.parametrize("name", MODULES)
def test_what_a_metric_takes_and_does(name):
    declared = MODULES[name].METRIC
    groups = (0, 0) if name in LABEL_BASED else (2, None) if name in ANY_GROUPS else (2, 2)
    assert declared.groups == ((1, None) if name == "mac" else groups)
    others = {"first_order": "associations", "tpr_gap": "predictions"} | dict.fromkeys(KINDS, "language_model")
    assert declared.takes == others.get(name, "vectors")
    assert declared.models == KINDS.get(name, ("masked",))
    assert declared.counterpart == {"pll": "log_likelihood", "log_likelihood": "pll"}.get(name, "")
    assert declared.scale_invariant == (name not in LENGTHS_COUNT)
    assert declared.paired == (name in ("direct_bias", "ripa"))
    assert declared.aggregate == AGGREGATES.get(name)
    assert declared.scored == ("groups" if name in ("gweat", "weat", "weat_p_value") else "targets")
    for level, of_level in declared.levels.items():
        assert of_level.labels == ((name, level) in CLASSES)
        if of_level.labels:
            assert declared.n_labels(level, 4) == CLASSES[name, level]


@pytest.mark.parametrize("name", MODULES)
def test_defaults_of_the_options(name):
    """What a call without options measures: another default would change everyone's values."""
    found = [getattr(MODULES[name], function) for function in FUNCTIONS if hasattr(MODULES[name], function)]
    options = [item for function in found for item in inspect.signature(function).parameters.values()]
    for item in options:
        if item.kind == item.KEYWORD_ONLY:
            assert item.default == DEFAULTS[name][item.name]
    assert {item.name for item in options if item.kind == item.KEYWORD_ONLY} == set(DEFAULTS.get(name, ()))
