"""Memory of a training, and how many models fit into it at once."""

import os
from pathlib import Path

import torch

STATE = 12  # bytes of a weight and its two moments
GRADIENT = 4
HALF = 2  # bytes of a weight's copy in bf16
GRADIENT_OF_HALF = 3  # bytes of its gradient: in bf16, except the vocabulary's table
SHARE = 0.8  # of the free memory to use
# Bytes that a layer stores for each value of a token's hidden state, its feed-forward state, and attention maps
OF_SINGLE, OF_HALF = (57, 8, 11), (41, 4, 9)
ONE_KERNEL = ("gelu", "relu", "silu")  # activation functions that store only their input


def free_memory(device: torch.device) -> int:
    """Find the free bytes of a device; on a CPU without swapping, within limits of a control group and SLURM."""
    if device.type == "cuda":
        cached = torch.cuda.memory_reserved(device) - torch.cuda.memory_allocated(device)  # by torch, of earlier chunks
        return torch.cuda.mem_get_info(device)[0] + cached
    return min(_available(), _control_group(), _allotted())


def _available() -> int:
    lines = Path("/proc/meminfo").read_text().splitlines() if Path("/proc/meminfo").is_file() else []
    kilobytes = [int(line.split()[1]) for line in lines if line.startswith("MemAvailable")]
    return kilobytes[0] << 10 if kilobytes else 4 << 30  # ASSUME: 4 GB if the system does not report it


def _control_group() -> int:
    limit, used = (Path(f"/sys/fs/cgroup/memory.{name}") for name in ("max", "current"))
    if not (limit.is_file() and used.is_file()) or limit.read_text().strip() == "max":
        return 1 << 62
    return int(limit.read_text()) - int(used.read_text())


def _allotted() -> int:
    """Find SLURM's limit for the job, which can lack a control group, minus the memory of this process."""
    megabytes = int(os.environ.get("SLURM_MEM_PER_NODE", "0"))
    if not megabytes:
        return 1 << 62
    return (megabytes << 20) - int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def activation_bytes(config, batch: int, length: int, half: bool = False, fused: bool = False) -> int:
    """Estimate the largest number of bytes that one model's forward pass stores for its backward pass.

    Fitted to the tensors that exist at the same time, which a test counts.

    Parameters
    ----------
    half
        Whether products are in bf16.
    fused
        Whether dropout and updates use our own kernels: these store no mask, and copies of weights in bf16.
    """
    sizes = {"hidden_size": 768, "num_hidden_layers": 12, "num_attention_heads": 12}
    hidden, layers, heads = (getattr(config, key, default) for key, default in sizes.items())
    inner = getattr(config, "intermediate_size", None) or getattr(config, "hidden_dim", 4 * hidden)
    of_hidden, of_inner, of_attention = OF_HALF if half else OF_SINGLE
    if fused:  # two masks of hidden states, and one of attention in single precision
        of_hidden, of_attention = of_hidden - 2 * (HALF if half else 4), of_attention - 4
    if getattr(config, "hidden_act", "gelu") not in ONE_KERNEL:
        of_inner *= 2.5
    tokens = batch * length
    per_layer = tokens * (of_hidden * hidden + of_inner * inner) + of_attention * batch * heads * length**2
    # The last layer and the head compute one token per sentence; the head's gradient is computed first.
    stored = (layers - 1) * per_layer + 20 * tokens * hidden + 12 * batch * config.vocab_size
    table = config.vocab_size * getattr(config, "embedding_size", hidden)
    of_table = GRADIENT + HALF if half else GRADIENT
    if half and fused:  # the table's gradient is converted to single precision when nothing else is stored
        return int(max(stored + HALF * table, of_table * table))
    return int(stored + of_table * table)


def models_at_once(
    weights: int, of_pass: int, device: torch.device, *, half: bool = False, workers: int = 1,
    graphs: bool = False, available: int | None = None,
) -> int:  # fmt: skip
    """Compute how many models fit into free memory, at least 1.

    On a GPU all models are in a pass together. The larger of its activations and its gradients counts, because
    gradients reuse the memory of activations; it counts twice with CUDA graphs, because they do not share their memory
    with other steps. On a CPU only `workers` models are in a pass.

    Parameters
    ----------
    weights
        Number of a model's weights.
    of_pass
        Bytes of a pass; see `activation_bytes`.
    half
        Whether products are in bf16, which needs copies of the weights.
    """
    room = SHARE * (free_memory(device) if available is None else available)
    if device.type == "cuda":
        copies = weights * HALF if half else 0
        of_step = max(weights * (GRADIENT_OF_HALF if half else GRADIENT), of_pass)
        return max(1, int(room / (weights * STATE + copies + of_step * (2 if graphs else 1))))
    return max(1, int((room - workers * (weights * 2 * GRADIENT + of_pass)) / (weights * STATE)))


def even_chunk_size(models: int, at_once: int) -> int:
    """Compute the number of models of the next chunk for as few chunks as possible, of nearly equal size."""
    return -(-models // -(-models // at_once))
