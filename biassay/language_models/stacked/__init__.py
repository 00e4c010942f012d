"""Masked language models fine-tuned side by side, their weights in stacked tensors."""
