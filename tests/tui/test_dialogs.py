"""Keys that write: each dialog shows what it would do, does it once, loses no text, and is followed by the screen."""

import json

import pytest
from support import families
from textual.events import Hide

from harness_tui.stream.lease import held
from harness_tui.tui.acting import why_read_only
from harness_tui.tui.widgets.window import Window
from harness_tui.workspace.lock import locked
from harness_tui.workspace.mailbox import LOCK

MAILBOX = ".harness/intervention.md"
HISTORY = ".harness/harness-tui/sent.jsonl"
NAMED = {" ": "space", "-": "minus", ":": "colon", "<": "less_than_sign", ",": "comma", ".": "full_stop", "\n": "enter"}


async def typed(session, text):
    await session.press(*(NAMED.get(char, char) for char in text))


async def dialog(session, key):
    """Open a dialog by its key and wait until it has looked."""
    await session.press(key)
    await session.until(lambda: type(session.app.screen).__name__ == "ActDialog" and session.app.focused)


async def previewed(session, *words):
    await session.until(lambda: all(any(word in line for line in session.facts("#preview")) for word in words))


async def skip(session, task_id):
    await session.choose(task_id)
    await dialog(session, "S")
    await previewed(session, f"+ SKIP {task_id}")
    await session.press("f2")
    await closed(session)


def said(session):
    return str(session.one("#verdict").render())


async def closed(session):
    await session.until(lambda: type(session.app.screen).__name__ != "ActDialog")


def events(desk):
    return [(json.loads(line)["event"], json.loads(line)["keyword"]) for line in desk.read(HISTORY).splitlines()]


async def test_add_shows_its_bytes_then_writes_exactly_them(desk, opened):
    async with opened(desk) as session:
        await dialog(session, "A")
        await typed(session, "glaze-export\nWrite the glaze table\n")
        await previewed(session, "+ ADD glaze-export — Write the glaze table", "becomes the last row")
        assert "create .harness/intervention.md" in session.facts("#preview")
        assert not desk.path(MAILBOX).exists()
        assert session.app.focused.id == "send"
        await session.press("enter")
        await closed(session)
        assert desk.read(MAILBOX) == "# Intervention\n\nADD glaze-export — Write the glaze table\n"
        await session.until(lambda: any("sent: ADD glaze-export" in toast for toast in session.toasts()))
        await session.shows("unread: ADD glaze-export", "by you")


@pytest.mark.parametrize(
    ("slug", "why"), [("Glaze", "is no slug"), ("ramp-editor", "T-0"), ("x" * 41, "at most 40"), ("кiln", "is no slug")]
)
async def test_a_slug_that_can_not_be_is_refused_while_it_is_typed(desk, opened, slug, why):
    async with opened(desk) as session:
        await dialog(session, "A")
        session.one("#field-goal").value = "Some goal"
        session.one("#field-slug").value = slug
        await session.until(lambda: why in said(session))
        await session.press("f2")
        await session.settle()
        assert type(session.app.screen).__name__ == "ActDialog"
        assert not desk.path(MAILBOX).exists()


async def test_a_requirement_is_split_into_rows_that_are_sent_in_order(desk, opened):
    async with opened(desk) as session:
        await dialog(session, "A")
        await typed(session, "glaze\n")
        await session.press("tab")
        await typed(session, "mix: mix it\nfire < mix: fire it")
        session.one("#field-goal").value = "Glaze"
        await previewed(
            session, "ADD glaze-mix — Glaze: mix it", "ADD glaze-fire — Glaze: fire it (after glaze-mix)", "but"
        )
        await session.press("f2")
        await closed(session)
        lines = [line for line in desk.read(MAILBOX).splitlines() if line.startswith("ADD")]
        assert lines == ["ADD glaze-mix — Glaze: mix it", "ADD glaze-fire — Glaze: fire it (after glaze-mix)"]


async def test_skip_names_the_selected_task_and_what_would_wait_for_ever(desk, opened):
    async with opened(desk) as session:
        await session.choose("T-04")
        await dialog(session, "S")
        await previewed(session, "+ SKIP T-04")
        await session.press("enter")
        await closed(session)
        assert desk.read(MAILBOX).endswith("SKIP T-04\n")


