"""Algorithms that train embeddings, one per file, from tokens or from counts.

Each file has the constants INPUT ("tokens" or "counts", what `train` takes) and HAS_CONTEXTS (whether there are context
vectors). The keyword arguments of `train` are the options of the algorithm, with types and ranges.
"""
