"""Stored embeddings, readers of every format, explicit vectors, debiasing."""
