"""Fine-tuning of many masked language models: stacked training compared with plain transformers loops.

python benchmarks/training.py [--model FOLDER | --random bert-base] [--models 8] [--batch 8 32] [--precision fp32]

Plain loops train one model after the other: the class of transformers, logits of every token, torch's AdamW with its
defaults, clipped gradients; (a) padded to the longest sentence of the batch, (b) padded to 512 tokens as published. All
train on sentences of 8 to 16 tokens with one mask, with dropout and clipping as in configs/paper_same.yaml. Repeats of
all three alternate, and we compare medians, so that other load affects all of them. On a busy CPU the plain loops lose
more than ours, because each product waits for all threads; --threads 1 avoids that.
Times are of steps only; those of stacked training include batches, learning rates and checks of the losses. Memory is
the largest increase over the memory of the process before.
"""

import argparse
import statistics
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from functools import cached_property
from types import SimpleNamespace
from unittest import mock

import torch
import transformers
from reference.measuring import peak, seconds
from reference.plain_training import Plain, sentences

from biassay.language_models.stacked import optimizer
from biassay.language_models.stacked.architectures import find_architecture
from biassay.language_models.stacked.chunk import Chunk, Job, Settings, trains_separately, workers
from biassay.language_models.stacked.encoder import Encoder
from biassay.language_models.stacked.graphs import Graphs
from biassay.language_models.stacked.linear import linear
from biassay.language_models.stacked.optimizer import Stack
from biassay.language_models.stacked.run import PRECISIONS
from biassay.language_models.stacked.schedule import schedule
from biassay.language_models.stacked.step_gradients import StackedGradients
from biassay.language_models.stacked.training import load

RANDOM = {"bert-base": {}, "bert-mini": {"hidden_size": 256, "num_hidden_layers": 4, "num_attention_heads": 4,
                                         "intermediate_size": 1024}}  # fmt: skip
STUDY = 330, 5 * 5418  # models, sentences each goes through: 258 occupations, 30 templates, 70 %, 5 epochs
REQUIRED = {(128, 2): 6.0, (256, 4): 3.0}  # of (a) on a CPU by width and layers, batch 32
# ms a step and BERT-base in bf16 by batch, of an H200 and an H100; in tf32 twice as many
ON_GPU = {8: {"H200": 1.2, "H100": 1.7}, 32: {"H200": 1.6, "H100": 2.2}}


def arguments(given: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default="resources/models/bert-tiny-enwiki", help="folder of a model")
    parser.add_argument("--random", choices=RANDOM, help="this architecture with random weights instead")
    on_gpu = torch.cuda.is_available()
    parser.add_argument("--models", type=int, default=32 if on_gpu else 8, help="in the stack")
    parser.add_argument("--batch", type=int, nargs="+", default=[8, 32])
    parser.add_argument("--precision", choices=PRECISIONS, default="bf16" if on_gpu else "fp32")
    parser.add_argument("--dropout", type=float, default=0.1)
    parser.add_argument("--max-norm", type=float, default=1.0, help="of a model's gradient; 0: none is clipped")
    parser.add_argument("--device", default="cuda" if on_gpu else "cpu")
    parser.add_argument("--compiled", action="store_true", help="the stacked pass, with dropout, by torch.compile")
    parser.add_argument("--graphs", action="store_true", help="stacked steps as CUDA graphs, on a GPU with Triton")
    parser.add_argument("--threads", type=int, default=torch.get_num_threads(), help="of torch, on a CPU")
    parser.add_argument("--steps", type=int, default=8, help="of a model in a repeat of stacked and (a)")
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--published", type=int, default=2, help="repeats, of one step, padded to 512 tokens")
    return parser.parse_args(given)


def folder(options: argparse.Namespace, temporary: str) -> str:
    """The base model's folder; one with random weights is made."""
    if options.random:
        transformers.BertForMaskedLM(transformers.BertConfig(**RANDOM[options.random])).save_pretrained(temporary)
        return temporary
    return options.model


