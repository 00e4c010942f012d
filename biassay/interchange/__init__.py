"""Exchange with other tools: WEFE's queries, data packages of the results, BibTeX."""
