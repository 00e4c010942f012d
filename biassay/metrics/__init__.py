"""Metrics of bias, one a file: a declaration METRIC and the functions that compute it."""
