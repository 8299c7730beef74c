"""The guards as they are asked for the screen: how seldom, about what, and what their answers are beside the files."""

import pytest
from support import loop

from harness_tui.model.git import Git
from harness_tui.workspace import git_head
from harness_tui.workspace.cache import GRACE
from harness_tui.workspace.families import Families
from harness_tui.workspace.guard_reader import GuardReader
from harness_tui.workspace.layout import Layout
from harness_tui.workspace.servo import ServoReader

SCRIPTED = {
    "branch-context-check", "git-hash-check", "milestone-kind-routing", "pre-milestone-intake-guard",
    "complex-project-entry-gate-check", "milestone-review-gate-check", "runtime-backfill-detect",
    "worktrack-intake-review-check", "evidence-completeness-check",
}  # fmt: skip
MAIN = Git(branch="main", head=loop.CHECKPOINT)


class Loop:
    """A workspace with a control loop and who asks its guards."""

    def __init__(self, workspace) -> None:
        self.workspace = workspace
        for name, text in loop.READY.items():
            workspace.write(name, text)
        layout = Layout(workspace.root)
        self.reader = GuardReader(layout, ServoReader(layout))
        self.clock = 0.0

    def ask(self, git=MAIN, *, dirty=None):
        self.clock += 1
        paths = None if dirty is None else frozenset(str(self.workspace / name) for name in dirty)
        return self.reader.refresh(git, paths, self.clock)

    def answer(self, name, git=MAIN, **how):
        return self.ask(git, **how).guards.named(name)

    def asked(self):
        """How often each guard was asked since the last time."""
        found, self.reader.asked = self.reader.asked, {}
        return found


@pytest.fixture
def beacon(workspace):
    return Loop(workspace)


def states(servo):
    return {answer.name: answer.state for answer in servo.guards.answers}


def test_each_guard_is_asked_once_and_its_answer_is_part_of_what_was_read(beacon):
    servo = beacon.ask()
    assert beacon.asked() == dict.fromkeys(SCRIPTED, 1)
    assert states(servo) == {
        **dict.fromkeys((*SCRIPTED, "change-goal", "milestone-brief"), "ready"),
        "runtime-backfill-detect": "doubtful", "evidence-completeness-check": "blocked",
    }  # fmt: skip
    assert [answer.name for answer in servo.guards.decide][:2] == [
        "milestone-kind-routing",
        "pre-milestone-intake-guard",
    ]


def test_nothing_is_asked_again_while_nothing_changed(beacon):
    servo = beacon.ask()
    beacon.asked()
    for dirty in (None, (), (loop.INTAKE,)):
        assert beacon.ask(dirty=dirty) is servo
    assert beacon.asked() == {}


@pytest.mark.parametrize(
    ("name", "text", "guards"),
    [
        (loop.MILESTONE, loop.MILESTONE_TEXT + "more\n", {"milestone-kind-routing"}),
        (loop.INTAKE, loop.intake("blocked"), {"pre-milestone-intake-guard", "complex-project-entry-gate-check"}),
        (loop.WORKTRACK, loop.worktrack("blocked"), {"worktrack-intake-review-check"}),
        (loop.GATE, loop.GATE_TEXT + "- dispatch packet: p\n", {"evidence-completeness-check"}),
        (loop.BACKLOG, loop.BACKLOG_TEXT + "\n### MS-FOG\n", set()),
    ],
)
def test_a_change_asks_only_the_guards_that_read_the_file(beacon, name, text, guards):
    beacon.ask()
    beacon.asked()
    beacon.workspace.write(name, text)
    beacon.ask(dirty=(name,))
    assert set(beacon.asked()) == guards


def test_another_head_asks_only_the_guards_that_depend_on_it(beacon):
    beacon.ask()
    beacon.asked()
    servo = beacon.ask(Git(branch="side", head="0" * 40), dirty=())
    assert set(beacon.asked()) == {"branch-context-check", "git-hash-check"}
    assert servo.guards.named("git-hash-check").reason.startswith("HEAD is 000000000000, the checkpoint 4f1c2aa9")


