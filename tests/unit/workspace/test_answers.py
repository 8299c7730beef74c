"""Recording answers: what is written, what it costs, and when it is refused."""

import json

import pytest
from support import epic_tree as tree

from harness_tui.model.answer import Answer
from harness_tui.model.refusal import NotThere, Refused
from harness_tui.rules.questions import questions_digest
from harness_tui.workspace import answers
from harness_tui.workspace.answers import plan_answer, record_answer
from harness_tui.workspace.atomic import WriteError
from harness_tui.workspace.epics import EpicReader


def answer(root, question="Q-1", kind="choice", text="B", **more):
    return record_answer(root, Answer(tree.EPIC, question, kind, text, **more), tree.NOW)


def defaults(root, **more):
    return record_answer(root, Answer(tree.EPIC, "", "defaults", **more), tree.NOW)


def seen(root):
    """The epic as the dashboard shows it."""
    return EpicReader(root).refresh(None, 0.0)


def states(root):
    return {item.question_id: item.state for item in seen(root).decisions}


def shown(root, name):
    return next(item for item in seen(root).decisions if item.question_id == name)


def refusal(act):
    with pytest.raises(Refused) as refused:
        act()
    return refused.value


@pytest.fixture
def root(tmp_path):
    return tree.epic(tmp_path)


def test_an_answer_is_seen_by_reading_back(root):
    plan = answer(root)
    assert (plan.spends, plan.left, plan.packet_id) == (True, 1, "DP-SPEC-001")
    assert states(root) == {"Q-1": "answered", "Q-2": "open", "Q-3": "open", "Q-4": "deferred"}
    (budget,) = seen(root).budgets
    assert (budget.left, budget.consistent, budget.history[0].packet_id) == (1, True, "DP-SPEC-001")


def test_files_are_written_in_the_recommended_order(root):
    assert [change.path.rpartition("/")[2] for change in answer(root).changes] == [
        "decision-bundle.json", "state.json", "unknowns-ledger.json", "execution-trace.jsonl",
    ]  # fmt: skip


def test_only_what_was_answered_changes(root):
    before = tree.contents(root)
    answer(root)
    after = tree.contents(root)
    entry = tree.decisions(root)["Q-1"]
    assert entry["status"] == "resolved"
    assert entry["resolution"] == "B: leave it"
    assert entry["resolved_at"] == tree.AT
    assert entry["odd_key"] == [1, {"ü": None}]
    bundle = f"{tree.HOME}/decision-bundle.json"
    recorded = b',\n      "resolution": "B: leave it",\n      "resolved_at": "' + tree.AT.encode() + b'",\n'
    recorded += b'      "recorded_by": "harness-tui"\n    },\n'
    wanted = (
        before[bundle].replace(b'"status": "pending"', b'"status": "resolved"', 1).replace(b"\n    },\n", recorded, 1)
    )
    assert after[bundle] == wanted
    assert not after[bundle].endswith(b"\n")
    assert after[f"{tree.HOME}/state.json"].endswith(b"\n")
    assert tree.read(root, f"{tree.HOME}/state.json")["zz"] == {"operator_note": "bleibt"}
    assert [item["id"] for item in tree.read(root, f"{tree.HOME}/state.json")["pending_decisions"]] == ["Q-2", "Q-3"]
    same = {name for name in before if before[name] == after[name]}
    assert f"{tree.HOME}/decision-packet.json" in same


def test_the_linked_unknown_is_resolved_and_counted(root):
    answer(root)
    ledger = tree.read(root, f"{tree.HOME}/unknowns-ledger.json")
    assert ledger["entries"][0]["status"] == "resolved"
    assert ledger["entries"][0]["resolved_at_stage"] == "SPEC"
    assert ledger["summary"] == {"total": 1, "open": 0}


def test_a_packet_costs_one_unit_however_many_answers_it_gets(root):
    costs = [answer(root).spends, answer(root, "Q-2", "default").spends, answer(root, "Q-3", "free", "40").spends]
    assert costs == [True, False, False]
    assert tree.budget(root)["consumed"] == 1


