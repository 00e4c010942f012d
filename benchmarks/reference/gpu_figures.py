"""Parts of benchmarks/gpu.py that measure how fast a GPU is."""

import statistics
import tempfile
import time
from pathlib import Path
from types import SimpleNamespace

import explicit
import numpy as np
import pll
import torch
import training
import transformers

from biassay.language_models import encoding
from biassay.language_models.loading import LanguageModel
from biassay.language_models.stacked import checkpoint
from biassay.language_models.stacked.checkpoint import Checkpoint
from biassay.language_models.stacked.files import load_into
from biassay.language_models.stacked.training import train
from biassay.language_models.tokens import Tokens

from .gpu_checks import BASE, DEVICE, MINI, ON_GPU, saved, stack
from .measuring import seconds
from .plain_training import sentences


def profile() -> None:
    made = stack(32 if ON_GPU else 2, 8)
    made.take(6, None)
    each = seconds(lambda: made.take(8, None), DEVICE) / 8
    few = stack(2, 8)  # of which a GPU is done before the host: with many it waits for the GPU's queue
    few.take(6, None)
    host = seconds(lambda: few.take(8, None), DEVICE) / 8
    kinds = [torch.profiler.ProfilerActivity.CPU, *([torch.profiler.ProfilerActivity.CUDA] if ON_GPU else [])]
    with torch.profiler.profile(activities=kinds) as found:
        seconds(lambda: made.chunk._advance(slice(None), 16, 18), DEVICE)
    kernels = [event for event in found.events() if str(event.device_type).endswith("CUDA")]
    busy = sum(event.device_time_total for event in kernels) / 2e3
    print(f"{each * 1e3:.1f} ms a step, host {host * 1e3:.1f} ms; {len(kernels) / 2:.0f} kernels, busy {busy:.1f} ms")
    key = "self_device_time_total" if ON_GPU else "self_cpu_time_total"
    print(found.key_averages().table(sort_by=key, row_limit=20, max_name_column_width=60))


def steps(precision: str, batch: int, compiled: bool = False) -> None:
    published = ["--published", "0", "--compiled"] if compiled else ["--published", "1"]
    options = training.arguments(["--precision", precision, *published])
    options.batch, options.random = batch, "bert-base"
    if not ON_GPU:
        options.random, options.models, options.steps, options.repeats, options.published = None, 2, 1, 1, 0
    training.main(options)


def graphs() -> None:
    cases = ((BASE, 32), (BASE, 2), (MINI, 330), (MINI, 16)) if ON_GPU else ((BASE, 2),)
    for sizes, models in cases:
        for recorded in (False, True):
            if ON_GPU:
                torch.cuda.empty_cache()
                torch.cuda.reset_peak_memory_stats()
            made = stack(models, 8, graphs=recorded, sizes=sizes)
            made.take(20 if ON_GPU else 2, None)
            times = [seconds(lambda made=made: made.take(8, None), DEVICE) / 8 for _ in range(7 if ON_GPU else 1)]
            reserved = torch.cuda.max_memory_reserved() / 1e9 if ON_GPU else float("nan")
            kept = made.chunk.graphs.shapes.values() if made.chunk.graphs else ()
            told = (
                f"{models} × {sizes.get('hidden_size', 768)}, {sum(shape.replay is not None for shape in kept)} CUDA "
            )
            told += f"graphs: {(each := statistics.median(times) * 1e3):.2f} ms a step, {each / models:.3f} a model"
            print(f"{told} (BERT-base: at most 1.2 on an H200), {reserved:.2f} GB reserved")
            del made, kept


def norms() -> None:
    explicit.main(explicit.arguments(["--device", DEVICE, *([] if ON_GPU else ["--words", "1000"])]))


def pairs() -> None:
    pll.main(["--random", "--pairs", "200", "--runs", "1"] if ON_GPU else ["--pairs", "5", "--runs", "1"])


