"""Patterns are compiled at their first use, and every one of the program can be."""

from __future__ import annotations

import importlib
import pkgutil
import re

import pytest

import harness_tui
from harness_tui.model.regex import regex


def test_a_pattern_does_what_a_compiled_one_does():
    pattern = regex(r"(?P<id>t-\d+)", re.IGNORECASE)
    assert pattern.match("T-12 x")["id"] == "T-12"
    assert pattern.sub("_", "a t-1 b T-2") == "a _ b _"
    assert [match.start() for match in pattern.finditer("T-1 T-2", 1)] == [4]
    assert pattern.pattern == r"(?P<id>t-\d+)"
    assert regex(rb"\d").findall(b"a1b2") == [b"1", b"2"]


def test_nothing_is_compiled_before_it_is_used():
    pattern = regex("(")
    with pytest.raises(re.error):
        pattern.search("x")


def test_every_pattern_of_the_program_can_be_compiled():
    late = type(regex(""))
    found = 0
    for module in pkgutil.walk_packages(harness_tui.__path__, "harness_tui."):
        if module.name == "harness_tui.__main__":
            continue
        for value in vars(importlib.import_module(module.name)).values():
            if isinstance(value, late):
                found += 1
                assert value.pattern is not None
    assert found > 100
