"""Calibration of metrics on a user's own vectors: nulls, doses of known size, power and recovery."""
