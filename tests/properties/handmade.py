"""Verdicts written by hand, and the table that the study's script makes of them."""

import json

from tests.running import ROOT
from tests.scripted import run

PRINTED = ROOT / "resources/published/properties.csv"


def verdict(level, name, said, groups=2, examples=(), min_distance=float("nan")):
    return {"level": level, "n_groups": groups, "property": name, "verdict": said, "reason": f"{level} {name}",
            "n_evaluations": 7, "min_distance": min_distance, "examples": list(examples)}  # fmt: skip


def example(targets, labels=(), value=0.0, groups=None):
    return {"setting": "near", "groups": groups or [[[2.0, 0.0], [0.0, 3.0]], [[-1.0, 0.0], [0.0, -1.0]]],
            "targets": targets, "labels": list(labels), "value": value}  # fmt: skip


def tabulated(folder, verdicts):
    """properties.csv of verdicts by metric, and their files."""
    files = {}
    for metric, found in verdicts.items():
        files[metric] = folder / f"{metric}.json"
        files[metric].write_text(json.dumps(found))
    run("properties/tabulate.py", input={"verdicts": list(files.values()), "published": PRINTED},
        params={"metrics": list(files)}, output={"table": folder / "properties.csv"})  # fmt: skip
    return folder / "properties.csv", list(files.values())
