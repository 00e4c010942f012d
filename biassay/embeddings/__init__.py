"""Algorithms that train embeddings, one per file, from tokens or from counts.

Each file has the constants INPUT ("tokens" or "counts", what `train` takes) and HAS_CONTEXTS (whether there are context
vectors). The keyword arguments of `train` are the options of the algorithm, with types and ranges.
"""

from types import ModuleType

from biassay.core import registry

INPUTS = ("tokens", "counts")


def load(name: str) -> ModuleType:
    """Import an algorithm by name, or a user's own by path; raise ValueError if a part of it is missing."""
    module = registry.load("embeddings", name)
    if not registry.has_function(module, "train"):
        raise ValueError(f"{module.__file__}: lacks the function train")
    if not hasattr(module, "INPUT"):
        raise ValueError(f"{module.__file__}: lacks the constant INPUT; expected one of: {', '.join(INPUTS)}")
    registry.check_names(f"{module.__file__}: INPUT", [module.INPUT], INPUTS)
    return module
