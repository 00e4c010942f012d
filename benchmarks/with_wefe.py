"""WEFE's side of the comparison, run by a Python that has WEFE: the same queries on the vectors of a file.

python with_wefe.py VECTORS.npz   prints a JSON object: version, and by query its value and its seconds
"""

import json
import logging
import statistics
import sys
import time
from importlib.metadata import version

import numpy as np
from gensim.models import KeyedVectors
from wefe.metrics import ECT, MAC, RND, RNSB, WEAT
from wefe.query import Query
from wefe.word_embedding_model import WordEmbeddingModel

TO_THE_OPTIMUM = {"solver": "lbfgs", "tol": 1e-10, "max_iter": 100_000}


def main(path: str) -> None:
    logging.disable(logging.WARNING)
    arrays = np.load(path)
    model = KeyedVectors(arrays["a"].shape[1])
    words = {name: [f"{name}{i}" for i in range(len(rows))] for name, rows in arrays.items()}
    for name, rows in arrays.items():
        model.add_vectors(words[name], rows)
    model = WordEmbeddingModel(model)
    x, y, a, b = words["x"], words["y"], words["a"], words["b"]
    few = (x[:8], y[:8]), (a[:4], b[:4])
    queries = {
        "weat": (WEAT, ((x, y), (a, b)), {"return_effect_size": True}, "result", 3),
        "weat_p_value": (WEAT, few, {"calculate_p_value": True, "p_value_iterations": 10_000}, "p_value", 1),
        "mac": (MAC, ((x + y,), (a, b)), {}, "result", 3),
        "ect": (ECT, ((a, b), (x + y,)), {}, "result", 3),
        "rnd": (RND, ((a, b), (x + y,)), {}, "result", 3),
        "rnd, unit vectors": (RND, ((a, b), (x + y,)), {"normalize": True}, "result", 3),
        "rnsb": (RNSB, ((a, b), (x, y)), {"holdout": False}, "result", 3),
        "rnsb, lbfgs": (RNSB, ((a, b), (x, y)), {"holdout": False, "estimator_params": TO_THE_OPTIMUM}, "result", 3),
    }
    answer = {"version": version("wefe")}
    for name, (metric, sets, options, key, runs) in queries.items():
        query, seconds = Query(list(sets[0]), list(sets[1])), []
        for _ in range(runs):
            start = time.perf_counter()
            value = metric().run_query(query, model, **options)[key]
            seconds.append(time.perf_counter() - start)
        answer[name] = {"value": float(value), "seconds": statistics.median(seconds)}
    print(json.dumps(answer))


if __name__ == "__main__":
    main(sys.argv[1])
