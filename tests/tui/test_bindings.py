"""Every key of the action list: unique where it counts, bound, and reaching its method on the shipped screens."""

import subprocess
import sys
from collections import Counter
from itertools import pairwise, product

import pytest
from textual.binding import Binding
from textual.keys import Keys, _character_to_key

from harness_tui.tui import clipboard
from harness_tui.tui.actions import ACTIONS, AREAS, actions_of, footer_order, key_sign, key_table, signs, twins
from harness_tui.tui.app import Dashboard
from harness_tui.tui.screens.help import help_facts

NEVER = {f"ctrl+{letter}" for letter in "qshimba"} | {"ctrl+left_square_bracket"}
TOGETHER = {
    "pool": ("app", "list", "pool"),
    "task": ("app", "list", "task"),
    "log": ("app", "list", "lines", "log"),
    "inbox": ("app", "list", "inbox"),
    "reader": ("app", "list", "lines", "reader"),
    "decisions": ("app", "list", "decisions"),
    "signals": ("app", "list", "signals"),
    "dialog": ("dialog",),
}
"""Areas whose keys work at the same time, by the panel or screen that has them."""


def name_of(action):
    return action.id.partition("(")[0]


def all_keys(action):
    return [key for name in action.keys for key in (name, *twins(name))]


def first_key(action):
    return action.keys[:1]


@pytest.fixture
def spy(monkeypatch):
    """Replace the methods of actions by ones that only note which was called; gives the notes."""
    noted = []

    def noter(name):
        return lambda _self, *words: noted.append(f"{name}({words[0]!r})" if words else name)

    def watch(owner, actions):
        kind = type(owner)
        for action in actions:
            name = f"action_{name_of(action)}"
            assert hasattr(kind, name), f"{kind.__name__} has no {name}"

            monkeypatch.setattr(kind, name, noter(name_of(action)))
        return noted

    return watch


async def press_all(session, actions, noted, *, keys_of=all_keys):
    """Press every key of these actions; returns those that did not lead to their own action alone."""
    noted.clear()
    wrong = []
    for action in actions:
        for key in keys_of(action):
            await session.press(key)
            if noted != [action.id]:
                wrong.append((key, action.id, list(noted)))
            noted.clear()
    return wrong


@pytest.mark.parametrize("panel", TOGETHER)
def test_no_key_has_two_meanings_at_one_place(panel):
    count = Counter(key for action in actions_of(*TOGETHER[panel]) for key in all_keys(action))
    assert [key for key, times in count.items() if times > 1] == []


def test_no_id_stands_twice_in_one_area():
    count = Counter((action.area, action.id) for action in ACTIONS)
    assert [name for name, times in count.items() if times > 1] == []


def test_keys_that_terminals_or_multiplexers_take_are_never_bound():
    assert [action.id for action in ACTIONS if NEVER & set(all_keys(action))] == []


def test_a_key_of_one_sign_is_named_as_a_terminal_delivers_it():
    """Textual takes any name for a binding; one that no terminal gives would never be pressed."""
    named = [key for action in ACTIONS for key in action.keys if len(key) > 1]
    signs_of = {key: key_sign(key) for key in named}
    wrong = {key: sign for key, sign in signs_of.items() if len(sign) == 1 and sign not in "↑↓←→"}
    assert {key for key, sign in wrong.items() if _character_to_key(sign) != key} == set()
    others = {key.rpartition("+")[2] for key in named if key not in wrong}
    assert {key for key in others if len(key) > 1 and key not in {item.value for item in Keys}} == set()


def test_upper_case_letters_write_or_are_one_of_four_exceptions():
    shout = {key for action in ACTIONS for key in action.keys if len(key) == 1 and key.isupper() and not action.writes}
    assert shout == {"Y", "N", "E", "G"}
    lower = [action.id for action in ACTIONS if action.writes and not action.keys[0].isupper()]
    assert lower == ["send"], "the dialog has asked already"
    assert [action.id for action in ACTIONS if action.writes and not action.asks] == ["send"]


