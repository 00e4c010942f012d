"""What the small study's models hold, and rows of its tables."""

import numpy as np

from tests.downstream import study


def load(folder, name, part):
    unit = "planted" if name.startswith("planted") else name
    return np.load(folder / "encoded" / unit / name / f"{part}.npy").astype(float)


def terms(folder, name, attribute):
    found, groups = load(folder, name, f"group_words/{attribute}"), study.WORDS[attribute]
    return [found[2 * i : 2 * i + 2] for i in range(len(groups))]


def one(table, **keys):
    for key, value in keys.items():
        table = table[table[key] == value]
    assert len(table) == 1, keys
    return table.iloc[0]
