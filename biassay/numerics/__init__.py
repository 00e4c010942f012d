"""Plain mathematics on arrays, which knows nothing of bias."""
