"""Lines about what waits for the operator, and how the verification stands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from textual.content import Content

from harness_tui.model.frozen import replace
from harness_tui.rules.span import age
from harness_tui.tui.facts import Fact, heading, in_sight, labelled, place
from harness_tui.tui.text import literal

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from harness_tui.model.inbox import InboxItem, InboxKind
    from harness_tui.model.verify import VerifyRun

_URGENCY = {3: ("!", "$text-error bold"), 2: ("⚑", "$text-error"), 1: ("⚑", "$text-warning"), 0: ("·", "$text-muted")}
_PAGES: Final[dict[InboxKind, str]] = {
    "decision": "decisions", "critical-blocked": "decisions", "budget": "decisions", "lock": "control",
    "gate": "control", "blocker": "plan",
}  # fmt: skip


def inbox_facts(items: Iterable[InboxItem], now: datetime, behind: dict[str, int]) -> list[Fact]:
    """What waits for the operator; `behind` gives the number of rows that wait behind an item, by its id."""
    facts: list[Fact] = []
    for item in items:
        sign, style = _URGENCY[item.urgency]
        parts = [literal(f"{sign} {item.kind} ", style), literal(in_sight(item.title))]
        count = behind.get(item.id, 0)
        waits = f"{count} wait{'s' if count == 1 else ''}" if count else ""
        where = near_place(item.path, item.line)
        pool = "" if where.startswith(f"{item.pool_id}/") else item.pool_id or ""
        tail = [pool, where, age(item.since, now), waits]
        parts.append(literal("  " + " · ".join(part for part in tail if part), "$text-muted"))
        fact = Fact(
            Content.assemble(*parts), item.path, item.line, pool_id=item.pool_id, task_id=item.task_id, key=item.id,
            hang=2, page=_page(item),
        )  # fmt: skip
        facts.append(fact)
        when = (("unblocks when", item.unblock), ("till then", item.otherwise))
        more = " · ".join(f"{label}: {in_sight(words)}" for label, words in when if words and item.urgency)
        if more:
            facts.append(replace(fact, text=literal(f"    {more}", "$text-muted"), hang=4))
    return facts


def verify_facts(runs: Sequence[VerifyRun], baseline: VerifyRun | None, now: datetime) -> list[Fact]:
    """The newest run of verify_all against the one at the start of the run."""
    if not runs:
        return []
    run = runs[-1]
    style = {"pass": "$text-success", "hard-fail": "$text-error bold"}.get(run.verdict, "$text-warning")
    counts = [f"{number} {word}" for word, number in
              (("pass", run.passed), ("warn", run.warned), ("fail", run.failed), ("skip", run.skipped))
              if number is not None]  # fmt: skip
    text = Content.assemble(
        literal(run.verdict, style),
        literal("  " + " · ".join(counts)),
        literal(f"  {age(run.at, now)}", "$text-muted"),
    )
    facts = [heading("verify_all"), labelled("now", text, run.path, run.line)]
    if baseline is not None and baseline is not run:
        words = literal(f"{baseline.verdict}  {_delta(baseline, run)}")
        facts.append(labelled("at start", words, baseline.path, baseline.line))
    return facts


def _page(item: InboxItem) -> str:
    """The page that settles `item`; empty for what is settled in its file or in the pool."""
    return "" if item.id == "verify_all" else _PAGES.get(item.kind, "")


def near_place(path: str, line: int | None) -> str:
    """`place` by the names of the file and its folder, which tells files of the same name apart."""
    return place("/".join(path.rsplit("/", 2)[-2:]), line)


def _delta(before: VerifyRun, now: VerifyRun) -> str:
    pairs = (
        ("pass", before.passed, now.passed),
        ("warn", before.warned, now.warned),
        ("fail", before.failed, now.failed),
    )
    parts = [f"{word} {was} → {new}" for word, was, new in pairs if was is not None and new is not None and was != new]
    return " · ".join(parts) or "same counts"
