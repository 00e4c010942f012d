"""Summaries of the studies' tables over several seeds."""
