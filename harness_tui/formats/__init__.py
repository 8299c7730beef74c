"""One kind of file a module: text in, model and problems out. Nothing here raises on bad input."""
