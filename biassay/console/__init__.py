"""Progress of a run on the console: finished and remaining jobs, the time left, failures and results."""