def test_until_git_answers_its_guards_wait_and_no_process_is_started(beacon, monkeypatch):
    monkeypatch.setattr(git_head, "_ask", lambda *_: pytest.fail("git was asked"))
    assert beacon.answer("git-hash-check", None).reason == "git has not answered yet"
    assert {route.legal for route in beacon.ask(None).guards.routes} == {None}
    assert beacon.answer("git-hash-check", MAIN, dirty=()).state == "ready"


@pytest.mark.parametrize(
    ("git", "state", "reason"),
    [
        (Git(error="not a git repository"), "not-asked", "this is no git repository"),
        (Git(error="no answer within 5 s"), "unreadable", "git: no answer within 5 s"),
        (Git(branch="main", unborn=True), "blocked", "HEAD is not known"),
    ],
)  # fmt: skip
def test_a_checkout_that_says_nothing_is_told(beacon, git, state, reason):
    answer = beacon.answer("git-hash-check", git)
    assert (answer.state, answer.reason.startswith(reason)) == (state, True)


def test_an_answer_leads_to_the_line_that_decided(beacon):
    beacon.workspace.write(loop.INTAKE, loop.intake("questions_required", bullet="ready"))
    answer = beacon.answer("pre-milestone-intake-guard")
    lines = (beacon.workspace / answer.path).read_text().split("\n")
    assert (answer.state, answer.stops, answer.step) == ("blocked", True, 2)
    assert lines[answer.line - 1] == "intake_status: questions_required"
    assert answer.action == "return_to_pre_milestone_intake_skill"


def test_a_file_that_says_something_else_stands_beside_the_answer(beacon):
    beacon.workspace.write(loop.INTAKE, loop.intake("questions_required", bullet="ready"))
    claim = beacon.answer("pre-milestone-intake-guard").claim
    assert (claim.text, claim.differs) == ("intake_status: ready", True)
    assert (beacon.workspace / claim.path).read_text().split("\n")[claim.line - 1] == "- intake_status: ready"
    beacon.workspace.write(loop.INTAKE, loop.intake("blocked"))
    claim = beacon.answer("pre-milestone-intake-guard", dirty=(loop.INTAKE,)).claim
    assert (claim.text, claim.differs) == ("intake_status: blocked", False)


def test_a_kind_under_a_heading_is_claimed_and_not_seen_by_the_guard(beacon):
    heading = "---\nmilestone_id: MS-BEACON\n---\n## milestone_kind\n\ngoal-driven\n"
    beacon.workspace.write(loop.MILESTONE, heading)
    answer = beacon.answer("milestone-kind-routing")
    assert (answer.state, answer.claim.text, answer.claim.differs) == ("blocked", "milestone_kind: goal-driven", True)


def test_the_items_of_evidence_have_their_lines_and_a_denial_is_marked(beacon):
    items = {item.name: item for item in beacon.answer("evidence-completeness-check").items}
    lines = loop.GATE_TEXT.split("\n")
    assert len(items) == 9
    assert [name for name, item in items.items() if item.there] == [
        "validation_evidence",
        "gate_verdict",
        "closeout_record",
    ]
    assert lines[items["validation_evidence"].line - 1] == "- test evidence: 12 of 12 lamps lit"
    assert lines[items["closeout_record"].line - 1] == "- No closeout record yet"
    assert [item.name for item in items.values() if item.denied] == ["closeout_record"]


def test_the_fourteen_fields_have_their_value_and_line_or_what_they_count_as(beacon):
    items = {item.name: item for item in beacon.answer("runtime-backfill-detect").items}
    lines = loop.control().split("\n")
    assert len(items) == 14
    assert lines[items["milestone_kind"].line - 1] == "- milestone_kind: goal-driven"
    assert items["milestone_kind"].text == "goal-driven"
    assert (items["intake_skipped"].there, items["intake_skipped"].text) == (False, "counts as false")


