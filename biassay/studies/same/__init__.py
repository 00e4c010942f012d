"""Metrics against bias that is known because it was planted: same-2021's analysis of a grid of language models."""
