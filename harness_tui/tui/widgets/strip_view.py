"""The base of widgets that draw finished lines: only what is visible, straight to the compositor."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from rich.segment import Segment
from rich.style import Style
from textual.geometry import Region, Size
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widget import Widget

from harness_tui.tui.widgets.calm_scroll_bar import CalmScrollBar
from harness_tui.tui.widgets.named_style import named_style

if TYPE_CHECKING:
    from textual.scrollbar import ScrollBar


class StripView(ScrollView, inherit_bindings=False):
    """Lines of a given number, of which the visible ones are drawn by `render_line`.

    Styles have names (`named_style`), each of which is read once until the theme or a style rule changes. Everything
    that depends on styles is dropped then, in `forget`.

    The widget has no key bindings: an owner attaches keys to its actions in a subclass. Text can't be selected with
    the mouse, and no segment carries meta data, so that nothing which is shown can act.
    """

    ALLOW_SELECT: ClassVar[bool] = False
    DEFAULT_CSS = """
    StripView {
        overflow-x: hidden;
        overflow-y: auto;
        background: $surface;
        color: $foreground;
    }
    """
    MARK: ClassVar[str] = "▌"
    """Stands before the current line, beside its colour. One cell."""
    STRONG: ClassVar[frozenset[str]] = frozenset({"row-table--cursor", "line-view--cursor"})
    """Component classes on which muted text has the colour of the rest."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name for it
        super().__init__(id=id)
        self._named: dict[str, Style] = {}
        self._mixed: dict[tuple[str, str], Style] = {}
        self._base: Style | None = None

    @property
    def vertical_scrollbar(self) -> ScrollBar:
        """The scrollbar, made when it is first asked for."""
        if self._vertical_scrollbar is None:
            self._vertical_scrollbar = CalmScrollBar(name="vertical", thickness=self.scrollbar_size_vertical)
            self._vertical_scrollbar.display = False
            self.app._start_widget(self, self._vertical_scrollbar)  # noqa: SLF001 - as the base does it
        return self._vertical_scrollbar

    @property
    def view(self) -> Size:
        """What can be drawn on: the size without border and scrollbars."""
        return self.scrollable_content_region.size

    @property
    def is_showing(self) -> bool:
        """Whether a reader can see the widget now: it has a size, and no other screen covers its own."""
        return self.is_attached and self.display and bool(self.size) and not self._is_covered()

    def forget(self) -> None:
        """Drop whatever was drawn with styles that may have changed."""
        self._named.clear()
        self._mixed.clear()
        self._base = None

    def notify_style_update(self) -> None:
        """Styles changed: draw anew with them (called by Textual, also when the theme changes)."""
        super().notify_style_update()
        self.forget()

    def named(self, name: str) -> Style:
        """The style of a semantic name, to be laid over `base`; "" changes nothing."""
        if not name:
            return Style.null()
        style = self._named.get(name)
        if style is None:
            style = self._named[name] = self._resolve(name)
        return style

    @property
    def base(self) -> Style:
        """Text and background colour of the widget."""
        if self._base is None:
            self._base = self.rich_style
        return self._base

    def component(self, name: str) -> Style:
        """What a component class sets, for laying over `base`; "" sets nothing."""
        return self.named(f".{name}") if name else Style.null()

    def mixed(self, name: str, over: str = "") -> Style:
        """What to draw text of the style `name` with, in a line over which the component class `over` is laid."""
        style = self._mixed.get((name, over))
        if style is None:
            under = self.base + self.named(name)
            if over in self.STRONG and "text-muted" in name:  # too weak on the colour of the cursor
                under += Style(color=self.base.color)
            style = self._mixed[name, over] = under + self.component(over)
        return style

    def set_lines(self, count: int) -> None:
        """Make `count` lines scrollable, without a new layout of the screen unless the scrollbar comes or goes."""
        size = Size(0, count)
        if size == self.virtual_size:
            return
        self.set_reactive(Widget.virtual_size, size)
        if self.size:
            self._scroll_update(size)

    def put_scroll(self, line: int) -> None:
        """Scroll so that `line` is on top, as far as there is something to show below."""
        target = max(0, min(line, self.max_scroll_y))
        if target != round(self.scroll_y) or target != self.scroll_target_y:
            self.scroll_to(y=target, animate=False, force=True, immediate=True)

    def refresh_row(self, y: int) -> None:
        """Draw the line at screen row `y` of the widget again, if it is in view."""
        if 0 <= y < self.size.height:
            self.refresh(Region(0, y, self.size.width, 1))

    def render_lines(self, crop: Region) -> list[Strip]:
        """The strips for `crop`. With no border or effect, and blanks beside them at most, they go out as they are."""
        if not self._is_plain():
            return super().render_lines(crop)
        strips = [self.render_line(y) for y in crop.line_range]
        _, right, _, left = self.styles.padding
        if left or right:
            blank = Style(bgcolor=self.base.bgcolor)
            before, after = ([Segment(" " * width, blank)] if width else [] for width in (left, right))
            width = self.size.width
            strips = [
                Strip([*before, *strip.adjust_cell_length(width, blank), *after], left + width + right)
                for strip in strips
            ]
        background = self.background_colors[1]
        for line_filter in self.get_line_filters():
            strips = [strip.apply_filter(line_filter, background) for strip in strips]
        if crop.column_span != (0, self.outer_size.width):
            strips = [strip.crop(*crop.column_span) for strip in strips]
        return strips

    def finish(self, segments: list[Segment], width: int, style: Style) -> Strip:
        """A strip of `segments` that take `width` cells, filled up with `style` or cut to the width of the widget."""
        whole = self.size.width
        if width < whole:
            segments.append(Segment(" " * (whole - width), style))
        strip = Strip(segments, max(width, whole))
        return strip if width <= whole else strip.crop(0, whole)

    def _is_covered(self) -> bool:
        """`Screen.is_current` says no only from the second screen on: it does not look at the topmost background."""
        for screen in reversed(self.app.screen_stack):
            if screen is self.screen:
                return False
            if screen.styles.background.a == 1:
                return True
        return True

    def _is_plain(self) -> bool:
        styles = self.styles
        return not (
            styles.border.spacing
            or styles.padding.height
            or styles.outline.spacing
            or styles.tint.a
            or styles.has_rule("hatch")
            or styles.text_opacity != 1
            or self.opacity != 1
        )

    def _resolve(self, name: str) -> Style:
        if name.startswith("."):
            return self._component_style(name[1:])
        return named_style(name, self.app.theme_variables, self.background_colors[1])

    def _component_style(self, name: str) -> Style:
        styles = self.get_component_styles(name)
        whole = styles.rich_style
        color = whole.color if styles.has_rule("color") else None
        bgcolor = whole.bgcolor if styles.has_rule("background") and styles.background.a else None
        return Style(color=color, bgcolor=bgcolor) + styles.text_style