def test_the_last_unit_pays_for_the_whole_packet(tmp_path):
    tree.epic(tmp_path, state=tree.state(1))
    answer(tmp_path)
    assert answer(tmp_path, "Q-2", "default").left == 0


def test_a_unit_that_was_spent_by_another_program_counts_for_the_answered_packet(tmp_path):
    bundle = tree.bundle()
    bundle["decisions"][0] |= {"status": "resolved", "resolution": "A"}
    tree.epic(tmp_path, state=tree.state(2, 1), decision_bundle=bundle)
    assert not answer(tmp_path, "Q-2", "default").spends


def test_a_question_that_no_packet_asks_costs_nothing(root):
    assert not answer(root, "Q-4", "free", "sisal").spends
    assert tree.budget(root)["consumed"] == 0


def test_looking_changes_nothing(root):
    before = tree.contents(root)
    plan = plan_answer(root, Answer(tree.EPIC, "Q-1", "choice", "B"), tree.NOW)
    assert tree.contents(root) == before
    answer(root)
    after = tree.contents(root)
    for change in plan.changes:
        whole = before.get(change.path, b"") + change.after + b"\n" if change.append else change.after
        assert after[change.path] == whole


def test_the_same_answer_again_changes_nothing(root):
    answer(root)
    before = tree.contents(root)
    plan = answer(root)
    assert plan.changes == ()
    assert tree.contents(root) == before


@pytest.mark.parametrize("gone", ["state.json", "unknowns-ledger.json", "trace"])
def test_the_same_answer_completes_what_a_crash_left_out(root, gone):
    name = tree.TRACE if gone == "trace" else f"{tree.HOME}/{gone}"
    old = (root / name).read_bytes()
    answer(root)
    wanted = tree.contents(root)
    (root / name).write_bytes(old)
    assert [change.path for change in answer(root).changes] == [name]
    assert tree.contents(root) == wanted


@pytest.mark.parametrize(
    ("word", "recorded"),
    [("a", "A: turn it"), ("B", "B: leave it"), ("default", "A: turn it"), ("leave it", "B: leave it")],
)
def test_a_choice_is_made_by_key_default_or_full_text(root, word, recorded):
    answer(root, text=word)
    assert tree.decisions(root)["Q-1"]["resolution"] == recorded


def test_a_label_is_never_taken_for_another_key(tmp_path):
    options = [{"id": "A", "label": "burn"}, {"id": "B", "label": "keep"}, {"id": "C", "label": "B"}]
    question = {"id": "Q-1", "question": "?", "options": options, "default_action": "A", "risk_if_wrong": "low"}
    tree.epic(tmp_path, decision_packet=tree.packet(questions=[question]))
    answer(tmp_path, text="B")
    assert tree.decisions(tmp_path)["Q-1"]["resolution"] == "B: keep"


@pytest.mark.parametrize(("kind", "text", "code"), [
    ("choice", "C", "no-such-option"), ("choice", "", "no-such-option"), ("free", " \n", "empty-answer"),
])  # fmt: skip
def test_an_answer_that_means_nothing_is_refused(root, kind, text, code):
    before = tree.contents(root)
    assert refusal(lambda: answer(root, "Q-1", kind, text)).code == code
    assert tree.contents(root) == before


def test_a_question_without_default_has_none_to_take(root):
    assert refusal(lambda: answer(root, "Q-3", "default")).code == "no-default"


def test_somebody_who_answered_first_is_told_with_both_texts(root):
    answer(root, text="A")
    before = tree.contents(root)
    refused = refusal(lambda: answer(root))
    assert (refused.code, refused.shown, refused.now) == ("already-answered", "B: leave it", "A: turn it")
    assert tree.contents(root) == before


def test_the_same_words_by_another_program_are_no_answer_of_ours(tmp_path):
    bundle = tree.bundle()
    bundle["decisions"][0] |= {"status": "resolved", "resolution": "B: leave it"}
    tree.epic(tmp_path, decision_bundle=bundle, state=tree.state(pending_decisions=[]))
    assert refusal(lambda: answer(tmp_path)).code == "already-answered"


