"""A text of few words, and pretraining's sequences and masks of it written plainly."""

from types import SimpleNamespace

import numpy as np
import torch

from biassay.language_models import pretraining
from biassay.language_models import pretraining_data as data

LINES = [f"The {w} {v} the old {o}." for w in ("nurse", "pilot") for v in ("saw", "heard") for o in ("dog", "car")] * 40
PIECES = [*data.SPECIAL, "the", "nurse", "pilot", "saw", "heard", "old", "dog", "car", "."]
SMALL = {"layers": 1, "width": 16, "heads": 2, "length": 12, "batch": 24, "steps": 14, "learning_rate": 0.02}


def write(folder):
    """A text, a vocabulary of its words, settings with it, and its tokenizer."""
    (folder / "text.txt").write_text("\n".join(LINES) + "\n")
    (folder / "pieces.txt").write_text("\n".join(PIECES) + "\n")
    (folder / "tokenizer").mkdir()
    text, vocabulary = [str(folder / "text.txt")], str(folder / "pieces.txt")
    tokenizer = data.make_tokenizer(folder / "tokenizer", vocabulary, text, False, SMALL["length"])
    settings = pretraining.Settings(vocabulary=vocabulary, save_every=5, **SMALL)
    return SimpleNamespace(text=text, folder=folder, settings=settings, tokenizer=tokenizer)


def sequences(length, seed):
    """Ids of the words one behind the other, a [SEP] behind each line, cut into lengths, a [CLS] before each."""
    ids = [PIECES.index(word) for line in LINES for word in [*line[:-1].lower().split(), ".", "[SEP]"]]
    cut = [ids[i : i + length - 1] for i in range(0, len(ids) - length + 2, length - 1)]
    random = np.random.default_rng([seed, 5])
    return random.permutation(np.array([[PIECES.index("[CLS]"), *part] for part in cut]))


def mask(ids, random):
    """Labels −100 but where a token is asked for; 80 % of these are masks, 10 % any token."""
    chosen = random.random(ids.shape) < 0.15
    chosen &= ~np.isin(ids, [PIECES.index("[CLS]"), PIECES.index("[SEP]")])
    inputs, labels = ids.copy(), np.where(chosen, ids, -100)
    fate = random.random(chosen.sum())
    other = random.integers(0, len(PIECES), chosen.sum())
    inputs[chosen] = np.where(fate < 0.8, PIECES.index("[MASK]"), np.where(fate < 0.9, other, ids[chosen]))
    return torch.from_numpy(inputs).long(), torch.from_numpy(labels).long()
