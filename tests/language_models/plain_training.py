"""Tiny masked language models with random weights, data for them, and training written plainly with transformers."""

import math

import numpy as np
import torch
import transformers

from biassay.language_models.masked_sentences import MaskedSentences
from biassay.language_models.stacked.schedule import schedule

VOCABULARY = 60
KEY_BIASES = ("key.bias", "k_lin.bias", "attn.k.bias")
SIZES = {"vocab_size": VOCABULARY, "hidden_size": 16, "num_attention_heads": 2, "intermediate_size": 24}
SIZES |= {"max_position_embeddings": 40}
CONFIGS = {
    "bert": lambda: transformers.BertConfig(**SIZES, num_hidden_layers=2),
    "roberta": lambda: transformers.RobertaConfig(**SIZES, num_hidden_layers=2, pad_token_id=1, type_vocab_size=1),
    "distilbert": lambda: transformers.DistilBertConfig(
        vocab_size=VOCABULARY, dim=16, n_heads=2, hidden_dim=24, n_layers=2, max_position_embeddings=40
    ),
    "albert": lambda: transformers.AlbertConfig(
        **SIZES, embedding_size=8, num_hidden_layers=4, num_hidden_groups=2, inner_group_num=2, hidden_act="gelu_new"
    ),
    "mpnet": lambda: transformers.MPNetConfig(**SIZES, num_hidden_layers=2),
}


def base(kind: str, folder, dropout: float = 0.0):
    """Save a model with random weights of every size, so that no bias or normalisation is left at 0 or 1."""
    torch.manual_seed(3)
    config = CONFIGS[kind]()
    for key in ("hidden_dropout_prob", "attention_probs_dropout_prob", "dropout", "attention_dropout"):
        if hasattr(config, key):
            setattr(config, key, dropout)
    model = transformers.AutoModelForMaskedLM.from_config(config)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter += 0.1 * torch.randn_like(parameter)
    model.save_pretrained(folder)
    return folder


def sentences(n: int, seed: int, longest: int = 12) -> MaskedSentences:
    """Sentences of random length whose masked token goes with the one before."""
    random = np.random.default_rng(seed)
    lengths = random.integers(4, longest + 1, n)
    ids = random.integers(5, VOCABULARY, (n, longest)).astype(np.int32)
    positions = random.integers(1, lengths - 1)
    rows = np.arange(n)
    labels = 5 + ids[rows, positions - 1] % 4
    ids[rows, positions] = 4
    ids[np.arange(longest) >= lengths[:, None]] = 0
    return MaskedSentences(ids, lengths, positions, labels)


def load(folder):
    """The model of a folder, for training in single precision."""
    return transformers.AutoModelForMaskedLM.from_pretrained(folder, dtype=torch.float32).train()


def inputs(batch: MaskedSentences, model) -> dict[str, torch.Tensor]:
    """What a model of transformers takes."""
    mask = np.arange(batch.ids.shape[1]) < batch.lengths[:, None]
    ids = np.where(mask, batch.ids, model.config.pad_token_id)
    return {"input_ids": torch.from_numpy(ids).long(), "attention_mask": torch.from_numpy(mask).long()}


def train(
    model, data: MaskedSentences, *, seed: int, epochs: int, batch: int, learning_rate: float, max_norm=None, decay=0.01
):
    """Train as transformers' examples do: AdamW of torch, its warm-up and decay."""
    groups = [[p for p in model.parameters() if (p.ndim > 1) == decays] for decays in (True, False)]
    optimizer = torch.optim.AdamW(
        [{"params": groups[0], "weight_decay": decay}, {"params": groups[1], "weight_decay": 0.0}], lr=learning_rate
    )
    steps = schedule(data.lengths, batch, epochs, seed)
    rates = transformers.get_linear_schedule_with_warmup(optimizer, math.ceil(0.1 * len(steps)), len(steps))
    for rows in steps:
        part = data.take(rows)
        labels = torch.full(part.ids.shape, -100)
        labels[torch.arange(len(part)), torch.from_numpy(part.positions)] = torch.from_numpy(part.labels).long()
        loss = model(**inputs(part, model), labels=labels).loss
        optimizer.zero_grad()
        loss.backward()
        if max_norm:
            torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()
        rates.step()


@torch.no_grad()
def logits(model, data: MaskedSentences) -> np.ndarray:
    """Logits at the masked positions: (n, |V|)."""
    found = model.eval()(**inputs(data, model)).logits
    return found[torch.arange(len(data)), torch.from_numpy(data.positions)].numpy()


def loss(model, data: MaskedSentences) -> float:
    """Mean cross-entropy at the masks, without dropout."""
    labels = torch.from_numpy(data.labels).long()
    return torch.nn.functional.cross_entropy(torch.tensor(logits(model, data)), labels).item()


def assert_alike(model, other, atol=1e-4):
    """Weights, except key biases: their true gradient is zero, AdamW makes steps of rounding errors."""
    others = dict(other.named_parameters())
    for name, weight in model.named_parameters():
        if not name.endswith(KEY_BIASES):
            torch.testing.assert_close(weight, others[name], atol=atol, rtol=0, msg=lambda m, n=name: f"{n}: {m}")