def test_a_file_that_appears_is_asked_about_and_one_that_goes_is_not(beacon):
    (beacon.workspace / loop.INTAKE).unlink()
    assert beacon.answer("pre-milestone-intake-guard").reason == "no active milestone has such a file"
    beacon.workspace.write(loop.INTAKE, loop.intake())
    assert beacon.answer("pre-milestone-intake-guard").state == "ready"
    (beacon.workspace / loop.INTAKE).unlink()
    assert beacon.answer("pre-milestone-intake-guard", dirty=(loop.INTAKE,)).state == "blocked"
    assert beacon.answer("pre-milestone-intake-guard").state == "not-asked"


def test_a_file_that_was_cut_short_keeps_its_answer_until_it_is_whole_or_time_is_up(beacon):
    beacon.ask()
    beacon.workspace.write(loop.INTAKE, loop.intake()[:40])
    assert beacon.answer("pre-milestone-intake-guard", dirty=(loop.INTAKE,)).state == "ready"
    assert beacon.reader.unsettled
    beacon.clock += GRACE
    assert beacon.answer("pre-milestone-intake-guard", dirty=()).state == "blocked"
    assert not beacon.reader.unsettled


def test_a_file_that_cannot_be_read_is_a_no_that_says_why(beacon):
    beacon.workspace.write(loop.INTAKE, b"x" * 100)
    with (beacon.workspace / loop.INTAKE).open("ab") as file:
        file.truncate(33 << 20)
    answer = beacon.answer("pre-milestone-intake-guard")
    assert (answer.state, answer.stops) == ("unreadable", True)
    assert "it is too big" in answer.reason
    assert answer.path == loop.INTAKE


def test_files_beside_the_state_are_known_so_that_no_folder_is_listed_for_them(beacon):
    beacon.ask()
    assert beacon.reader.knows(str(beacon.workspace / loop.INTAKE))
    assert not beacon.reader.knows(str(beacon.workspace / "README.md"))


def test_hostile_values_are_shown_as_marks_and_cut(beacon):
    ugly = "\x1b[2J\u202eready" + "x" * 5000 + " https://keeper:secret@example.org/"
    beacon.workspace.write(loop.INTAKE, loop.intake(ugly, entry="\x07\x00?"))
    beacon.workspace.write(loop.WORKTRACK, loop.worktrack("https://keeper:secret@example.org/\x9b"))
    servo = beacon.ask()
    texts = [text for answer in servo.guards.answers for text in (answer.reason, answer.action, *answer.findings)]
    texts += [answer.claim.text for answer in servo.guards.answers if answer.claim]
    texts += [route.why for route in servo.guards.routes]
    assert all(text.isprintable() and "secret" not in text for text in texts)
    assert max(map(len, texts)) < 500
    assert any("‹U+202E›" in text for text in texts)


def test_without_a_control_state_every_guard_says_so(beacon):
    (beacon.workspace / loop.CONTROL).unlink()
    servo = beacon.ask()
    assert {answer.reason for answer in servo.guards.answers} == {"there is no control state"}
    assert servo.guards.routes == ()


def test_a_workspace_without_a_loop_asks_nothing_and_loads_nothing(workspace, monkeypatch):
    import sys

    for name in ("harness_tui.workspace.guard_reader", "harness_tui.workspace.servo"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    families = Families(Layout(workspace.root))
    families.refresh(None, 0.0, MAIN)
    assert families.servo is None
    assert "harness_tui.workspace.guard_reader" not in sys.modules


def test_the_families_pass_on_what_git_said_and_know_the_guards_files(workspace):
    for name, text in loop.READY.items():
        workspace.write(name, text)
    families = Families(Layout(workspace.root))
    families.refresh(None, 0.0, MAIN)
    assert families.servo.guards.named("git-hash-check").state == "ready"
    assert families.knows(str(workspace / loop.INTAKE))
    assert not families.unsettled


def test_the_first_frame_does_not_wait_for_the_guards(workspace):
    for name, text in loop.READY.items():
        workspace.write(name, text)
    families = Families(Layout(workspace.root))
    families.refresh(None, 0.0)
    assert (families.servo.present, families.servo.guards.answers) == (True, ())
    families.refresh(frozenset(), 1.0)
    assert families.servo.guards.named("pre-milestone-intake-guard").state == "ready"
