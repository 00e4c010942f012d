"""The first-order study: bias from direct co-occurrence, compared with bias from the similarity of vectors."""
