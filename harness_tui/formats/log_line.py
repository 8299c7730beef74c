"""The grammar of one line of a stream or batch log (formats/harness-kit 1.2 and 2.3, L1 to L24).

The patterns are written once and serve twice: for one line and for whole chunks of bytes (see `formats.log`), so that
counting in bulk and reading one entry cannot disagree.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from harness_tui.formats.counts import counts
from harness_tui.formats.text import clean
from harness_tui.model.log import LogEntry
from harness_tui.model.regex import regex

if TYPE_CHECKING:
    from harness_tui.model.log import EntryKind, Precision

LINE_LIMIT: Final = 64 * 1024
"""Bytes of a line that are looked at; a longer one is cut there, before it is read."""

_ID = r"[A-Za-z]{1,16}(?:[-_][A-Za-z]{1,16}){0,4}[-_]?\d{1,12}(?:-\d{1,12})?[A-Za-z]?"
_DATE = r"\0*(?:[-*] )?[*`\[]{0,3}(?P<date>\d\d\d\d-\d\d-\d\d)(?!\d)"
_DATE_FAST = r"(?:\d|[-*] \d|\0*(?:[-*] )?[*`\[]{0,3}\d)\d\d\d-\d\d-\d\d(?!\d)"
_REMARK = r"\([^)\n@]*\)"
_TO_FIELD = rf"[^ \n\r]*+ (?:· |\d\d:\d\d[^ \n\r]*+(?: {_REMARK})? · |{_REMARK} · )"
_END = r"(?![\w=-])"
_SURE = r"(?![\w=?-])"
_ALONE = r"(?=[*_`]*(?: · |[ \t\r]*(?:\n|$)))"
_AGAIN = r"(?: re-?run(?![\w-])[^\n=:·]{0,80})?"
_GATE = rf"verify_all(?:\.sh|\.ps1)?(?: baseline(?![\w-])|(?: --\w+)?{_AGAIN}[*_`]*(?: ?[=:]| (?:PASS|FAIL)))"
_NO_GATE = r"(?![*_`]* · (?:post-task|[*_`]*final[*_`]*) verify_all)"
_RESUME = r"esume(?:d|s)?(?![\w-])"
_SIGNS = regex(r"\[([^\x00-\xff]+)\]")
# Grouped by first letter: the engine then turns most fields down after one comparison.
_VERDICT = (
    rf"D(?:ELIVERED|ONE){_SURE}|EXPLORED{_SURE}|GOAL ACHIEVED{_SURE}"
    rf"|B(?:LOCKED(?:: ?NEEDS[- ]HUMAN)?|UDGET EXHAUSTED){_END}|NEEDS[- ]HUMAN{_END}"
    rf"|FAIL(?:ED{_END}|{_ALONE})|DECLINED{_END}|SKIP(?:PED{_END}| consumed)"
)
_WORDS = (
    rf"(?P<word>{_VERDICT}|pm(?:-orchestrator)? returned [*_`]*(?:{_VERDICT})"
    rf"|s(?:tatus=(?:done(?![\w?-])|failed|blocked|skipped|needs-human)|tream exits?)"
    rf"|[dD]ispatch(?:ing|ed)?{_END}"
    rf"|[rR](?:egression[ -]gate|e-dispatch(?:ing|ed)?{_END}|{_RESUME}|un[ -]start)"
    rf"|verify_all(?:{_GATE.removeprefix('verify_all')})|(?:f(?:ull|inal)|post-task)[*_`]* {_GATE}"
    rf"|[bB]aseline(?![\w-])"
    rf"|ST(?:REAM EXIT|REAM(?![\w-])|OP{_END})|[iI]ntervention:? STOP{_END}"
    rf"|[hH](?:ard|ARD)[ -](?:stop|STOP)(?!:? (?:none|no))"
    rf"|[bB]atch(?:[ -](?:end|complete|exit|结束|start|启动|开始|resume)|{_ALONE}{_NO_GATE})|批次结束|结束|启动"
    rf"|[cC]heckpoint|[pP]re-?flight)"
)
_DENYING = r"[❌✖✗✘🚫⛔🛑🔴🟠🟡🚨⚠❗❓🙋⏸⏭⏩▶🚀🔄](?!\ufe0f? [*_`]*(?:DELIVERED|DONE|EXPLORED|GOAL))"
_SIGN = rf"(?:(?:[✅✔☑🎉🟢🏁]|{_DENYING})\ufe0f? )?"
_KEY = rf" · (?=[*_`B-INPRSbcdfhiprsv~~~])[*_`]*{_SIGN}[*_`]*{_WORDS}"


def _for_text(source: str) -> re.Pattern[str]:
    """`@` in a class stands for U+0080 to U+00BF, whose first byte is C2 (so no middle dot gets into it)."""
    return regex(source.replace("@", "\x80-\xbf\udcc2"), re.ASCII)


def _for_bytes(source: str) -> re.Pattern[bytes]:
    """`~~~` in a class stands for the first bytes of signs and of the characters of CJK with which a word begins.

    A class of signs becomes alternatives: bytes know no characters.
    """
    source = _SIGNS.sub(lambda found: f"(?:{'|'.join(found[1])})", source.replace(r"\ufe0f", "\ufe0f"))
    source = source.replace("\ufe0f?", "(?:\ufe0f)?")
    return regex(source.encode().replace(b"@", rb"\xc2").replace(b"~~~", rb"\xe2\xe5-\xe7\xf0"))


_ENTRY = _for_text(_DATE)
_HEAD = _for_text(_DATE + _TO_FIELD)
SEPARATOR: Final = " · "
KEY: Final = _for_bytes(_KEY)
"""A word that may decide the kind of an entry, at the start of a field."""
WORD: Final = _for_bytes(_WORDS)
"""Such a word alone, as it stands behind an id that is glued to its text (L10)."""
FIELDS: Final = _for_bytes(rf"\n(?:{_DATE_FAST}{_TO_FIELD}([^ \n\r]++(?: [^\n\xc2])?+))?+")
"""Matches at every line start. The group is the first word of the field after the time, with one more character when
text follows in that field; it is empty where there is no such field."""
ENTRY: Final = _for_bytes(_DATE)
HEAD: Final = _for_bytes(_DATE + _TO_FIELD)
TIMED: Final = _for_bytes(rf"\n{_DATE_FAST}[Tt ]\d\d:\d\d")
HEADING: Final = regex(rb"\n(##+ [^\n]*)")

_WORD = regex(rf"[*_`]*({_ID})(?:[*_`]*(?:[:(：（].*)?)?", re.ASCII | re.DOTALL)
_FIRST_WORD = regex(r"[^ \n\r]*")
_AFTER = regex(rf"\bafter [*_`]*({_ID})(?![\w-])", re.ASCII)
_CLOCK = regex(r"[Tt ](\d\d:\d\d)(:\d\d)?(?:[.,]\d{1,9})?\s?(Z|z|[+-]\d\d:?\d\d)?(?=[^\w+-]|$)", re.ASCII)
_REST = regex(r"[^ \n\r·]{0,40}")
_ROLLBACKS = regex(
    r"\b[Rr]ollbacks? ?[=:] ?(\d{1,6})(?: ?\+ ?(\d{1,6}))?|(?<![\w.])(\d{1,6}) (?:\w{1,20} )?rollbacks?\b", re.ASCII
)
_RUN_HEADING = regex(r"##+ .*?(?:\b(?:run|resum\w*|round|wave|batch|stream|session)\b|批次|轮)", re.IGNORECASE)
_HEADING_DATE = regex(r"\d{4}-\d\d-\d\d(?!\d)")
_START = regex(r"(?:[Bb]atch|[Rr]un|STREAM|[Pp]re)[ -]?(?:start|启动|开始|flight)")
_BASELINE_FIELD = regex(r" · [*_`]*((?:verify_all(?:\.sh|\.ps1)? )?[Bb]aseline(?![\w-]).*?)(?= · |$)", re.DOTALL)
_KINDS: tuple[tuple[str, EntryKind], ...] = (
    ("delivered", "delivered"), ("done", "delivered"), ("explored", "delivered"), ("goal", "delivered"),
    ("blocked: needs", "needs-human"), ("blocked:needs", "needs-human"), ("needs", "needs-human"),
    ("blocked", "blocked"),
    ("fail", "failed"), ("budget", "failed"), ("skip", "skipped"), ("declined", "skipped"),
    ("dispatch", "dispatch"), ("re-dispatch", "dispatch"), ("regression", "regression-gate"),
    ("stop", "stop"), ("intervention", "stop"), ("hard", "stop"),
    ("stream exit", "exit"), ("batch-end", "exit"), ("batch end", "exit"), ("batch-complete", "exit"),
    ("batch complete", "exit"), ("batch-exit", "exit"), ("batch exit", "exit"), ("batch-结束", "exit"),
    ("batch 结束", "exit"), ("批次结束", "exit"), ("结束", "exit"),
)  # fmt: skip
RUN_KINDS: Final = frozenset({"run", "exit"})
"""Kinds that concern no task: their words decide only where no task is named."""
RESULT_KINDS: Final = frozenset({"delivered", "failed", "blocked", "needs-human", "skipped"})


class Stamp(NamedTuple):
    """The time that a line gives: see `LogEntry`."""

    at: datetime | None
    at_text: str
    precision: Precision


@lru_cache(maxsize=512)
def word_kind(word: str) -> EntryKind:
    """The kind that a word at the start of a field stands for; words of a run that go by no other are `run`."""
    word = word.lower().removeprefix("status=")
    if word.startswith("pm"):
        word = word.partition("returned ")[2].lstrip("*_`")
    if "verify_all" in word:
        return "run" if word.endswith("baseline") else "regression-gate"
    return next((kind for start, kind in _KINDS if word.startswith(start)), "run")


def decides(kind: EntryKind, *, first: bool, has_id: bool) -> bool:
    """Whether a word of that kind may decide: words of a run only in the field after the time, without a task there."""
    return kind not in RUN_KINDS or (first and not has_id)


def _kind(raw: str, sep: int, first_word: str, *, has_id: bool) -> EntryKind:
    """The kind of an entry: that of the first field that starts with a word which may decide (L18)."""
    data, field = _bytes(raw), len(_bytes(raw[:sep])) if sep >= 0 else -1
    behind = field + len(_bytes(SEPARATOR + first_word))
    text_follows = data.startswith(b" ", behind) and not data.startswith(_bytes(SEPARATOR), behind)
    glued = WORD.match(data, behind + 1) if has_id and text_follows else None
    if glued is not None and decides(word_kind(glued["word"].decode()), first=True, has_id=True):
        return word_kind(glued["word"].decode())
    for hit in KEY.finditer(data):
        kind = word_kind(hit["word"].decode())
        if decides(kind, first=hit.start() == field, has_id=has_id):
            return kind
    return "note"


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def task_id_of(word: str) -> str | None:
    """The task id in the first word of the field after the time, or None (`STREAM`, an EM DASH, a list of ids)."""
    match = _WORD.fullmatch(word)
    return match[1] if match else None


def id_after(text: str) -> str | None:
    """The id in `regression gate after T-01`."""
    match = _AFTER.search(text)
    return match[1] if match else None


def rollbacks_of(text: str) -> int | None:
    """Number of rollbacks that a line states, the sum of `3+1`; None when it states none (L15)."""
    match = _ROLLBACKS.search(text)
    if match is None:
        return None
    return int(match[3]) if match[3] else int(match[1]) + int(match[2] or 0)


def states_baseline(text: str, kind: EntryKind) -> bool:
    """Whether an entry gives counts for the start of a run: in a field of its own or as it opens the run (2.2, L16)."""
    field = _BASELINE_FIELD.search(text)
    if field is not None:
        return counts(field[1]) is not None
    return kind == "run" and _START.search(text) is not None and counts(text) is not None


def stamp_of(line: str) -> Stamp | None:
    """The time at the start of a line, None when it does not start with a date.

    Only a time of day with a zone is an instant; a date or a time that does not exist has precision `none`.
    """
    entry = _ENTRY.match(line)
    if entry is None:
        return None
    clock = _CLOCK.match(line, entry.end())
    day = entry["date"]
    if clock is None:
        rest = _REST.match(line, entry.end())
        tail = rest[0].rstrip(":,*`]") if rest else ""
        return Stamp(None, clean(day + tail), "none" if tail or not _is_day(day) else "day")
    text = line[entry.start("date") : clock.end()].strip()
    precision: Precision = "second" if clock[2] else "minute"
    zone = clock[3]
    try:
        at = datetime.fromisoformat(f"{day}T{clock[1]}{clock[2] or ':00'}{zone.upper() if zone else ''}")
        at.astimezone(UTC)
    except (ValueError, OverflowError):
        return Stamp(None, clean(text), "none")
    return Stamp(at if zone else None, clean(text), precision)


def _is_day(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def parse_entry(line: int, raw: str) -> LogEntry | None:
    """The event on line number `line`, or None when the line is none: only one that starts with a date is.

    `raw` is the decoded line as it stands in the file, without its end. A bullet or a run of NUL bytes may stand before
    the date.
    """
    stamp = stamp_of(raw)
    if stamp is None:
        return None
    raw = raw[:LINE_LIMIT]
    head = _HEAD.match(raw)
    task_id, sep, word = None, -1, ""
    if head is not None:
        sep = head.end() - len(SEPARATOR)
        first = _FIRST_WORD.match(raw, head.end())
        word = first[0] if first else ""
        task_id = task_id_of(word)
    kind = _kind(raw, sep, word, has_id=task_id is not None)
    if kind == "regression-gate" and task_id is None:
        task_id = id_after(raw)
    text = clean(raw)
    return LogEntry(line, *stamp, task_id, kind, text, *named_values(text, deferral=kind == "needs-human"))


def run_heading(line: int, raw: str) -> LogEntry | None:
    """The heading of a run inside a log (L8) as an entry of kind `run`, else None. It is not counted as an entry."""
    if _RUN_HEADING.match(raw) is None:
        return None
    day = _HEADING_DATE.search(raw)
    known = day is not None and _is_day(day[0])
    return LogEntry(line, None, day[0] if day else "", "day" if known else "none", None, "run", clean(raw.lstrip("# ")))


_VALUE_KEY = regex(r"(?:(?<=\s)|(?<=·)|^)(ask|unblock)=")
_SLUG = regex(r"(?:(?<=\s)|(?<=·)|^)slug=(.{0,200}?)(?=\s*·|\s|$)")
_STAGE = regex(r"(?:(?<=\s)|(?<=·)|^)stage=(.{0,200}?)(?=\s*·|\s+\w+=|$)")
_DEFERRED = regex(r"NEEDS[- ]HUMAN[*_`]*\s*[—–-]\s*(.*)")
_NEXT_KEY = regex(r"\s·\s*\w+=")
_QUOTES = {'"': '"', "“": "”", "'": "'", "「": "」"}


def named_values(text: str, *, deferral: bool) -> tuple[str, str, str, str]:
    """`slug`, `stage`, `ask` and `unblock` of a line, empty where it names none.

    Quotes and middle dots inside an ask do not end it: it runs up to `unblock=` or to the end of the line. A deferral
    may also read `NEEDS-HUMAN — <ask> — <unblock>`.
    """
    ask = unblock = ""
    rest = text
    if deferral:
        asked = _asked(text)
        if asked is None:
            worded = _DEFERRED.search(text)
            ask, _, unblock = _before_next_key(worded[1]).partition(" — ") if worded else ("", "", "")
        else:
            rest, ask, unblock = asked
    slug, stage = _SLUG.search(rest), _STAGE.search(rest)
    return slug[1] if slug else "", stage[1].strip() if stage else "", ask.strip(), unblock.strip()


def _asked(text: str) -> tuple[str, str, str] | None:
    """The text before `ask=` and `unblock=`, in whichever order, and their values; None without either."""
    first = {match[1]: match for match in reversed(list(_VALUE_KEY.finditer(text)))}
    places = sorted(first.values(), key=lambda match: match.start())
    if not places:
        return None
    ends = [*(match.start() for match in places[1:]), len(text)]
    values = {match[1]: _unquoted(text[match.end() : end]) for match, end in zip(places, ends, strict=True)}
    return text[: places[0].start()], values.get("ask", ""), values.get("unblock", "")


def _before_next_key(text: str) -> str:
    following = _NEXT_KEY.search(text)
    return text[: following.start()] if following else text


def _unquoted(value: str) -> str:
    value = value.strip().rstrip("·").strip()
    closing = _QUOTES.get(value[:1])
    if closing is None:
        return _before_next_key(value)
    end = value.rfind(closing)
    return value[1:end] if end > 0 else value[1:]