async def test_stop_asks_once_and_is_seen_from_every_screen_until_it_is_read(desk, opened):
    async with opened(desk) as session:
        await dialog(session, "X")
        await previewed(session, "no further row is dispatched", "+ STOP")
        await session.press("enter")
        await closed(session)
        await session.shows("■ STOP waits to be read")
        for key in ("5", "6", "7", "8"):
            await session.press(key)
            await session.until(lambda: session.app.screen is not session.main and "■ STOP waits" in session.text())
            await session.press("escape")
        session.app.open_source(desk.plan_path, 1)
        await session.until(lambda: session.app.screen.name == "reader" and "■ STOP waits" in session.text())
        await session.press("escape")
        await session.press("question_mark")
        await session.until(lambda: "STOP waits to be read" in str(session.one(Window).border_subtitle))
        await session.press("escape")
        for size in ((59, 15), (36, 6)):
            await session.resize(size)
            await session.shows("■ STOP waits to be read", "is needed")
        await session.resize((140, 44))
        desk.path(MAILBOX).unlink()
        await session.shows("■ STOP was read, not in effect yet")
        desk.append(desk.log_path, desk.log_line("STREAM EXIT · hard stop: STOP intervention"))
        await session.until(lambda: "■ STOP" not in session.rows()[2])
        await session.until(lambda: ("in-effect", "STOP") in events(desk))


async def test_stop_is_for_the_run_that_is_under_way_whichever_pool_is_looked_at(desk, opened):
    with held(desk.root, "glaze-archive"):
        async with opened(desk) as session:
            assert session.main.pool_id == "default"
            await session.until(lambda: session.app.snapshot.streams["glaze-archive"].owner is not None)
            await dialog(session, "X")
            await previewed(session, "+ STOP")
            await session.press("enter")
            await closed(session)
            assert json.loads(desk.read(HISTORY).splitlines()[0])["pool_id"] == "glaze-archive"


async def test_a_note_has_several_lines(desk, opened):
    async with opened(desk) as session:
        await dialog(session, "M")
        await typed(session, "mind the draught\nand the damper")
        await previewed(session, "+ NOTE — mind the draught", "+ and the damper")
        await session.press("tab", "enter")
        await closed(session)
        assert desk.read(MAILBOX).endswith("NOTE — mind the draught\nand the damper\n")


async def test_a_new_brief_is_refused_where_a_loop_runs_over_a_pool(desk, opened):
    async with opened(desk) as session:
        await session.press("B")
        await session.until(lambda: any("REDIRECT is for single tasks" in toast for toast in session.toasts()))
        assert session.app.screen is session.main, "nothing is asked for that could not be sent"
        await dialog(session, "S")
        assert session.one("#field-id").placeholder == "its exact id", "no stage is offered either"


async def test_esc_keeps_the_text_and_sending_ends_that(desk, opened):
    async with opened(desk) as session:
        await dialog(session, "A")
        await typed(session, "glaze-export\nWrite it")
        await session.press("escape")
        await closed(session)
        await dialog(session, "A")
        assert session.one("#field-slug").value == "glaze-export"
        assert session.one("#field-goal").value == "Write it"
        await previewed(session, "+ ADD glaze-export")
        await session.press("f2")
        await closed(session)
        await dialog(session, "A")
        assert session.one("#field-slug").value == ""


async def test_a_second_press_sends_nothing_more_and_esc_waits(desk, opened):
    async with opened(desk) as session:
        await dialog(session, "X")
        await previewed(session, "+ STOP")
        with locked(desk.root, LOCK):
            await session.press("enter", "f2", "enter", "escape")
            assert type(session.app.screen).__name__ == "ActDialog"
            assert session.one("#send").disabled
        await closed(session)
        assert desk.read(MAILBOX).count("STOP") == 1


async def test_a_field_that_is_out_of_sight_for_a_moment_keeps_the_keys(desk, opened):
    async with opened(desk) as session:
        await dialog(session, "A")
        await typed(session, "gla")
        for field in ("#field-slug", "#field-goal", "#send"):
            session.one(field).post_message(Hide())  # as while a dialog is laid out anew
        await session.settle()
        await typed(session, "ze\nWrite it")
        await previewed(session, "+ ADD glaze — Write it")


