"""Masked language models fine-tuned side by side, their weights in stacked tensors."""

from biassay.stacked.files import load_into
from biassay.stacked.schedule import schedule
from biassay.stacked.training import train

__all__ = ["load_into", "schedule", "train"]
