"""Decisions over models. Pure: time is an argument, nothing is read."""
