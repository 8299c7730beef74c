"""Writing from the keyboard of a real terminal."""

MAILBOX = ".harness/intervention.md"


def test_a_task_is_added_and_the_stream_stopped(dashboard, repository):
    screen = dashboard()
    screen.send("A").until("Add a task")
    screen.send("glaze-export\rWrite the glaze table\r").until("+ ADD glaze-export — Write the glaze table")
    assert not (repository.root / MAILBOX).exists()
    screen.send("\r").until("unread: ADD glaze-export")
    assert (repository.root / MAILBOX).read_text() == "# Intervention\n\nADD glaze-export — Write the glaze table\n"
    screen.send("X").until("+ STOP")
    screen.send("\r").until("■ STOP waits to be read")
    text = (repository.root / MAILBOX).read_text()
    assert text.index("STOP") < text.index("ADD")
    assert screen.leave() == 0
    screen.assert_restored()


def test_a_paste_that_would_act_on_the_terminal_is_seen_instead(dashboard, repository):
    screen = dashboard()
    screen.send("M").until("Leave a note")
    screen.send("\x1b[200~mind\u202e the\x07 draught\x1b[201~").until("mind‹U+202E› the␇ draught")
    screen.send("\t\r").until("unread: NOTE")
    assert "mind‹U+202E› the␇ draught" in (repository.root / MAILBOX).read_text()
    assert screen.leave() == 0


def test_read_only_is_said_and_kept(terminal, repository):
    screen = terminal("--read-only", cwd=repository.root)
    screen.until("read-only").send("X").until("nothing is written")
    assert not (repository.root / MAILBOX).exists()
    assert screen.leave() == 0


def test_a_dialog_gets_all_that_was_typed_in_one_go_with_its_key(dashboard, repository):
    screen = dashboard()
    screen.send("Aglaze-export\rWrite the table\r").until("+ ADD glaze-export — Write the table")
    screen.send("\x1b").settle()
    screen.send("Mmind the draught\rand the door").until("+ NOTE — mind the draught").until("+ and the door")
    assert not (repository.root / MAILBOX).exists()
    assert screen.send("\x1b").settle().leave() == 0
