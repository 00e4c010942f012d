"""Word lists, statistics and other small inputs, read and checked."""
