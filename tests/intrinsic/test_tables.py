"""Reading the study's tables, and metrics that accept an attribute."""

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


def test_names_as_they_stand(small, tmp_path):
    """Words that pandas reads as missing values are names here."""
    words = {"occupation 7": "nan", "occupation 3": "None"}
    for name in ("bias", "scores/weat"):
        table = pd.read_csv(small / f"{name}.csv", keep_default_na=False)
        table.replace({"occupation": words}).to_csv(tmp_path / f"{name.split('/')[-1]}.csv", index=False)
    study = tables.load_study(str(small / "models.csv"), str(tmp_path / "bias.csv"))
    assert study.attributes == ["gender", "religion"]
    assert study.groups("religion") == ["muslim", "christian", "jewish"]
    scores, modules = {"weat": tables.read_scores(str(tmp_path / "weat.csv"))}, {"weat": metric.load("weat")}
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
