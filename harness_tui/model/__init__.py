"""What things are: one noun a module, immutable, compared by value.

Nothing here reads a clock, a disk or a terminal. Field names are those of the JSON contract, so that the
snapshot is printed by walking it. Texts are already cleaned (`formats.text.clean`): no control character of a
file ever gets into a model.
"""
