"""The two groups that are compared, chosen by what was planted: by hand."""

import pandas as pd
import pytest

from biassay.studies.silhouette import group_selection
from biassay.words.target_lists import Lists

GROUPS = {"north": ["n"], "east": ["e"], "south": ["s"]}
CONCEPTS = {"good": ["kind", "wise"], "bad": ["rude", "unheard"]}
LISTS = Lists(GROUPS, CONCEPTS, False, True)


def ground_truth(**probabilities):
    """One row per word and group; kind, wise and rude, and a word that is no target."""
    table = pd.DataFrame(probabilities, index=["kind", "wise", "rude", "nurse"])
    return table.melt(var_name="group", value_name="probability", ignore_index=False).rename_axis("word").reset_index()


PLANTED = {"north": (0.5, 0.3, 0.2, 1), "east": (0.1, 0.1, 0.3, 0), "south": (0.4, 0.6, 0.5, 0), "west": (1, 1, 0, 0)}


def test_leanings_by_hand():
    """(.5 + .3)/2 − .2, .1 − .3 and .5 − .5; the word that is no target and the group not asked for are out."""
    found = group_selection.measure_leanings(LISTS, ground_truth(**PLANTED))
    assert found.to_dict() == pytest.approx({"north": 0.2, "east": -0.2, "south": 0.0})


def test_the_two_that_lean_most_differently_in_the_order_of_the_file():
    chosen = group_selection.select_groups(LISTS, ground_truth(**PLANTED))
    assert list(chosen.groups.items()) == [("north", ["n"]), ("east", ["e"])]
    turned = group_selection.select_groups(LISTS, ground_truth(**PLANTED | {"south": (0.9, 0.9, 0, 0)}))
    assert list(turned.groups) == ["east", "south"]
    assert not turned.choose


def test_groups_of_which_nothing_or_no_difference_is_planted():
    with pytest.raises(ValueError, match=r"nothing is planted for the group 'south' .* has the groups north, east"):
        group_selection.measure_leanings(LISTS, ground_truth(north=PLANTED["north"], east=PLANTED["east"]))
    alike = dict.fromkeys(GROUPS, (0.3, 0.3, 0.3, 0.3))
    with pytest.raises(ValueError, match="same planted probabilities"):
        group_selection.select_groups(LISTS, ground_truth(**alike))
