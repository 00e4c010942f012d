"""All that is to be checked and measured on a GPU, in parts of less than ten minutes each: what is right first.

python benchmarks/gpu.py [PART …]   (without any, all of them in their order; without a GPU, small forms on the CPU)

tests: those marked gpu, beside a CPU. waits: synchronisations in a step. memory: a step's peak beside the estimate.
update, dropout: our kernels beside torch's. profile: kernels of a step and what they take. bf16_8, bf16_32, tf32_8,
tf32_32: training of stacked BERT-bases beside a plain loop. explicit: norms of skip-gram. rnsb: classifiers of growing
lists. pll: pairs of sentences. encode: sentences of one BERT-base. disk: a checkpoint. minis: the 330 models with
bert-mini, really trained. study: 64 BERT-bases with their files and embeddings, and from these the hours of 330.
compiled: bf16_8 with its pass by torch.compile, which the library does not use. graphs: bf16_8's steps as CUDA graphs,
and without.
"""

import shutil
import sys
import tempfile
import time
import traceback
from functools import partial

import torch
import transformers
from reference import gpu_checks as checks
from reference import gpu_figures as figures
from reference.gpu_checks import ON_GPU

PARTS = {"tests": checks.tests, "waits": checks.waits, "memory": checks.memory_of_a_step, "update": checks.update}
PARTS |= {"dropout": checks.drop, "profile": figures.profile}
PARTS |= {f"{p}_{b}": partial(figures.steps, p, b) for p in ("bf16", "tf32") for b in (8, 32)}
PARTS |= {"explicit": figures.norms, "rnsb": figures.rnsb, "pll": figures.pairs, "encode": figures.encode}
PARTS |= {"disk": figures.disk, "minis": figures.minis, "study": figures.study}
PARTS |= {"compiled": partial(figures.steps, "bf16", 8, compiled=True), "graphs": figures.graphs}


def main(chosen: list[str]) -> None:
    if unknown := set(chosen) - set(PARTS):
        sys.exit(f"no part {sorted(unknown)[0]!r}; parts: {', '.join(PARTS)}")
    free = shutil.disk_usage(tempfile.gettempdir()).free / 1e9
    name = torch.cuda.get_device_name() if ON_GPU else "no GPU: small forms on the CPU"
    print(
        f"torch {torch.__version__}, transformers {transformers.__version__}; {name}; {free:.0f} GB of disk free",
        flush=True,
    )
    if tuple(map(int, torch.__version__.split(".")[:2])) < (2, 4):
        sys.exit("torch 2.4 or newer is needed")
    if ON_GPU and free < 40 and {"study", "minis"} & set(chosen or PARTS):
        sys.exit("minis and study need 40 GB of disk; set TMPDIR to a larger one, or name other parts")
    failed = []
    for part in chosen or PARTS:
        print(f"== {part}", flush=True)
        begin = time.perf_counter()
        try:
            PARTS[part]()
        except Exception:
            failed.append(part)
            traceback.print_exc()
        print(f"   {time.perf_counter() - begin:.0f} s", flush=True)
        if ON_GPU:
            torch.cuda.empty_cache()
    if failed:
        sys.exit(f"failed: {', '.join(failed)}")


if __name__ == "__main__":
    main(sys.argv[1:])
