"""The examples of the public functions and classes, which are what a user writes, fit their types."""

import doctest
import subprocess
import sys
import textwrap

import biassay
from tests.running import ROOT

WRONG = "def wrong():\n    import biassay\n    biassay.measure(1, targets=[])\n"  # an error, unless all types are lost


def test_examples_fit_the_types(tmp_path):
    """mypy reports no other error than the wrong one; no value is None."""
    functions = [WRONG]
    for name in biassay.PUBLIC:
        lines = "".join(each.source for each in doctest.DocTestParser().get_examples(getattr(biassay, name).__doc__))
        functions.append(f"def use_{name}():\n{textwrap.indent(lines, '    ')}")
    (tmp_path / "use.py").write_text("\n".join(functions))
    command = [sys.executable, "-m", "mypy", "--check-untyped-defs", "--no-strict-optional", tmp_path / "use.py"]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert not result.stderr
    (error,) = [line for line in result.stdout.splitlines() if ": error:" in line]
    assert "use.py:3" in error
    assert "str" in error
