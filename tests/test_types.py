"""The examples of the public functions and classes, which are what a user writes, fit their types."""

import doctest
import subprocess
import sys
import textwrap

import biassay
from tests.running import ROOT


def check_types(code, folder):
    """Return the errors that mypy reports in a file with this code, in which no value is None."""
    (folder / "use.py").write_text(code)
    command = [sys.executable, "-m", "mypy", "--check-untyped-defs", "--no-strict-optional", folder / "use.py"]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert not result.stderr
    return [line for line in result.stdout.splitlines() if ": error:" in line]


def test_examples_fit_the_types(tmp_path):
    functions = []
    for name in biassay.PUBLIC:
        lines = "".join(each.source for each in doctest.DocTestParser().get_examples(getattr(biassay, name).__doc__))
        functions.append(f"def use_{name}():\n{textwrap.indent(lines, '    ')}")
    assert check_types("\n".join(functions), tmp_path) == []


def test_wrong_types_are_errors(tmp_path):
    lines = {
        "biassay.measure(1, targets=[])": "str",
        "biassay.measure('weat', targets=[]).set.upper()": "float",
        "biassay.word_lists('gender/tiny').append('')": "dict",
        "biassay.load_language_model('', kind=1)": "str",
        "biassay.Metric(summary='')": "source",
    }
    errors = check_types("\n".join(["import biassay", *lines]), tmp_path)
    assert len(errors) == len(lines)
    for error, word in zip(errors, lines.values(), strict=True):
        assert word in error
