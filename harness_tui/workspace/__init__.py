"""The disk edge: where files are, reading them, following them, asking git."""
