"""Fine-tuning of many masked language models: stacked training compared with a plain transformers loop.

python benchmarks/training.py [--model FOLDER] [--models 8] [--batch 32]

The plain loop trains one model after the other: the class of transformers, logits of every token, torch's AdamW,
clipped gradients, padding to the longest sentence of a batch. Both train on sentences of 8 to 16 tokens with one mask.
Stacked training is timed with the whole vocabulary, and with that of the sentences only (`vocabulary: texts`).
Repeats alternate, and we compare medians, so that other load affects both.
"""

import argparse
import statistics
import tempfile
from functools import partial
from timeit import timeit

import numpy as np
import torch

from biassay.language_models.masked_sentences import MaskedSentences
from biassay.language_models.stacked import training
from biassay.language_models.stacked.schedule import schedule

DROPOUT, MAX_NORM, RATE = 0.1, 1.0, 1e-5
TOKENS = 700  # different ones in the sentences, as in those of the intrinsic study


def sentences(n: int, vocabulary: int, seed: int) -> MaskedSentences:
    """Make sentences of 8 to 16 tokens."""
    random = np.random.default_rng(seed)
    lengths = random.integers(8, 17, n)
    ids = random.integers(1000, vocabulary, (n, 16)).astype(np.int32)
    positions = random.integers(1, lengths - 1)
    ids[np.arange(n), positions] = 103
    return MaskedSentences(ids, lengths, positions, random.integers(1000, vocabulary, n))


def train_plainly(base: str, data: MaskedSentences, batch: int, device: str) -> None:
    """Train one model for an epoch."""
    model = training.load(base, DROPOUT).to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=RATE)
    for rows in schedule(data.lengths, batch, 1, seed=1):
        part = data.take(rows)
        mask = np.arange(part.ids.shape[1]) < part.lengths[:, None]
        labels = np.full(part.ids.shape, -100)
        labels[np.arange(len(part)), part.positions] = part.labels
        inputs = (torch.from_numpy(array.astype(np.int64)).to(device) for array in (part.ids * mask, mask, labels))
        loss = model(**dict(zip(("input_ids", "attention_mask", "labels"), inputs, strict=True))).loss
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), MAX_NORM)
        optimizer.step()
        loss.item()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default="resources/models/bert-tiny-enwiki", help="folder of a model")
    parser.add_argument("--models", type=int, default=8, help="trained together")
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--steps", type=int, default=16, help="of a model in a repeat")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    options = parser.parse_args()
    vocabulary = np.append(103, np.arange(1000, 1000 + TOKENS))
    data = [sentences(options.steps * options.batch, 1000 + TOKENS, seed) for seed in range(options.models)]
    settings = {"epochs": 1, "batch": options.batch, "dropout": DROPOUT, "max_norm": MAX_NORM, "learning_rate": RATE}
    settings |= {"checkpoint_minutes": 0, "device": options.device, "seeds": list(range(options.models))}
    times = []
    for _ in range(options.repeats):
        stacked = []
        for kept in (None, vocabulary):
            with tempfile.TemporaryDirectory() as folder:
                train = partial(training.train, options.model, data, folder=folder, vocabulary=kept, **settings)
                stacked.append(timeit(train, number=1) / options.models)
        plainly = partial(train_plainly, options.model, data[0], options.batch, options.device)
        times.append((*stacked, timeit(plainly, number=1)))
    *stacked, plain = (1e3 * statistics.median(column) / options.steps for column in zip(*times, strict=True))
    print(f"{options.models} models of {options.model}, batch {options.batch}, {options.device}")
    print(f"ms per step and model, loading and files included: plain loop {plain:.1f}")
    for name, of_stack in zip(("all tokens", "tokens of the texts"), stacked, strict=True):
        print(f"stacked, {name}: {of_stack:.1f}, {plain / of_stack:.1f} × as fast")


if __name__ == "__main__":
    main()
