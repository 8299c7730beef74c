"""`harness-tui answer`: answer a question of an epic, put it off, or accept what is proposed."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness_tui.cli.root import workspace_root
from harness_tui.cli.writing import refusals, refused_document

if TYPE_CHECKING:
    import argparse

    from harness_tui.model.answer import Answer, AnswerPlan
    from harness_tui.rules.answer_effects import Effects

ABOUT = (
    "Answer a question of an epic, put it off, or accept all defaults. The unit of its packet is spent with the first "
    "answer; looking (--dry-run) is free."
)
EXAMPLES = (
    "  harness-tui answer sh-7-kiln DEC-001 A\n"
    "  harness-tui answer sh-7-kiln DEC-001 default --dry-run     what would be written\n"
    "  harness-tui answer sh-7-kiln DEC-002 --free 'only on weekdays'\n"
    "  harness-tui answer sh-7-kiln DEC-002 --defer\n"
    "  harness-tui answer sh-7-kiln --defaults"
)


def declare(parser: argparse.ArgumentParser) -> None:
    """The arguments of `answer`."""
    parser.add_argument("epic", metavar="EPIC", help="the epic: the name of its folder")
    parser.add_argument("question", nargs="?", metavar="QUESTION", help="the id of the question")
    parser.add_argument("choice", nargs="?", metavar="CHOICE", help="the key of an option, or the word default")
    way = parser.add_mutually_exclusive_group()
    way.add_argument("--free", metavar="TEXT", help="an answer in your own words")
    way.add_argument("--defer", action="store_true", help="put the question off; costs nothing")
    way.add_argument("--defaults", action="store_true", help="accept the default of every open question")
    parser.add_argument(
        "--digest", default="", metavar="D", help="refuse when the question is not the one of this digest"
    )
    parser.add_argument("--json", action="store_true", help="one JSON document instead of text")
    parser.add_argument("--dry-run", action="store_true", help="print what would be written, and write nothing")
    parser.add_argument("--path", type=Path, default=Path(), metavar="P", help="any folder in the repository")


def run(options: argparse.Namespace) -> int:
    """Record the answer, or print what would be recorded; 1 when it is refused."""
    from harness_tui.workspace.answers import plan_answer, record_answer

    answer = _answer(options)
    root = workspace_root(options.path)
    with refusals(root, refused_document if options.json else None):
        act = plan_answer if options.dry_run else record_answer
        plan = act(root, answer, datetime.now(UTC))
    found = _effects(root, plan) if options.dry_run and plan.changes else None
    if options.json:
        from harness_tui.cli.json_text import dump

        sys.stdout.write(dump(_document(plan, found, dry_run=options.dry_run)) + "\n")
        return 0
    from harness_tui.cli.writing import changes_text
    from harness_tui.formats.text import clean
    from harness_tui.rules.answers import plan_words

    sys.stdout.write("".join(f"{clean(line)}\n" for line in plan_words(plan)))
    if found is not None:
        order = [f"order in pool {pool.pool_id}: {' → '.join(pool.after)}" for pool in found.pools if pool.after]
        sys.stdout.write("".join(f"then: {clean(line)}\n" for line in (*found.text, *order)))
    if options.dry_run:
        sys.stdout.write(changes_text(plan.changes))
    return 0


def _effects(root: Path, plan: AnswerPlan) -> Effects:
    """What the answer changes for the epic and for the pools of the workspace."""
    from harness_tui.rules.answer_effects import effects
    from harness_tui.workspace.reader import Reader

    reader = Reader(root)
    try:
        return effects(plan, reader.read_all())
    finally:
        reader.close()


def _answer(options: argparse.Namespace) -> Answer:
    """What the arguments ask for; ends with a usage error when they ask for two things, or for none."""
    from harness_tui.cli.writing import usage
    from harness_tui.model.answer import Answer

    if options.defaults:
        if options.question is not None:
            raise usage("answer", "--defaults takes no question: it is for all that are open")
        return Answer(options.epic, "", "defaults", digest=options.digest)
    if options.question is None:
        raise usage("answer", "a QUESTION is needed, or --defaults")
    ways = [options.choice is not None, options.free is not None, options.defer]
    if sum(ways) != 1:
        raise usage("answer", "exactly one of CHOICE, --free and --defer is needed")
    if options.defer:
        return Answer(options.epic, options.question, "defer", digest=options.digest)
    if options.free is not None:
        return Answer(options.epic, options.question, "free", options.free, digest=options.digest)
    return Answer(options.epic, options.question, "choice", options.choice, digest=options.digest)


def _document(plan: AnswerPlan, found: Effects | None, *, dry_run: bool) -> dict[str, Any]:
    from harness_tui.cli.output import plain
    from harness_tui.cli.writing import changes_document

    effects = {"before": plan.before, "after": plan.after, "pools": found.pools, "text": found.text} if found else None

    return {
        "epic_id": plan.epic_id,
        "packet_id": plan.packet_id,
        "dry_run": dry_run,
        "already_recorded": not plan.changes,
        "exhausted": plan.exhausted,
        "settled": [
            {"question_id": item.question_id, "status": item.status, "resolution": item.resolution}
            for item in plan.settled
        ],
        "left_open": list(plan.left_open),
        "unit_spent": plan.spends,
        "left": plan.left,
        "digest": plan.digest,
        "added": list(plan.added),
        "consequences": plain(effects),
        "changes": changes_document(plan.changes),
    }
