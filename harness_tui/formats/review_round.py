"""Rounds of the two review logs of a PLAN.md, and the verdict that each states (formats/hard-stop 1)."""

from __future__ import annotations

import re

from harness_tui.formats.markdown import bare_text
from harness_tui.model.regex import regex
from harness_tui.model.typed import NamedTuple
from harness_tui.model.work_plan import ReviewRound

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from harness_tui.formats.markdown import Line
    from harness_tui.model.work_plan import ReviewVerdict

_WORDS: tuple[tuple[str, ReviewVerdict], ...] = (
    (r"(?:not(?: yet)?[ -]approved|unapproved|disapproved)", "NOT APPROVED"),
    (
        r"(?:conditional(?:ly)? approv(?:al|ed)|approved (?:with|under|on) conditions?|conditional)",
        "CONDITIONAL APPROVAL",
    ),
    (r"(?:approved (?:with|w/) (?:minor )?(?:notes?|nits?|remarks?|comments?|suggestions?))", "APPROVED WITH NOTES"),
    (r"(?:approved,? (?:once|if|when|unless|pending|subject to|provided|but|except))", "CONDITIONAL APPROVAL"),
    (r"(?:changes? (?:are )?(?:requested|required|needed)|request(?:s|ed|ing)? changes)", "CHANGES REQUESTED"),
    (r"(?:needs? (?:fix(?:es|ing)?|work|changes|revision|rework))", "NEEDS FIXES"),
    (r"(?:rejected|rework(?: required)?|refused)", "REJECTED"),
    (r"(?:blocked)", "BLOCKED"),
    (r"(?:failed|fail)", "FAILED"),
    (r"(?:approved|accepted|approve)", "APPROVED"),
    (r"(?:pending|not (?:yet )?started|in progress|tbd|to do|todo|awaiting)", "PENDING"),
    (r"(?:feedback or \W{0,3}n/?a|n/?a|not applicable|none)", "N/A"),
)
_WORST: tuple[ReviewVerdict, ...] = (
    "REJECTED", "NOT APPROVED", "BLOCKED", "FAILED", "CHANGES REQUESTED", "NEEDS FIXES", "UNKNOWN",
    "CONDITIONAL APPROVAL", "APPROVED WITH NOTES", "APPROVED", "PENDING", "N/A",
)  # fmt: skip
_WORD = "|".join(f"(?P<w{number}>{pattern})" for number, (pattern, _) in enumerate(_WORDS))
_CODE = r"[A-Za-z]{0,4}-?\d+(?:\.\d+)*[a-z]?"
_MORE = rf"(?:\s*(?:,|;|/|&|\+|and)\s*(?:tasks?\s*)?{_CODE}(?![\w.]))*"
_TASKS = rf"tasks?\s*#?{_CODE}(?!\w){_MORE}"
_NAMED = regex(rf"(?:{_TASKS}|(?-i:[A-Z]{{1,4}}-?\d+[a-z]?)(?!\w){_MORE})", re.IGNORECASE)
_BARE_NUMBER = regex(_CODE, re.IGNORECASE)
_STARTS = regex(
    rf"\W{{0,40}}(?P<tasks>{_NAMED.pattern})?[\W_]{{0,12}}(?:{_WORD})(?!\w)(?P<rest>.*)", re.IGNORECASE | re.DOTALL
)
_AFTER = regex(rf"[\s\])]*(?:[—–:-]|for|of|\()*\s*\(?(?P<tasks>{_TASKS})", re.IGNORECASE)
_STATED = regex(
    rf"(?:^|[\s(\[])(?:status|verdict|result|decision|outcome)\s*[:：]\s*[\W_]{{0,6}}(?:{_WORD})(?!\w)", re.IGNORECASE
)
_CLOSES = regex(rf"(?:^|[.:;!?—–]\s{{0,9}})[\[(]?(?:{_WORD})[\])]?[.!]?$", re.IGNORECASE)
_DENIED = regex(r"\s*(?:[:：=]\s*(?:no\b|not\b|false\b|nein\b)|[?？])", re.IGNORECASE)
_OTHER = regex(rf"[\])\s]*(?P<sign>→|->|=>|/|\||\bor\b)\s*(?:{_WORD})(?!\w)", re.IGNORECASE)
_NUMBER = r"Round\s{1,3}(?P<number>\d{1,6} ?[a-z]?)\b"
_ROUNDS = (
    regex(rf"(?:\*\*|__) ?{_NUMBER}(?P<about>[^*:：]{{0,80}})[:：]? ?(?:\*\*|__) ?[:：]?(?P<text>.*)", re.IGNORECASE),
    regex(rf"{_NUMBER}(?P<about>[^*:：]{{0,80}})[:：](?P<text>.*)", re.IGNORECASE),
    regex(rf"(?:\*\*|__) ?(?P<about>tasks?\s[^*:：]{{1,60}}?)[\s—–,(-]{_NUMBER}\W{{0,6}}(?P<text>.*)", re.IGNORECASE),
)
_ROUND_HEADING = regex(
    r"(?:(?:code |plan )?review\s*\(?\s*)?round\s+(?P<number>\d+\s?[a-z]?)\b(?P<text>.*)", re.IGNORECASE
)
_REVIEWER = regex(r"\*\*\s*(?P<kind>Code|Plan) ?Review(?:er)?\b(?P<about>[^:*]{0,80}):(?P<text>.*)", re.IGNORECASE)
_GOES_ON = regex(
    r"(?:with|by|on|for|after|at|in|and|as|tasks?|now|per|via|without|again|round|plan|code|review|approval|builder"
    r"|phase|or|\d)(?![^\W\d])",
    re.IGNORECASE,
)
_MAY_OPEN_A_SENTENCE = frozenset({"APPROVED", "PENDING", "N/A"})
_TAIL = 200


