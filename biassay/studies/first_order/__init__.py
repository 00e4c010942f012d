"""The first-order study: bias from direct co-occurrence against similarity of vectors."""
