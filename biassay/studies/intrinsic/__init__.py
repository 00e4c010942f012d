"""Bias of several groups at once, planted in language models: what intrinsic measures see of it (intrinsic-2023)."""
