"""Declarations of metrics, their evaluation, and the entry points to all of them."""
