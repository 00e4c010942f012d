"""Encoders of texts, one kind per module, each with a function that opens one."""
