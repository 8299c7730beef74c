"""What agents write into files never acts: not as terminal codes, not as markup, not as a link."""

import html
import re
import unicodedata

import pytest
from textual.app import App
from textual.drivers.linux_driver import LinuxDriver
from textual.widgets import Markdown

from harness_tui.formats.text import clean
from harness_tui.tui.driver import CarefulDriver
from harness_tui.tui.facts import Fact
from harness_tui.tui.text import literal

ESC, BEL, C1 = "\x1b", "\x07", "\x9b"
MARKUP = (
    "[red]x[/]", "[@click=app.quit]q[/]", "[@click=app.bell]q[/]", "[/", "[/red]", "\\[", "[$x]", "[$accent]x[/]", "[b",
    "a [b] c", "[link=http://x.example]x[/link]", "[blocked]", "[]", "[[]]", "[on red]", "](y)", "[x](y)", ":smile:",
    "$foreground", "{x}", "%s", "[@click='app.quit']q[/]", "[bold", "x]", "[/@click]",
)  # fmt: skip
CODES = (
    f"{ESC}[2Ja", f"{ESC}]52;c;aGk={BEL}b", f"{ESC}]0;title{BEL}c", f"{ESC}]8;;http://x.example{ESC}\\d{ESC}]8;;{ESC}\\",
    f"{C1}2Je", "\x9d0;t\x9cf", f"{ESC}P1$r0m{ESC}\\g", f"{BEL}h", "\x00\x00i", "a\rj", "\x0ek", "\x7fl", "\x08\x08m",
    "\u202etxt.exe", "\u2066n\u2069", "\U000e0041\U000e0042o", "p\u200bq",
    "\ufeffr", "s\u2028t", "\x85u", "\x0bv", "\x0cw",
    "\ue000x", "\u00ady", "\u061cz", f"{ESC}[?1049l", f"{ESC}c", f"{ESC}[6n", "\U000f0000b",
)  # fmt: skip
WIDE = (
    "窗口",
    "\U0001f468\u200d\U0001f469\u200d\U0001f467",
    "e\u0301\u0301\u0301",
    "\U0001f1eb\U0001f1f7",
    "1\ufe0f\u20e3",
)
HOSTILE = (*MARKUP, *CODES, *WIDE)
SCROLLBAR = {"grab", "release", "scroll_up", "scroll_down"}
"""Actions that Textual gives to its own scrollbars."""
HIDDEN = {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}


def acting(text):
    """Characters of a drawn text that a terminal would take for more than a glyph."""
    found = []
    for index, char in enumerate(text):
        joins = char == "\u200d" and 0 < index < len(text) - 1
        if unicodedata.category(char) in HIDDEN and not joins:
            found.append(char)
    return found


def harmless(session):
    """Assert that nothing on the screen acts, and that its picture holds no control character either."""
    for segment in session.segments():
        assert acting(segment.text) == [], segment
        assert segment.control is None
        style = segment.style
        if style is not None:
            assert style.link is None, segment
            assert {str(value) for key, value in (style.meta or {}).items() if str(key).startswith("@")} <= SCROLLBAR
    # A terminal is drawn from the same strips; the picture is an independent way through Rich.
    picture = html.unescape(re.sub(r"<[^>]*>", "", session.app.export_screenshot()))
    assert [char for char in acting(picture) if char not in "\n\t"] == []


def cells(text):
    """A text as it may stand in a cell of a table of a plan."""
    return text.replace("|", "/").replace("\n", " ")


def rows_of(texts):
    return tuple(
        (f"T-{number:02}", f"slug-{number}", cells(text), "full", "—", "pending")
        for number, text in enumerate(texts, 1)
    )