async def test_the_chosen_one_of_several_is_marked_by_a_sign_wherever_the_keys_are(desk, opened):
    async with opened(desk) as session:
        await dialog(session, "L")
        session.one("#field-adapter").focus()

        def marks():
            return [
                row[row.index(sign)]
                for row in session.rows()
                for sign in "●○"
                if f"{sign} any" in row or f"{sign} Cla" in row
            ]

        await session.until(lambda: marks() == ["●", "○"])
        await session.press("down")
        await session.until(lambda: marks() == ["○", "●"])
        session.one("#field-worker").focus()
        await session.settle()
        assert marks() == ["○", "●"]


async def test_keys_typed_ahead_wait_for_the_preview(desk, opened):
    async with opened(desk) as session:
        await session.press("X", "f2")
        await session.until(desk.path(MAILBOX).exists)
        await closed(session)
        assert desk.read(MAILBOX).count("STOP") == 1


async def test_a_press_before_all_is_filled_in_sends_nothing_later(desk, opened):
    async with opened(desk) as session:
        await dialog(session, "A")
        await session.press("f2")
        await typed(session, "glaze-export\nWrite")
        await previewed(session, "+ ADD glaze-export — Write")
        await session.settle()
        assert not desk.path(MAILBOX).exists(), "half a goal was sent"
        await session.press("f2")
        await closed(session)
        assert desk.read(MAILBOX).endswith("ADD glaze-export — Write\n")


async def test_a_target_that_can_not_be_written_is_named_and_the_text_stays(desk, opened):
    desk.path(MAILBOX).mkdir(parents=True)
    async with opened(desk) as session:
        await dialog(session, "M")
        await typed(session, "mind the draught")
        await session.until(lambda: "intervention.md" in said(session))
        desk.path(MAILBOX).rmdir()
        await typed(session, "s")
        await previewed(session, "+ NOTE — mind the draughts")
        await session.press("f2")
        await closed(session)
        assert desk.read(MAILBOX).endswith("NOTE — mind the draughts\n")


async def test_what_was_refused_is_seen_before_it_is_written(desk, opened):
    async with opened(desk) as session:
        await dialog(session, "X")
        await previewed(session, "+ STOP")
        desk.path(MAILBOX).mkdir(parents=True)
        await session.press("f2")
        await session.until(lambda: "intervention.md" in said(session))
        assert session.facts("#preview") == [], "it would not be written"
        desk.path(MAILBOX).rmdir()
        await session.press("f2")
        await previewed(session, "+ STOP")
        await session.settle()
        assert not desk.path(MAILBOX).exists()


async def test_a_refusal_goes_when_its_reason_does(desk, opened):
    desk.write(MAILBOX, "# Intervention\n\nSKIP T-04\n")
    async with opened(desk) as session:
        await session.choose("T-04")
        await session.shows("unread: SKIP T-04")
        await dialog(session, "S")
        await session.until(lambda: "waits in the file already" in said(session))
        desk.path(MAILBOX).unlink()
        await previewed(session, "+ SKIP T-04")


async def test_a_failed_write_keeps_the_dialog_and_is_looked_at_before_the_next_try(desk, opened, monkeypatch):
    from harness_tui.tui.acts import signals
    from harness_tui.workspace.atomic import WriteError

    send, full = signals.mailbox.send_all, [True]

    def failing(root, *words, **more):
        if full[0]:
            raise WriteError(root / MAILBOX, "no space left on device")
        return send(root, *words, **more)

    monkeypatch.setattr(signals.mailbox, "send_all", failing)
    async with opened(desk) as session:
        await dialog(session, "X")
        await previewed(session, "+ STOP")
        await session.press("f2")
        await session.until(lambda: "no space left on device" in said(session))
        full[0] = False
        await session.press("f2")
        await previewed(session, "+ STOP")
        await session.settle()
        assert not desk.path(MAILBOX).exists()
        await session.press("f2")
        await closed(session)
        assert "STOP" in desk.read(MAILBOX)


