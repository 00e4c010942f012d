"""What the studies compute, a folder each."""