async def test_goals_are_shown_as_written_in_the_table(bare_desk, opened):
    bare_desk.write(bare_desk.plan_path, bare_desk.plan_of("default", rows_of(HOSTILE), ()))
    async with opened(bare_desk, size=(200, len(HOSTILE) + 30)) as session:
        await session.press("z")
        await session.until(lambda: session.table.size.height > len(HOSTILE))
        text = session.text()
        for goal in HOSTILE:
            assert clean(cells(goal)).strip() in text, goal
        harmless(session)


async def test_details_log_and_needs_show_them_as_written(bare_desk, opened):
    rows = tuple(
        (f"T-{n:02}", f"slug-{n}", cells(text), "full", "—", "needs-human") for n, text in enumerate(HOSTILE, 1)
    )
    bare_desk.write(bare_desk.plan_path, bare_desk.plan_of("default", rows, tuple(f"T-01 {cells(t)}" for t in HOSTILE)))
    lines = [bare_desk.log_line(f"T-01 · note · {text}".replace("\n", " "), 30) for text in HOSTILE]
    bare_desk.write(bare_desk.log_path, "".join(lines))
    async with opened(bare_desk, size=(200, 170)) as session:
        await session.choose("T-01")
        for panel in ("task", "log", "inbox"):
            session.main.go_to(panel)
            await session.press("z")
            await session.settle()
            text = session.text()
            harmless(session)
            if panel != "inbox":
                missing = [goal for goal in HOSTILE if clean(goal).strip() not in text]
                assert missing == [], panel
            await session.press("z")
        asked = "\n".join(session.facts("#inbox-list"))
        assert [goal for goal in HOSTILE if clean(cells(goal)).strip() not in asked] == []


async def test_clicks_on_every_line_only_select(bare_desk, opened):
    bare_desk.write(bare_desk.plan_path, bare_desk.plan_of("default", rows_of(MARKUP), tuple(cells(t) for t in MARKUP)))
    bare_desk.write(bare_desk.log_path, "".join(bare_desk.log_line(f"T-01 · note · {text}") for text in MARKUP))
    async with opened(bare_desk, size=(160, 60)) as session:
        called = []
        for name in ("quit", "bell"):
            setattr(session.app, f"action_{name}", lambda *_words: called.append(_words))
        for widget in (session.table, session.log_view, session.main.query_one("#task-list")):
            region = widget.region
            for y, line in enumerate(session.rows()[region.y : region.bottom], region.y):
                place = max(line.find("[", region.x, region.right), line.find("@click", region.x, region.right))
                if place >= 0:
                    await session.pilot.click(offset=(place + 1, y))
                while session.app.screen is not session.main:
                    session.app.pop_screen()
        assert called == []
        assert session.app.is_running
        assert session.app.screen is session.main


async def test_names_of_pools_folders_and_documents_are_shown_with_marks(bare_desk, opened):
    name = "kiln[red]x\x1b]0;t\x07\u202e"
    bare_desk.write(f"docs/batches/{name}/BATCH_PLAN.md", bare_desk.plan_of("x", rows_of(MARKUP[:3]), ()))
    bare_desk.write("docs/batches/other/BATCH_PLAN.md", bare_desk.plan_of("y", rows_of(MARKUP[:3]), ()))
    bare_desk.write("docs/features/slug-1/02_[@click=app.quit]\x1b[2J.md", "# x\n")
    async with opened(bare_desk, size=(200, 50), pool=clean(name)) as session:
        assert session.main.pool_id == clean(name)
        await session.shows(f"Stream pool {clean(name)} · 3")
        harmless(session)
        await session.press("p")
        await session.shows("Pools")
        assert any(clean(name) in line for line in session.facts())
        harmless(session)
        await session.press("escape", "colon")
        await session.until(lambda: session.app.screen is not session.main)
        await session.press(*"pool kiln")
        await session.until(lambda: clean(name) in session.text().replace("\n", ""))
        harmless(session)


