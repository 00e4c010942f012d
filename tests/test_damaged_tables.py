"""Damaged tables of an earlier step: the step that reads them stops and names the file."""

import io
import re
import shutil
from pathlib import Path

import pandas as pd
import pytest

from tests import scripted
from tests.intrinsic import study as intrinsic
from tests.same import study as same
from tests.silhouette import believable

# Columns of numbers that scripts use, and those that may never be empty.
NUMBERS = ("value", "unmasking", "bias", "gap", "texts", "r2", "accuracy", "difference", "angle", "chunk", "n", "draw")
NEVER_EMPTY = ("unmasking", "pair", "k", "distribution", "draw", "words", "n")
WHOLE = ("bias", "scores", "subsets", "plan")  # inputs whose rows are checked


def first(table, names):
    return next((name for name in names if name in table and pd.api.types.is_numeric_dtype(table[name])), None)


def changed(text, change):
    table = pd.read_csv(io.StringIO(text), dtype=str, keep_default_na=False, comment="#")
    return change(table).to_csv(index=False)


def with_cell(text, names, cell):
    name = first(pd.read_csv(io.StringIO(text), comment="#"), names)
    row = text.count("\n") // 2
    return name and changed(text, lambda table: table.assign(**{name: table[name].where(table.index != row, cell)}))


def renamed(text):
    name = first(pd.read_csv(io.StringIO(text), comment="#"), NUMBERS)
    return name and changed(text, lambda table: table.rename(columns={name: f"{name}_"}))


def twice(text):
    return changed(text, lambda table: pd.concat([table, table.iloc[:, :1]], axis=1))


DAMAGES = {
    "cut": lambda text: text.rstrip("\n")[:-1],
    "cut in the middle": lambda text: text[: text.rindex(",", 0, len(text) * 2 // 3)],
    "empty": lambda text: "",
    "text for a number": lambda text: with_cell(text, NUMBERS, "x"),
    "infinite": lambda text: with_cell(text, NUMBERS, "inf"),
    "no number": lambda text: with_cell(text, NEVER_EMPTY, ""),
    "a renamed column": renamed,
    "a column twice": twice,
    "a row of fewer cells": lambda text: text[: text.rindex(",")] + "\n",
    "a row lacks": lambda text: "".join(text.splitlines(keepends=True)[:-1]),
}
SCRIPTS = {
    same: ("same/tabulate.py",),
    intrinsic: ("intrinsic/tabulate.py",),
    believable: ("silhouette/tabulate.py",),
}  # fmt: skip


@pytest.fixture(scope="module")
def calls(tmp_path_factory):
    """The last call of each script, as its study's tests make it."""
    found = {}

    def run(script, **rule):
        scripted.run(script, **rule)
        found[script] = rule

    with pytest.MonkeyPatch.context() as patch:
        for study in (same, intrinsic):
            patch.setattr(study, "run", run)
            study.write(tmp_path_factory.mktemp("study"))
    folder = believable.few(tmp_path_factory.mktemp("silhouette"))
    names = {"scores": "scores", "false_positives": "false_positives", "comparisons": "comparisons"}
    given = {name: folder / f"{file}.csv" for name, file in names.items()}
    given["published"] = shutil.copy(scripted.ROOT / "resources/published/silhouette.csv", folder)
    out = {name: folder / f"{name}.out" for name in ("robustness", "accuracy", "summary", "page")}
    run("silhouette/tabulate.py", input=given, output=out, wildcards={"pair": "planted"})
    return found


def tables(script, rule):
    """The tables that a script reads: name of the input and path; of several files, or those of a folder, the first."""
    code = (scripted.ROOT / "scripts" / script).read_text("utf-8")
    for name, value in rule["input"].items():
        if not re.search(rf"\b{name}:", code):  # not an argument of main
            continue
        path = Path(value[0] if isinstance(value, list) and value else value or "none")
        for file in sorted(path.glob("*.csv")) if path.is_dir() else [path]:
            if file.suffix == ".csv":
                yield name, file


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("script", [script for scripts in SCRIPTS.values() for script in scripts])
def test_a_damaged_table_stops_the_step_and_is_named(calls, script, damage):
    rule, tried = calls[script], 0
    for name, path in tables(script, rule):
        text = path.read_text("utf-8")
        damaged = DAMAGES[damage](text)
        if damaged is None or (damage == "a row lacks" and name not in WHOLE) or text.count("\n") < 3:
            continue
        tried += 1
        path.write_text(damaged, "utf-8")
        try:
            with pytest.raises(ValueError, match=r"\.csv") as raised:
                scripted.run(script, **rule)
            assert str(path) in str(raised.value), f"{path}: {raised.value}"
        finally:
            path.write_text(text, "utf-8")
    assert tried or damage not in ("cut", "empty")
