"""The pages: what can be read beside or over the table: log, rules, help, history, invitation, reasons."""

from __future__ import annotations

from collections.abc import Callable

from tavolata._ui.answers import NUMBERED
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

    `view` is the open page: log, rules, help or history; "table" for none. `inviting` shows the invitation in
    place of the lobby, `why` the reasons of impossible choices in place of the choices. `commands` write into
    the log here.
    """

    def __init__(
        self, frame: Frame, model: TableModel, surroundings: Surroundings, read_rules: Callable[[], str]
    ) -> None:
        self._frame = frame
        self._model, self._session = model, model.session
        self._surroundings = surroundings
        self._read_rules = read_rules
        self._rules, self._topic = ("", ""), ""
        self._past: list[str] = []
        self.view = "table"
        self.inviting = False
        self.why = False
        self.commands = Commands(model, model.session, frame.translator, model.reply, self._told_rules)

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

    def close(self) -> None:
        """Close the last thing that was opened."""
        if self.inviting:
            self.inviting = False
        elif self.why:
            self.why = False
        else:
            self.view = "table"

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
        self._open("rules")
        self._topic = topic

    def _told_rules(self, topic: str) -> list[str]:
        from tavolata._ui.tui.drawing.markdown import told_rules  # noqa: PLC0415 - a match starts faster without it

        return told_rules(self.rules(), topic)

    # -- log --------------------------------------------------------------------------------------

    def _open(self, name: str) -> None:
        self.view = "table"
        self.turn_to(name)

    def tell_seats(self) -> None:
        say, bots = self._frame.say, self._surroundings.bots()
        if self._session.table() is not None:
            self.commands.tell_lobby()
        else:
            for seat, name in enumerate(self._session.names):
                said = {"number": seat + 1, "choice": f"{name} {say(BOT)}" if seat in bots else name}
                self._model.write(say(NUMBERED, said), "notice")
        self._open("log")

    def describe(self, zone: str) -> None:
        self.commands.board(zone)
        self._open("log")

    def show_history(self, past: list[str]) -> None:
        self._past = past
        self.turn_to("history")

    # -- drawing ----------------------------------------------------------------------------------

    def fill(self, sheet: Sheet, width: int) -> None:
        width = max(1, width)
        if self.view == "rules":
            from tavolata._ui.tui.drawing.markdown import chapter, markdown_block  # noqa: PLC0415 - a match starts faster without it

            text = self.rules()
            sheet.show(markdown_block(chapter(text, self._topic) if self._topic else text, width))
        elif self.view in ("help", "history"):
            told = self._help() if self.view == "help" else [(line, "") for line in self._past]
            sheet.show(Block(tuple(row for line, role in told for row in wrapped(line, role, width, "  "))))
        else:
            sheet.show(log_block(self._model.visible(), width), grows=True)

    def _help(self) -> list[tuple[str, str]]:
        from tavolata._ui.tui.drawing.help_page import help_lines  # noqa: PLC0415 - a match starts faster without it

        keys = help_lines(self._frame.translator, self._frame.keymap, self._frame.glyphs)
        return [*keys, ("", ""), *((line, "") for line in self.commands.help())]