def asked(config: transformers.BertConfig, n: int) -> Tokens:
    """Sentences as the study encodes them: 258 occupations in 20 templates."""
    data = sentences(n, config.vocab_size, 1)
    return Tokens(data.ids, data.lengths, np.stack([data.positions, data.positions + 1], axis=1)[:, None])


def of_encoding(model: torch.nn.Module) -> LanguageModel:
    special = SimpleNamespace(cls_token_id=101, sep_token_id=102, bos_token_id=None, eos_token_id=None)
    return LanguageModel(special, model.eval().to(DEVICE), "masked")


def encode() -> None:
    config = transformers.BertConfig(**BASE)
    model, given = of_encoding(transformers.BertForMaskedLM(config)), asked(config, 5160 if ON_GPU else 60)
    found = {}
    for half in (False, True, False, True):
        begin = time.perf_counter()
        found[half] = encoding.encode(model, given, 0, storage=np.float32, half=half)
        print(f"products in {'float16' if half else 'float32'}: {time.perf_counter() - begin:.2f} s a model")
    lengths = np.linalg.norm(found[False].mean, axis=1)
    print(f"relative error {(np.linalg.norm(found[True].mean - found[False].mean, axis=1) / lengths).max():.1e}")


def disk() -> None:
    made = stack(4 if ON_GPU else 2, 8)
    with tempfile.TemporaryDirectory() as folder:
        path, state = Path(folder) / "c.safetensors", Checkpoint(0, 1, torch.zeros(4, 4), made.chunk.stack)
        write = seconds(lambda: checkpoint.save(path, state, "x"), DEVICE)
        size = path.stat().st_size / 1e9
        with checkpoint.Saver(path, "x", True) as saver:
            held = seconds(lambda: saver.save(state), DEVICE)
            saver.wait()
        read = seconds(lambda: checkpoint.load(path, "x", torch.device(DEVICE)), DEVICE)
    print(f"checkpoint of {size:.2f} GB: written at {size / write:.2f} GB/s, read at {size / read:.2f} GB/s")
    print(f"   a training waits {write:.2f} s for it, {held:.2f} s for its copy if it is written in the background")


def trained(sizes: dict, models: int, of_each: int, encoded: bool, **settings) -> float:
    """Train models on sentences of their own, and embed each's; seconds."""
    begin, config = time.perf_counter(), transformers.BertConfig(**sizes)
    with tempfile.TemporaryDirectory() as folder:
        base, out = saved(sizes, f"{folder}/base"), Path(folder) / "out"
        data = [sentences(of_each, config.vocab_size, i) for i in range(models)]
        # without checkpoints, for two of which a small disk would make the stack small
        options = {"max_norm": 1.0, "device": DEVICE, "checkpoint_every": 0, **settings}
        train(base, data, seeds=list(range(models)), folder=out, **options)
        done = time.perf_counter() - begin
        print(f"{models} models trained in {done:.0f} s", flush=True)
        if encoded:
            model, given = of_encoding(transformers.BertForMaskedLM(config)), asked(config, 5160 if ON_GPU else 60)
            for row in range(models):
                load_into(model.model, out, row)
                encoding.encode(model, given, 0).save(f"{folder}/encoded/{row}")
            print(f"embedded in {time.perf_counter() - begin - done:.0f} s")
    return time.perf_counter() - begin


def minis() -> None:
    models, n = (330, 5418) if ON_GPU else (3, 40)
    took = trained(MINI, models, n, False, epochs=10 if ON_GPU else 1, batch=32, precision="bf16", storage="float16")
    print(f"{took / 60:.1f} minutes (goal 4)")


def study() -> None:
    models, n = (64, 5418) if ON_GPU else (3, 40)
    took = trained(BASE, models, n, True, epochs=5 if ON_GPU else 1, batch=16, precision="bf16", storage="float16")
    print(f"330 models would take {took * 330 / models / 60:.1f} minutes (goals 20 on an H200, 30 on an H100)")
