"""Computations of the studies, one folder per study."""