async def test_the_name_of_the_workspace_and_of_the_branch_are_shown_with_marks(tmp_path, bare_desk, opened):
    root = tmp_path / "kiln\x1b[2J[b]x"
    bare_desk.root.rename(root)
    bare_desk.root = root
    bare_desk.write(bare_desk.plan_path, bare_desk.plan_of("default", rows_of(MARKUP), ()))
    bare_desk.commit()
    branch = "b(red)x{/}$y\u202e"
    bare_desk.git("branch", "-m", branch)
    async with opened(bare_desk, size=(200, 50)) as session:
        await session.until(lambda: f"{clean(branch)}@" in session.status)
        await session.shows(clean(root.name), clean(branch))
        harmless(session)


async def test_the_window_title_holds_no_code_but_its_own(monkeypatch):
    written = []
    driver = CarefulDriver(App())
    monkeypatch.setattr(LinuxDriver, "write", lambda _self, data: written.append(data))
    for text in HOSTILE:
        driver.set_title(text)
    for data in written:
        assert re.fullmatch(
            r"(\x1b\[22;2t)?\x1b\]2;[^\x00-\x1f\x7f-\x9f\u202e]*\x1b\\", data.replace("\x1b7", "").replace("\x1b8", "")
        )


@pytest.mark.parametrize("text", ["\n".join(HOSTILE)])
async def test_the_source_view_shows_a_document_as_written(bare_desk, opened, text):
    lines = text.split("\n")
    bare_desk.write("docs/evil.md", text)
    async with opened(bare_desk, size=(160, len(lines) + 10)) as session:
        session.app.open_source("docs/evil.md", 1)
        await session.until(lambda: session.app.screen.name == "reader")
        await session.settle()
        await session.until(lambda: clean(lines[0]) in session.text())
        shown = session.text()
        for line in lines:
            assert clean(line.removesuffix("\r")).strip() in shown, line
        harmless(session)


async def test_the_markdown_reader_never_acts(bare_desk, opened):
    links = "[evil](http://x.example) <http://y.example> ![p](z.png) [@click=app.quit](q) `[b]x[/b]` **[/**\n\n"
    links += "| a | b |\n|---|---|\n| [@click=app.quit]x[/] | [red]y[/] |\n\n```\n\x1b[2J[red]z[/]\n```\n\n> [b]q\n\n"
    text = links + "\n\n".join(f"- {item}" for item in HOSTILE) + "\n\n# [red]head[/] \x1b]0;t\x07\n"
    bare_desk.write("docs/evil.md", text)
    async with opened(bare_desk, size=(160, 240)) as session:
        opened_urls = []
        session.app.open_url = lambda url, **_more: opened_urls.append(url)
        quits = []
        session.app.action_quit = lambda: quits.append(1)
        session.app.open_source("docs/evil.md", None)
        await session.shows("evil", "[red]y[/]", "[b]x[/b]", "head")
        for segment in session.segments():
            assert acting(segment.text) == [], segment
            assert segment.style is None or segment.style.link is None, segment
        region = session.one(Markdown).region
        places = [
            (match.start() + 1, y)
            for y, line in enumerate(session.rows()[region.y : region.bottom], region.y)
            for match in re.finditer(r"evil|y\.example|@click=app.quit|\(y\)|x\[/link|u202e", line)
        ]
        assert len(places) > 6
        for place in places:
            await session.pilot.click(offset=place)
        assert opened_urls == []
        assert quits == []
        assert session.app.screen.name == "reader"


async def test_toasts_and_error_texts_are_literal(bare_desk, opened):
    async with opened(bare_desk, size=(160, 60), pool="[@click=app.quit]x[/]\x1b[2J") as session:
        await session.until(session.toasts)
        assert "[@click=app.quit]x[/]␛[2J" in session.toasts()[0]
        await session.shows("[@click=app.quit]")
        harmless(session)
        session.app.open_source("no/[red]such\x1b[2J[/].txt", 1)
        await session.shows("no/[red]such␛[2J[/].txt")
        harmless(session)


