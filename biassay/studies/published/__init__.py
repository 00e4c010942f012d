"""Published numbers, recomputed from the same vectors."""
