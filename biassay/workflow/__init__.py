"""What the workflow checks at its start."""