@pytest.mark.parametrize("name", ["decision-packet", "decision-bundle"])
def test_a_question_that_changed_since_it_was_shown_is_refused(root, name):
    decision = shown(root, "Q-1")
    key = "questions" if name == "decision-packet" else "decisions"
    value = tree.read(root, f"{tree.HOME}/{name}.json")
    value[key][0]["options"] = ["A: burn it", "B: leave it"]
    tree.put(root, f"{tree.HOME}/{name}.json", value)
    before = tree.contents(root)
    refused = refusal(lambda: answer(root, digest=decision.digest, shown=decision))
    assert refused.code == "question-changed"
    assert "turn it" in refused.shown
    assert name == "decision-bundle" or "burn it" in refused.now
    assert tree.contents(root) == before


def test_what_others_answered_does_not_change_the_digest(root):
    digest = shown(root, "Q-2").digest
    answer(root)
    assert shown(root, "Q-2").digest == digest
    answer(root, "Q-2", "default", digest=digest)
    assert answer(root, "Q-2", "default", digest=digest).changes == ()


@pytest.mark.parametrize(
    ("numbers", "code"),
    [
        ({"total": 2, "consumed": 2, "remaining": 2}, "budget-inconsistent"),
        ({"total": 2, "consumed": 0.5, "remaining": 1.5}, "budget-unreadable"),
        ({"total": 1, "consumed": 1, "remaining": 0}, "budget-exhausted"),
    ],
)
def test_without_a_budget_nothing_is_answered(tmp_path, numbers, code):
    tree.epic(tmp_path, state=tree.state(interrupt_budget=numbers))
    before = tree.contents(tmp_path)
    refused = refusal(lambda: answer(tmp_path))
    assert refused.code == code
    assert tree.contents(tmp_path) == before


def test_a_used_up_budget_offers_what_its_rule_would_do(tmp_path):
    tree.epic(tmp_path, state=tree.state(1, 1))
    offer = refusal(lambda: answer(tmp_path)).offer
    assert "Q-1 assumed (going on with A: turn it)" in offer
    assert "Q-2 CRITICAL-BLOCKED (going on with straw)" in offer
    assert offer.endswith("Q-3 CRITICAL-BLOCKED")


def test_the_rule_for_used_up_budgets_is_applied_on_request(tmp_path):
    tree.epic(tmp_path, state=tree.state(1, 1))
    plan = defaults(tmp_path)
    assert (plan.exhausted, plan.spends) == (True, False)
    statuses = {name: item["status"] for name, item in tree.decisions(tmp_path).items()}
    assert statuses == {"Q-1": "assumed", "Q-2": "critical-blocked", "Q-3": "critical-blocked", "Q-4": "pending"}
    assert tree.budget(tmp_path) == {"total": 1, "consumed": 1, "remaining": 0}
    blocked = [item for item in seen(tmp_path).unknowns if item.critical_blocked]
    assert [(item.id, item.linked_decision) for item in blocked] == [("UNK-002", "Q-2"), ("UNK-003", "Q-3")]
    assert "ASSUMPTION: straw" in blocked[0].description
    (task,) = seen(tmp_path).assumptions
    assert task.description == "⚠️ ASSUMPTION (Q-1): A: turn it"
    assert defaults(tmp_path).changes == ()


def test_a_blocked_question_can_still_be_answered_once_there_is_a_unit(tmp_path):
    tree.epic(tmp_path, state=tree.state(1, 1))
    defaults(tmp_path)
    value = tree.read(tmp_path, f"{tree.HOME}/state.json")
    value["interrupt_budget"] = {"total": 2, "consumed": 1, "remaining": 1}
    tree.put(tmp_path, f"{tree.HOME}/state.json", value)
    answer(tmp_path, "Q-2", "default")
    assert {item.id: item.state for item in seen(tmp_path).unknowns}["UNK-002"] == "resolved"


def test_a_blocked_question_without_a_ledger_gets_one(tmp_path):
    tree.epic(tmp_path, state=tree.state(1, 1), unknowns_ledger=None)
    defaults(tmp_path)
    assert [item.id for item in seen(tmp_path).unknowns] == ["UNK-001", "UNK-002"]


def test_a_deferred_question_costs_nothing_and_may_be_answered_later(root):
    plan = answer(root, kind="defer")
    assert not plan.spends
    assert states(root)["Q-1"] == "deferred"
    assert answer(root).spends


