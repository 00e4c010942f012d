"""Pretraining of masked language models with BERT's architecture on the text of a corpus, on one device."""

import json
import logging
import os
import shutil
from dataclasses import asdict, dataclass
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np

from biassay.core import code, guard
from biassay.core.logs import Progress
from biassay.language_models import pretraining_data as data
from biassay.language_models.inference import position_logits, to_tensor

HELD_OUT = 0.01  # of the sequences
FILES = ("vocab.txt", "tokenizer_config.json", "config.json", "model.safetensors", "training.json")
STEPS = "steps"  # folder of the models of earlier steps, inside the folder of the last one
WARM_UP = 0.1  # of the steps
WEIGHT_DECAY, BETAS, MAX_NORM = 0.01, (0.9, 0.98), 1.0


@dataclass(frozen=True)
class Settings:
    """Sizes of a model and of its training."""

    vocabulary: str | int = 8000  # path of a vocab.txt of subword tokens, or the size of one to learn from the text
    layers: int = 2
    width: int = 128
    heads: int = 2
    length: int = 128  # tokens of a sequence, which is also the longest input of the model
    batch: int = 256  # sequences per step
    steps: int = 2000
    learning_rate: float = 1e-3  # the peak
    save_every: int = 500  # steps between two checkpoints to resume from
    checkpoint_steps: tuple[int, ...] = ()  # steps after which the model is stored as a model of its own

    def __post_init__(self):
        if any(not 0 < step < self.steps for step in self.checkpoint_steps):
            given, last = list(self.checkpoint_steps), self.steps - 1
            raise ValueError(f"checkpoint_steps: expected steps between 1 and {last}, got {given}")
        if self.width % self.heads:
            raise ValueError(f"heads: expected a divisor of the width, {self.width}, got {self.heads}")


def train(
    paths: list[str],
    out: str | Path,
    checkpoint: str | Path,
    settings: Settings,
    *,
    markup: bool = False,
    seed: int = 1,
) -> float:
    """Pretrain a lower-case BERT from random weights on text files; return the held-out loss, in nats.

    AdamW with linear warm-up and decay, no dropout, bf16 on a GPU. An interrupted run with the same settings resumes
    from `checkpoint` and gives the same model as an uninterrupted one. Raises ValueError if the text is too short, or a
    loss or weight becomes NaN or infinite; no model is written then.

    Parameters
    ----------
    out
        Folder of the model: weights in float16, and training.json with the loss and the settings. The model after each
        of `settings.checkpoint_steps` is in out/steps/<step>/.
    checkpoint
        File to resume from; written every `settings.save_every` steps and removed at the end.
    markup
        Whether to drop tags such as <doc …> from the text.
    """
    import torch

    out, checkpoint = Path(out), Path(checkpoint)
    out.mkdir(parents=True, exist_ok=True)
    with guard.writing(*(out / name for name in FILES)):
        tokenizer = data.make_tokenizer(out, settings.vocabulary, paths, markup, settings.length)
        sequences = data.sequences(tokenizer, paths, markup, settings.length, seed)
        n_held_out = max(1, round(HELD_OUT * len(sequences)))
        device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        model = _model(tokenizer, settings, seed).to(device)
        stored = _fit(model, tokenizer, sequences[n_held_out:], settings, seed, checkpoint)
        loss = _held_out_loss(model, tokenizer, sequences[:n_held_out], settings.batch, seed)
        if not np.isfinite(loss):
            raise ValueError(f"{out}: the held-out loss is {loss}; lower learning_rate ({settings.learning_rate:g})")
        logging.info("held-out loss %.4f", loss)
        _check_finite(model.half().state_dict(), out, settings.steps, settings)
        model.save_pretrained(out)
        for step, weights in stored.items():
            folder = out / STEPS / str(step)
            shutil.copytree(out, folder, ignore=shutil.ignore_patterns(STEPS, "*.safetensors"))
            model.load_state_dict(weights)
            model.save_pretrained(folder)
        n_seen = settings.steps * settings.batch * settings.length
        summary = {"held_out_loss": loss, "subword_tokens_of_corpus": sequences.size, "subword_tokens_seen": n_seen}
        (out / "training.json").write_text(json.dumps(summary | asdict(settings), indent=1) + "\n")
    checkpoint.unlink(missing_ok=True)
    return loss


def _model(tokenizer: Any, settings: Settings, seed: int) -> Any:
    """Create a BERT with random weights."""
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


