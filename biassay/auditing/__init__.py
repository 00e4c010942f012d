"""Audits of vectors and language models by all metrics that fit."""
