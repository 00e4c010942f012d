"""Progress of a run on the console: finished and remaining jobs, a forecast, failures and results."""
