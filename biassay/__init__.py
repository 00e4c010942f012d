"""biassay: assay the metrics of social bias in word embeddings and language models.

Public names are imported from here, as in `from biassay import measure`, and loaded on first use. The metrics and
embedding algorithms of biassay can be imported by name, too: `from biassay import weat` is metrics/weat.py.
"""

from importlib import import_module

PUBLIC = {
    "Embedding": "biassay.vectors.embedding:Embedding",
    "Level": "biassay.measurement.metric:Level",
    "Measurement": "biassay.measurement.entry:Measurement",
    "Metric": "biassay.measurement.metric:Metric",
    "audit": "biassay.auditing.entry:audit",
    "as_in_wefe": "biassay.interchange.wefe_queries:as_in_wefe",
    "calibrate": "biassay.calibration.entry:calibrate",
    "calibrate_pairs": "biassay.calibration.pairs:calibrate_pairs",
    "cosine": "biassay.statistics.geometry:cosine",
    "from_wefe": "biassay.interchange.wefe_queries:from_wefe",
    "hard_debias": "biassay.vectors.debias:hard_debias",
    "load_language_model": "biassay.language_models.loading:load",
    "measure": "biassay.measurement.entry:measure",
    "measure_language_model": "biassay.measurement.entry:measure_language_model",
    "measure_predictions": "biassay.measurement.predictions:measure_predictions",
    "open_endpoint": "biassay.vectors.encoders.endpoint:open_endpoint",
    "read_vectors": "biassay.vectors.readers:read_vectors",
    "to_wefe": "biassay.interchange.wefe_queries:to_wefe",
    "word_lists": "biassay.words.resources:word_lists",
}
__all__ = list(PUBLIC)


def __getattr__(name: str):
    """Load a public name, or a metric or embedding algorithm by name."""
    if name in PUBLIC:
        module, _, attribute = PUBLIC[name].partition(":")
        try:
            return getattr(import_module(module), attribute)
        except ModuleNotFoundError as error:
            raise ModuleNotFoundError(f"biassay.{name} needs {error.name}; pip install 'biassay[audit]'") from error
    if not name.startswith("_"):
        registry = import_module("biassay.core.registry")
        if kind := registry.find_kind(name):
            return registry.load(kind, name)
    raise AttributeError(f"module 'biassay' has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*globals(), *PUBLIC]
