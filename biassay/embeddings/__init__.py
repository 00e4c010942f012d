"""Embedding families, one a file: INPUT says what `train` takes, its keyword arguments are the family's options."""
