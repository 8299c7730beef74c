"""harness-tui: watch and steer an agent that drains a living task pool."""

__version__ = "0.1.0"
