"""One guard a module: what it is for, its arguments, and the question itself. Imported only when it is asked."""
