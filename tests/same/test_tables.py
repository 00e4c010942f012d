"""Tables of a grid of models that do not fit each other."""

import pandas as pd
import pytest

from biassay.studies.same import tables
from tests.same import believable


@pytest.fixture
def folder(tmp_path):
    return believable.write(tmp_path, means=(0.3, 0.6), spreads=(0.2,), repeats=2, occupations=5, metrics=["same"])


def change(path, **columns):
    pd.read_csv(path).assign(**columns).to_csv(path, index=False)


@pytest.mark.parametrize(
    ("name", "columns", "message"),
    [
        ("models.csv", {"learned": [2, 3, 4, 5]}, r"models.csv: row 1: learned: expected True or False, got '2'"),
        ("models.csv", {"model": [0, 1, 2, 1]}, r"models.csv: has two rows for model 1"),
        ("bias.csv", {"model": 9}, r"bias.csv: has two rows for model 9"),
        ("bias.csv", {"occupation": ["x", "x", *range(18)]}, r"bias.csv: has two rows for model 0, occupation x"),
        ("scores/same.csv", {"level": "sentence"}, r"same.csv: level: unknown name 'sentence'"),
        (
            "scores/same.csv",
            {"occupation": "occupation 9"},
            r"same.csv: has two rows for model 0, occupation occupation 9",
        ),
        ("scores/same.csv", {"level": ["word"] * 19 + ["set"] * 5}, r"same.csv: lacks a row for model 3"),
    ],
)
def test_tables_that_do_not_fit_are_named(folder, name, columns, message):
    change(folder / name, **columns)
    with pytest.raises(ValueError, match=message):
        tables.read_scores(tables.load_grid(folder / "models.csv", folder / "bias.csv"), folder / "scores/same.csv")


def test_a_missing_column_is_named(folder):
    pd.read_csv(folder / "bias.csv").drop(columns="training").to_csv(folder / "bias.csv", index=False)
    with pytest.raises(ValueError, match=r"bias.csv: lacks the columns training"):
        tables.load_grid(folder / "models.csv", folder / "bias.csv")


def test_missing_models_are_named(folder):
    scores = pd.read_csv(folder / "scores/same.csv")
    scores[scores["model"] != 3].to_csv(folder / "scores/same.csv", index=False)
    with pytest.raises(ValueError, match=r"same.csv: lacks a row for model 3, occupation"):
        tables.read_scores(tables.load_grid(folder / "models.csv", folder / "bias.csv"), folder / "scores/same.csv")
    bias = pd.read_csv(folder / "bias.csv")
    bias[bias["model"] != 3].to_csv(folder / "bias.csv", index=False)
    with pytest.raises(ValueError, match=r"bias.csv: lacks a row for model 3"):
        tables.load_grid(folder / "models.csv", folder / "bias.csv")
