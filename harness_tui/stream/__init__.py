"""The engine that drains a pool: the loop, its lease, its workers and what it writes."""