async def test_what_is_pasted_is_seen_as_what_it_is(desk, opened):
    from textual.events import Paste

    async with opened(desk) as session:
        await dialog(session, "A")
        session.app.focused.post_message(Paste("glaze\u202e\x1b[2J\nexport"))
        await session.until(lambda: session.one("#field-slug").value)
        assert session.one("#field-slug").value == "glaze‹U+202E›␛[2J export"
        await session.press("escape")
        await dialog(session, "M")
        session.app.focused.post_message(Paste("one\u200b\ntwo\x07"))
        await session.until(lambda: session.one("#field-note").text)
        assert session.one("#field-note").text == "one‹U+200B›\ntwo␇"


async def test_a_signal_is_taken_back_and_another_one_changed(desk, opened):
    desk.write(MAILBOX, "# Intervention\n\nNOTE — mind the draught\n\n# Intervention\n\nSKIP T-04\n")
    async with opened(desk) as session:
        await session.press("8")
        await session.shows("NOTE", "SKIP T-04", "by somebody else")
        await dialog(session, "C")
        session.one("#field-note").text = "mind the damper"
        await previewed(session, "- NOTE — mind the draught", "+ NOTE — mind the damper")
        await session.press("f2")
        await closed(session)
        assert "NOTE — mind the damper\n" in desk.read(MAILBOX)
        await session.until(lambda: any("mind the damper" in line for line in session.facts("#page-list")))
        await session.press("end", "home", "down")
        await session.until(lambda: "SKIP" in session.one("#page-list").current.plain)
        await dialog(session, "W")
        await previewed(session, "- SKIP T-04")
        assert "somebody else wrote it" in said(session)
        await session.press("enter")
        await closed(session)
        assert "SKIP" not in desk.read(MAILBOX)
        assert "NOTE — mind the damper" in desk.read(MAILBOX)


async def test_the_text_kept_for_one_signal_does_not_come_up_for_another(desk, opened):
    desk.write(MAILBOX, "# Intervention\n\nNOTE — mind the draught\n\nNOTE — sweep the floor\n")
    async with opened(desk) as session:
        await session.press("8")
        await session.shows("mind the draught")
        await dialog(session, "C")
        session.one("#field-note").text = "mind the damper"
        await previewed(session, "+ NOTE — mind the damper")
        await session.press("escape")
        desk.write(MAILBOX, "# Intervention\n\nNOTE — sweep the floor\n")
        await session.until(lambda: not any("draught" in line for line in session.facts("#page-list")))
        await dialog(session, "C")
        assert session.one("#field-note").text == "sweep the floor"


async def test_what_was_read_meanwhile_can_not_be_taken_back(desk, opened):
    desk.write(MAILBOX, "# Intervention\n\nSKIP T-04\n")
    async with opened(desk) as session:
        await session.press("8")
        await session.shows("SKIP T-04")
        await dialog(session, "W")
        await previewed(session, "- SKIP T-04")
        desk.path(MAILBOX).unlink()
        await session.press("f2")
        await session.until(lambda: "nothing waits" in said(session))


async def test_a_signal_that_the_run_refused_is_called_so_and_leads_to_the_line_that_says_why(desk, opened):
    async with opened(desk) as session:
        await skip(session, "T-04")
        await session.shows("unread: SKIP T-04")
        desk.path(MAILBOX).unlink()
        desk.append(desk.log_path, desk.log_line("intervention · SKIP T-04 is refused: it is done already"))
        record = json.loads(desk.read(HISTORY).splitlines()[-1])
        where = {"path": desk.log_path, "line": len(desk.read(desk.log_path).splitlines())}
        desk.append(HISTORY, json.dumps({**record, "event": "refused", "evidence": where}) + "\n")
        await session.shows("⚠ refused: SKIP T-04")
        await session.press("8")
        await session.shows("⚠ refused SKIP T-04", "the log says why")
        assert "send it again" not in session.text()
        await session.press("enter")
        await session.shows("SKIP T-04 is refused: it is done already")


async def test_unread_signals_of_several_people_are_ascribed_to_none(desk, opened):
    desk.write(MAILBOX, "# Intervention\n\nSKIP T-10\n")
    async with opened(desk) as session:
        await session.shows("unread: SKIP T-10 by somebody else")
        await skip(session, "T-04")
        await session.shows("unread: SKIP T-10, SKIP T-04  8: all signals")


