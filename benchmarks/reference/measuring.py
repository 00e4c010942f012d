"""Seconds and memory of what is measured, on a CPU and on a GPU."""

import time
from collections.abc import Callable
from pathlib import Path

import torch


def seconds(function: Callable[[], None], device: str) -> float:
    begin = time.perf_counter()
    function()
    if device == "cuda":
        torch.cuda.synchronize()
    return time.perf_counter() - begin


def memory(device: str, key: str = "VmRSS") -> float:
    """GB in use; with VmHWM the most there were."""
    if device == "cuda":
        return (torch.cuda.max_memory_allocated() if key == "VmHWM" else torch.cuda.memory_allocated()) / 1e9
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(key)) * 1024 / 1e9


def peak(make: Callable[[], object], take: Callable[[object], None], device: str) -> tuple[object, float]:
    """Make a way of training and let it take its first steps; it, and the memory it added at most."""
    before = memory(device)
    way = make()
    if device == "cuda":
        torch.cuda.reset_peak_memory_stats()
    else:
        Path("/proc/self/clear_refs").write_text("5")  # the peak counts from here
    take(way)
    return way, memory(device, "VmHWM") - before
