"""Dependence of scores on word frequency, and their reliability over trainings, pairs of words and metrics."""
