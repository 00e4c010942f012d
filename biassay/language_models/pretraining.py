"""Masked language models of BERT's architecture, pretrained from a corpus's text on one device."""

import json
import logging
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from biassay.language_models import pretraining_checkpoints as states
from biassay.language_models import pretraining_data as data
from biassay.language_models.inference import position_logits
from biassay.language_models.transfer import to_device
from biassay.support import guard
from biassay.support.logs import Progress

HELD_OUT = 0.01  # of the sequences
FILES = ("vocab.txt", "tokenizer_config.json", "config.json", "model.safetensors", "training.json")
LOOK = 50  # steps between two looks at the losses, for which a GPU is waited for
WARM_UP = 0.1  # of the steps
WEIGHT_DECAY, BETAS, LONGEST_GRADIENT = 0.01, (0.9, 0.98), 1.0


@dataclass(frozen=True)
class Settings:
    """Sizes of a model and of its training.

    vocabulary: a vocab.txt of subword tokens, or the size of one to be learned from the text. length: tokens of a
    sequence, the longest that the model takes. batch: sequences of a step. save_every: steps between checkpoints.
    keep: steps after which the model is kept as it is then, as a model of its own.
    """

    vocabulary: str | int = 8000
    layers: int = 2
    width: int = 128
    heads: int = 2
    length: int = 128
    batch: int = 256
    steps: int = 2000
    learning_rate: float = 1e-3
    save_every: int = 500
    keep: tuple[int, ...] = ()

    def __post_init__(self):
        if any(not 0 < step < self.steps for step in self.keep):
            raise ValueError(f"keep: {list(self.keep)}; these steps lie between 0 and all {self.steps}")
        if self.width % self.heads:
            raise ValueError(f"heads: {self.heads}; must divide the width, {self.width}")


def train(
    paths: list[str],
    out: str | Path,
    checkpoint: str | Path,
    settings: Settings,
    *,
    markup: bool = False,
    seed: int = 1,
) -> float:
    """Pretrain a lower-case BERT from random weights on text files into the folder `out`; its held-out loss, in nats.

    AdamW with linear warm-up and decay, no dropout, bf16 on a GPU. The file `checkpoint` is renewed every `save_every`
    steps; an interrupted run of the same settings goes on from it as if unbroken, and the end removes it. The weights
    are stored in float16, training.json holds the loss and the settings; out/steps/<step>/ is what is to be kept of an
    earlier step, a folder of a model like the last one's. Raises ValueError for too little text and where the loss or
    a weight becomes NaN or infinite: then no model is written.
    """
    import torch

    out, checkpoint = Path(out), Path(checkpoint)
    out.mkdir(parents=True, exist_ok=True)
    pieces = out / "pieces.npy"
    with guard.writing(*(out / name for name in FILES)):
        try:
            tokenizer = data.make_tokenizer(out, settings.vocabulary, paths, markup, settings.length)
            sequences = data.sequences(tokenizer, paths, markup, pieces, settings.length, seed)
        finally:
            pieces.unlink(missing_ok=True)
        cut = max(1, round(HELD_OUT * len(sequences)))
        device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        model = _model(tokenizer, settings, seed).to(device)
        _fit(model, tokenizer, sequences[cut:], settings, seed, checkpoint)
        loss = _held_out_loss(model, tokenizer, sequences[:cut], settings.batch, seed)
        if not np.isfinite(loss):
            raise ValueError(f"{out}: the held-out loss is {loss}; lower learning_rate ({settings.learning_rate:g})")
        logging.info("held-out loss %.4f", loss)
        states.halved(model, out, settings.steps, settings.learning_rate).save_pretrained(out)
        seen = settings.steps * settings.batch * settings.length
        summary = {
            "held_out_loss": loss,
            "subword_tokens_of_corpus": sequences.size,
            "pieces_seen": seen,
            **asdict(settings),
        }
        (out / "training.json").write_text(json.dumps(summary, indent=1) + "\n")
    states.give_out(out, checkpoint, settings.keep)
    return loss


def _model(tokenizer: Any, settings: Settings, seed: int) -> Any:
    """A BERT with random weights."""
    import torch
    from transformers import BertConfig, BertForMaskedLM

    sizes = BertConfig(
        vocab_size=len(tokenizer), hidden_size=settings.width, num_hidden_layers=settings.layers,
        num_attention_heads=settings.heads, intermediate_size=4 * settings.width, hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0, max_position_embeddings=settings.length, pad_token_id=tokenizer.pad_token_id,
    )  # fmt: skip
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return BertForMaskedLM(sizes)


