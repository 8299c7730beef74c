"""Answering a question of an epic (CONTRACT rules 6, 7)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from harness_tui.model.answer import Answer
from harness_tui.rules.answer_effects import Effects, effects
from harness_tui.rules.answers import plan_words
from harness_tui.rules.consequences import order_rows
from harness_tui.rules.questions import default_text, questions_digest
from harness_tui.tui.acts.form import Field, Look
from harness_tui.workspace.answers import plan_answer, record_answer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from harness_tui.model.decision import Decision
    from harness_tui.tui.acts.form import Scene, Values

_OPTION: Final = "option "
_FREE: Final = "free"
_DEFER: Final = "defer"
_DEFAULT: Final = "default"
_ALL: Final = "defaults"


class AnswerAct:
    """Choose an option or the default, answer in own words, put it off, or accept all defaults of the epic.

    The question is compared at the writing with what was shown when the act was made.
    """

    verb = "Record"

    def __init__(self, decision: Decision, waiting: Sequence[Decision] = ()) -> None:
        """`waiting` are the open questions of the epic."""
        self._decision = decision
        self._waiting = tuple(waiting)
        self.title = f"Answer {decision.question_id or '(no id)'} · {decision.epic_id}"
        self.key = f"answer {decision.epic_id} {decision.question_id} {decision.digest}"
        choices = [
            (f"{_OPTION}{choice.key}", _words(choice.key, choice.label, default=choice.default))
            for choice in decision.choices
        ]
        default = default_text(decision)
        if default is not None and not any(choice.default for choice in decision.choices):
            choices.insert(0, (_DEFAULT, f"the default: {default}"))
        choices += [(_FREE, "in your own words, below"), (_DEFER, "put it off: costs nothing, stays unanswered")]
        if len(self._waiting) > 1:
            choices.append((_ALL, f"accept the default of all {len(self._waiting)} open questions of this epic"))
        named = next((choice.label for choice in decision.choices if choice.default), None)
        said = f"{decision.default} = {named}" if named not in (None, decision.default) else decision.default
        self.prompt = f"choose an answer; the default is {said}" if said else "choose an answer; there is no default"
        self.fields: tuple[Field, ...] = (
            Field("choice", decision.question or "(no question)", "choice", choices=tuple(choices)),
            Field(
                "words", "Own words", required=False, implies=("choice", _FREE), hint='only with "in your own words"'
            ),
        )

    def look(self, scene: Scene, values: Values) -> Look:
        """What is recorded, what it costs, and every file that changes."""
        answer = self._answer(values)
        plan = plan_answer(scene.root, answer, scene.now())
        found = effects(plan, scene.snapshot()) if plan.changes else Effects((), ())
        says = [("records" if at == 0 else "", words) for at, words in enumerate(plan_words(plan))]
        says += [("then" if at == 0 else "", words) for at, words in enumerate(found.text)]
        says += [row for pool in found.pools for row in order_rows(pool)]
        return Look(
            tuple(says),
            plan.changes,
            (),
            answer,
        )

    def do(self, scene: Scene, look: Look) -> str:
        """Record it; whatever changed since it was looked at is found out under the lock."""
        return "; ".join(plan_words(record_answer(scene.root, look.plan, scene.now())))

    def _answer(self, values: Values) -> Answer:
        decision, choice = self._decision, values.get("choice", "")
        if choice == _ALL:
            return Answer(decision.epic_id, "", "defaults", digest=questions_digest(self._waiting))
        digest = decision.digest
        if choice == _DEFER:
            return Answer(decision.epic_id, decision.question_id, "defer", digest=digest, shown=decision)
        if choice == _FREE:
            words = values.get("words", "")
            return Answer(decision.epic_id, decision.question_id, "free", words, digest=digest, shown=decision)
        text = "default" if choice == _DEFAULT else choice.removeprefix(_OPTION)
        return Answer(decision.epic_id, decision.question_id, "choice", text, digest=digest, shown=decision)


def _words(key: str, label: str, *, default: bool) -> str:
    return f"[{key}] {label}{'  ← default' if default else ''}"