def test_every_area_has_a_heading_and_every_action_words():
    for action in ACTIONS:
        assert action.area in AREAS
        assert action.label
        assert action.help.endswith(".")


async def test_the_shipped_widgets_bind_no_key_twice_and_no_forbidden_one(desk, opened):
    async with opened(desk) as session:
        await session.press("o")
        nodes = [session.app, session.main, *session.main.query("*")]
        for node in nodes:
            bound = node._bindings.key_to_bindings
            doubled = {
                key: [b.action for b in found] for key, found in bound.items() if len({b.action for b in found}) > 1
            }
            assert doubled == {}, node
            if type(node).__name__ not in ("Input", "TextArea"):
                assert NEVER & set(bound) == set(), node


async def test_every_binding_of_the_main_screen_is_in_the_action_list(desk, opened):
    listed = {(key, action.id) for action in ACTIONS for key in all_keys(action)}
    async with opened(desk) as session:
        for panel in ("pool", "task", "log", "inbox"):
            session.main.go_to(panel)
            await session.pilot.pause()
            for key, active in session.app.screen.active_bindings.items():
                assert (key, active.binding.action) in listed or active.binding.system, (panel, key)


@pytest.mark.parametrize("panel", ["pool", "task", "log", "inbox"])
async def test_every_key_reaches_its_method_from_a_panel(desk, opened, spy, panel):
    async with opened(desk, size=(120, 40)) as session:
        session.main.go_to(panel)
        await session.pilot.pause()
        spy(session.app, actions_of("app"))
        own = actions_of("lines", "log") if panel == "log" else actions_of(panel)
        noted = spy(session.app.focused, [*actions_of("list"), *own])
        everywhere = actions_of("app", "list")
        # The twins of the keys that work everywhere are pressed in one panel: they are bound with them.
        assert await press_all(session, everywhere, noted, keys_of=all_keys if panel == "pool" else first_key) == []
        assert await press_all(session, own, noted) == []


async def test_every_key_of_the_reader_reaches_its_method(desk, opened, spy):
    async with opened(desk, size=(120, 40)) as session:
        session.app.open_source(desk.plan_path, 11)
        await session.until(lambda: session.app.screen.name == "reader" and session.app.focused)
        await session.settle()
        in_view = actions_of("list", "lines")
        spy(session.app, actions_of("app"))
        spy(session.app.focused, in_view)
        noted = spy(session.app.screen, actions_of("reader"))
        assert await press_all(session, actions_of("app"), noted, keys_of=first_key) == []
        assert await press_all(session, [*in_view, *actions_of("reader")], noted) == []


async def test_every_key_works_in_a_rendered_document(desk, opened, spy):
    async with opened(desk, size=(120, 40)) as session:
        session.app.open_source("docs/features/ramp-editor/01_REQUIREMENT_ANALYSIS.md", None)
        await session.until(lambda: session.app.screen.name == "reader" and session.app.focused)
        spy(session.app, actions_of("app"))
        spy(session.app.screen, actions_of("reader"))
        noted = spy(session.app.focused, actions_of("list"))
        assert await press_all(session, actions_of("app", "list", "reader"), noted, keys_of=first_key) == []


async def test_every_key_of_a_list_works_in_a_window(desk, opened, spy):
    async with opened(desk, size=(120, 40)) as session:
        await session.press("c")
        await session.until(lambda: session.app.screen is not session.main)
        here = [action for action in actions_of("app") if action.id in ("back", "quit", "search", "copy", "copy_view")]
        spy(session.app.focused, actions_of("list"))
        spy(session.app, [action for action in here if action.id == "quit"])
        noted = spy(session.app.screen, here)
        assert await press_all(session, [*here, *actions_of("list")], noted) == []


