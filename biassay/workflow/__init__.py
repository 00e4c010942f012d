"""Checks that the workflow makes at its start."""
