"""Asks the guards of the loop again and again, each only when one of its files or the checkout changed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from harness_tui.model.frozen import replace
from harness_tui.model.guard import Guards, Route
from harness_tui.rules.decide import BRANCH, change_goal, in_order, milestone_brief, routes
from harness_tui.workspace.cache import Cache
from harness_tui.workspace.git import NO_CHECKOUT
from harness_tui.workspace.git_head import GitError, Head
from harness_tui.workspace.guard_answers import GuardInput, answer, no_answer, witness, words_of
from harness_tui.workspace.guard_questions import GuardFiles, branch_judge, guard_questions

if TYPE_CHECKING:
    from pathlib import Path

    from harness_tui.model.git import Git
    from harness_tui.model.guard import GuardAnswer
    from harness_tui.model.servo import Servo
    from harness_tui.workspace.guard_questions import Question
    from harness_tui.workspace.layout import Layout
    from harness_tui.workspace.servo import ServoReader

    Inputs = tuple[GuardInput, ...]

_WAITING: Final = "git has not answered yet"
_NOWHERE: Final = "this is no git repository"


class _Checkout(NamedTuple):
    """HEAD and what tells it from another, or the trouble with it; `absent` when there is none to ask about (yet)."""

    head: Head
    key: tuple[str, ...] = ()
    trouble: str = ""
    absent: bool = False


class GuardReader:
    """Adds the answers of the guards to what `loop` reads, in one thread.

    `asked` counts how often a guard was asked, by its name.
    """

    def __init__(self, layout: Layout, loop: ServoReader) -> None:
        self._layout = layout
        self._loop = loop
        self._others: Cache[bytes] = Cache(layout.root, lambda data, _name: data, whole=_whole)
        self._inputs: dict[str, GuardInput] = {}
        self._questions: dict[str, Question | str] = {}
        self._unscripted: tuple[GuardAnswer, ...] = ()
        self._branch: tuple[Path, ...] = ()
        self._asked_about: Servo | None = None
        self._answers: dict[str, tuple[tuple[object, ...], GuardAnswer]] = {}
        self._routes: tuple[tuple[object, ...], tuple[Route, ...]] = ((), ())
        self._known: frozenset[str] = frozenset()
        self._last: tuple[Servo, Servo] | None = None
        self.asked: dict[str, int] = {}

    @property
    def unsettled(self) -> bool:
        """Whether a file looks half written and should be looked at again soon."""
        return self._others.unsettled

    def knows(self, path: str) -> bool:
        """Whether `path` is a file that a guard reads."""
        return path in self._known

    def refresh(self, git: Git | None, dirty: frozenset[str] | None, clock: float) -> Servo:
        """The control loop now with the answers; the same object as before when nothing changed.

        `git` is what git said last, None while it has not answered; the others are those of `ServoReader.refresh`.
        """
        servo = self._loop.refresh(dirty, clock)
        if not servo.present:
            return servo
        if dirty is None or servo is not self._asked_about:
            self._ask_anew(servo)
        look = None if self._others.unsettled else dirty
        for path in self._known:
            self._look(path, look, clock)
        checkout = _checkout(git)
        answers = [self._answer(name, question, checkout, servo) for name, question in self._questions.items()]
        ordered = in_order([*answers, *self._unscripted])
        guards = Guards(ordered, self._legal(servo, ordered, checkout))
        if self._last is None or self._last[0] is not servo or self._last[1].guards != guards:
            self._last = (servo, replace(servo, guards=guards))
        return self._last[1]

    def _ask_anew(self, servo: Servo) -> None:
        """Look for the files; another control state may ask about others."""
        control = servo.control
        if servo is not self._asked_about:
            self._asked_about = servo
            self._unscripted = (change_goal(control), milestone_brief(control)) if control is not None else ()
        files = GuardFiles(self._layout, servo, control, self._loop.files) if control is not None else None
        self._questions = guard_questions(self._layout, servo, files)
        self._branch = files.of_branch() if files is not None else ()
        asked = (question.files for question in self._questions.values() if not isinstance(question, str))
        self._known = frozenset(str(path) for paths in (*asked, self._branch) for path in paths)
        self._others.forget(self._known)
        self._inputs = {path: item for path, item in self._inputs.items() if path in self._known}

    def _look(self, path: str, dirty: frozenset[str] | None, clock: float) -> None:
        """Take the file as it is now; what the loop has read is not read again."""
        name = self._layout.rel(path)
        reading = self._loop.reading(path)
        if reading is None:
            reading = self._others.get(path, name, look=dirty is None or path in dirty, clock=clock)
        data = reading.data if reading is not None else None
        trouble = reading.problem.message if reading and reading.problem and reading.signature is None else ""
        known = self._inputs.get(path)
        if known is None or known.data is not data or known.trouble != trouble:
            self._inputs[path] = GuardInput(data, name, trouble)

    def _of(self, files: tuple[Path, ...]) -> Inputs:
        return tuple(self._inputs[str(path)] for path in files)

    def _answer(self, name: str, question: Question | str, checkout: _Checkout, servo: Servo) -> GuardAnswer:
        if isinstance(question, str):
            return no_answer(name, "not-asked", question)
        inputs = self._of(question.files)
        control = servo.control
        about = (control.scope, control.function) if control is not None else ()
        git = (checkout.key, checkout.trouble) if question.git else ()
        key = (*inputs, git, about, witness(name, servo))
        known = self._answers.get(name)
        if known is None or not _same(known[0], key):
            known = (key, self._ask(name, question, inputs, checkout, servo))
            self._answers[name] = known
        return known[1]

    def _ask(self, name: str, question: Question, inputs: Inputs, checkout: _Checkout, servo: Servo) -> GuardAnswer:
        unread = next((item for item in inputs if item.trouble), None)
        if unread is not None:
            return no_answer(name, "unreadable", unread.trouble, unread.path)
        if question.git and checkout.trouble:
            return no_answer(name, "not-asked" if checkout.absent else "unreadable", checkout.trouble, inputs[0].path)
        self.asked[name] = self.asked.get(name, 0) + 1
        try:
            verdict = question.judge(tuple(item.text for item in inputs), checkout.head)
        except GitError as error:
            return no_answer(name, "unreadable", f"git: {error}", inputs[0].path)
        return answer(name, verdict, inputs, servo)

    def _legal(self, servo: Servo, answers: tuple[GuardAnswer, ...], checkout: _Checkout) -> tuple[Route, ...]:
        """The routes, judged again only when something changed on which they depend."""
        if servo.control is None:
            return ()
        gates = tuple(gate for gate in servo.worktracks if gate.current)
        about = (servo.control, servo.handback, gates, answers, checkout.key, checkout.trouble)
        inputs = self._of(self._branch)
        key = (*inputs, *about)
        if self._routes[0] and _same(self._routes[0], key):
            return self._routes[1]
        texts = tuple(item.text for item in inputs)

        def branch(scope: str, function: str) -> Route:
            name = f"{scope}.{function}"
            if not texts or checkout.trouble:
                return Route(name, None, checkout.trouble or "there is no control state")
            try:
                verdict = branch_judge(self._layout, scope, function)(texts, checkout.head)
            except GitError as error:
                return Route(name, None, f"git: {error}")
            shown = answer(BRANCH, verdict, inputs, servo)
            warning = verdict.document["warning"]
            why = shown.reason if not verdict.go else words_of(warning or "")
            return Route(name, verdict.go, why, shown.path, shown.line)

        self._routes = (key, routes(servo.control, servo.handback, gates, answers, branch))
        return self._routes[1]


def _same(old: tuple[object, ...], new: tuple[object, ...]) -> bool:
    """Whether the same objects, or equal words, were asked about: texts are not compared."""
    return len(old) == len(new) and all(
        a is b or (not isinstance(a, GuardInput) and a == b) for a, b in zip(old, new, strict=True)
    )


def _checkout(git: Git | None) -> _Checkout:
    if git is None or git.error == NO_CHECKOUT:
        return _Checkout(Head(), trouble=_WAITING if git is None else _NOWHERE, absent=True)
    if git.error:
        return _Checkout(Head(), trouble=f"git: {git.error}")
    branch, commit = "" if git.detached else git.branch or "", git.head or ""
    return _Checkout(Head(branch, commit), (branch, commit))


def _whole(old: bytes, new: bytes) -> bool:
    """A text that was only cut short looks half written."""
    return not (len(new) < len(old) and old.startswith(new))
