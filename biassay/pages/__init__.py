"""HTML pages: one look for the site of results and audits, each a file that needs nothing else."""
