"""Every guard that has something to say about a workspace."""
