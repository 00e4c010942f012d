"""Word vectors, one family a file: trained from tokens or from counts, with context vectors where there are some.

INPUT says what `train` takes, CONTEXTS whether there are context vectors; the keyword arguments of `train` are the
family's options, each with its type and range.
"""
