"""The board: metrics by criteria, from the tables of all studies."""
