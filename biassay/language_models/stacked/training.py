"""Fine-tune many masked language models at once, each as if it were trained alone."""

from pathlib import Path

import torch

from biassay.language_models import loading, model_files
from biassay.language_models.masked_sentences import MaskedSentences
from biassay.language_models.stacked.architectures import offset
from biassay.language_models.stacked.chunk import Settings
from biassay.language_models.stacked.dropout import LONGEST
from biassay.language_models.stacked.files import NAMES
from biassay.language_models.stacked.run import PRECISIONS, Run
from biassay.support import guard

STORAGE = {str(dtype).removeprefix("torch."): dtype for dtype in NAMES}


def train(
    base: str | Path, data: list[MaskedSentences], *, seeds: list[int], folder: str | Path, epochs: int = 5, batch: int = 32,
    learning_rate: float = 5e-5, warmup: float = 0.1, weight_decay: float = 0.01, dropout: float = 0.1,
    max_norm: float | None = None, precision: str = "fp32", storage: str = "float32", device: str = "auto",
    checkpoint_minutes: float = 10.0, checkpoint_every: int | None = None, at_once: int | None = None,
    graphs: bool = False,
) -> None:  # fmt: skip
    """Fine-tune one copy of a base model for each data set, with its own order and dropout by its seed.

    base: folder of a masked language model of transformers. batch: sentences a step. learning_rate: its peak, after a
    share `warmup` of the steps, then linearly down to 0. dropout: of hidden states and attention, whatever the base
    model's configuration says. max_norm: clips each model's gradient. precision: fp32, or tf32 or bf16 for products on
    a GPU (weights and moments stay single). storage: float32, float16 or bfloat16. device: cpu, cuda or auto. at_once:
    models in memory, by default as many as fit there and, with their checkpoints, on the disk. graphs: whether steps of
    encoders on a GPU are recorded as CUDA graphs, which was never tried on one.

    Writes folder/weights.safetensors, every tensor of the model as (M, …) by its name in transformers, tied ones once
    (see `files.load_into`), and folder/losses.csv. A training that was killed goes on from its last checkpoint and ends
    with the same weights, bit for bit in fp32 on a CPU. Checkpoints are written between chunks of models, and amid one
    when `checkpoint_minutes` have gone since the last, or every `checkpoint_every` steps if that is given (0: none at
    all); of a training on a GPU in the background, as weights are, if the host's memory has room for a copy.

    Raises ValueError for data that does not fit the model and where a model's loss becomes NaN or infinite, and OSError
    where the disk has no room for the weights and two checkpoints.
    """
    settings = Settings(epochs, batch, learning_rate, warmup, weight_decay, dropout, max_norm, precision)
    where = torch.device(("cuda" if torch.cuda.is_available() else "cpu") if device == "auto" else device)
    model = load(base, dropout).to(where)
    _check(data, seeds, settings, storage, model.config)
    Run(
        model,
        data,
        seeds,
        settings,
        Path(folder),
        where,
        STORAGE[storage],
        checkpoint_every,
        checkpoint_minutes,
        at_once,
        graphs,
    ).run()


def load(base: str | Path, dropout: float) -> torch.nn.Module:
    """A masked language model to be trained in single precision, with this dropout everywhere."""
    from transformers import AutoConfig

    if not Path(base).is_dir():
        raise ValueError(f"{base}: no such folder with a model of transformers")
    model_files.check_weights(Path(base))
    with guard.reading(base, "masked language model"):
        config = AutoConfig.from_pretrained(base, trust_remote_code=False)
        for key, value in config.to_dict().items():
            if "dropout" in key and "classif" not in key and type(value) in (float, int):
                setattr(config, key, dropout)
    return loading.read_weights(Path(base), str(base), *loading.KINDS["masked"], config=config).train()


def _check(data: list[MaskedSentences], seeds: list[int], settings: Settings, storage: str, config) -> None:
    if not data or len(data) != len(seeds):
        raise ValueError(f"{len(data)} data sets and {len(seeds)} seeds; give at least one, and as many of each")
    if min(seeds) < 0:
        raise ValueError(f"seeds: {min(seeds)} is negative")
    choices = {"precision": (settings.precision, tuple(PRECISIONS)), "storage": (storage, tuple(STORAGE))}
    for key, (value, allowed) in choices.items():
        if value not in allowed:
            raise ValueError(f"{key}: {value!r} is none of {', '.join(allowed)}")
    longest = min(LONGEST, getattr(config, "max_position_embeddings", LONGEST) - offset(config))
    for i, part in enumerate(data):
        if not len(part):
            raise ValueError(f"data set {i} has no sentences")
        if part.lengths.max() > longest:
            raise ValueError(f"data set {i}: a sentence of {part.lengths.max()} tokens; the model takes {longest}")
        if max(part.ids.max(), part.labels.max()) >= config.vocab_size:
            raise ValueError(f"data set {i}: a token id beyond the model's vocabulary of {config.vocab_size}")
        if (part.positions >= part.lengths).any():
            raise ValueError(f"data set {i}: a mask beyond its sentence's end")