def test_all_defaults_leave_open_what_has_none(root):
    plan = defaults(root)
    assert [(item.question_id, item.resolution) for item in plan.settled] == [("Q-1", "A: turn it"), ("Q-2", "straw")]
    assert (plan.left_open, plan.spends, tree.budget(root)["consumed"]) == (("Q-3",), True, 1)
    assert defaults(root).changes == ()


def test_all_defaults_are_those_that_were_shown(root):
    digest = questions_digest(shown(root, name) for name in ("Q-1", "Q-2", "Q-3"))
    assert refusal(lambda: defaults(root, digest="0" * 32)).code == "question-changed"
    assert defaults(root, digest=digest).digest == digest
    assert defaults(root, digest=digest).changes == ()


def test_nothing_open_is_nothing_to_accept(tmp_path):
    tree.epic(tmp_path, decision_packet=None, decision_bundle={"decisions": []}, state=tree.state(pending_decisions=[]))
    assert refusal(lambda: defaults(tmp_path)).code == "nothing-to-accept"


@pytest.mark.parametrize(
    ("files", "code"),
    [
        ({"decision_bundle": b"{"}, "unreadable"),
        ({"decision_bundle": {"stage": "SPEC"}}, "unreadable"),
        (
            {
                "decision_bundle": None,
                "decision_packet": None,
                "state": tree.state(pending_decisions=["Q-1"]),
            },
            "no-place",
        ),
        ({"decision_packet": b"[" * 3000}, "unreadable"),
        ({"unknowns_ledger": b"{"}, "unreadable"),
        ({"state": None}, "budget-unreadable"),
        ({"decision_packet": tree.packet(questions=[tree.TURN, tree.TURN])}, "duplicate-question"),
    ],
)
def test_an_answer_without_a_safe_place_is_refused(tmp_path, files, code):
    tree.epic(tmp_path, **files)
    before = tree.contents(tmp_path)
    assert refusal(lambda: answer(tmp_path)).code == code
    assert tree.contents(tmp_path) == before


def test_a_question_that_only_the_packet_holds_is_answered_in_the_bundle(tmp_path):
    tree.epic(tmp_path, decision_bundle={"decisions": [], "summary": {"must_confirm": 0, "odd": 1}})
    digest = shown(tmp_path, "Q-1").digest
    plan = answer(tmp_path, digest=digest)
    assert (plan.added, plan.spends, plan.left) == (("Q-1",), True, 1)
    held = tree.read(tmp_path, f"{tree.HOME}/decision-bundle.json")
    assert held["summary"] == {"must_confirm": 1, "odd": 1}
    (row,) = held["decisions"]
    assert (row["category"], row["status"], row["resolution"]) == ("must_confirm", "resolved", "B: leave it")
    assert (row["options"], row["proposed_default"], row["why_now"]) == (tree.TURN["options"], "A", "sun")
    assert states(tmp_path) == {"Q-1": "answered", "Q-2": "open", "Q-3": "open"}
    assert [item["id"] for item in tree.read(tmp_path, f"{tree.HOME}/state.json")["pending_decisions"]] == [
        "Q-2",
        "Q-3",
    ]
    assert answer(tmp_path, digest=digest).changes == ()  # the question reads as before


def test_a_bundle_that_is_made_holds_every_open_question(tmp_path):
    tree.epic(tmp_path, decision_bundle=None)
    shown_before = {name: shown(tmp_path, name).digest for name in ("Q-1", "Q-2", "Q-3")}
    plan = answer(tmp_path, "Q-2", text="straw")
    assert plan.added == ("Q-1", "Q-2", "Q-3"), "in the order of the packet"
    held = tree.read(tmp_path, f"{tree.HOME}/decision-bundle.json")
    assert [(item["id"], item["status"]) for item in held["decisions"]] == [
        ("Q-1", "pending"), ("Q-2", "resolved"), ("Q-3", "pending"),
    ]  # fmt: skip
    assert held["summary"]["must_confirm"] == 3
    assert {name: shown(tmp_path, name).digest for name in shown_before} == shown_before
    assert refusal(lambda: answer(tmp_path, "Q-2", text="瓦")).code == "already-answered"


