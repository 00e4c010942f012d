"""Co-occurrence counts, whole or in shards, and what is made of them directly."""