async def test_a_signal_without_effect_is_told_and_sent_again(desk, opened):
    async with opened(desk) as session:
        await skip(session, "T-04")
        await session.shows("unread: SKIP T-04")
        desk.path(MAILBOX).unlink()
        for number in (1, 2):
            desk.append(desk.log_path, desk.log_line(f"T-9{number} · dispatching · slug=other-{number}"))
            desk.append(desk.log_path, desk.log_line(f"T-9{number} · DELIVERED · 07=docs/x.md"))
        await session.shows("⚠ no effect seen: SKIP T-04")
        await session.press("8")
        await session.shows("no-effect-seen", "send it again")
        await dialog(session, "R")
        await previewed(session, "+ SKIP T-04")
        await session.press("f2")
        await closed(session)
        assert desk.read(MAILBOX).endswith("SKIP T-04\n")
        await session.until(lambda: "no effect seen" not in session.rows()[1])


async def test_what_was_seen_of_a_signal_is_kept_as_soon_as_it_can_be(desk, opened, monkeypatch):
    from harness_tui.tui.acts import signals
    from harness_tui.workspace.atomic import WriteError

    record, tries = signals.mailbox.record, []

    def failing(root, news):
        tries.append(tuple(news))
        if len(tries) == 1:
            raise WriteError(root / HISTORY, "another program holds the lock")
        return record(root, tries[-1])

    async with opened(desk) as session:
        await dialog(session, "M")
        await typed(session, "mind it")
        await session.press("f2")
        await session.shows("unread: NOTE")
        await session.until(lambda: not session.app.workers._workers)
        monkeypatch.setattr(signals.mailbox, "record", failing)
        desk.path(MAILBOX).unlink()
        await session.until(lambda: tries)
        desk.append(desk.log_path, desk.log_line("T-03 · note · still at it"))
        await session.until(lambda: ("picked-up", "NOTE") in events(desk))


async def test_an_unclear_signal_is_loud_and_says_as_what_it_counts(desk, opened):
    desk.write(MAILBOX, "# Intervention\n\nplease halt soon\n")
    async with opened(desk) as session:
        await session.shows("an unread signal is unclear: it counts as STOP")
        await session.press("8")
        await session.shows("please halt soon")
        await dialog(session, "C")
        assert "counts as STOP" in said(session)
        await session.press("down")
        await previewed(session, "- please halt soon", "+ STOP — please halt soon")
        await session.press("down")
        await previewed(session, "- please halt soon", "+ NOTE — please halt soon")
        assert desk.read(MAILBOX) == "# Intervention\n\nplease halt soon\n"
        await session.press("f2")
        await closed(session)
        assert desk.read(MAILBOX) == "# Intervention\n\nNOTE — please halt soon\n"


async def test_a_file_without_a_text_can_be_taken_away(desk, opened):
    desk.write(MAILBOX, "")
    async with opened(desk) as session:
        await session.press("8")
        await session.shows("counts as STOP")
        await dialog(session, "W")
        await previewed(session, "the file goes")
        await session.press("f2")
        await closed(session)
        assert not desk.path(MAILBOX).exists()


async def test_the_mouse_sends_and_cancels(desk, opened):
    async with opened(desk) as session:
        await dialog(session, "X")
        await previewed(session, "+ STOP")
        await session.pilot.click("#cancel")
        await closed(session)
        await dialog(session, "X")
        await previewed(session, "+ STOP")
        await session.pilot.click("#send")
        await closed(session)
        assert "STOP" in desk.read(MAILBOX)


@pytest.mark.parametrize("key", ["A", "S", "X", "M", "U", "B"])
async def test_read_only_says_so_and_writes_nothing(desk, opened, key):
    async with opened(desk) as session:
        session.app.read_only = why_read_only(desk.root, wanted=True)
        await session.press(key)
        await session.until(lambda: any("read-only" in toast for toast in session.toasts()))
        assert session.app.screen is session.main
        assert not desk.path(MAILBOX).exists()
        session.app._tick()
        assert "read-only" in session.status


