"""Secrets that stand in files are not put on a screen."""

from __future__ import annotations

from harness_tui.model.regex import regex

_USERINFO = regex(r"(?<=://)[^\s/@:]{0,400}(?::\S{0,400})?@")


def mask_credentials(text: str) -> str:
    """`text` with the user part of every URL (`scheme://user:password@host`) replaced by dots.

    When in doubt too much is masked: a password may hold any character but a blank.
    """
    return _USERINFO.sub("•••@", text) if "@" in text and "://" in text else text
