"""Fine-tuning of many masked language models at once, with the result of training each alone."""

from collections.abc import Sequence
from pathlib import Path

import torch

from biassay.core import guard
from biassay.language_models import loading, model_files
from biassay.language_models.masked_sentences import MaskedSentences
from biassay.language_models.stacked.architectures import position_offset
from biassay.language_models.stacked.dropout import MAX_LENGTH
from biassay.language_models.stacked.run import Run, Settings

STORAGE = {"float32": torch.float32, "float16": torch.float16, "bfloat16": torch.bfloat16}


def train(
    base: str | Path, data: list[MaskedSentences], *, seeds: list[int], folder: str | Path, epochs: int = 5,
    batch: int = 32, learning_rate: float = 5e-5, warmup: float = 0.1, weight_decay: float = 0.01, dropout: float = 0.1,
    max_norm: float | None = None, precision: str = "fp32", storage: str = "float32", device: str = "auto",
    vocabulary: Sequence[int] | None = None, checkpoint_minutes: float = 10.0,
) -> None:  # fmt: skip
    """Fine-tune one copy of a base model for each data set.

    A training that was interrupted resumes from its last checkpoint; in fp32 on a CPU, the weights are the same bit for
    bit. All models are in memory together: 16 bytes per weight on a GPU, little more than 12 on a CPU.

    Parameters
    ----------
    base
        Folder of a masked language model, in the format of the library transformers.
    data
        Masked sentences of each model, equally many.
    seeds
        Seed of each model, for its order of sentences and its dropout.
    folder
        Folder of the result, weights.safetensors: each tensor of the M models stacked as (M, …), by its name in
        transformers; tied tensors are stored once (see `files.load_into`).
    batch
        Sentences per step.
    learning_rate, warmup
        The learning rate rises linearly to this peak over the fraction `warmup` of the steps, then falls linearly to 0.
    dropout
        Dropout of hidden states and attention, in place of the base model's.
    max_norm
        Norm to clip each model's gradient to.
    precision
        fp32, or tf32 or bf16 for products on a GPU; weights and moments stay in single precision.
    storage
        Type of the stored weights: float32, float16 or bfloat16.
    device
        cpu, cuda or auto.
    vocabulary
        Ids of the only tokens to learn and predict, as if the base model had no others, whose rows stay as they are.
        None: all. The head over the whole vocabulary is most of a small model's training.
    checkpoint_minutes
        Minutes between two checkpoints; 0 for no checkpoints.

    Raises
    ------
    ValueError
        If the data do not fit the model or the vocabulary, the models do not fit into memory, or a loss is not finite.
    OSError
        If the disk is full.
    """
    kept = None if vocabulary is None else tuple(vocabulary)
    settings = Settings(epochs, batch, learning_rate, warmup, weight_decay, dropout, max_norm, precision, kept)
    where = torch.device(("cuda" if torch.cuda.is_available() else "cpu") if device == "auto" else device)
    model = load(base, dropout).to(where)
    _check(data, model.config)
    torch.backends.cuda.matmul.allow_tf32 = precision == "tf32"
    Run(model, data, seeds, settings, Path(folder), where, STORAGE[storage], checkpoint_minutes).run()
    torch.backends.cuda.matmul.allow_tf32 = False  # what follows is in single precision


def load(base: str | Path, dropout: float) -> torch.nn.Module:
    """Load a masked language model for training in single precision, with the given dropout everywhere."""
    from transformers import AutoConfig

    if not Path(base).is_dir():
        raise ValueError(f"{base}: no such folder; expected a model of the transformers library")
    model_files.check_weights(Path(base))
    with guard.reading(base, "masked language model"):
        config = AutoConfig.from_pretrained(base, trust_remote_code=False)
        for key, value in config.to_dict().items():
            if "dropout" in key and "classif" not in key and type(value) in (float, int):
                setattr(config, key, dropout)
    return loading.read_weights(Path(base), str(base), *loading.KINDS["masked"], config=config).train()


def _check(data: list[MaskedSentences], config) -> None:
    limit = min(MAX_LENGTH, getattr(config, "max_position_embeddings", MAX_LENGTH) - position_offset(config))
    for i, part in enumerate(data):
        if not len(part) or len(part) != len(data[0]):
            raise ValueError(
                f"data set {i} has {len(part)} sentences; expected as many as data set 0 ({len(data[0])}), at least one"
            )
        if part.lengths.max() > limit:
            raise ValueError(f"data set {i}: expected at most {limit} tokens for this model, got {part.lengths.max()}")
