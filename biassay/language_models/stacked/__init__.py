"""Fine-tuning of many masked language models at once, with their weights in stacked tensors."""
