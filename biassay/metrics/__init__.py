"""Bias metrics. Each file holds one metric: its declaration METRIC and the functions that compute it."""
