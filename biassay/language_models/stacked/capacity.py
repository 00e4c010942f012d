"""How many models a training holds at once, from free memory and disk space."""

import errno
import os
import shutil
from pathlib import Path

import torch

STATE = 12  # bytes of a weight and its two moments, in memory and in a checkpoint
GRADIENT = 4
MEMORY_SHARE, DISK_SHARE = 0.8, 0.95  # of the free space to use
# Bytes that a layer stores for each value of a token's hidden state, its feed-forward state, and attention maps
OF_HIDDEN, OF_INNER, OF_ATTENTION = 57, 8, 11
ONE_KERNEL = ("gelu", "relu", "silu")  # activation functions that store only their input


def free_memory(device: torch.device) -> int:
    """Find the free bytes of a device; on a CPU without swapping, within limits of a control group and SLURM."""
    if device.type == "cuda":
        cached = torch.cuda.memory_reserved(device) - torch.cuda.memory_allocated(device)  # by torch, of earlier chunks
        return torch.cuda.mem_get_info(device)[0] + cached
    limits = []
    if (system := Path("/proc/meminfo")).is_file():
        limits += [int(line.split()[1]) << 10 for line in system.read_text().splitlines() if "MemAvailable" in line]
    limit, used = (Path(f"/sys/fs/cgroup/memory.{name}") for name in ("max", "current"))
    if limit.is_file() and used.is_file() and limit.read_text().strip() != "max":
        limits.append(int(limit.read_text()) - int(used.read_text()))
    if megabytes := int(os.environ.get("SLURM_MEM_PER_NODE", "0")):  # a job can lack a control group
        own = int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
        limits.append((megabytes << 20) - own)
    return min(limits, default=4 << 30)  # ASSUME: 4 GB if the system does not report it


def activation_bytes(config, batch: int, length: int) -> int:
    """Estimate the largest number of bytes that one model's forward pass stores for its backward pass."""
    sizes = {"hidden_size": 768, "num_hidden_layers": 12, "num_attention_heads": 12}
    hidden, layers, heads = (getattr(config, key, default) for key, default in sizes.items())
    inner = getattr(config, "intermediate_size", None) or getattr(config, "hidden_dim", 4 * hidden)
    of_inner = OF_INNER * (1 if getattr(config, "hidden_act", "gelu") in ONE_KERNEL else 2.5)
    tokens = batch * length
    per_layer = tokens * (OF_HIDDEN * hidden + of_inner * inner) + OF_ATTENTION * batch * heads * length**2
    # The last layer and the head compute one token per sentence; the head's gradient is computed first.
    table = config.vocab_size * getattr(config, "embedding_size", hidden)
    head = 20 * tokens * hidden + 12 * batch * config.vocab_size + GRADIENT * table
    return int((layers - 1) * per_layer + head)


def models_in_memory(n_weights: int, of_pass: int, device: torch.device, workers: int) -> int:
    """Compute how many models of n_weights fit into free memory, at least 1; of_pass: see `activation_bytes`.

    On a GPU all models are in a pass together, and gradients reuse the memory of activations. On a CPU only `workers`
    models are in a pass.
    """
    room = MEMORY_SHARE * free_memory(device)
    if device.type == "cuda":
        return max(1, int(room / (n_weights * STATE + max(n_weights * GRADIENT, of_pass))))
    return max(1, int((room - workers * (n_weights * 2 * GRADIENT + of_pass)) / (n_weights * STATE)))


def models_on_disk(folder: Path, n_weights: int, outputs: int) -> int:
    """Compute how many models' checkpoints fit on the disk, at least 1; outputs: bytes of the results."""
    return max(1, int((DISK_SHARE * _free_disk(folder) - outputs) / (2 * STATE * n_weights)))


def check_disk(folder: Path, models: int, n_weights: int, outputs: int) -> None:
    """Raise OSError if the disk has too little space for the results and two checkpoints of some models.

    models: 0 without checkpoints.
    """
    required, free = outputs + 2 * STATE * n_weights * models, _free_disk(folder)
    if required > free:
        message = (
            f"needs up to {required / 1e9:,.2f} GB of disk space, {free / 1e9:,.2f} GB are available "
            f"({outputs / 1e9:,.2f} GB for weights, the rest for two checkpoints of {models} models; "
            "storage: float16 halves the former, fewer models at_once or checkpoint_every: 0 reduce the latter)"
        )
        raise OSError(errno.ENOSPC, message, str(folder))


def _free_disk(folder: Path) -> int:
    """Compute the bytes that a training can use in its folder: free space and the training's own files."""
    return shutil.disk_usage(folder).free + sum(file.stat().st_blocks * 512 for file in folder.iterdir())
