"""HTML pages with one look for the site of results and for audits; each page is one self-contained file."""
