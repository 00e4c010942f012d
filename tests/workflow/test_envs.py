"""The conda environment has the packages of the library, in the versions of constraints.txt."""

import re
import tomllib

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

from tests.running import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
GROUPS = {"library": PROJECT["dependencies"] + EXTRAS["audit"]}
GROUPS |= {name: [one for one in extra if not one.startswith("biassay[")] for name, extra in EXTRAS.items()}
OF_CONDA = {"pytorch": "torch", "matplotlib-base": "matplotlib"}  # names there, and in PyPI
PAGES = ["altair", "itables", "matplotlib", "pygments", "vl-convert-python"]  # of pages and figures of results


def pinned():
    lines = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    return {name.lower(): version for name, version in (line.split("==") for line in lines if "==" in line)}


def test_the_environment_has_what_the_library_needs():
    listed = yaml.safe_load((ROOT / "envs/biassay.yaml").read_text("utf-8"))["dependencies"]
    parts = [re.fullmatch(r"([\w-]+) *(.*)", one).groups() for one in listed]
    packages = {OF_CONDA.get(name, name): specifier.strip() for name, specifier in parts}
    assert packages.pop("python") == "=3.11"
    for needed in (Requirement(one) for group in ("library", "models") for one in GROUPS[group]):
        assert packages[needed.name] == str(needed.specifier)
    assert set(PAGES) <= set(packages)
    for name, specifier in packages.items():
        assert SpecifierSet(specifier).contains(pinned()[name]), name


@pytest.mark.parametrize("one", [one for group in GROUPS.values() for one in group if "setuptools" not in one])
def test_what_pip_installs_is_in_the_constraints(one):
    asked = Requirement(one)
    assert asked.specifier.contains(pinned()[asked.name.lower()])
