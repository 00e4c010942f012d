"""Every value of the configuration, each replaced by every kind of bad value: refused at the start, and named."""

import copy
import os
from collections import Counter

import pytest
import yaml

from biassay.workflow import config as settings
from tests.running import ROOT

DEFAULT = yaml.safe_load((ROOT / "config.yaml").read_text("utf-8"))
BAD = {
    "not a number": float("nan"),
    "infinity": float("inf"),
    "a text": "three",
    "a text of a number": "3",
    "true": True,
    "a whole number with a point": 2.0,
    "a fraction": 2.5,
    "below any range": -1_000_000,
    "a list": [[1]],
    "a mapping": {"a": 1},
    "nothing": None,
}
BOUNDS = "silhouette.variants.ect_raw.range"  # may be anything
EMPTY = (
    BOUNDS,
    "same.n_occupations",
    "intrinsic.n_occupations",
    "intrinsic.n_templates",
    "downstream.planted.n_templates",
    "intrinsic.label_sentences",
    "intrinsic.variants.direct_bias_1.options.n_directions",
)  # may be null
FRACTIONS = (
    "silhouette.variants.ect_raw.range.0",
    "silhouette.variants.ect_raw.range.1",
    "silhouette.variants.ect_raw.range.2",
    "embeddings.sppmi.shift",
    "embeddings.sppmi_svd.shift",
    "embeddings.glove.x_max",
)  # whole in the default


def leaves(node, place=()):
    """(place, value) of every plain value of the configuration, of a list the first."""
    items = node.items() if isinstance(node, dict) else enumerate(node[:1]) if isinstance(node, list) else ()
    for key, value in items:
        if isinstance(value, dict | list) and value:
            yield from leaves(value, (*place, key))
        elif not isinstance(value, dict | list):
            yield (*place, key), value


def bad_for(value):
    """The kinds that are wrong in place of a value."""
    fine = {
        bool: {"true"},
        int: set(),
        float: {"a whole number with a point", "a fraction", "below any range"},
        str: {"a text", "a text of a number"},
        type(None): {"nothing", "a text", "a text of a number"},
    }[type(value)]
    return [kind for kind in BAD if kind not in fine]


CASES = [
    pytest.param(place, kind, id=f"{name}: {kind}")
    for place, value in leaves(DEFAULT)
    for name in [".".join(map(str, place))]
    for kind in bad_for(float(value) if name in FRACTIONS else value)
    if not (name.startswith(EMPTY) and kind == "nothing")
    if not (name.startswith(BOUNDS) and kind == "below any range")
]


def test_there_are_cases_of_every_kind():
    kinds = Counter(case.values[1] for case in CASES)
    assert set(kinds) == set(BAD)
    assert min(kinds.values()) > 20
    assert len(CASES) > 600


@pytest.mark.bad_input(
    "values of the configuration: each key × each bad kind",
    "refused at the start; the message names key, value and expected values",
)
@pytest.mark.parametrize(("place", "kind"), CASES)
def test_a_bad_value_is_refused_and_named(place, kind):
    config = copy.deepcopy(DEFAULT)
    parent = config
    for key in place[:-1]:
        parent = parent[key]
    parent[place[-1]] = BAD[kind]
    with pytest.raises(ValueError, match="config: ") as caught:
        settings.check(config, ROOT / "config.schema.yaml")
    named = [".".join(map(str, place[:length])) for length in (len(place), len(place) - 1)]
    assert any(name in str(caught.value) for name in named if name), str(caught.value)


@pytest.mark.bad_input(
    "names in the configuration", "refused at the start; the message names key, value and expected values"
)
@pytest.mark.parametrize("name", [2024, True, 1.5, None, "a b", "", "ü", "a/b", "a.b", "x\n"])
@pytest.mark.parametrize(
    "key", ["corpora", "counts", "embeddings", "language_models", "own_metrics", "reference_pairs"]
)
def test_bad_names_are_refused(key, name):
    config = copy.deepcopy(DEFAULT)
    config[key][name] = next(iter(config[key].values()), "mine.py")
    with pytest.raises(ValueError, match=f"config: .*{key}"):
        settings.check(config, ROOT / "config.schema.yaml")


