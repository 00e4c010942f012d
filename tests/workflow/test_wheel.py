"""The wheel has the library and its small inputs."""

import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from itertools import chain, islice, product

import numpy as np
import pandas as pd
import pytest

from biassay import word_lists
from tests.running import ROOT, copy_project

WORDS = ["nurse", "teacher", "engineer", "pilot", *chain(*word_lists("gender/small").values())]

pytestmark = pytest.mark.slow


def call(*command, cwd):
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    result = subprocess.run(list(map(str, command)), cwd=cwd, env=environment, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Build a wheel of the tracked files."""
    folder = tmp_path_factory.mktemp("wheel")
    copy_project(folder / "source")
    options = ["--no-deps", "--no-index", "--no-build-isolation", "--quiet", "--wheel-dir", folder]
    call(sys.executable, "-m", "pip", "wheel", folder / "source", *options, cwd=folder)
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def python(wheel, tmp_path_factory):
    """Create an environment with the wheel and the dependencies, without the checkout; return its Python."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=False)
    python = folder / "bin/python"
    packages = call(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=folder).strip()
    with open(f"{packages}/dependencies.pth", "w") as file:  # .pth files in the folder it names are not read
        file.write(sysconfig.get_path("purelib") + "\n")
    options = ["install", "--no-deps", "--no-index", "--quiet", wheel]
    call(sys.executable, "-m", "pip", "--python", python, *options, cwd=folder)
    return python


def test_it_has_the_library_and_the_small_inputs_and_no_more(wheel):
    names = set(zipfile.ZipFile(wheel).namelist())
    library = [*(ROOT / "biassay").rglob("*.py"), *(ROOT / "biassay").rglob("templates/*")]
    library += [ROOT / "biassay/__init__.pyi", ROOT / "biassay/py.typed"]
    library += [*(ROOT / "biassay").rglob("results.yaml"), *(ROOT / "snakemake_logger_plugin_biassay").rglob("*.py")]
    kinds = ("audit", "board", "words", "statistics", "tables", "templates", "published")
    inputs = [path for kind in kinds for path in (ROOT / "resources" / kind).rglob("*.*")]
    inputs.append(ROOT / "resources/references.bib")
    expected = {str(path.relative_to(ROOT)) for path in library}
    expected |= {f"biassay/{path.relative_to(ROOT)}" for path in inputs}
    assert {name for name in names if ".dist-info/" not in name} == expected


def test_an_audit_from_it(python, tmp_path):
    words = [*WORDS, *map("".join, islice(product("abcdef", repeat=4), 200))]
    rows = pd.DataFrame(np.random.default_rng(2).standard_normal((len(words), 5)).round(4), words)
    rows.to_csv(tmp_path / "glove.txt", sep=" ", header=False)
    lists = "{she: [she, her, woman], he: [he, him, man]}"
    (tmp_path / "ours.yaml").write_text(f"groups: {lists}\ntargets: {{x: [nurse, teacher], y: [engineer, pilot]}}\n")
    code = (
        "import sys; from biassay.cli import main; code = main(sys.argv[1:]);"
        "print(sorted({'torch', 'snakemake', 'matplotlib', 'altair'} & set(sys.modules))); sys.exit(code)"
    )
    said = call(python, "-c", code, "audit", "glove.txt", "--tests", "ours.yaml", "--permutations", "49", cwd=tmp_path)
    assert "weat" in said
    assert said.endswith("page: audit-glove.txt/index.html\n[]\n")
    assert "<svg" in (tmp_path / "audit-glove.txt/index.html").read_text()
    assert "gender*" in call(python, "-m", "biassay.cli", "audit", "--lists", cwd=tmp_path)
