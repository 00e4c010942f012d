"""Co-occurrence counts, of a whole corpus or of shards, and pointwise mutual information."""
