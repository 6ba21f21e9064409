"""The home screen: installed games, tables as they are found, and unfinished matches."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator, Callable, Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Input
from typing_extensions import override

from tavolata._trouble import trouble
from tavolata._ui.i18n import Translator
from tavolata._ui.tui.drawing.help_page import help_lines
from tavolata._ui.tui.drawing.pen import Pen
from tavolata._ui.tui.drawing.runs import Block, Line, wrapped
from tavolata._ui.tui.model.home_facts import FoundFacts, HomeFacts
from tavolata._ui.tui.model.palette import PaletteItem
from tavolata._ui.tui.model.questions import PromptQuestion
from tavolata._ui.tui.screens.frame import Frame, Left, Looks
from tavolata._ui.tui.screens.home_menu import HomeMenu
from tavolata._ui.tui.widgets.sheet import Sheet
from tavolata._ui.words import Words
from tavolata.messages import N_

TABLES = N_("Tables on the network")
LOOKING = N_("looking...")
CANT_LOOK = N_("this machine can't look for tables: {problem}")
WAITING = N_("Matches that wait for you")
GAMES = N_("Games")
GAME = N_("{title} ({low} to {high}): {summary}")
WELCOME = N_("Tavolata, a tabletop for the terminal.")

Search = Callable[[], AsyncGenerator[Sequence[FoundFacts], None]]


class HomeApp(Frame):
    """The Textual application of the home screen; its result is the words of a command, or none.

    Args:
        translator: the language.
        looks: the appearance.
        facts: the data of the home screen.
        search: searches for tables, and yields all current tables after each change.
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("f1", "help", show=False)]

    def __init__(self, translator: Translator, looks: Looks, facts: HomeFacts, search: Search) -> None:
        super().__init__(translator, looks)
        self.facts = facts
        self.tables: Sequence[FoundFacts] = ()
        self.looking = self.say(LOOKING)
        self._search = search
        self._menu = HomeMenu(
            facts, self.say, self._ask, self._done, self._keep, self._write, lambda: self.exit(Left())
        )
        self.first = self._menu.first(())
        self.asked: PromptQuestion | None = None
        self.words: Callable[[str], object] | None = None
        self.helping = False

    def on_mount(self) -> None:
        """Show the known data, and start the search for tables."""
        self.query_one("#board").styles.height = "1fr"
        self.begin()
        self.run_worker(self._look(), exit_on_error=False)

    async def _look(self) -> None:
        try:
            async with contextlib.aclosing(self._search()) as found:
                async for tables in found:
                    self._found(tables)
        except Exception as error:  # noqa: BLE001 - a machine without a network still has games
            self.looking = self.say(CANT_LOOK, {"problem": trouble(error)})
            self._found(self.tables)

    def _found(self, tables: Sequence[FoundFacts]) -> None:
        """Show the current tables; the cursor stays on the same choice."""
        cursor = self.first.draft.cursor
        self.tables = tables
        self.first = self._menu.first(tables)
        self.first.draft.cursor = cursor
        self.draw()

    def _ask(self, question: PromptQuestion | None) -> None:
        self.asked = question
        self.draw()

    def _done(self, words: list[str]) -> None:
        self.exit(Left(command=tuple(words)))

    def _keep(self, name: str, value: str) -> None:
        self.exit(Left(setting=(name, value)))

    def _write(self, begin: str, then: Callable[[str], object]) -> None:
        self.words = then
        self.action_talk(begin)

    @override
    def action_help(self) -> None:
        self.helping = not self.helping
        self.draw()

    # -- layout ---------------------------------------------------------------------------------------

    @override
    def compose(self) -> ComposeResult:
        only = self.ascii
        yield Sheet(id="status", ascii_only=only, focusable=False)
        yield Sheet(id="board", ascii_only=only)
        yield Sheet(id="prompt", ascii_only=only)
        yield Input(id="talk", compact=True, select_on_focus=False)
        yield Sheet(id="keys", ascii_only=only, focusable=False)

    @override
    def question(self) -> PromptQuestion:
        return self.asked if self.asked is not None else self.first

    @override
    def palette_items(self) -> list[PaletteItem]:
        """The choices of the question, which are all items here."""
        return self.prompt.choices(None)

    @override
    def pen(self, room: int) -> Pen:
        return Pen(Words(self.translator, "", ()), None, self.glyphs, room)

    @override
    def draw(self) -> None:
        if not self.is_whole:
            return
        height = self.size.height
        prompt = self.draw_prompt()
        self.query_one("#status").display = height >= 6
        self.query_one("#keys").display = height >= 8
        room = height - (height >= 6) - (height >= 8) - self.query_one("#talk").display
        self.query_one("#prompt").styles.height = max(1, min(prompt.height, room - min(4, room // 3)))
        pen = self.pen(max(1, self.size.width - 3))
        self.sheet("status").show(Block((pen.line(self.say(WELCOME), "title"),)))
        self.sheet("board").show(Block(tuple(self._help() if self.helping else self._lines(pen))))
        self.draw_keys(["answer", "commands", "help", "quit"])

    def _help(self) -> list[Line]:
        said = help_lines(self.translator, self.keymap)
        return [row for text, role in said for row in wrapped(text, role, self.size.width - 3, "  ")]

    def _lines(self, pen: Pen) -> list[Line]:
        say = self.say
        lines = [pen.line(say(TABLES), "title")]
        found = [table.line for table in self.tables]
        lines += [
            row
            for text in found or [self.looking]
            for row in wrapped(f"  {text}", "" if found else "dim", pen.room, "    ")
        ]
        if self.facts.waiting:
            lines += [(), pen.line(say(WAITING), "title")]
            lines += _items([text for _, text in self.facts.waiting], "", pen)
        lines += [(), pen.line(say(GAMES), "title")]
        for game in self.facts.games:
            low, high = game.seats
            said = {"title": game.title, "low": low, "high": high, "summary": game.summary}
            lines += wrapped("  " + say(GAME, said), "", pen.room, "    ")
        return lines

    @override
    def action_escape(self) -> None:
        if not self.close_talk():
            self.asked, self.helping = None, False
        self.draw()

    @override
    def typed(self, words: str) -> None:
        if self.words is not None:
            self.words(words)


def _items(texts: Sequence[str], role: str, pen: Pen) -> list[Line]:
    return [row for text in texts for row in wrapped(f"  {text}", role, pen.room, "    ")]