def test_read_only_is_found_out_where_nothing_can_be_written(tmp_path, monkeypatch):
    assert why_read_only(tmp_path, wanted=False) == ""
    monkeypatch.setattr("harness_tui.tui.acting.os.access", lambda *_: False)
    assert "can't be written" in why_read_only(tmp_path, wanted=False)


@pytest.mark.parametrize("size", [(60, 16), (80, 24), (200, 60)])
async def test_the_buttons_are_in_sight_at_every_size(desk, opened, size):
    async with opened(desk, size=size) as session:
        await dialog(session, "A")
        session.one("#field-slug").value = "glaze"
        session.one("#field-goal").value = "Glaze"
        await previewed(session, "+ ADD glaze")
        await session.pilot.pause()
        button = session.one("#send").region
        assert 0 < button.y < size[1] - 1
        assert session.one("#asked").region.bottom <= button.y


# Answers and unlock


@pytest.fixture
def lighthouse(bare_desk):
    for name, text in families.EVERY.items():
        bare_desk.write(name, text)
    bare_desk.write(families.BUNDLE, families.bundle())
    return bare_desk


async def question(session, name="D-1"):
    """Open the decisions page and the dialog of a question."""
    await session.press("5")
    await session.until(lambda: any(name in line for line in session.facts("#page-list")))
    page = session.one("#page-list")
    page.highlighted = next(
        at for at, fact in enumerate(page.facts) if f" {name} " in fact.plain and "open" in fact.plain
    )
    await session.until(lambda: name in "".join(session.facts("#page-detail")[:1]))
    await session.press("enter")
    await session.until(lambda: type(session.app.screen).__name__ == "ActDialog" and session.app.focused)


async def test_enter_on_a_question_answers_it_after_a_summary(lighthouse, opened):
    async with opened(lighthouse) as session:
        await question(session)
        assert "choose an answer; the default is B = keep a spare lamp lit" in said(session)
        await session.press("enter")
        assert type(session.app.screen).__name__ == "ActDialog", "nothing is chosen, nothing is recorded"
        await session.press("down")
        await previewed(
            session, "D-1 resolved: A: go dark", "one unit for DP-PLAN-001, 1 left", families.BUNDLE, families.STATE,
            "still waits for you: D-2", "no row of a pool waits for it",
        )  # fmt: skip
        await session.press("enter")
        assert session.app.focused.id == "send"
        await session.press("enter")
        await closed(session)
        rows = json.loads(lighthouse.read(families.BUNDLE))["decisions"]
        assert [row["status"] for row in rows] == ["resolved", "pending"]
        budget = json.loads(lighthouse.read(families.STATE))["interrupt_budget"]
        assert (budget["consumed"], budget["remaining"]) == (2, 1)
        await session.until(lambda: any("✓ answered" in line and "D-1" in line for line in session.facts("#page-list")))


async def test_every_answer_is_in_sight_on_a_small_screen(lighthouse, opened):
    options = ["A: go dark", "B: keep a spare lamp lit", "C: wait for the moon", "D: ask the harbour"]
    questions = [families.question(options=options), families.question("D-2")]
    lighthouse.write(families.PACKET, families.packet(*questions))
    async with opened(lighthouse, size=(80, 24)) as session:
        await question(session)
        await session.shows("in your own words, below", "put it off", "accept the default of all 2 open questions")
        await session.press("down")
        await previewed(session, "D-1 resolved")
        await session.shows("accept the default of all 2 open questions", "PgDn preview down")


@pytest.mark.parametrize("size", [(60, 16), (80, 24)])
async def test_a_long_question_leaves_the_options_the_preview_and_the_buttons_in_sight(lighthouse, opened, size):
    words = "May the lamp go dark, " + "however long that takes, " * 40 + "at all?"
    lighthouse.write(families.PACKET, families.packet(families.question(words=words), families.question("D-2")))
    async with opened(lighthouse, size=size) as session:
        await question(session)
        await session.shows("go dark", "Record")
        await session.press("down")
        await previewed(session, "D-1 resolved: A: go dark")
        await session.shows("[A] go dark", "Record", "F2 record", "Esc cancel", *(["PgDn"] if size[0] > 60 else []))
        await session.press("enter")
        await session.shows("D-1 resolved: A: go dark", "one unit", "Record")
        await session.press("pageup", "pageup", "pageup", "pageup", "pageup")
        await session.shows("May the lamp go dark", "Record")


