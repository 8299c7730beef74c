"""The control loop's guards, one a module: texts and values in, a `Verdict` out (formats/servo 2; CONTRACT, rule 10).

They answer as the loop's own scripts do, quirks included. Where such a quirk lets something through that the loop's
rules forbid, `strict` in the same document says so. They are asked in hooks, at every turn: what stands here imports
neither `typing` nor `dataclasses`.
"""