class _Entry(NamedTuple):
    number: str
    about: str
    lines: list[str]
    line: int
    kind: str


def rounds(lines: Sequence[Line], kind: str) -> dict[str, list[ReviewRound]]:
    """Rounds of one log section by kind (`plan`, `code`); a reviewer who names himself decides over the section.

    Text below a round belongs to it. A section without any round still counts where a line states a verdict.
    """
    entries = list(_entries(lines, kind)) or list(_bare_entries(lines, kind))
    found: dict[str, list[ReviewRound]] = {"plan": [], "code": []}
    for entry in entries:
        text = "\n".join(entry.lines).strip()
        verdict, named = read_verdict(text)
        tasks = tuple(dict.fromkeys((*_named_tasks(entry.about), *named)))
        found[entry.kind].append(ReviewRound(entry.number, tasks, verdict, text, entry.line))
    return found


def read_verdict(text: str) -> tuple[ReviewVerdict, tuple[str, ...]]:
    """The verdict that an entry states and the tasks named with it; `UNKNOWN` where it only talks about one.

    It stands at the start, behind `Status:`, or as the last words. Where an entry states several, the worst counts.
    """
    plain = re.sub(r"[*~`_]", "", text).strip()
    if not plain.strip("[](){}<>-—–. \"'"):
        return "N/A", ()
    found: list[ReviewVerdict] = [_word(match) for match in _STATED.finditer(plain)]
    start = _STARTS.match(plain)
    tasks: tuple[str, ...] = ()
    if start is not None:
        found.append(_head_verdict(start))
        after = _AFTER.match(start["rest"])
        tasks = _named_tasks(start["tasks"] or (after["tasks"] if after else ""))
    else:
        named = _NAMED.match(plain)
        tasks = _named_tasks(named[0]) if named else ()
        if not found and (end := _CLOSES.search(plain[-_TAIL:])):
            found.append(_word(end))
    return min(found, key=_WORST.index, default="UNKNOWN"), tasks


def _head_verdict(start: re.Match[str]) -> ReviewVerdict:
    word, rest = _word(start), start["rest"]
    if _DENIED.match(rest) or (word in _MAY_OPEN_A_SENTENCE and _is_sentence(rest)):
        return "UNKNOWN"
    other = _OTHER.match(rest)
    if other is None or word == "N/A":
        return word
    if other["sign"] in {"/", "|", "or", "OR"}:  # a template that leaves the choice
        return "UNKNOWN"
    return min(word, _word(other), key=_WORST.index)


def _is_sentence(rest: str) -> bool:
    """Whether the word only begins a sentence (`Accepted risks are listed`, `None of the tests pass`)."""
    after = rest.lstrip(" ")
    return after[:1].isalpha() and _GOES_ON.match(after) is None


def _word(match: re.Match[str]) -> ReviewVerdict:
    return next(verdict for number, (_, verdict) in enumerate(_WORDS) if match[f"w{number}"] is not None)


def _named_tasks(text: str) -> tuple[str, ...]:
    """Ids in text that names tasks: `Task 4`, `(Tasks 3 and 4)`, `U1`."""
    named = _NAMED.search(text)
    if named is None:
        return ()
    return tuple(dict.fromkeys(_BARE_NUMBER.findall(re.sub(r"(?i)tasks?", " ", named[0]))))


def _entries(lines: Sequence[Line], kind: str) -> Iterator[_Entry]:
    entry: _Entry | None = None
    for line in lines:
        fresh = None if line.fenced or line.table or line.quoted else _start(line, kind)
        if fresh is not None:
            if entry is not None:
                yield entry
            entry = fresh
        elif line.level and entry is not None:
            yield entry
            entry = None
        elif entry is not None:
            entry.lines.append(line.text)
    if entry is not None:
        yield entry


def _start(line: Line, kind: str) -> _Entry | None:
    if line.level:
        heading = _ROUND_HEADING.match(line.bare)
        if heading is None:
            return None
        about, _, text = heading["text"].partition(":")
        return _Entry(heading["number"].replace(" ", ""), about, [text.strip()], line.number, kind)
    found = next((found for pattern in _ROUNDS if (found := pattern.match(line.body))), None)
    if found is not None and line.opens:
        text = found["text"].replace("**", "", 1) if found.re is _ROUNDS[-1] else found["text"]
        return _Entry(found["number"].replace(" ", ""), found["about"], [text], line.number, kind)
    named = _REVIEWER.match(line.body)
    if named is not None:
        return _Entry("", named["about"], [named["text"].replace("**", "", 1)], line.number, named["kind"].lower())
    return None


def _bare_entries(lines: Sequence[Line], kind: str) -> Iterator[_Entry]:
    """Lines that start with a verdict, in a section that counts no rounds."""
    for line in lines:
        if line.prose and not line.level and not line.quoted and line.opens and _STARTS.match(bare_text(line.body)):
            yield _Entry("", "", [line.body], line.number, kind)
