"""Ways to have one task done by another program."""
