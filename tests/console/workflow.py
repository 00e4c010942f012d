"""A small workflow, run by Snakemake with our logger."""

import os
import subprocess
import sys

from tests.running import ROOT

SNAKEFILE = """
rule all:
    input: expand("results/same/scores/{metric}.csv", metric=["weat", "mac"]), "results/same/figure.svg"

rule score_same:
    output: "results/same/scores/{metric}.csv"
    log: "results/logs/same/scores/{metric}.log"
    script: "score.py"

rule plot_same:
    input: rules.all.input[:2]
    output: report("results/same/figure.svg")
    log: "results/logs/same/figure.log"
    shell: "touch {output} && echo drawn > {log}"
"""
SCRIPT = """
from biassay.core import logs

logs.start(snakemake.log[0])
progress = logs.Progress("scoring", 7_200, "steps", seconds=0.0)
progress.add(3_600, "loss 2, 417 models/hour")
{line}
open(snakemake.output[0], "w").close()
"""


def make(folder, line=""):
    """Write the workflow into a folder; `line` of its script runs before the result is written."""
    (folder / "Snakefile").write_text(SNAKEFILE)
    (folder / "score.py").write_text(SCRIPT.format(line=line))


def run(folder, *arguments, **environment):
    """Run it by one core; what it says on standard output and on standard error."""
    command = [sys.executable, "-m", "snakemake", "--logger", "biassay", "--cores", "1", *arguments]
    known = {name: value for name, value in os.environ.items() if not name.startswith("BIASSAY")}
    known |= {"PYTHONPATH": str(ROOT)} | environment
    return subprocess.run(command, cwd=folder, env=known, capture_output=True, text=True)