def _fit(model: Any, tokenizer: Any, sequences: np.ndarray, settings: Settings, seed: int, checkpoint: Path) -> None:
    """Train the model; all that is random in a step follows from the seed and the step's number."""
    import torch

    matrices = [weight for weight in model.parameters() if weight.ndim > 1]
    others = [weight for weight in model.parameters() if weight.ndim <= 1]
    groups = [{"params": matrices, "weight_decay": WEIGHT_DECAY}, {"params": others, "weight_decay": 0.0}]
    optimiser = torch.optim.AdamW(groups, lr=settings.learning_rate, betas=BETAS, fused=True)
    identity = {**asdict(settings), "seed": seed, "sequences": len(sequences), "first": sequences[0].tolist()}
    done = states.resume(model, optimiser, identity, checkpoint)
    progress, losses = Progress("pretraining", settings.steps - done, "steps"), []
    model.train()
    for step in range(done, settings.steps):
        for group in optimiser.param_groups:
            group["lr"] = settings.learning_rate * _rate(step, settings.steps)
        loss = _loss(model, tokenizer, sequences[_rows(step, len(sequences), settings.batch, seed)], [seed, 7, step])
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), LONGEST_GRADIENT)
        optimiser.step()
        losses.append(loss.detach())
        written = step + 1 in settings.keep or (step + 1) % settings.save_every == 0 or step + 1 == settings.steps
        if written or len(losses) == LOOK:
            _check(losses, step + 1, settings, checkpoint)
            losses.clear()
        progress.add(1, lambda loss=loss: f"loss {loss.item():.3f}")  # read rarely: a GPU goes on meanwhile
        if step + 1 in settings.keep:
            states.keep(model, checkpoint, step + 1, settings.learning_rate)
        if (step + 1) % settings.save_every == 0 and step + 1 < settings.steps:
            states.save(model, optimiser, identity, step + 1, checkpoint)


def _check(losses: list, step: int, settings: Settings, checkpoint: Path) -> None:
    """Raise ValueError unless the losses of the last steps before a step are finite."""
    for number, loss in enumerate(losses, step - len(losses)):
        if not loss.isfinite():
            raise ValueError(
                f"{checkpoint.with_suffix('')}: the loss is {loss.item()} at step {number} of {settings.steps}; lower "
                f"learning_rate ({settings.learning_rate:g})"
            )


def _rate(step: int, steps: int) -> float:
    """Share of the learning rate: linear warm-up, then linear decay."""
    warm = max(1, round(WARM_UP * steps))
    return (step + 1) / warm if step < warm else (steps - step) / max(1, steps - warm)


def _rows(step: int, n: int, batch: int, seed: int) -> np.ndarray:
    """The sequences of a step: epochs one after another, each in an order of its own."""
    places = np.arange(step * batch, (step + 1) * batch)
    return np.array([_order(n, seed, place // n)[place % n] for place in places.tolist()])


@lru_cache(maxsize=2)
def _order(n: int, seed: int, epoch: int) -> np.ndarray:
    return np.random.default_rng([seed, 6, epoch]).permutation(n)


def _loss(model: Any, tokenizer: Any, ids: np.ndarray, seed: list[int]) -> Any:
    """Mean cross-entropy of the masked tokens of a batch."""
    import torch

    changed, places = data.mask(ids, tokenizer, np.random.default_rng(seed))
    arrays = [part.astype(np.int64) for part in (changed, places, ids.flatten()[places])]
    inputs, flat, labels = to_device(arrays, model.device)
    with torch.autocast(model.device.type, torch.bfloat16, enabled=model.device.type == "cuda"):
        logits = position_logits(model, inputs, None, flat)  # no padding to be masked
    return torch.nn.functional.cross_entropy(logits.float(), labels)


def _held_out_loss(model: Any, tokenizer: Any, sequences: np.ndarray, batch: int, seed: int) -> float:
    """Mean loss over sequences that were not trained on, each batch weighted by its length."""
    import torch

    model.eval()
    starts = range(0, len(sequences), batch)
    with torch.inference_mode():
        losses = [_loss(model, tokenizer, sequences[i : i + batch], [seed, 8, i]) for i in starts]
    return float(np.average(torch.stack(losses).tolist(), weights=[len(sequences[i : i + batch]) for i in starts]))
