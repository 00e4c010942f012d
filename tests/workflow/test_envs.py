"""Conda environments and the container have the packages that scripts import, in the versions of constraints.txt."""

import ast
import re
import sys
import tomllib
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

from biassay.core import code
from tests.running import ROOT

OF_CONDA = {"pytorch": "torch", "matplotlib-base": "matplotlib"}  # names there, and in PyPI
IMPORTED = {
    "sklearn": "scikit-learn", "yaml": "pyyaml", "vl_convert": "vl-convert-python",
    "markupsafe": "jinja2", "threadpoolctl": "scikit-learn", "joblib": "scikit-learn",  # which bring them
    "tokenizers": "transformers", "safetensors": "transformers", "huggingface_hub": "transformers",
}  # fmt: skip
OTHERS = {"snakemake", "biassay"}
WITH_TORCH = {"torch", "transformers"}  # imported where torch is, which no script of `biassay` needs
ENVS = {"biassay": WITH_TORCH, "language_models": set()}


def pinned():
    lines = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    return {name.lower(): version for name, version in (line.split("==") for line in lines if "==" in line)}


def dependencies(env):
    """Return the packages of an environment by PyPI name, with their specifiers."""
    listed = yaml.safe_load((ROOT / f"envs/{env}.yaml").read_text("utf-8"))["dependencies"]
    parts = [re.fullmatch(r"([\w-]+) *(.*)", one).groups() for one in listed]
    return {OF_CONDA.get(name, name): specifier.strip() for name, specifier in parts}


def scripts(env):
    """Return the scripts of rules that run in an environment; `biassay` is the default."""
    text = "".join(path.read_text("utf-8") for path in sorted((ROOT / "rules").glob("*.smk")))
    rules = [rule for rule in re.split(r"^(?:use )?rule ", text, flags=re.M) if "    script:" in rule]
    chosen = [rule for rule in rules if f"envs/{env}.yaml" in rule or (env == "biassay" and "conda:" not in rule)]
    return sorted({re.search(r'"[./]+/(scripts/[\w/]+\.py)"', rule)[1] for rule in chosen})


def third_party(paths):
    """Return the PyPI names of packages that files import, or of packages that depend on them."""
    found = set()
    for path in paths:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module] if isinstance(node, ast.ImportFrom) and not node.level else []
            found |= {name.split(".")[0] for name in names}
    return {IMPORTED.get(name, name) for name in found - set(sys.stdlib_module_names) - OTHERS}


@pytest.mark.parametrize("env", ENVS)
def test_versions_are_those_of_the_constraints(env):
    versions = pinned()
    for name, specifier in dependencies(env).items():
        if name == "python":
            assert specifier == "=3.11"
        else:
            assert SpecifierSet(specifier).contains(versions[name]), f"{name}: {specifier}, {versions[name]}"


@pytest.mark.parametrize("env", ENVS)
def test_all_that_scripts_import_is_there(env):
    chosen = scripts(env)
    assert len(chosen) > 5
    needed = third_party(map(Path, code.find_sources(*(ROOT / path for path in chosen))))
    assert needed - ENVS[env] <= set(dependencies(env))


def test_what_pip_installs_is_in_the_constraints():
    text = (ROOT / "pyproject.toml").read_text("utf-8")
    versions = pinned()
    project = tomllib.loads(text)["project"]
    for one in [*project["dependencies"], *(one for of in project["optional-dependencies"].values() for one in of)]:
        asked = Requirement(one)
        if asked.name != "setuptools":  # which comes with Python's venv
            assert asked.specifier.contains(versions[asked.name.lower()]), one