def _fit(
    model: Any, tokenizer: Any, sequences: np.ndarray, settings: Settings, seed: int, checkpoint: Path
) -> dict[int, dict[str, Any]]:
    """Train the model; return its weights, in float16, after each of the checkpoint steps.

    All randomness of a step follows from the seed and the step's number.
    """
    import torch

    matrices = [weight for weight in model.parameters() if weight.ndim > 1]
    others = [weight for weight in model.parameters() if weight.ndim <= 1]
    groups = [{"params": matrices, "weight_decay": WEIGHT_DECAY}, {"params": others, "weight_decay": 0.0}]
    optimiser = torch.optim.AdamW(groups, lr=settings.learning_rate, betas=BETAS, fused=True)
    texts = blake2b(np.ascontiguousarray(sequences)).hexdigest()
    identity = {**asdict(settings), "seed": seed, "texts": texts, "vocabulary": len(tokenizer),
                "code": code.compute_digest(__file__), "torch": str(torch.__version__)}  # fmt: skip
    first, stored = _resume(model, optimiser, identity, checkpoint)
    progress = Progress("pretraining", settings.steps - first, "steps")
    model.train()
    for step in range(first, settings.steps):
        for group in optimiser.param_groups:
            group["lr"] = settings.learning_rate * _rate(step, settings.steps)
        loss = _loss(model, tokenizer, sequences[_rows(step, len(sequences), settings.batch, seed)], [seed, 7, step])
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), MAX_NORM)
        optimiser.step()
        if not loss.isfinite():
            where, rate = checkpoint.with_suffix(""), f"learning_rate ({settings.learning_rate:g})"
            raise ValueError(f"{where}: the loss is {loss.item()} at step {step} of {settings.steps}; lower {rate}")
        progress.add(1, f"loss {loss.item():.3f}")
        done = step + 1
        if done in settings.checkpoint_steps:
            stored[done] = {name: value.detach().half().cpu() for name, value in model.state_dict().items()}
            _check_finite(stored[done], checkpoint, done, settings)
        if done % settings.save_every == 0 and done < settings.steps:
            _save(model, optimiser, {"identity": identity, "step": done, "stored": stored}, checkpoint)
    return stored


def _save(model: Any, optimiser: Any, parts: dict, path: Path) -> None:
    """Write the state to resume from; the previous file stays until the new one is complete."""
    import torch

    path.parent.mkdir(parents=True, exist_ok=True)
    torch.save({**parts, "model": model.state_dict(), "optimiser": optimiser.state_dict()}, f"{path}.part")
    os.replace(f"{path}.part", path)


def _resume(model: Any, optimiser: Any, identity: dict, path: Path) -> tuple[int, dict[int, dict[str, Any]]]:
    """Load a checkpoint of the same text and settings, if there is one; return the finished and the stored steps."""
    import torch

    if not path.is_file():
        return 0, {}
    with guard.reading(path, "checkpoint; remove it to restart this training"):
        parts = torch.load(path, map_location=model.device, weights_only=True)
        if parts["identity"] != identity:
            logging.info("%s belongs to another text, other settings or another version; restarting", path)
            return 0, {}
        model.load_state_dict(parts["model"])
        optimiser.load_state_dict(parts["optimiser"])
        logging.info("resuming from step %d of %s", parts["step"], path)
        return parts["step"], parts["stored"]


def _check_finite(weights: dict[str, Any], path: Path, step: int, settings: Settings) -> None:
    """Raise ValueError, naming the file to be written, if a weight is NaN or infinite."""
    for name, weight in weights.items():
        if not weight.isfinite().all():
            raise ValueError(
                f"{path}: not written: {name} has values that are not finite (NaN or infinite) after step {step}; "
                f"lower learning_rate ({settings.learning_rate:g})"
            )


def _rate(step: int, steps: int) -> float:
    """Compute the share of the peak learning rate: linear warm-up, then linear decay."""
    warm = max(1, round(WARM_UP * steps))
    return (step + 1) / warm if step < warm else (steps - step) / max(1, steps - warm)


def _rows(step: int, n: int, batch: int, seed: int) -> np.ndarray:
    """Select the sequences of a step; each epoch is shuffled anew."""
    places = np.arange(step * batch, (step + 1) * batch)
    return np.array([_order(n, seed, place // n)[place % n] for place in places.tolist()])


@lru_cache(maxsize=2)
def _order(n: int, seed: int, epoch: int) -> np.ndarray:
    return np.random.default_rng([seed, 6, epoch]).permutation(n)


def _loss(model: Any, tokenizer: Any, ids: np.ndarray, seed: list[int]) -> Any:
    """Compute the mean cross-entropy of the masked tokens of a batch."""
    import torch

    masked, places = data.mask(ids, tokenizer, np.random.default_rng(seed))
    inputs, flat, labels = (to_tensor(part, model.device) for part in (masked, places, ids.flatten()[places]))
    with torch.autocast(model.device.type, torch.bfloat16, enabled=model.device.type == "cuda"):
        logits = position_logits(model, inputs, None, flat)  # no attention mask: there is no padding
    return torch.nn.functional.cross_entropy(logits.float(), labels)


def _held_out_loss(model: Any, tokenizer: Any, sequences: np.ndarray, batch: int, seed: int) -> float:
    """Compute the mean loss over held-out sequences, each batch weighted by its number of sequences."""
    import torch

    model.eval()
    starts = range(0, len(sequences), batch)
    with torch.inference_mode():
        losses = [_loss(model, tokenizer, sequences[i : i + batch], [seed, 8, i]) for i in starts]
    return float(np.average(torch.stack(losses).tolist(), weights=[len(sequences[i : i + batch]) for i in starts]))
