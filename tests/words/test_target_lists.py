"""Word lists of the silhouette study: those shipped, and errors about bad ones."""

from pathlib import Path

import numpy as np
import pytest

from biassay.corpora import associations
from biassay.studies.silhouette import group_selection
from biassay.words import files, resources
from biassay.words import target_lists as lists

FOLDER = Path("resources/words/silhouette")
GENERATED = Path("resources/words/silhouette_generated")
STATISTICS = [Path(f"resources/statistics/{name}.csv") for name in ("labor", "census")]


@pytest.mark.parametrize(
    ("kind", "groups", "targets"),
    [
        ("ethnicity", {"european_american": 82, "african_american": 80}, {"positive": 2006, "negative": 4783}),
        ("gender", {"female": 39, "male": 39}, {"female": 66, "male": 224}),
        ("religion", {"christianity": 17, "islam": 19}, {"positive": 2006, "negative": 4783}),
    ],
)
def test_the_papers_lists(kind, groups, targets):
    found = lists.read(FOLDER / f"{kind}.yaml")
    assert [(name, len(words)) for name, words in found.groups.items()] == list(groups.items())
    assert [(name, len(words)) for name, words in found.targets.items()] == list(targets.items())
    assert found.paired == (kind == "gender")


@pytest.mark.parametrize(
    ("kind", "seed", "expected"),
    [("ethnicity", 1, ["african", "european"]), ("religion", 1, ["christian", "buddhist"]), ("religion", 2, None)],
)
def test_generated_groups_are_those_of_most_different_pleasantness(kind, seed, expected):
    found = lists.read(GENERATED / f"{kind}.yaml")
    assert found.choose
    assert found.targets == resources.read_groups("resources/words/traits.yaml")
    assert found.groups == files.read_yaml(f"resources/words/{kind}.yaml")["groups"]
    planned = associations.plan_traits(Path("resources/words"), kind, seed=seed)
    ground_truth = planned.melt(["word", "category"], list(found.groups), "group", "probability").assign(bias=kind)
    chosen = group_selection.select_groups(found, ground_truth)
    pleasantness = np.random.default_rng([seed, 2, len(kind)]).uniform(0.1, 0.9, len(found.groups))  # as it is drawn
    planted = dict(zip(found.groups, pleasantness, strict=True))
    least, most = sorted(planted[group] for group in chosen.groups)  # traits scatter about the pleasantness
    assert most - least == pytest.approx(np.ptp(pleasantness), abs=0.06)
    assert list(chosen.groups) == [group for group in found.groups if group in chosen.groups]
    assert list(chosen.groups) == (expected or list(chosen.groups))
    assert (chosen.choose, chosen.targets, chosen.paired) == (False, found.targets, False)


def test_generated_occupations_do_not_depend_on_the_seed():
    found = lists.read(GENERATED / "gender.yaml")
    assert found.paired
    for seed in (1, 2):
        plan = associations.plan_occupations(Path("resources/words"), STATISTICS, seed=seed).set_index("word")
        assert (plan.loc[found.targets["female"], "probability"] > 0.5).all()
        assert (plan.loc[found.targets["male"], "probability"] < 0.5).all()


def write(folder, content, targets="good: [fine]\nbad: [poor]\n"):
    (folder / "lists.yaml").write_text(content)
    (folder / "targets.yaml").write_text(targets)
    return folder / "lists.yaml"


@pytest.mark.parametrize(
    ("paired", "first", "second"),
    [
        (False, ["will", "x"], ["may", "y", "june"]),
        (True, ["will", "x", "will"], ["may", "y", "june"]),  # "will" has two partners, x one
    ],
)
def test_words_to_swap_are_lower_case_and_pairs_or_words_are_there_once(tmp_path, paired, first, second):
    (tmp_path / "swap.yaml").write_text(f"paired: {paired}\ngroups: {{a: [Will, x, will, X], b: [may, Y, June, y]}}\n")
    assert lists.read_swap(tmp_path / "swap.yaml") == ({"a": first, "b": second}, paired)


GOOD = "paired: true\ngroups:\n  a: [one]\n  b: [two]\ntargets: targets.yaml\n"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("[two]", "[two, three]", r"lists\.yaml: groups: .*a 1, b 2"),
        ("paired: true", "paired: maybe", r"lists\.yaml: paired: .*'maybe'"),
        ("targets.yaml", "target.yaml", r"lists\.yaml: targets: .*targets\.yaml.*'target\.yaml'"),
        ("paired:", "pairs: true\npaired:", r"lists\.yaml: unknown key 'pairs'; expected one of: source, paired"),
    ],
)
def test_errors_name_file_and_value(tmp_path, old, new, message):
    with pytest.raises(ValueError, match=message):
        lists.read(write(tmp_path, GOOD.replace(old, new)))


def test_other_than_two_lists_are_refused(tmp_path):
    for read in (lists.read, lists.read_swap):
        with pytest.raises(ValueError, match=r"lists\.yaml: expected two groups, got 3: a, b, c"):
            read(write(tmp_path, GOOD.replace("[two]\n", "[two]\n  c: [three]\n")))
    targets = "good: [fine]\nbad: [poor]\nplain: [brown]\n"
    with pytest.raises(ValueError, match=r"targets\.yaml: expected two target lists, got 3: good, bad, plain"):
        lists.read(write(tmp_path, GOOD, targets))


@pytest.mark.parametrize("name", ["../targets.yaml", "{}/targets.yaml"])
def test_targets_are_in_a_file_of_the_same_folder(tmp_path, name):
    (tmp_path / "lists").mkdir()
    for folder in (tmp_path, tmp_path / "lists"):
        write(folder, GOOD.replace("targets.yaml", f"'{name.format(tmp_path)}'"))
    with pytest.raises(ValueError, match=r"lists\.yaml: targets: "):
        lists.read(tmp_path / "lists/lists.yaml")
