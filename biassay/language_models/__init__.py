"""Masked language models: loaded, asked, embedded with, pretrained and fine-tuned."""