@pytest.mark.parametrize("key", ["A", "M", "slash", "colon", "question_mark"])
async def test_ctrl_c_and_ctrl_z_act_wherever_the_keys_are(desk, opened, spy, key):
    async with opened(desk, size=(120, 40)) as session:
        await session.press(key)
        await session.until(lambda: session.app.focused)
        wanted = [action for action in actions_of("app") if action.id in ("quit", "suspend_process")]
        noted = spy(session.app, wanted)
        await session.press("ctrl+z", "ctrl+c")
        assert noted == ["suspend_process", "quit"]


@pytest.mark.parametrize(("key", "area"), [("5", "decisions"), ("8", "signals")])
async def test_every_key_of_a_page_reaches_its_method(desk, opened, spy, key, area):
    async with opened(desk, size=(120, 40)) as session:
        await session.press(key)
        await session.until(lambda: session.app.screen.name == f"page-{area}" and session.app.focused)
        spy(session.app, actions_of("app"))
        noted = spy(session.app.screen, actions_of(area))
        assert await press_all(session, actions_of("app"), noted, keys_of=first_key) == []
        assert await press_all(session, actions_of(area), noted) == []


async def test_every_key_of_a_dialog_reaches_its_method(desk, opened, spy):
    async with opened(desk, size=(120, 40)) as session:
        await session.press("X")
        await session.until(lambda: type(session.app.screen).__name__ == "ActDialog" and session.app.focused)
        noted = spy(session.app.screen, actions_of("dialog"))
        assert await press_all(session, actions_of("dialog"), noted) == []


async def test_the_hints_of_a_window_are_true(desk, opened):
    async with opened(desk, size=(120, 40)) as session:
        await session.press("c")
        await session.until(lambda: session.app.screen is not session.main)
        active = session.app.screen.active_bindings
        for action in session.one("ActionBar")._actions:
            assert set(action.keys) <= set(active), action.id


@pytest.mark.parametrize("key", ["ы", "σ"])
async def test_letter_keys_work_under_cyrillic_and_greek_layouts(desk, opened, key):
    async with opened(desk, size=(120, 40)) as session:
        assert session.table.sort_key == "plan"
        await session.press(key)
        await session.until(lambda: session.table.sort_key == "status")


async def test_upper_case_letters_work_under_other_layouts(desk, opened):
    async with opened(desk, size=(120, 40)) as session:
        await session.press("П")
        await session.until(lambda: session.table.cursor == session.table.count - 1)


async def test_escape_never_leaves_however_often(desk, opened):
    async with opened(desk, size=(120, 40)) as session:
        for keys in (("escape",) * 5, ("c", "escape", "escape"), ("slash", "x", "escape", "escape"), ("z", "escape")):
            await session.press(*keys)
        await session.pilot.pause()
        assert session.app.is_running
        assert session.app.screen is session.main


@pytest.mark.parametrize("key", ["q", "ctrl+c"])
async def test_q_and_ctrl_c_leave(desk, opened, key):
    async with opened(desk, size=(120, 40)) as session:
        await session.press(key)
        await session.until(lambda: not session.app.is_running or session.app._exit)


async def test_q_closes_a_window_instead_of_leaving_the_dashboard(desk, opened):
    async with opened(desk, size=(120, 40)) as session:
        await session.press("question_mark", "q")
        await session.until(lambda: session.app.screen is session.main)
        assert not session.app._exit


async def test_the_footer_shows_the_keys_of_the_panel_and_always_help(desk, opened):
    async with opened(desk, size=(200, 50)) as session:
        for panel in ("pool", "task", "log"):
            session.main.go_to(panel)
            await session.pilot.pause()
            last = session.rows()[-1]
            for action in footer_order(actions_of(*TOGETHER[panel])):
                assert f"{key_sign(action.keys[0])} {action.label}" in last, panel


async def test_the_footer_never_cuts_a_hint(desk, opened):
    async with opened(desk) as session:
        for width, panel in product((60, 80, 100), ("pool", "task", "log", "inbox")):
            await session.resize((width, 24))
            session.main.go_to(panel)
            await session.pilot.pause()
            hints = [f"{key_sign(a.keys[0])} {a.label}" for a in footer_order(actions_of(*TOGETHER[panel]))]
            last = session.rows()[-1].strip()
            assert "? help" in last
            for number in range(len(hints), 0, -1):
                if last == "  ".join(hints[:number]):
                    break
            else:
                pytest.fail(f"not made of whole hints: {last!r}")


