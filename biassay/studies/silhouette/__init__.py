"""The silhouette study: how much a metric's values depend on the choice of words (Spliethöver and Wachsmuth 2021)."""
