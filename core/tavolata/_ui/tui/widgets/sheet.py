"""The widget that shows a block: it scrolls the lines and reports mouse clicks on spots.

It knows nothing about games. `themes.role_styles` decides how a role looks.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from rich.segment import Segment
from rich.style import Style
from textual.events import Click, MouseScrollDown, MouseScrollUp
from textual.geometry import Offset, Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.scrollbar import ScrollBarRender
from textual.strip import Strip
from typing_extensions import override

from tavolata._text import cleaned
from tavolata._ui.scene.say import in_ascii
from tavolata._ui.tui.drawing.runs import Block


class WholeCells(ScrollBarRender):
    """A scroll bar without half blocks; a coloured blank replaces every non-ASCII character."""

    VERTICAL_BARS: ClassVar[list[str]] = [" "] * 8


class Sheet(ScrollView):
    DEFAULT_CSS = "Sheet { scrollbar-size-horizontal: 0; scrollbar-size-vertical: 1; }"

    class Pointed(Message):
        def __init__(self, sheet: Sheet, thing: Any) -> None:
            super().__init__()
            self.sheet = sheet
            self.thing = thing

        @property
        def control(self) -> Sheet:
            return self.sheet

    def __init__(self, *, id: str | None = None, ascii_only: bool = False, focusable: bool = True) -> None:  # noqa: A002 - Textual's own word
        super().__init__(id=id)
        self.can_focus = focusable
        self._ascii = ascii_only
        if ascii_only:
            self.vertical_scrollbar.renderer = WholeCells  # type: ignore[misc]  # of this bar alone
        self.block = Block(())
        self.cursor: tuple[int, int] | None = None
        self._grows = False
        self._pinned = 0

    def show(self, block: Block, *, cursor: tuple[int, int] | None = None, grows: bool = False) -> None:
        """Replace the lines.

        The terminal's cursor is at `cursor` while this widget has the focus. With `grows` lines are added at
        the end; a view of the end then stays there.
        """
        if grows is not self._grows:
            self._grows = grows
            self.anchor(grows)
        if block == self.block and cursor == self.cursor:
            return
        self.block, self.cursor = block, cursor
        self.virtual_size = Size(0, block.height)
        self._show_cursor()
        self.refresh()
        self.place_cursor()

    def pin(self, lines: int) -> None:
        """Keep the first lines in view while the lines below them scroll."""
        if lines != self._pinned:
            self._pinned = lines
            self._show_cursor()
            self.refresh()

    def _show_cursor(self) -> None:
        """Scroll until the cursor is visible below the pinned lines."""
        if self.cursor is not None and self.size.height:
            top = max(0, self.cursor[1] - self._pinned)
            self.scroll_to_region(Region(0, top, 1, self.cursor[1] - top + 1), animate=False, force=True)

    def _line_at(self, y: int) -> int:
        return y if y < self._pinned else y + int(self.scroll_offset.y)

    def place_cursor(self) -> None:
        """Put the terminal's cursor at the selected choice, for magnifiers and screen readers."""
        if self.has_focus and self.is_attached:
            x, y = self.cursor or (0, int(self.scroll_offset.y))
            region = self.content_region
            self.app.cursor_position = Offset(region.x + x, region.y + y - int(self.scroll_offset.y))

    @override
    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Move the terminal's cursor when the lines move, which Textual does later than asked."""
        super().watch_scroll_y(old_value, new_value)
        self.place_cursor()

    def on_focus(self) -> None:
        self.place_cursor()

    def on_resize(self) -> None:
        self._show_cursor()
        self.place_cursor()

    @override
    def render_line(self, y: int) -> Strip:
        y = self._line_at(y)
        base = self.rich_style
        if y >= self.block.height:
            return Strip.blank(self.size.width, base)
        styles: Mapping[str, Style] = self.app.role_styles  # type: ignore[attr-defined]  # of every `Frame`
        segments = [
            Segment(cleaned(in_ascii(text) if self._ascii else text), base + styles[role] if role else base)
            for text, role in self.block.lines[y]
        ]
        return Strip(segments).adjust_cell_length(self.size.width, base)

    def on_click(self, event: Click) -> None:
        x, y = event.x - self.gutter.left, self._line_at(event.y - self.gutter.top)
        for spot in reversed(self.block.spots):
            if spot.covers(x, y):
                event.stop()
                self.post_message(self.Pointed(self, spot.thing))
                return

    def on_mouse_scroll_down(self, event: MouseScrollDown) -> None:
        """Scroll by three lines at once, without animation."""
        event.stop()
        event.prevent_default()  # else Textual animates it, too
        self.scroll_relative(y=3, animate=False)

    def on_mouse_scroll_up(self, event: MouseScrollUp) -> None:
        """Scroll by three lines at once, without animation."""
        event.stop()
        event.prevent_default()
        self.scroll_relative(y=-3, animate=False)