def test_a_question_of_the_pending_list_alone_is_answered_and_costs_nothing(tmp_path):
    tree.epic(tmp_path, decision_bundle=None, decision_packet=None)
    plan = answer(tmp_path, "Q-2", "default")
    assert (plan.spends, plan.left) == (False, 2)
    assert tree.decisions(tmp_path)["Q-2"]["source_artifact"] == "state.json"
    assert states(tmp_path) == {"Q-1": "open", "Q-2": "answered", "Q-3": "open"}


def test_an_answer_that_stands_in_a_packet_is_not_taken_along(tmp_path):
    forged = {**tree.TURN, "status": "resolved", "resolution": "A", "recorded_by": "harness-tui", "odd": 1}
    tree.epic(tmp_path, decision_packet=tree.packet(questions=[forged]), decision_bundle=None)
    assert answer(tmp_path, kind="defer").settled[0].status == "deferred"
    row = tree.decisions(tmp_path)["Q-1"]
    assert (row["status"], row.get("resolution"), row.get("odd")) == ("deferred", None, None)


@pytest.mark.parametrize("bundle", [[], {"decisions": {}}, {"decisionBundle": []}])
def test_a_question_is_put_into_any_shape_of_bundle(tmp_path, bundle):
    tree.epic(tmp_path, decision_bundle=bundle)
    assert answer(tmp_path).added == ("Q-1",)
    assert states(tmp_path)["Q-1"] == "answered"


def test_all_defaults_take_in_questions_without_a_row(tmp_path):
    tree.epic(tmp_path, decision_bundle={"decisions": []})
    plan = defaults(tmp_path)
    assert (plan.added, plan.left_open, plan.spends) == (("Q-1", "Q-2"), ("Q-3",), True)
    assert defaults(tmp_path).changes == ()


def test_with_nothing_left_questions_without_a_row_follow_the_rule(tmp_path):
    tree.epic(tmp_path, decision_bundle=None, state=tree.state(2, 2), decision_packet=tree.packet(interrupt_number=3))
    assert refusal(lambda: answer(tmp_path)).code == "budget-exhausted"
    assert [item.status for item in defaults(tmp_path).settled] == ["assumed", "critical-blocked", "critical-blocked"]


def test_a_preview_tells_what_the_epic_does_then(tmp_path):
    bundle = {"decisions": [{**tree.TURN, "category": "must_confirm", "status": "pending"}]}
    packet = tree.packet(questions=[tree.TURN])
    tree.epic(tmp_path, state=tree.state(current_stage="EXECUTE"), decision_packet=packet, decision_bundle=bundle)
    tree.put(tmp_path, f".harness/tasks/{tree.EPIC}.10.json", {"id": "sh-3.10", "status": "ready"})
    tree.put(tmp_path, f".harness/tasks/{tree.EPIC}.2.json", {"id": "sh-3.2", "status": "x", "dependencies": 3})
    tree.put(tmp_path, f".harness/tasks/{tree.EPIC}.3.json", b"{")
    plan = plan_answer(tmp_path, Answer(tree.EPIC, "Q-1", "choice", "B"), tree.NOW)
    assert (plan.before.next_action, plan.before.waits_for) == ("wait_user", ("Q-1", "Q-2", "Q-3"))
    assert (plan.after.next_action, plan.after.waits_for) == ("wait_user", ("Q-2", "Q-3"))
    tree.put(tmp_path, f"{tree.HOME}/state.json", tree.state(current_stage="EXECUTE", pending_decisions=[]))
    plan = plan_answer(tmp_path, Answer(tree.EPIC, "Q-1", "defer"), tree.NOW)
    assert (plan.before.next_action, plan.after.next_action) == ("wait_user", "run_execute")
    assert (plan.before.order, plan.after.order, plan.after.tasks) == ((), ("sh-3.1", "sh-3.10"), 3)


def test_a_question_twice_in_the_bundle_is_refused(tmp_path):
    bundle = tree.bundle()
    bundle["decisions"].append(bundle["decisions"][0])
    tree.epic(tmp_path, decision_bundle=bundle)
    assert refusal(lambda: answer(tmp_path)).code == "no-place"