async def test_the_paging_keys_scroll_from_a_field_of_several_lines_too(desk, opened):
    async with opened(desk, size=(60, 16)) as session:
        await dialog(session, "A")
        await typed(session, "glaze\nGlaze it")
        await session.press("tab")
        await typed(session, "one: first\ntwo < one: second")
        await previewed(session, "order then")
        asked = session.one("#asked")
        await session.press("pagedown", "pagedown")
        await session.until(lambda: asked.scroll_y == asked.max_scroll_y > 0)
        assert session.app.focused.id == "field-parts"
        await session.press("pageup", "pageup", "pageup")
        await session.until(lambda: asked.scroll_y == 0)


async def test_the_paging_keys_read_the_preview_to_its_end_and_never_choose_another_answer(lighthouse, opened):
    async with opened(lighthouse, size=(100, 32)) as session:
        await question(session)
        await session.press("down")
        await previewed(session, "D-1 resolved: A: go dark")
        *_, last = session.facts("#preview")
        await session.press(*["pagedown"] * 8)
        await session.shows(last.split()[-1], "Record")
        await session.press("pageup", "space", "ctrl+d", "ctrl+u")
        assert session.one("#field-choice").current.plain.startswith("[A]")
        assert session.one("#preview").max_scroll_y == 0, "one scroll bar, not one inside another"


async def test_an_answer_in_own_words_and_one_put_off(lighthouse, opened):
    async with opened(lighthouse) as session:
        await question(session)
        choices = session.one("#field-choice")
        choices.highlighted = next(at for at, fact in enumerate(choices.facts) if fact.key == "free")
        await session.until(lambda: "the answer is empty" in said(session))
        session.one("#field-words").value = "only at noon"
        await previewed(session, "D-1 resolved: only at noon")
        await session.press("f2")
        await closed(session)
        await session.until(lambda: any("✓ answered" in line for line in session.facts("#page-list")))
        await session.press("escape")
        await question(session, "D-2")
        choices = session.one("#field-choice")
        choices.highlighted = next(at for at, fact in enumerate(choices.facts) if fact.key == "defer")
        await previewed(session, "D-2 deferred", "costs no unit")
        await session.press("f2")
        await closed(session)
        rows = json.loads(lighthouse.read(families.BUNDLE))["decisions"]
        assert [(row["status"], row.get("resolution")) for row in rows] == [
            ("resolved", "only at noon"),
            ("deferred", None),
        ]


async def test_the_hints_say_what_enter_and_the_answer_key_do_to_the_chosen_question(lighthouse, opened):
    rows = [{"status": "pending"}, {"status": "deferred"}, {"status": "resolved", "resolution": "in May"}]
    asked = [families.question(f"D-{number}") for number in (1, 2, 3)]
    lighthouse.write(families.PACKET, families.packet(*asked))
    decisions = [{**row, **say, "category": "must_confirm"} for row, say in zip(asked, rows, strict=True)]
    lighthouse.write(families.BUNDLE, json.dumps({"decisions": decisions}))
    lighthouse.write(families.STATE, families.state(3, 1, 2))
    async with opened(lighthouse) as session:
        await session.press("5")
        await session.until(lambda: any("D-1" in line for line in session.facts("#page-list")))
        page = session.one("#page-list")

        async def choose(state):
            page.highlighted = next(at for at, fact in enumerate(page.facts) if f" {state} " in fact.plain)
            await session.until(lambda: state in "".join(session.facts("#page-detail")[:1]))

        await choose("open")
        await session.shows("Enter answer")
        assert "D answer" not in session.rows()[-1]
        await choose("deferred")
        await session.shows("D answers it after all", "Enter open", "D answer")
        await choose("answered")
        await session.until(lambda: "D answer" not in session.rows()[-1])
        await session.press("D")
        await session.until(lambda: any("D-3 is answered already: in May" in toast for toast in session.toasts()))
        await choose("deferred")
        await session.press("D")
        await session.until(lambda: type(session.app.screen).__name__ == "ActDialog")