async def test_a_click_on_a_hint_does_it(desk, opened):
    async with opened(desk, size=(120, 40)) as session:
        place = session.rows()[-1].index("s sort")
        await session.pilot.click(offset=(place, 39))
        await session.until(lambda: session.table.sort_key == "status")


def test_the_help_window_lists_every_action_once():
    lines = [fact.plain for fact in help_facts(("app", "list", "pool"))]
    for action in ACTIONS:
        shown = [line for line in lines if line.split(action.help)[0].strip() == signs(action) and action.help in line]
        assert len(shown) == 1, action.id


def test_the_help_window_begins_with_the_focused_panel():
    lines = [fact.plain for fact in help_facts(("app", "list", "lines", "log"))]
    assert lines[0] == AREAS["log"]


def test_keys_and_words_of_the_help_window_stand_in_two_columns():
    lines = [fact.plain for fact in help_facts(("app",)) if not fact.heading]
    assert {len(line) - len(line[16:].lstrip()) for line in lines} == {18}


def test_the_help_window_has_no_heading_without_keys():
    facts = help_facts(("app", "list", "inbox"))
    assert [a.plain for a, b in pairwise(facts) if a.heading and b.heading] == []


def test_the_readme_table_lists_every_action():
    table = key_table()
    for action in ACTIONS:
        assert f"| {' '.join(f'`{key_sign(key)}`' for key in action.keys)} | {action.help} |" in table
    assert [heading for area, heading in AREAS.items() if f"**{heading}**" in table] == [
        heading for area, heading in AREAS.items() if actions_of(area)
    ]


async def test_the_palette_offers_every_action_that_is_no_movement(desk, opened):
    from harness_tui.tui.commands import DashboardCommands

    async with opened(desk) as session:
        provider = DashboardCommands(session.main)
        names = [hit.text async for hit in provider.discover()]
        for action in ACTIONS:
            shown = f"{action.label} ({signs(action)})" in names
            elsewhere = action.area in ("list", "reader", "decisions", "signals", "dialog")
            assert shown is (not elsewhere and action.id != "command_palette"), action.id


@pytest.mark.parametrize("key", ["colon", "ctrl+p"])
async def test_the_palette_opens_and_does_what_is_chosen(desk, opened, key):
    async with opened(desk) as session:
        await session.press(key)
        await session.until(lambda: session.app.screen is not session.main)
        await session.press(*"broken")
        await session.until(lambda: "Everything that could not" in session.text())
        await session.press("down", "enter")
        await session.shows("Broken · ")


async def test_an_action_of_a_hidden_panel_works_from_the_palette(desk, opened):
    async with opened(desk) as session:
        await session.press("colon")
        await session.until(lambda: session.app.screen is not session.main)
        await session.press(*"this task")
        await session.until(lambda: "Show only lines of the selected task" in session.text())
        await session.press("down", "enter")
        await session.until(lambda: "only T-03" in str(session.log.border_subtitle))


async def test_copying_goes_to_the_native_tool_in_a_thread(desk, opened, monkeypatch):
    copied = []
    monkeypatch.setattr(clipboard, "copy_native", lambda text: bool(copied.append(text)) or True)
    async with opened(desk) as session:
        await session.press("y")
        await session.until(lambda: copied)
        assert copied[0].startswith("T-03  ramp-editor  in-progress")
        await session.until(lambda: any(f"{len(copied[0])} characters copied" in toast for toast in session.toasts()))


def test_bindings_carry_the_help_as_tooltip():
    for binding in Dashboard.BINDINGS:
        assert isinstance(binding, Binding)
        assert binding.tooltip


def test_importing_the_action_list_does_not_import_textual():
    program = "import sys; import harness_tui.tui.actions; sys.exit('textual' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