class Together:
    """Models in a stack."""

    def __init__(self, base: str, options: argparse.Namespace):
        model, count = load(base, options.dropout), options.models
        device = torch.device(options.device)
        data = [sentences(16 * options.batch, model.config.vocab_size, i) for i in range(count)]
        jobs = [Job(i, i, part, schedule(part.lengths, options.batch, 100, i)) for i, part in enumerate(data)]
        norm = options.max_norm or None
        settings = Settings(1, options.batch, 1e-5, 0.1, 0.01, options.dropout, norm, options.precision)
        stack, fused = Stack.of(dict(model.named_parameters()), count, device), optimizer.is_fused(device)
        own = fused and not options.compiled  # a compiler makes one kernel of dropout and of what is beside it
        self.engine = StackedGradients(find_architecture(model), options.dropout, PRECISIONS[options.precision], own)
        if fused and self.engine.dtype != torch.float32:
            stack.rounded = self.engine.rounded(stack.weights)
        graphs = Graphs(max(int(part.lengths.max()) for part in data)) if options.graphs and fused else None
        self.chunk = Chunk(jobs, stack, self.engine, frozenset(stack.weights), settings, device, fused, graphs)
        self.options, self.step = options, 0

    def take(self, count: int, pool: ThreadPoolExecutor | None) -> None:
        """Train so many steps of each model."""
        self.chunk.advance(self.step, self.step + count, pool)
        self.step += count

    def each(self, function: Callable[[slice], None], pool: ThreadPoolExecutor | None) -> None:
        """Call a function with the models that go through a pass together."""
        count = self.options.models
        groups = [slice(i, i + 1) for i in range(count)] if trains_separately(self.chunk.device) else [slice(count)]
        list((pool.map if pool else map)(function, groups))

    @cached_property
    def gradients(self) -> dict[str, torch.Tensor]:
        """Gradients in memory of their own: the update's reads of them are part of its time."""
        rounded = {**self.chunk.stack.weights, **self.chunk.stack.rounded}
        table = self.engine.architecture.embeddings[0]  # whose gradient is in single precision
        rounded[table] = self.chunk.stack.weights[table]
        return {name: torch.zeros_like(weight) for name, weight in rounded.items()}

    def adamw(self, models: slice) -> None:
        """Clipping and AdamW by themselves."""
        stack, device = self.chunk.stack.take(models), self.chunk.device
        rates = torch.zeros(len(next(iter(stack.weights.values()))), device=device)
        rates = rates.double() if device.type == "cpu" else rates
        count = torch.ones((), device=device)
        corrections = count.expand(2).clone()
        step = SimpleNamespace(host_rates=[0.0] * len(rates), rates=rates, count=count, corrections=corrections)
        of_models = {name: gradient[models] for name, gradient in self.gradients.items()}
        norm = self.chunk.settings.max_norm
        optimizer.apply(stack, of_models, step, decay=0.0, max_norm=norm, fused=self.chunk.fused)

    def head(self, models: slice) -> None:
        """The vocabulary's logits, their loss and gradients by themselves."""
        known, dtype, stack = self.engine.architecture, self.engine.dtype, self.chunk.stack.take(models)
        weight, bias = (stack.weights[name].requires_grad_() for name in (known.embeddings[0], known.bias))
        x = torch.randn(len(weight), self.options.batch, weight.shape[-1], device=weight.device, requires_grad=True)
        logits = linear(*(part.to(dtype) for part in (x, weight, bias))).flatten(0, 1).float()
        labels = torch.zeros(len(logits), dtype=torch.long, device=weight.device)
        torch.autograd.grad(torch.nn.functional.cross_entropy(logits, labels), [x, weight, bias])


