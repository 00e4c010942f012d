"""To and from other tools: WEFE's queries, tables with their dictionary, bibliographies."""
