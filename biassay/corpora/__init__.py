"""From dumps, files and the generator to token ids with a vocabulary."""
