"""Parts of benchmarks/gpu.py that ask whether what runs on a GPU is right."""

import subprocess
import sys
import tempfile
import warnings
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import torch
import training
import transformers

from biassay.language_models.stacked import dropout, memory, optimizer

from .measuring import seconds

ON_GPU = torch.cuda.is_available()
DEVICE = "cuda" if ON_GPU else "cpu"
SMALL = {
    "hidden_size": 24,
    "intermediate_size": 48,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "vocab_size": 2000,
}
BASE = {} if ON_GPU else SMALL
MINI = training.RANDOM["bert-mini"] if ON_GPU else SMALL


def saved(sizes: dict, folder: str | Path) -> str:
    """A folder with a BERT of random weights."""
    transformers.BertForMaskedLM(transformers.BertConfig(**sizes)).save_pretrained(folder)
    return str(folder)


def stack(
    models: int, batch: int, precision: str = "bf16", graphs: bool = False, sizes: dict = BASE
) -> training.Together:
    """Models that are trained together."""
    with tempfile.TemporaryDirectory() as folder:
        options = training.arguments(["--models", str(models), "--precision", precision, "--device", DEVICE])
        options.batch, options.graphs = batch, graphs
        return training.Together(saved(sizes, folder), options)


def tests() -> None:
    if not find_spec("pytest"):
        raise RuntimeError("pytest is not installed: pip install -e '.[models,test]'")
    # only these: others import packages that a machine for GPUs may lack, at which pytest would run none at all
    where = [str(path) for path in sorted(Path("tests").rglob("test_*.py")) if "pytest.mark.gpu" in path.read_text()]
    command = [sys.executable, "-m", "pytest", "-n", "0", "-m", "gpu", "-rs", "--durations", "5", *where]
    subprocess.run(command, check=ON_GPU, timeout=360)


def waits() -> None:
    made = stack(4 if ON_GPU else 2, 8)
    made.take(2, None)
    if ON_GPU:
        torch.cuda.set_sync_debug_mode("warn")
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        made.chunk._advance(slice(None), 2, 4)
    if ON_GPU:
        torch.cuda.set_sync_debug_mode("default")
    places = [f"{Path(w.filename).name}:{w.lineno}" for w in seen if "synchroniz" in str(w.message)]
    print(f"{len(places)} synchronisations in two steps (required 0) {places}; own kernel: {made.chunk.fused}")


def memory_of_a_step() -> None:
    for precision in ("bf16", "tf32"):
        for models, batch in ((16, 8), (16, 32)) if ON_GPU else ((2, 8),):
            if ON_GPU:
                torch.cuda.empty_cache()
                torch.cuda.reset_peak_memory_stats()
            made, half = stack(models, batch, precision), precision == "bf16"
            made.take(16 if ON_GPU else 1, None)
            weights = made.chunk.stack.weights
            count = sum(weight[0].numel() for weight in weights.values())
            of_pass = memory.activation_bytes(transformers.BertConfig(**BASE), batch, 16, half, made.chunk.fused)
            room = 1e15
            each = (
                memory.SHARE
                * room
                / memory.models_at_once(count, of_pass, torch.device("cuda"), half=half, available=room)
            )
            peak = torch.cuda.max_memory_allocated() / models if ON_GPU else float("nan")
            print(f"{precision}, batch {batch}: {peak / 1e9:.3f} GB a model at most, estimated {each / 1e9:.3f}")
            if ON_GPU:
                print(f"   reserved {torch.cuda.max_memory_reserved() / models / 1e9:.3f} GB a model")
            del made, weights


def update() -> None:
    for fused in (False, True) if optimizer.is_fused(torch.device(DEVICE)) else (False,):
        made = stack(32 if ON_GPU else 2, 8)
        made.chunk = replace(made.chunk, fused=fused)
        if not fused:
            made.chunk.stack.rounded.clear()
        made.adamw(slice(None))
        each = min(seconds(lambda made=made: made.adamw(slice(None)), DEVICE) for _ in range(5)) / made.options.models
        print(f"{'our kernel' if fused else 'torch'}: clip and AdamW {each * 1e3:.3f} ms a model")
        del made


def drop() -> None:
    models, sentences = (32, 32) if ON_GPU else (2, 2)
    tokens = torch.arange(sentences * 16, dtype=torch.int32, device=DEVICE).view(sentences, 16).expand(models, -1, -1)
    rows, keys = dropout.token_counters(tokens, 768), torch.ones(models, 2, dtype=torch.int32, device=DEVICE)
    for dtype in (torch.float32, torch.bfloat16):
        x = torch.ones(models, sentences, 16, 768, dtype=dtype, device=DEVICE, requires_grad=True)
        for fused in (False, True) if optimizer.is_fused(torch.device(DEVICE)) else (False,):
            function = dropout.Dropout(0.1, keys, fused)
            times = [seconds(lambda f=function, x=x: f(x, rows).backward(torch.ones_like(x)), DEVICE) for _ in range(7)]
            print(f"{dtype}, {'our kernel' if fused else 'torch'}: there and back {min(times) * 1e3:.3f} ms")
