"""Reading the study's tables, tables that do not fit, and metrics that accept an attribute."""

import re
from types import SimpleNamespace

import pandas as pd
import pytest

from biassay import Level, Metric
from biassay.measurement import metric
from biassay.studies.intrinsic import tables
from scripts.intrinsic import score
from tests.intrinsic import believable


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tables")
    believable.write(folder, metrics={"weat": "weat"}, distributions=1, strengths=(0.0, 1.0), of_strength=1)
    return folder


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("models", lambda t: t.drop(columns="r"), "models.csv: lacks the columns r; it has purpose, distribution"),
        ("models", lambda t: pd.concat([t, t[1:2]]), "models.csv: has two rows for model 1"),
        (
            "models",
            lambda t: t.assign(purpose="gird"),
            "models.csv: purpose: unknown name 'gird' (did you mean 'grid'?)",
        ),
        ("models", lambda t: t[t["model"] != 2], "bias.csv: has an unexpected row for model 2"),
        ("bias", lambda t: t[t["model"] != 0], "bias.csv: lacks a row for model 0"),
        ("bias", lambda t: t.drop(columns=["data", "group"]), "bias.csv: lacks the columns group, data; it has model"),
        ("bias", lambda t: t.assign(attribute="../" + t["attribute"]), "bias.csv: attribute: invalid name '../gender'"),
        ("scores/weat", lambda t: t.assign(level="sentence"), "weat.csv: level: unknown name 'sentence'"),
        ("scores/weat", lambda t: t.assign(labels="none"), "weat.csv: labels: unknown name 'none'"),
        (
            "scores/weat",
            lambda t: t.assign(attribute="age"),
            "weat.csv: attribute: unknown name 'age'; expected one of: gender, r",
        ),
        ("scores/weat", lambda t: t.assign(model=9), "weat.csv: gender: has two rows for model 9"),
    ],
)
def test_tables_that_do_not_fit(small, tmp_path, name, change, message):
    paths = {key: small / f"{key}.csv" for key in ("models", "bias", "scores/weat")}
    changed = tmp_path / f"{name.split('/')[-1]}.csv"
    change(pd.read_csv(paths[name], keep_default_na=False)).to_csv(changed, index=False)
    paths[name] = changed
    with pytest.raises(ValueError, match=re.escape(message.format(folder=tmp_path))):
        tables.read_scores(tables.load_study(str(paths["models"]), str(paths["bias"])), str(paths["scores/weat"]))


def test_names_as_they_stand(small, tmp_path):
    """Words that pandas reads as missing values are names here."""
    words = {"occupation 7": "nan", "occupation 3": "None"}
    for name in ("bias", "scores/weat"):
        table = pd.read_csv(small / f"{name}.csv", keep_default_na=False)
        table.replace({"occupation": words}).to_csv(tmp_path / f"{name.split('/')[-1]}.csv", index=False)
    study = tables.load_study(str(small / "models.csv"), str(tmp_path / "bias.csv"))
    assert study.attributes == ["gender", "religion"]
    assert study.groups("religion") == ["muslim", "christian", "jewish"]
    scores, modules = {"weat": tables.read_scores(study, str(tmp_path / "weat.csv"))}, {"weat": metric.load("weat")}
    words, signed = tables.select_word_scores(study, scores, modules)
    values = signed["gender"]["weat"]
    assert (list(words["religion"]), values.shape) == ([], (2, 8))
    pd.testing.assert_frame_equal(words["gender"]["weat"], values.abs())
    assert values.columns[:2].tolist() == ["nan", "None"]
    assert values.notna().all(axis=None)
    sets = tables.select_set_scores(study, scores)
    assert [key for key, by_metric in sets.items() if by_metric] == [("gender", "noisy"), ("gender", "ideal")]


@pytest.mark.parametrize(
    ("declared", "taken"),
    [
        ("word=Level(0, 1)", [2]),
        ("groups=(2, None), word=Level(0, 1)", [2, 3, 5]),
        ("groups=(3, 4), word=Level(0, 1)", [3]),
        ("groups=(0, 0), set=Level(0, 1, labels=True)", [2]),
        ("groups=(0, 0), set=Level(0, 1, labels=True, n_labels=(3, None))", [3, 5]),
        ("groups=(0, 0), set=Level(0, 1, labels=True, n_labels=())", [2, 3, 5]),
        ("groups=(2, None), set=Level(0, 1, labels=True)", [2]),
        ("groups=(2, 3), set=Level(0, 1, labels=True, n_labels=())", [2, 3]),
        ("groups=(2, None), word=Level(0, 1, labels=True, n_labels=(2, 3)), set=Level(0, 1)", [2, 3]),
    ],
)
def test_metrics_take_so_many_groups_and_labels(declared, taken):
    module = SimpleNamespace(METRIC=eval(f"Metric('', '', {declared})", {"Metric": Metric, "Level": Level}))
    assert [groups for groups in (2, 3, 5) if score.accepts_groups(module, groups)] == taken
