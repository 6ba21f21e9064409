"""The pages: what can be read beside or over the table: log, rules, help, history, invitation, reasons."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from tavolata._ui.answers import NUMBERED
from tavolata._ui.opening import card_rows
from tavolata._ui.plain_commands import Commands
from tavolata._ui.tui.drawing.lines import log_block
from tavolata._ui.tui.drawing.runs import Block, wrapped
from tavolata._ui.tui.model.table_model import TableModel
from tavolata._ui.tui.screens.frame import Frame
from tavolata._ui.tui.screens.surroundings import Surroundings
from tavolata._ui.tui.widgets.sheet import Sheet
from tavolata.messages import N_

BOT = N_("(bot)")
VIEWS = ("log", "rules")
"""The pages that the first line of the screen names."""


class Pages:
    """The pages of one screen.

    `view` is the open page: log, rules, help, or lines by name; "table" for none. `inviting` shows the
    invitation in place of the lobby, `why` the reasons of impossible choices in place of the choices. Typed
    `commands` write into the log.
    """

    def __init__(
        self, frame: Frame, model: TableModel, surroundings: Surroundings, read_rules: Callable[[], str]
    ) -> None:
        self._frame = frame
        self._model, self._session = model, model.session
        self._surroundings = surroundings
        self._read_rules = read_rules
        self._rules, self._topic = ("", ""), ""
        self._lines: list[str] = []
        self._gathered: list[str] | None = None
        self.view = "table"
        self.inviting = False
        self.why = False
        self.commands = Commands(model, model.session, frame.translator, self._hear, self._told_rules)

    def turn_to(self, name: str) -> None:
        """Open a page; if it's open already, show the table again."""
        if self.view == "rules" == name:
            self._topic = ""
        self.view = "table" if self.view == name else name
        self._frame.call_after_refresh(self._scroll)

    def _scroll(self) -> None:
        """Go to the newest line of the log, and to the beginning of everything else."""
        page = self._frame.sheet("page")
        page = page if page.display else self._frame.sheet("side")
        goes = page.scroll_end if self.view in ("table", "log") else page.scroll_home
        goes(animate=False, force=True)

    def close_page(self) -> bool:
        """Close the page; return True if one was open."""
        was, self.view = self.view, "table"
        return was != "table"

    def close_note(self) -> bool:
        """Close what stands in place of the lobby or of the choices; return True if anything did."""
        was, self.inviting, self.why = self.inviting or self.why, False, False
        return was

    def ask_why(self) -> None:
        self.why = not self.why

    # -- rules ------------------------------------------------------------------------------------

    def rules(self) -> str:
        if self._rules[0] != self._session.game:  # a table may change to another game
            self._rules, self._topic = (self._session.game, self._read_rules()), ""
        return self._rules[1]

    def read_rules(self, topic: str = "") -> None:
        """Open the rules, or one chapter of them; raise `Refused` if there's no such chapter."""
        if topic:
            from tavolata._ui.tui.drawing.markdown import chapter  # noqa: PLC0415 - a match starts faster without it

            chapter(self.rules(), topic)
        self.view = "table"  # whatever page is open
        self.turn_to("rules")
        self._topic = topic

    def _told_rules(self, topic: str) -> list[str]:
        from tavolata._ui.tui.drawing.markdown import told_rules  # noqa: PLC0415 - a match starts faster without it

        return told_rules(self.rules(), topic)

    # -- lines ------------------------------------------------------------------------------------

    def show_seats(self) -> None:
        say, bots = self._frame.say, self._surroundings.bots()
        if self._session.table() is not None:
            self._gather("seats", self.commands.tell_lobby)
        else:
            seated = enumerate(self._session.names)
            names = [f"{name} {say(BOT)}" if at in bots else name for at, name in seated]
            lines = [say(NUMBERED, {"number": at, "choice": name}) for at, name in enumerate(names, 1)]
            self.show_lines("seats", lines)

    def describe(self, zone: str) -> None:
        self._gather("zone", partial(self.commands.board, zone))

    def _gather(self, name: str, command: Callable[[], object]) -> None:
        """Show on a page what a command says."""
        lines = self._gathered = []
        try:
            command()
        finally:
            self._gathered = None
        self.show_lines(name, lines)

    def _hear(self, line: str) -> None:
        """Hear what a command says: typed ones reply in the log."""
        if self._gathered is None:
            self._model.reply(line)
        else:
            self._gathered.append(line)

    def show_lines(self, name: str, lines: list[str]) -> None:
        """Show lines on a page; if it's the open page, show the table again."""
        self._lines = lines
        self.turn_to(name)

    # -- drawing ----------------------------------------------------------------------------------

    def fill(self, sheet: Sheet, width: int) -> None:
        pen = self._frame.pen(max(1, width))
        if self.view == "rules":
            from tavolata._ui.tui.drawing.markdown import chapter, markdown_block  # noqa: PLC0415 - a match starts faster without it

            text = self.rules()
            text = chapter(text, self._topic) if self._topic else text
            sheet.show(markdown_block(text, pen.room, plainly=pen.plainly))
        elif self.view in ("log", "table"):
            sheet.show(log_block(self._model.visible(), pen), grows=True)
        else:
            told = self._help() if self.view == "help" else [(line, "") for line in self._lines]
            rows = (row for line, role in told for row in wrapped(pen.plainly(line), role, pen.room, "  "))
            sheet.show(Block(tuple(rows)))

    def _help(self) -> list[tuple[str, str]]:
        from tavolata._ui.tui.drawing.help_page import help_lines  # noqa: PLC0415 - a match starts faster without it

        frame = self._frame
        keys = help_lines(frame.translator, frame.keymap, frame.keys_now(), frame.glyphs)
        match, words = self._model.match, self._model.words()
        card = () if match is None else card_rows(match.rules, words)
        first = [*((f"{label}: {said}", "") for label, said in card), *([("", "")] if card else [])]
        return [*first, *keys, ("", ""), *((line, "") for line in self.commands.help())]
