"""Metrics compared with planted bias in a grid of language models: the analysis of same-2021."""