def test_what_is_not_there_is_named(root):
    for name in ("Q-77", "", "../Q-1"):
        with pytest.raises(NotThere):
            answer(root, name)


def test_other_shapes_are_written_as_they_are(tmp_path):
    entry = {"id": "Q-1", "type": "must_confirm", "description": "?", "status": "pending", "resolved_value": None}
    ledger = {"unknowns": [{"id": "U", "linked_dec": "Q-1", "resolution": "pending", "resolution_note": "ask"}]}
    packet = tree.packet(questions=[tree.TURN])
    del packet["packet_id"]
    tree.epic(
        tmp_path, decision_bundle={"decisions": {"Q-1": entry}}, unknowns_ledger=ledger, decision_packet=packet,
        state=tree.state(interrupt_budget=2, interrupts_used=0, pending_decisions="[]"),
    )  # fmt: skip
    assert answer(tmp_path).packet_id == "interrupt-1"
    decided = tree.read(tmp_path, f"{tree.HOME}/decision-bundle.json")["decisions"]["Q-1"]
    assert decided["resolved_value"] == "B: leave it"
    assert "resolution" not in decided
    assert tree.read(tmp_path, f"{tree.HOME}/unknowns-ledger.json")["unknowns"][0]["resolution_note"] == "B: leave it"
    assert tree.read(tmp_path, f"{tree.HOME}/state.json")["pending_decisions"] == "[]"
    assert answer(tmp_path).changes == ()


def test_the_pending_list_gets_what_must_be_confirmed_and_keeps_what_the_bundle_does_not_know(tmp_path):
    pending = [{"id": "Q-9", "question": "elsewhere?"}, {"id": "Q-1"}]
    tree.epic(tmp_path, state=tree.state(pending_decisions=pending))
    answer(tmp_path)
    listed = tree.read(tmp_path, f"{tree.HOME}/state.json")["pending_decisions"]
    assert [item["id"] for item in listed] == ["Q-9", "Q-2", "Q-3"]
    assert listed[1]["severity"] == "critical"
    assert listed[1]["default_action"] == "straw"


def replacing(monkeypatch, name, *, times):
    """Another program writes the file just before we do."""
    real, left = answers.replace_file, [times]

    def replace_file(path, data, *, root, expect):
        if path.name == name and left[0]:
            left[0] -= 1
            value = json.loads(path.read_bytes())
            value["touched"] = left[0]
            path.write_text(json.dumps(value))
        real(path, data, root=root, expect=expect)

    monkeypatch.setattr(answers, "replace_file", replace_file)


def test_a_bundle_that_changes_under_our_hands_refuses_the_answer(root, monkeypatch):
    replacing(monkeypatch, "decision-bundle.json", times=1)
    assert refusal(lambda: answer(root)).code == "file-changed"
    assert tree.budget(root)["consumed"] == 0
    assert tree.decisions(root)["Q-1"]["status"] == "pending"


def test_a_state_that_changes_under_our_hands_is_read_again(root, monkeypatch):
    replacing(monkeypatch, "state.json", times=2)
    plan = answer(root)
    assert plan.spends
    assert tree.budget(root)["consumed"] == 1
    assert tree.read(root, f"{tree.HOME}/state.json")["touched"] == 0


def test_a_state_that_never_rests_is_told_and_completed_later(root, monkeypatch):
    replacing(monkeypatch, "state.json", times=99)
    with pytest.raises(WriteError, match="give it again"):
        answer(root)
    assert tree.decisions(root)["Q-1"]["status"] == "resolved"
    monkeypatch.undo()
    answer(root)
    assert tree.budget(root)["consumed"] == 1


def test_a_trace_that_can_not_be_written_says_that_the_answer_stands(root):
    (root / tree.TRACE).chmod(0o444)
    with pytest.raises(WriteError, match="recorded in the bundle"):
        answer(root)
    (root / tree.TRACE).chmod(0o644)
    assert [change.append for change in answer(root).changes] == [True]


def test_modes_stay(root):
    (root / tree.HOME / "state.json").chmod(0o640)
    answer(root)
    assert (root / tree.HOME / "state.json").stat().st_mode & 0o777 == 0o640
