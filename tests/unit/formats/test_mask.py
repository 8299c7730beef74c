"""Credentials in URLs are not shown."""

import pytest

from harness_tui.formats.mask import mask_credentials


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("db is postgres://lamp:s3cret@db.local:5432/lamps", "db is postgres://•••@db.local:5432/lamps"),
        ("https://ghp_abc123@example.org/x.git", "https://•••@example.org/x.git"),
        ("redis://:hunter2@cache", "redis://•••@cache"),
        ("mysql://a:p/w@h and mysql://b:q@h", "mysql://•••@h and mysql://•••@h"),
        ("amqp://a:p@ss@host", "amqp://•••@host"),
        ("https://example.org/path?mail=x", "https://example.org/path?mail=x"),
        ("mail me: a@b.example", "mail me: a@b.example"),
    ],
)
def test_the_user_part_of_a_url_is_masked(text, shown):
    assert mask_credentials(text) == shown
