"""What may be done to the intervention file, byte for byte (CONTRACT rule 4). Pure: bytes in, bytes out.

What stands unread is never replaced: a new signal goes behind it, STOP before it. Each change is checked by reading
the result: when any other signal would be read differently than before, the change is refused.
"""

from __future__ import annotations

from typing import Final

from harness_tui.formats.intervention import BOM, HEADING, KEYWORDS, PATH, parse_interventions
from harness_tui.formats.intervention_text import (
    ARGUMENT,
    TEXT_LIMIT,
    TITLE,
    blocks,
    hidden_in,
    line_end,
    plain_text,
    render_signal,
    same_signals,
)
from harness_tui.formats.text import text_lines
from harness_tui.model.intervention import Signal
from harness_tui.model.refusal import Refused

_STEADY: Final = "the file is left as it is; change it by hand"


def new_signal(keyword: str, argument: str, text: str) -> Signal:
    """A signal as it will be read back. Raises `Refused` for what can't be written plainly."""
    if keyword not in KEYWORDS:
        raise Refused("no-keyword", keyword, f"this is no signal; there are {', '.join(KEYWORDS)}")
    if keyword in ("STOP", "NOTE") and argument:
        raise Refused("no-argument", keyword, "it takes no argument")
    if keyword not in ("STOP", "NOTE") and not ARGUMENT.fullmatch(argument):
        raise Refused(
            "argument", keyword, f"{argument!a} can't be named: only A-Z, a-z, 0-9, '-', '_', '.' and '/' can"
        )
    hidden = hidden_in(text)
    if hidden:
        raise Refused("hidden-text", keyword, f"the text holds a hidden or control character: {hidden}; take it out")
    plain = plain_text(text)
    if keyword == "NOTE" and not plain:
        raise Refused("no-text", keyword, "a note needs a text")
    if len(plain) > TEXT_LIMIT:
        raise Refused("long-text", keyword, f"the text has {len(plain)} characters; at most {TEXT_LIMIT} are sent")
    signal = Signal(keyword, argument, plain, 1, "waiting")
    if not same_signals(parse_interventions(render_signal(keyword, argument, plain)).signals, (signal,)):
        raise Refused(
            "ambiguous", keyword, f"{argument!a} would not be read back as it is written; word it differently"
        )
    return signal


def append(existing: bytes | None, signal: Signal) -> bytes:
    """The file with `signal` in it: at its end, a STOP at its beginning; every byte of `existing` stays.

    Raises `Refused` when the file is there without a text, which counts as STOP until the operator decides.
    """
    end = line_end(existing or b"")
    written = render_signal(signal.keyword, signal.argument, signal.text, end=end)
    title = f"{TITLE}{end}{end}".encode()
    if existing is None:
        return title + written
    before = parse_interventions(existing).signals
    if signal.keyword == "STOP":
        mark, body = _without_mark(existing)
        again = b"" if _begins_with_heading(body) else title
        new = mark + title + written + end.encode() + again + body
        wanted = (signal, *before) if _has_text(existing) else (signal,)
    else:
        if not _has_text(existing):
            raise Refused("unclear", PATH, "it is there but says nothing, which counts as STOP; withdraw that first")
        new = existing + _gap(existing, end) + written
        wanted = (*before, signal)
    _check(new, wanted)
    return new


def withdraw(existing: bytes, number: int) -> bytes | None:
    """The file without its signal `number`, from 1; None when nothing would be left. All other bytes stay."""
    places = blocks(existing)
    _check_number(number, len(places))
    if len(places) <= 1:
        return None
    place = places[number - 1]
    after = places[number] if number < len(places) else None
    shared = number == 1 and after is not None and after.start == after.line
    start = place.line if shared else place.start
    new = existing[:start] + existing[place.end :]
    before = parse_interventions(existing).signals
    _check(new, (*before[: number - 1], *before[number:]))
    return new


def edit(existing: bytes, number: int, signal: Signal) -> bytes:
    """The file with its signal `number`, from 1, replaced by `signal`, in its place; a STOP goes to the beginning."""
    places = blocks(existing)
    _check_number(number, len(places))
    if signal.keyword == "STOP" and number > 1:
        rest = withdraw(existing, number)
        return append(rest, signal)
    place = places[number - 1]
    end = line_end(existing)
    last = place.end == len(existing)
    written = render_signal(signal.keyword, signal.argument, signal.text, end=end) + (b"" if last else end.encode())
    new = existing[: place.line] + written + existing[place.end :]
    before = parse_interventions(existing).signals
    _check(new, (*before[: number - 1], signal, *before[number:]))
    return new


def _check(data: bytes, wanted: tuple[Signal, ...]) -> None:
    if not same_signals(parse_interventions(data).signals, wanted):
        raise Refused("ambiguous", PATH, f"the other signals would be read differently; {_STEADY}")


def _check_number(number: int, count: int) -> None:
    if not 1 <= number <= count:
        there = f"there are {count}" if count > 1 else "there is one" if count else "there is none"
        raise Refused("not-waiting", PATH, f"no signal {number} waits: {there}")


def _without_mark(data: bytes) -> tuple[bytes, bytes]:
    """The byte-order mark, if there is one, and what follows it."""
    return (BOM, data[len(BOM) :]) if data.startswith(BOM) else (b"", data)


def _begins_with_heading(body: bytes) -> bool:
    first = next((line.strip() for line in text_lines(body) if line.strip()), "")
    return bool(HEADING.fullmatch(first))


def _has_text(data: bytes) -> bool:
    return any(line.strip() and not HEADING.fullmatch(line.strip()) for line in text_lines(data))


def _gap(existing: bytes, end: str) -> bytes:
    """What makes a blank line between the file and what is put behind it."""
    lines = existing.split(b"\n")
    if lines[-1]:
        return end.encode() * 2
    return b"" if len(lines) > 1 and not lines[-2].strip() else end.encode()
