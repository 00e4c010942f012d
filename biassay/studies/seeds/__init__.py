"""Several seeds: which tables of the studies are summarised over them, and how."""
