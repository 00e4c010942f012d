"""Run scripts as Snakemake does, on files of a test, and return the figures that they would save."""

import runpy
from types import SimpleNamespace

import pytest
from matplotlib import pyplot as plt

from tests.running import ROOT


class Files(list):
    """Files of a rule as in a script: by name, by number, or all."""

    def __init__(self, named):
        self.named = {}
        for name, value in named.items():
            is_list = isinstance(value, list)
            self.named[name] = list(map(str, value)) if is_list else str(value)
            self.extend(self.named[name] if is_list else [str(value)])
            setattr(self, name, self.named[name])

    def items(self):
        return self.named.items()


class Values(SimpleNamespace):
    """Parameters or wildcards of a rule."""

    def items(self):
        return vars(self).items()


def run(script, *, output, input=None, params=None, wildcards=None, threads=1, replace=None):
    """Run a file of scripts/; `replace` maps dotted names to temporary replacements."""
    logs = []
    rule = SimpleNamespace(
        input=Files(input or {}), output=Files(output), log=["script.log"], threads=threads,
        params=Values(**(params or {})), wildcards=Values(**(wildcards or {})),
    )  # fmt: skip
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {"biassay.core.logs.start": logs.append, **(replace or {})}.items():
            patch.setattr(name, value)
        runpy.run_path(str(ROOT / "scripts" / script), {"snakemake": rule}, "__main__")
    assert logs == ["script.log"]


def draw(script, names, *, output=None, **rule):
    """Return the figures that a script draws, by the name of their output, without saving them."""
    files = {name: [f"{name}{end}" for end in (".svg", ".png", ".pdf")] for name in names}
    found = {}
    replace = {"biassay.report.plots.save": lambda figure, *paths: found.update({paths: figure})}
    run(script, output={**(output or {}), **files}, replace=replace, **rule)
    plt.close("all")
    assert len(found) == len(names)
    return {name: found[tuple(paths)] for name, paths in files.items()}
