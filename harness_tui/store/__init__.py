"""The current snapshot, its revision, and who wants to hear of a new one."""
