"""Embeddings on disk, readers of all formats, explicit vectors, debiasing."""
