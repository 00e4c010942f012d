"""What a metric declares, what it is asked, and the entry to all of them."""