def report(times: dict[str, list[float]], added: dict[str, float], options: argparse.Namespace, config) -> None:
    medians = {name: statistics.median(values) * 1e3 for name, values in times.items() if values}
    ours = medians["stacked"]
    for name, value in medians.items():
        gigabytes = f", {added[name]:.2f} GB at most" if name in added else ""
        ratio = f" = {value / ours:.1f} × stacked" if name in added else f" = {value / ours:.0%} of a stacked step"
        print(f"{name:28} {value:9.2f} ms a step and model{ratio}{gigabytes}")
    rest = ours - medians["clip and AdamW alone"] - medians["head alone"]
    print(f"{'the rest: encoder, dropout':28} {rest:9.2f} ms = {rest / ours:.0%} of a stacked step")
    required = REQUIRED.get((config.hidden_size, config.num_hidden_layers))
    name = torch.cuda.get_device_name() if options.device == "cuda" else ""
    for kind, most in ON_GPU.get(options.batch, {}).items():
        if kind in name and config.hidden_size == 768 and options.precision != "fp32":
            most *= 2 if options.precision == "tf32" else 1
            print(f"required at most {most:g} ms on an {kind}: {'met' if ours <= most else 'MISSED'}")
    if required and options.device == "cpu" and options.batch == 32:
        reached = medians["(a) plain, batch's longest"] / ours
        print(f"required {required:g} × (a): {'met' if reached >= required else 'MISSED'}")
    models, through = STUDY
    hours = [value * -(-through // options.batch) * models / 3.6e6 for value in (ours, *list(medians.values())[1:2])]
    print(f"the {models}-model study: {hours[0]:.2f} h stacked, {hours[1]:.2f} h by (a)")


def main(options: argparse.Namespace) -> None:
    compiled = mock.patch.object(Encoder, "losses", torch.compile(Encoder.losses))
    with compiled if options.compiled else nullcontext():
        compare(options)


def compare(options: argparse.Namespace) -> None:
    device = options.device
    torch.set_num_threads(options.threads)
    torch.backends.cuda.matmul.allow_tf32 = options.precision == "tf32"
    with tempfile.TemporaryDirectory() as temporary:
        base = folder(options, temporary)
        config = transformers.AutoConfig.from_pretrained(base)
        kind = f"{config.num_hidden_layers} layers × {config.hidden_size}, {config.vocab_size:,} words"
        kind += f", batch {options.batch}, {options.precision}, dropout {options.dropout:g}, norm {options.max_norm:g}"
        print(f"{kind}; {options.models} models in the stack; {device}, {torch.get_num_threads()} threads")
        times: dict[str, list[float]] = {"stacked": [], "(a) plain, batch's longest": [], "(b) plain, 512 tokens": []}
        added = {}

        def together(count: int, way: Together) -> None:
            with workers(options.models, True, way.chunk.device) as pool:
                way.take(count, pool)

        def part(function: Callable[[slice], None]) -> None:
            with workers(options.models, True, stacked.chunk.device) as pool:
                stacked.each(function, pool)

        names = list(times)
        first = 20 if options.compiled or options.graphs else 2  # batches of several lengths
        stacked, added[names[0]] = peak(lambda: Together(base, options), lambda way: together(first, way), device)
        plain, added[names[1]] = peak(lambda: Plain(base, options, None), lambda way: way.take(2), device)
        published, added[names[2]] = None, 0.0
        if options.published:
            published, added[names[2]] = peak(lambda: Plain(base, options, 512), lambda way: way.take(1), device)
        count = options.steps
        for repeat in range(options.repeats):
            times[names[0]].append(seconds(lambda: together(count, stacked), device) / count / options.models)
            times[names[1]].append(seconds(lambda: plain.take(count), device) / count)
            if repeat < options.published:
                times[names[2]].append(seconds(lambda: published.take(1), device))
            for name, function in (("clip and AdamW alone", stacked.adamw), ("head alone", stacked.head)):
                times.setdefault(name, []).append(seconds(lambda f=function: part(f), device) / options.models)
        report(times, added, options, config)


if __name__ == "__main__":
    options = arguments()
    for batch in options.batch:
        main(argparse.Namespace(**vars(options) | {"batch": batch}))