async def test_a_greeting_with_hostile_names_is_literal(bare_desk, opened):
    name = "[/]x\x1b[2J"
    rows = (
        (f"T-01{name}", "[@click=app.quit]x[/]", "goal", "full", "—", "done"),
        ("T-02", "[/", "g", "full", "—", "pending"),
    )
    bare_desk.write(bare_desk.plan_path, bare_desk.plan_of("default", rows[1:], ()))
    async with opened(bare_desk) as session:
        await session.pilot.pause()
    done = ("T-02", "[/", "[/", "full", "—", "done [/red]\x1b[2J")
    bare_desk.write(bare_desk.plan_path, bare_desk.plan_of("default", (rows[0], done), ()))
    async with opened(bare_desk) as session:
        await session.until(session.toasts)
        await session.pilot.pause()
        harmless(session)
        await session.press("a")
        await session.shows("Since you left")
        harmless(session)


async def test_problems_why_and_graph_of_hostile_rows_are_literal(bare_desk, opened):
    rows = tuple(
        (f"T-{n:02}", cells(text) or "x", cells(text), cells(text), cells(text), cells(text))
        for n, text in enumerate(HOSTILE, 1)
    )
    bare_desk.write(bare_desk.plan_path, bare_desk.plan_of("default", rows, ()))
    async with opened(bare_desk, size=(180, 60)) as session:
        for key in ("b", "c", "x"):
            await session.press(key)
            await session.until(lambda: session.app.screen is not session.main)
            await session.pilot.pause()
            harmless(session)
            for _ in range(4):
                await session.press("pagedown")
                harmless(session)
            await session.press("escape")
            await session.until(lambda: session.app.screen is session.main)


async def test_tasks_in_the_palette_are_literal(bare_desk, opened):
    rows = tuple((f"T-{n:02}", f"evil-{n}", cells(text), "full", "—", "pending") for n, text in enumerate(MARKUP, 1))
    bare_desk.write(bare_desk.plan_path, bare_desk.plan_of("default", rows, ()))
    async with opened(bare_desk, size=(160, 90)) as session:
        await session.press("colon")
        await session.until(lambda: session.app.screen is not session.main)
        await session.press(*"evil")
        await session.until(lambda: all(f"evil-{n}" in session.text() for n in range(1, 10)))
        assert session.app.is_running
        text = session.text()
        assert "[@click=app.quit]q[/]" in text
        harmless(session)


async def test_no_tooltip_is_made_of_what_files_say(bare_desk, opened):
    bare_desk.write(bare_desk.plan_path, bare_desk.plan_of("default", rows_of(HOSTILE), ()))
    async with opened(bare_desk) as session:
        tips = [widget.tooltip for widget in session.main.query("*") if widget.tooltip]
        assert all(not isinstance(tip, str) or tip in {a for a in tips if clean(a) == a} for tip in tips)


async def test_one_huge_cell_and_one_huge_line_are_cut_before_they_are_drawn(bare_desk, opened):
    big = "x" * 1_000_000
    bare_desk.write(bare_desk.plan_path, bare_desk.plan_of("default", rows_of((big, "[" * 100_000)), (big,)))
    bare_desk.write(
        bare_desk.log_path,
        bare_desk.log_line(f"T-01 · note · {'y' * 10_000_000}") + bare_desk.log_line("T-01 · note · after"),
    )
    async with opened(bare_desk, size=(120, 40)) as session:
        await session.shows("T-01", "after")
        assert max(len(line.plain) for line in session.main.query_one("#task-list")._shown) <= 2001
        for key in ("down", "up", "2", "down", "down", "3", "up", "w", "up", "c"):
            await session.press(key)
        await session.shows("Why?")
        harmless(session)


def test_a_fact_of_hostile_text_copies_as_it_is_shown():
    for text in HOSTILE:
        assert Fact(literal(text)).plain == clean(text)
