"""Types of the public names, which `__init__.py` loads on first use."""

from typing import Any

from biassay.auditing.entry import audit as audit
from biassay.calibration.entry import calibrate as calibrate
from biassay.calibration.pairs import calibrate_pairs as calibrate_pairs
from biassay.interchange.wefe_queries import as_in_wefe as as_in_wefe
from biassay.interchange.wefe_queries import from_wefe as from_wefe
from biassay.interchange.wefe_queries import to_wefe as to_wefe
from biassay.language_models.loading import load
from biassay.measurement.entry import Measurement as Measurement
from biassay.measurement.entry import measure as measure
from biassay.measurement.entry import measure_language_model as measure_language_model
from biassay.measurement.metric import Level as Level
from biassay.measurement.metric import Metric as Metric
from biassay.measurement.predictions import measure_predictions as measure_predictions
from biassay.statistics.geometry import cosine as cosine
from biassay.vectors.debias import hard_debias as hard_debias
from biassay.vectors.embedding import Embedding as Embedding
from biassay.vectors.encoders.endpoint import open_endpoint as open_endpoint
from biassay.vectors.readers import read_vectors as read_vectors
from biassay.words.resources import word_lists as word_lists

load_language_model = load
PUBLIC: dict[str, str]

def __getattr__(name: str) -> Any: ...
