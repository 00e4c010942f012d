"""Vectors of ten words, two groups of them and two lists of occupations."""

import numpy as np

WORDS = ["she", "woman", "her", "he", "man", "his", "nurse", "teacher", "engineer", "pilot"]
ROWS = np.random.default_rng(5).standard_normal((10, 6)).astype(np.float32)
MAPPING = dict(zip(WORDS, ROWS, strict=True))
GROUPS = {"female": ["she", "woman", "her"], "male": ["he", "man", "his"]}
JOBS = {"X": ["nurse", "teacher"], "Y": ["engineer", "pilot"]}
