"""What is seen of a run: jobs done and left, a forecast, failures, and what came out."""
