"""biassay: assay the metrics of social bias in word embeddings and language models."""

ENTRIES = ("Measurement", "measure", "measure_language_model")


def __getattr__(name: str):
    """What measures, and the result; imported only when asked for, since most parts of the library need neither."""
    if name in ENTRIES:
        from biassay import measurement

        return getattr(measurement, name)
    raise AttributeError(f"module 'biassay' has no attribute {name!r}")
