"""From bytes of a file to text that is safe to show: the one place where foreign bytes enter.

Files are written by agents. A control character, an escape sequence, a bidi override or an invisible character in
them must neither act on the terminal nor vanish: each becomes a visible mark. `clean` is applied to everything that
is read, so a model never holds such a character; it is idempotent, so applying it again at the screen costs a check.
"""

from __future__ import annotations

import re
import unicodedata

TAB = "    "
"""What a tab becomes: a fixed width, so that columns stay where they are."""

_BOM = b"\xef\xbb\xbf"
_DEL = 0x7F
_SPACE = 0x20
_CONTROL_PICTURES = 0x2400
_ESCAPED_BYTE = 0xDC00
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})
_ZWJ = "\u200d"
# patterns as texts: re compiles them when the first odd character comes, not in every process that reads a file
_NUL_RUN = "\0{2,}"
_TAG_RUN = "[\U000e0000-\U000e007f]+"
_ANCHOR = "[\u00a9\u00ae\u203c-\u3299\ufe0f\U0001f000-\U0001fbff]"
_EMOJI_AFTER = "[\u2190-\u2bff\U0001f000-\U0001fbff]"


def counted(number: int, one: str, many: str = "") -> str:
    """`1 row`, `2 rows`; `many` where the plural is more than an s."""
    return f"{number} {one if number == 1 else many or f'{one}s'}"


def decode(data: bytes) -> str:
    """Text of `data` as UTF-8 without a byte-order mark; bytes that are none survive as lone surrogates.

    `clean` turns those surrogates into marks; an edit goes back to the bytes and never through this text.
    """
    return data.decode("utf-8-sig", "surrogateescape")


def split_lines(data: bytes) -> list[bytes]:
    """Lines of `data` without their ends. Only LF ends a line; one CR before it belongs to the end."""
    lines = data.split(b"\n")
    if lines and not lines[-1]:
        lines.pop()
    return [line[:-1] if line.endswith(b"\r") else line for line in lines]


def text_lines(data: bytes) -> list[str]:
    """Cleaned lines of `data`; a byte-order mark at its start is no text. The last one may be cut."""
    return [clean(line.decode("utf-8", "surrogateescape")) for line in split_lines(data.removeprefix(_BOM))]


def front_matter_end(texts: list[str], most: int) -> int:
    """Number of the line that closes the front matter, 0 when there is none of `most` lines."""
    if not texts or texts[0].strip() != "---":
        return 0
    for number, text in enumerate(texts[1:most], 2):
        if text.strip() == "---":
            return number
    return 0


def clean(text: str) -> str:
    """One line of `text` with every hidden or acting character replaced by a visible mark.

    C0 and DEL become control pictures, a tab four blanks, bytes that are no UTF-8 `‹0xE9›`, all other control,
    format, private-use and separator characters `‹U+202E›`; runs of NUL and of Tag characters become one mark with
    their number. A zero-width joiner between two emoji stays: there it is part of one visible character.
    """
    if text.isprintable():
        return text
    text = re.sub(_NUL_RUN, lambda m: f"‹{len(m[0])} NUL›", text)
    text = re.sub(_TAG_RUN, _tag_mark, text)
    return "".join(char if char.isprintable() else _mark(text, index, char) for index, char in enumerate(text))


def clean_block(text: str) -> str:
    """`clean` for text of several lines: line feeds stay, every line is cleaned by itself."""
    return "\n".join(clean(line.removesuffix("\r")) for line in text.split("\n"))


def has_hidden(text: str) -> bool:
    """Whether `clean` would change more than tabs in `text`."""
    return not text.isprintable() and clean(text) != text.replace("\t", TAB)


def _tag_mark(match: re.Match[str]) -> str:
    count = len(match[0])
    return f"‹{count} hidden character{'s' if count > 1 else ''} U+E00xx›"


def _mark(text: str, index: int, char: str) -> str:
    code = ord(char)
    if char == "\t":
        return TAB
    if code < _SPACE:
        return chr(_CONTROL_PICTURES + code)
    if code == _DEL:
        return "\u2421"
    if 0x80 <= code - _ESCAPED_BYTE <= 0xFF:  # noqa: PLR2004 - the byte that `surrogateescape` kept
        return f"‹0x{code - _ESCAPED_BYTE:02X}›"
    if char == _ZWJ and _joins_emoji(text, index):
        return char
    if unicodedata.category(char) in _HIDDEN:
        return f"‹U+{code:04X}›"
    return char


def _joins_emoji(text: str, index: int) -> bool:
    before, after = text[index - 1 : index], text[index + 1 : index + 2]
    return bool(before and after and re.match(_ANCHOR, before) and re.match(_EMOJI_AFTER, after))
