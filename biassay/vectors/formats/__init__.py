"""Formats of word vectors, one per file; `vectors.readers` recognises them."""
