"""Formats of word vectors, one a file; `vectors.readers` recognises them."""
