"""Planted bias of several groups in language models, and which intrinsic metrics follow it (intrinsic-2023)."""
