"""Lines about what the loop's guards say: checkout, the eight of Decide, routes, evidence, and where files disagree."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from textual.content import Content

from harness_tui.model.frozen import replace
from harness_tui.rules.decide import BACKFILL, BASELINE, BRANCH, BRIEF, CHANGE_GOAL, EVIDENCE, field_of
from harness_tui.rules.needs import guard_id
from harness_tui.tui.facts import Fact, heading, labelled, short_place
from harness_tui.tui.text import literal

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from harness_tui.model.control import Control
    from harness_tui.model.guard import GuardAnswer, GuardItem, Guards, GuardState, Route
    from harness_tui.model.inconsistency import Inconsistency

LABELS: Final = {
    BRANCH: "branch",
    BASELINE: "baseline",
    "milestone-kind-routing": "milestone kind",
    "pre-milestone-intake-guard": "milestone intake",
    "complex-project-entry-gate-check": "entry gate",
    "milestone-review-gate-check": "milestone review",
    BACKFILL: "backfill",
    "worktrack-intake-review-check": "worktrack intake",
    CHANGE_GOAL: "change of goal",
    BRIEF: "milestone brief",
    EVIDENCE: "evidence",
}
"""A short name for each guard."""
STATE: Final[dict[GuardState, tuple[str, str]]] = {
    "ready": ("✓ ready", "$text-success"),
    "doubtful": ("! ready, not strictly", "$text-warning"),
    "blocked": ("⊘ blocked", "$text-error bold"),
    "unreadable": ("✗ no answer", "$text-error bold"),
    "not-asked": ("? not asked", "$text-warning"),
}
_WORDS: Final[dict[tuple[str, GuardState], tuple[str, str]]] = {
    (BRANCH, "ready"): ("✓ right branch", "$text-success"),
    (BRANCH, "doubtful"): ("! may go on", "$text-warning"),
    (BRANCH, "blocked"): ("⊘ wrong branch", "$text-error bold"),
    (BASELINE, "ready"): ("✓ unchanged", "$text-success"),
    (BASELINE, "doubtful"): ("! unchanged, by one of its values", "$text-warning"),
    (BASELINE, "blocked"): ("≠ changed", "$text-warning bold"),
    (BACKFILL, "doubtful"): ("! ready, with defaults", "$text-warning"),
    (EVIDENCE, "ready"): ("✓ complete", "$text-success"),
    (EVIDENCE, "doubtful"): ("! complete, not strictly", "$text-warning"),
    (EVIDENCE, "blocked"): ("⊘ not complete", "$text-warning bold"),
}
_LEGAL: Final = {
    True: ("✓ legal", "$text-success"),
    False: ("⊘ not now", "$text-error"),
    None: ("? not known", "$text-warning"),
}
_ROUTE: Final = re.compile(r"(?:Repo|Worktrack)Scope\.[A-Z][a-z]+")
_WIDTH: Final = 21
_INNER: Final = 12


def checkout_facts(guards: Guards) -> list[Fact]:
    """Whether branch and baseline are what the loop takes them for."""
    found = [answer for answer in (guards.named(BRANCH), guards.named(BASELINE)) if answer is not None]
    return [fact for answer in found for fact in _answer(answer, _INNER)]


def decide_facts(guards: Guards, control: Control | None) -> list[Fact]:
    """The guards of Decide in their order: which of them stops it, and what those behind it would say."""
    chain = guards.decide
    if not chain:
        return []
    if control is None:
        return [heading("Guards of Decide"), Fact(literal(f"? not asked  {chain[0].reason}", "$text-warning"))]
    first = next((answer for answer in chain if answer.stops), None)
    unasked = sum(answer.state == "not-asked" for answer in chain)
    verdict = f"stopped by guard {first.step}" if first is not None else "nothing stops it"
    more = f", {unasked} not asked" if unasked else ""
    scope = "" if control.scope == "RepoScope" else " (asked in RepoScope)"
    facts = [heading(f"Guards of Decide: {verdict}{more}{scope}")]
    return facts + [fact for answer in chain for fact in _answer(answer, _WIDTH)]


def route_facts(guards: Guards, control: Control) -> list[Fact]:
    """What may come next by guards, gate and lock, under what the control state recommends."""
    legal = sum(route.legal is True for route in guards.routes)
    words = f"Next routes: {legal} of {len(guards.routes)} legal" if guards.routes else "Next routes"
    route = field_of(control, "recommended_next_route", "current_next_action")
    path, line = (route.path, route.line) if route is not None else (None, None)
    facts = [heading(words), labelled("recommended", _recommended(control, guards.routes), path, line, width=_WIDTH)]
    if not guards.routes:
        text = literal(f"? not known: the scope is {control.scope}", "$text-warning")
        facts.append(labelled("legal", text, path, line, width=_WIDTH))
    alike: dict[Route, list[Route]] = {}
    for item in guards.routes:
        alike.setdefault(replace(item, name=item.name if item.legal else ""), []).append(item)
    return facts + [_routes(items, control.scope) for items in alike.values()]


def pipeline_facts(found: Sequence[Inconsistency]) -> list[Fact]:
    """Where files disagree about milestones and worktracks, and the recovery that is meant for it."""
    if not found:
        return []
    facts = [heading(f"Files that disagree: {len(found)}, nothing is repaired by itself")]
    for item in found:
        sign, style = ("·", "$text-muted") if item.severity == "info" else ("≠", "$text-warning bold")
        text = Content.assemble(literal(f"{sign} ", style), literal(item.message))
        files = ", ".join(short_place(path, None) for path in item.files)
        more = Content.assemble(
            literal("└ recovery ", "$text-muted"), literal(item.recovery, "bold"), literal(f"  {files}", "$text-muted")
        )
        facts += [Fact(text, item.path, item.line, hang=2), Fact(more, item.path, item.line, hang=2)]
    return facts


def item_facts(guards: Guards) -> list[Fact]:
    """The items of evidence and the fields that are filled in: which are there, on which line, what is assumed."""
    return [
        *_items(guards.named(EVIDENCE), "Evidence of the worktrack"),
        *_items(guards.named(BACKFILL), "Fields that are filled in where they are missing"),
    ]


def _items(answer: GuardAnswer | None, title: str) -> Iterable[Fact]:
    if answer is None or not answer.items:
        return
    there = sum(item.there for item in answer.items)
    yield heading(f"{title}: {there} of {len(answer.items)} there")
    for item in sorted(answer.items, key=lambda item: (item.there, not item.denied)):
        yield _item(item, answer.path)


def _item(item: GuardItem, path: str) -> Fact:
    sign, style = ("✓ there  ", "$text-success") if item.there else ("✗ missing", "$text-warning")
    sign, style = ("! denied ", "$text-warning") if item.denied else (sign, style)
    lead = f"{sign} {item.name} ".ljust(42)
    text = Content.assemble(literal(lead[:9], style), literal(lead[9:]), literal(item.text, "$text-muted"))
    return Fact(text, path, item.line, hang=10)


def _answer(answer: GuardAnswer, width: int) -> Iterable[Fact]:
    """One guard: its answer, its strict findings, and the file that says something else."""
    label = f"{answer.step} {LABELS[answer.name]}" if answer.step else LABELS[answer.name]
    words, style = _WORDS.get((answer.name, answer.state), STATE[answer.state])
    text = _said(answer, words, style) if answer.reached else _not_reached(answer, words)
    place = (answer.path or None, answer.line)
    yield replace(labelled(label, text, *place, width=width), key=guard_id(answer.name))
    tone = "$text-warning" if answer.reached else "$text-muted"
    for finding in answer.findings:
        yield Fact(Content.assemble(literal("  └ strict: ", "$text-muted"), literal(finding, tone)), *place, hang=4)
    claim = answer.claim
    if claim is not None and claim.differs:
        lead = literal("  └ ≠ the file says ", tone)
        said = Content.assemble(
            lead,
            literal(claim.text, f"{tone} bold"),
            literal(f"  {short_place(claim.path, claim.line)}", "$text-muted"),
        )
        yield Fact(said, claim.path, claim.line, hang=4)


def _said(answer: GuardAnswer, words: str, style: str) -> Content:
    parts = [literal("⊘ BLOCKS HERE" if answer.stops and answer.state == "blocked" else words, style)]
    parts.append(literal(f"  {_reason(answer)}"))
    if answer.action not in {"", "unknown"} and answer.action not in answer.reason:
        parts.append(literal(f"  → {answer.action}", "$text-accent"))
    if (
        answer.claim is not None
        and not answer.claim.differs
        and answer.claim.text.partition(": ")[2] not in answer.reason
    ):
        parts.append(literal(f"  = {answer.claim.text}", "$text-muted"))
    return Content.assemble(*parts)


def _not_reached(answer: GuardAnswer, words: str) -> Content:
    why = "" if answer.state == "ready" else f"  {_reason(answer)}"
    return Content.assemble(literal("· not reached"), literal(f"  would say {words}{why}", "$text-muted"))


def _reason(answer: GuardAnswer) -> str:
    if answer.name == BACKFILL and answer.items:
        return f"{sum(not item.there for item in answer.items)} of {len(answer.items)} fields missing"
    return answer.reason


def _recommended(control: Control, routes: Sequence[Route]) -> Content:
    """The route that the control state recommends, and whether it could be taken."""
    named = _ROUTE.search(control.next_route)
    route = next((item for item in routes if named is not None and item.name == named[0]), None)
    words = {True: "", False: "  ≠ not now", None: "  ? not known"}[route.legal] if route is not None else ""
    return Content.assemble(literal(control.next_route), literal(words, "$text-warning bold"))


def _routes(alike: Sequence[Route], scope: str) -> Fact:
    """One route, or those that the same holds."""
    route = alike[0]
    words, style = _LEGAL[route.legal]
    if route.legal and route.why:
        words, style = "! legal", "$text-warning"
    names = [item.name.removeprefix(f"{scope}.") for item in alike]
    several = len(names) > 1
    text = Content.assemble(
        literal(words, style),
        literal(f"  {', '.join(names)}" if several else ""),
        literal(f"  {route.why}" if route.why else "", "$text-muted"),
    )
    label = f"{len(names)} routes" if several else names[0]
    return labelled(label, text, route.path or None, route.line, width=_WIDTH)