async def test_all_defaults_are_accepted_at_once(lighthouse, opened):
    async with opened(lighthouse) as session:
        await question(session)
        choices = session.one("#field-choice")
        choices.highlighted = next(at for at, fact in enumerate(choices.facts) if fact.key == "defaults")
        await previewed(session, "D-1 resolved", "D-2 resolved", "one unit")
        await session.press("f2")
        await closed(session)
        rows = json.loads(lighthouse.read(families.BUNDLE))["decisions"]
        assert [row["status"] for row in rows] == ["resolved", "resolved"]


async def test_a_question_that_changed_while_it_was_shown_is_refused_with_both_texts(lighthouse, opened):
    async with opened(lighthouse) as session:
        await question(session)
        await session.press("down")
        await previewed(session, "D-1 resolved")
        asked = families.packet(families.question(words="May the lamp go dark for a week?"), families.question("D-2"))
        before = lighthouse.read(families.BUNDLE)
        lighthouse.write(families.PACKET, asked)
        await session.press("f2")
        await session.until(lambda: "the question is not what was shown" in said(session))
        await previewed(session, "for an hour?", "for a week?")
        assert lighthouse.read(families.BUNDLE) == before


async def test_an_answer_without_budget_is_refused_with_what_can_be_done(lighthouse, opened):
    lighthouse.write(families.STATE, families.state(3, 3, 0))
    async with opened(lighthouse) as session:
        await question(session)
        await session.press("down")
        await session.until(lambda: "no unit is left" in said(session) and "accepting all defaults" in said(session))


async def test_unlock_refuses_a_bare_retry_and_writes_only_its_field(lighthouse, opened):
    before = lighthouse.read(families.CONTROL)
    async with opened(lighthouse) as session:
        await dialog(session, "U")
        await typed(session, "continue\nunlock MS-BEACON")
        await session.until(lambda: "✗" in said(session))
        assert lighthouse.read(families.CONTROL) == before
        session.one("#field-instruction").value = "the spare lens has arrived, take option B"
        await previewed(session, "the spare lens has arrived")
        await session.press("f2")
        await closed(session)
    after = lighthouse.read(families.CONTROL)
    head, _, added = after.partition("- last_unlock_signal:\n")
    assert head == before
    assert [line.strip().partition(":")[0] for line in added.splitlines()] == [
        "- source",
        "- instruction",
        "- timestamp",
        "- confirmation",
    ]


@pytest.mark.parametrize("milestone", ["MS-BEACON", "none"])
async def test_unlock_asks_for_the_milestone_that_is_active_and_says_when_nothing_is_locked(
    bare_desk, opened, milestone
):
    text = families.control("false").replace("active_milestone: MS-BEACON", f"active_milestone: {milestone}")
    assert f"active_milestone: {milestone}" in text
    bare_desk.write(families.CONTROL, text)
    async with opened(bare_desk) as session:
        await dialog(session, "U")
        hint = session.one("#field-confirm").placeholder
        assert hint == ("type: unlock MS-BEACON" if milestone == "MS-BEACON" else "type: unlock")
        session.one("#field-instruction").value = "The keeper may count the spare lenses."
        session.one("#field-confirm").value = hint.removeprefix("type: ")
        await previewed(session, "there is nothing to lift")
        assert not any("lifts the lock" in line for line in session.facts("#preview"))


async def test_unlock_of_another_milestone_is_refused(lighthouse, opened):
    async with opened(lighthouse) as session:
        await dialog(session, "U")
        await typed(session, "the spare lens has arrived\nunlock MS-OTHER")
        await session.until(lambda: "✗" in said(session) and "MS-" in said(session))


async def test_own_words_choose_themselves_and_the_cursor_stops_at_the_ends(lighthouse, opened):
    async with opened(lighthouse) as session:
        await question(session)
        await session.press("down", "up", "up")
        assert session.one("#field-choice").current.plain.startswith("[A]")
        session.one("#field-words").value = "only at noon"
        await previewed(session, "D-1 resolved: only at noon")
