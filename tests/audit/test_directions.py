"""The group that a sign points to, for every signed metric, on vectors with planted associations."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from biassay.auditing import pictures, ranking, scoring, sections
from biassay.auditing.bound_metrics import NotApplicable, bind
from biassay.auditing.entry import audit
from biassay.auditing.questions import SIDES
from biassay.core import registry
from biassay.measurement import metric as metrics
from biassay.measurement.metric import Level, Metric
from tests.audit.conftest import QUICK
from tests.audit.example_vectors import question, used, vectors
from tests.audit.test_chance import bound

DECLARED = {name: metrics.load(name).METRIC for name in registry.names("metrics")}
OF_WORDS = [name for name, declared in DECLARED.items() if declared.takes == "vectors" and declared.word
            and not declared.word.labels]  # fmt: skip


def planted(example, **moves):
    """Vectors whose lists are moved along the first axis, with her words at 1 and his at −1."""
    source, moves = vectors(example, 0.0, seed=7), moves | {"her": 1.0, "his": -1.0}
    rows = {word: 0.1 * rows for word, rows in source.rows.items()}
    for name, words in (example.groups | example.targets).items():
        for word in words:
            rows[word][..., 0] += moves[name]
    return replace(source, rows=rows)


@pytest.mark.parametrize("name", DECLARED)
@pytest.mark.parametrize("group", ["her", "his"])
def test_the_group_that_a_signed_value_names_is_the_nearer_one(name, group):
    example = question(paired=True)
    sign = 1 if group == "her" else -1
    together, opposed = (planted(example, care=sign * 0.5, craft=craft * sign * 0.3) for craft in (1, -1))
    try:
        ask = bound(name, example, together)
    except NotApplicable:
        return
    is_signed, expected = ask.range.signed, f"towards {group}"
    if ask.is_labelled:
        ask, is_signed, expected = bound(name, example, opposed), is_signed and ask.references, f"{group} nearer care"
    direction = scoring.describe_direction(ask, used(example, together), ask.value())
    assert direction == (expected if is_signed else "")


@pytest.mark.parametrize("towards_second", [False, True])
def test_a_difference_of_lists_points_to_the_group_of_the_single_words(towards_second):
    example, sign = question(), -1 if towards_second else 1
    source = planted(example, care=0.5, craft=-0.5)
    lists = {side: [source.stack(words) for words in used(example, source).side(side).values()] for side in SIDES}
    declared = Metric("", "", towards_second=towards_second, word=Level(-1.0, 1.0, signed=True))
    own = SimpleNamespace(METRIC=declared, word_bias=lambda targets, groups: sign * targets[:, 0], __name__="own")
    ask = bind(own, example, lists)
    assert scoring.describe_direction(ask, used(example, source), ask.value()) == "her nearer care"


@pytest.mark.parametrize("name", OF_WORDS)
def test_words_are_ranked_from_the_first_group_to_the_other(name):
    example = question(paired=True)
    source = planted(example, care=0.0, craft=0.0)
    words = [word for of_list in example.targets.values() for word in of_list]
    for number, word in enumerate(words):
        source.rows[word][..., 0] = 0.75 - 0.1 * number  # none at 0
        source.rows[word][..., 1:] = 0.0
        source.rows[word][..., 1] = 0.5
    ranked = ranking.rank_words(used(example, source), source, name)
    assert ranked["rank"].tolist() == list(range(1, 17))
    declared = DECLARED[name].range("word", 2)
    if declared.signed:
        assert ranked["word"].tolist() == words
        assert ranked["nearer_group"].tolist() == ["her"] * 8 + ["his"] * 8
    else:
        assert set(ranked["nearer_group"]) == {""}
        assert (ranked["value"] - (declared.b_0 or 0)).abs().is_monotonic_decreasing


def test_words_are_shown_by_their_distance_from_b_0(files, tmp_path):
    own = tmp_path / "half.py"
    own.write_text(
        "from biassay import Level, Metric, same\n"
        "METRIC = Metric(summary='half', source='mine', word=Level(0.0, 1.0, b_0=0.5, signed=True))\n"
        "def word_bias(targets, groups):\n    return (1 + same.word_bias(targets, groups)) / 2\n"
    )
    options = {"tests": [str(files[2])], "metrics": ["weat"], "board": False} | QUICK
    moved, plain = (
        sections.list_sections(audit(files[0], rank_by=ranked_by, **options))["ours"][0]
        for ranked_by in (str(own), "same")
    )
    assert set(moved.words["b_0"]) == {0.5}
    shown = [{group: words["word"].tolist() for group, words in one.farthest_words(3, True)} for one in (moved, plain)]
    assert shown[0] == shown[1]
    drawn = [pictures.word_strips(one) for one in (moved, plain)]
    assert drawn[0]["neutral"] == drawn[1]["neutral"] == 170.0
    assert [[x for x, *_ in strip["dots"]] for strip in drawn[0]["strips"]] == [
        [x for x, *_ in strip["dots"]] for strip in drawn[1]["strips"]
    ]


def test_a_word_that_leans_to_no_group_names_none():
    example = question(groups=2, targets=2)
    source = planted(example, care=0.5, craft=-0.5)
    axes = np.eye(12)
    for sign, words in zip((1, -1), example.groups.values(), strict=True):
        source.rows.update({word: sign * axes[:1] for word in words})
    source.rows.update(crafta=0 * axes[:1], craftb=axes[1:2])  # undefined, and as near to both
    ranked = ranking.rank_words(used(example, source), source, "weat").set_index("word")
    assert ranked["nearer_group"].to_dict() == {"carea": "her", "careb": "her", "craftb": "", "crafta": ""}
