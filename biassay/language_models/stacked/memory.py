"""How many models fit into memory at once."""

import os
from pathlib import Path

import torch

STATE = 12  # bytes of a weight and its two moments
GRADIENT = 4
HALF = 2  # bytes of the copy autocast makes for bf16
SHARE = 0.8  # of the free memory to be used


def free(device: torch.device) -> int:
    """Free bytes of a device; on a CPU what can be had without swapping, within limits of a control group and SLURM."""
    if device.type == "cuda":
        kept = torch.cuda.memory_reserved(device) - torch.cuda.memory_allocated(device)  # by torch, of earlier chunks
        return torch.cuda.mem_get_info(device)[0] + kept
    return min(_available(), _control_group(), _allotted())


def _available() -> int:
    lines = Path("/proc/meminfo").read_text().splitlines() if Path("/proc/meminfo").is_file() else []
    kilobytes = [int(line.split()[1]) for line in lines if line.startswith("MemAvailable")]
    return kilobytes[0] << 10 if kilobytes else 4 << 30  # ASSUME: 4 GB where the system does not tell


def _control_group() -> int:
    limit, used = (Path(f"/sys/fs/cgroup/memory.{name}") for name in ("max", "current"))
    if not (limit.is_file() and used.is_file()) or limit.read_text().strip() == "max":
        return 1 << 62
    return int(limit.read_text()) - int(used.read_text())


def _allotted() -> int:
    """What SLURM has given the job, which it may hold without a control group, less what this process has."""
    megabytes = int(os.environ.get("SLURM_MEM_PER_NODE", "0"))
    if not megabytes:
        return 1 << 62
    return (megabytes << 20) - int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def activations(config, batch: int, length: int, bytes_each: int = 4) -> int:
    """Upper estimate of the bytes that one model's forward pass keeps for its backward pass, dropout masks included."""
    sizes = {"hidden_size": 768, "num_hidden_layers": 12, "num_attention_heads": 12}
    hidden, layers, heads = (getattr(config, key, default) for key, default in sizes.items())
    inner = getattr(config, "intermediate_size", None) or getattr(config, "hidden_dim", 4 * hidden)
    tokens = batch * length
    per_layer = tokens * (14 * hidden + 3 * inner) + 5 * batch * heads * length**2
    return bytes_each * (layers * per_layer + 4 * batch * config.vocab_size)


def models_at_once(
    weights: int, of_pass: int, device: torch.device, *, workers: int = 1, free_bytes: int | None = None
) -> int:
    """Models whose training fits into free memory, at least 1.

    weights: number of a model's weights. of_pass: bytes of a pass (see `activations`). On a GPU all models have their
    gradients, bf16 copies and activations at the same time; on a CPU only `workers` of them do.
    """
    room = SHARE * (free(device) if free_bytes is None else free_bytes)
    if device.type == "cuda":
        return max(1, int(room / (weights * (STATE + GRADIENT + HALF) + of_pass)))
    return max(1, int((room - workers * (weights * 2 * GRADIENT + of_pass)) / (weights * STATE)))
