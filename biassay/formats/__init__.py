"""Formats of word vectors, one a file; `biassay.readers` recognises them."""
