"""Co-occurrence counts and pointwise mutual information."""