def test_all_that_is_wrong_is_told_at_once():
    config = copy.deepcopy(DEFAULT)
    config["embeddings"]["skipgram"] |= {"window": 0, "epochs": 2.0, "size": 3}
    config["embeddings"]["glove"]["x_max"] = float("nan")
    config["same"]["metrics"] = ["wea"]
    config["first_order"]["diagnosed_embedding"] = "ppmi"
    config["silhouette"]["steps"]["groups"] = 3
    with pytest.raises(ValueError, match="7 problems:") as caught:
        settings.check(config, ROOT / "config.schema.yaml")
    for message in (
        "7 problems:",
        "- config: embeddings.skipgram.window: expected an integer",
        "- config: embeddings.skipgram.epochs: expected an integer",
        "- config: embeddings.skipgram: unknown option 'size'",
        "- config: embeddings.glove.x_max: expected a number > 0",
        "- config: same.metrics: unknown name 'wea' (did you mean 'weat'?)",
        "- config: first_order.diagnosed_embedding: 'ppmi' has no context vectors (algorithm pmi)",
        "- config: silhouette.steps.groups: expected an even number, for two lists, got 3",
    ):
        assert message in str(caught.value)


@pytest.mark.bad_input("paths", "refused at the start; the message names key, value and expected values")
@pytest.mark.parametrize("path", ["a{b}.yaml", "a}.yaml", "a\nb.yaml"])
def test_paths_that_snakemake_would_misread_are_refused(path):
    config = copy.deepcopy(DEFAULT)
    config["first_order"]["word_lists"]["mine"] = path
    with pytest.raises(ValueError, match=r"first_order.word_lists.\*: .* has braces or a line break"):
        settings.check(config, ROOT / "config.schema.yaml")


@pytest.mark.bad_input("paths", "refused at the start; the message names key, value and expected values")
@pytest.mark.parametrize("patterns", [("a.txt", "*.txt"), ("a.txt", "b/../a.txt"), ("*.txt", "b/*"), ["a.txt"] * 2])
def test_a_text_that_is_given_twice_is_refused(tmp_path, patterns):
    (tmp_path / "a.txt").write_text("x")
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "link").symlink_to(tmp_path / "a.txt")
    paths = [str(tmp_path / pattern) for pattern in patterns]
    with pytest.raises(ValueError, match=r"corpora\.mine\.path: '.*a\.txt' and '.*' are the same file"):
        settings.corpus_files({"corpora": {"mine": {"path": paths}}}, "mine")


@pytest.mark.bad_input("YAML and CSV files", "refused; the message names file and line")
@pytest.mark.parametrize("content", ["seed: 1\nboard:\n  repeats: 3\n  repeats: 4\n", '{"seed": 1, "seed": 2}'])
def test_keys_that_a_configuration_has_twice_are_refused(tmp_path, content):
    path = tmp_path / "mine.yaml"
    path.write_text(content)
    with pytest.raises(ValueError, match=r"mine\.yaml: line \d: duplicate key '(repeats|seed)'"):
        settings.prepare({}, ROOT, config_files=[path])


@pytest.mark.bad_input("paths", "refused at the start; the message names key, value and expected values")
def test_files_of_lists_and_pairs_that_are_given_twice_are_refused(tmp_path):
    swap = "resources/words/silhouette/swap_gender.yaml"
    same = {key: tmp_path / key for key in ("swap.yaml", "a.csv", "b.csv", "a.txt", "b.txt")}
    same["swap.yaml"].symlink_to(ROOT / swap)
    for kind in ("csv", "txt"):
        same[f"a.{kind}"].write_text("x")
        os.link(same[f"a.{kind}"], same[f"b.{kind}"])
    config = copy.deepcopy(DEFAULT)
    config["corpora"]["swapped"] = {
        "source": "counterfactual",
        "corpus": "biased",
        "swap": [swap, str(same["swap.yaml"])],
    }
    paths = [str(same["a.csv"]), str(same["b.csv"])]
    config["downstream"]["text_sets"]["mine"] = {"source": "jigsaw", "path": paths, "attribute": "gender"}
    config["downstream"]["texts"] = ["mine"]
    files = {which: {"file": str(same[name])} for which, name in (("biased", "a.txt"), ("unbiased", "b.txt"))}
    config["reference_pairs"]["planted"] |= files
    with pytest.raises(ValueError, match="3 problems") as caught:
        settings.check(config, ROOT / "config.schema.yaml")
    for key, path in (
        ("corpora.swapped.swap", swap),
        ("downstream.text_sets.mine.path", paths[0]),
        ("reference_pairs.planted", same["a.txt"]),
    ):
        assert f"{key}: '{path}' and '" in str(caught.value)


def test_a_file_may_have_brackets_in_its_name(tmp_path):
    (tmp_path / "a[1].txt").write_text("x")
    (tmp_path / "a1.txt").write_text("x")
    for pattern, found in (("a[1].txt", ["a[1].txt"]), ("a*.txt", ["a1.txt", "a[1].txt"]), ("a[1-9].txt", ["a1.txt"])):
        config = {"corpora": {"mine": {"path": str(tmp_path / pattern)}}}
        assert settings.corpus_files(config, "mine") == [str(tmp_path / name) for name in found]
