"""Every text inside a model."""

from dataclasses import fields, is_dataclass


def texts_of(value):
    """The strings of a model, however deep they lie."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from texts_of(item)
    elif is_dataclass(value):
        for field in fields(value):
            yield from texts_of(getattr(value, field.name))
