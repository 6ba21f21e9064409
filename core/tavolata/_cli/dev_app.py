"""The screen of `tt dev`: the table as a bench has drawn it, its keys, and what is inside."""

from __future__ import annotations

from typing import Any, ClassVar, Final

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.events import Key
from textual.widgets import Input
from typing_extensions import override

from tavolata._cli.bench import Do
from tavolata._cli.following import EVERY, FollowedMatch
from tavolata._ui.i18n import Translator
from tavolata._ui.tui.drawing.lines import key_line
from tavolata._ui.tui.drawing.runs import Block, Line, wrapped
from tavolata._ui.tui.drawing.workshop import Pen
from tavolata._ui.tui.screens.frame import Frame, Looks
from tavolata._ui.tui.widgets.sheet import Sheet
from tavolata._ui.words import Words
from tavolata.errors import Refused
from tavolata.messages import N_

MOST_TROUBLE: Final = 12
"""The rows of a traceback; the last are what matters."""
MOST_OFFERS: Final = 8
WAITS = N_("The cards are being dealt.")
OWN_ANSWER = N_("Answer with a number, word or text. To act out of turn: do 1")
KEYS: Final = (
    ("left", "←", N_("back")),
    ("right", "→", N_("a bot's answer")),
    ("e", "e", N_("end")),
    ("0", "0-9", N_("seat")),
    ("r", "r", N_("reveal")),
    ("a", "a", N_("attributes")),
    ("t", "t", N_("write test")),
    ("enter", "Enter", N_("answer")),
    ("q", "q", N_("quit")),
)
"""The keys: what a click on one presses, how it is written, and what it does."""
PLAIN_KEYS: Final = {"←": "<", "→": ">"}


class DevApp(Frame):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("e", "tell('END')", show=False, priority=True),
        Binding("r", "tell('REVEAL')", show=False, priority=True),
        Binding("t", "tell('TEST')", show=False, priority=True),
        Binding("a", "attributes", show=False, priority=True),
        Binding("tab", "among('right')", show=False, priority=True),
        Binding("shift+tab", "among('left')", show=False, priority=True),
        Binding("slash", "talk", show=False, priority=True),
    ]
    LETTERS = Frame.LETTERS | {"tell", "attributes", "among", "talk"}
    TALK_LINE = OWN_ANSWER

    def __init__(self, followed: FollowedMatch, translator: Translator, looks: Looks) -> None:
        super().__init__(translator, looks)
        self._followed = followed
        self._attributes = False
        self._sized = (0, 0)

    def on_mount(self) -> None:
        self.begin()
        self.set_interval(EVERY, self._look)

    @override
    def compose(self) -> ComposeResult:
        yield Sheet(id="table", ascii_only=self.ascii)
        yield Input(id="talk", compact=True, select_on_focus=False)
        yield Sheet(id="keys", ascii_only=self.ascii, focusable=False)

    @property
    @override
    def main(self) -> Sheet:
        return self.sheet("table")

    @override
    def pen(self, room: int) -> Pen:
        return Pen(Words(self.translator, "", ()), None, self.glyphs, room)

    def _look(self) -> None:
        if self._followed.look():
            self.prompt.trouble, self._sized = "", (0, 0)
            self.draw()

    # -- drawing ----------------------------------------------------------------------------------

    def _room(self) -> tuple[int, int]:
        return self.size.width, self.size.height - 1

    def _fit(self) -> None:
        """Ask for the table in the size of this screen."""
        room = self._room()
        if self._followed.shown.position.size != room != self._sized:
            self._sized = room
            self._tell(Do.SIZE, room)

    @override
    def draw(self) -> None:
        if not self.is_whole:
            return
        shown, (width, height) = self._followed.shown, self._room()
        if not self.typing:
            self.set_focus(self.main)
        rows = list(shown.rows)
        if not rows:  # the screen is too small for a table
            rows = [row for line in shown.lines or [self.say(WAITS)] for row in wrapped(line, "", width - 1)]
        if self._attributes:
            rows = self._inside(width)
        below = self._below(width)
        rows = [*rows[: max(0, height - len(below))], *below]
        self.sheet("table").show(Block(tuple(rows)), cursor=shown.cursor if not self._attributes else (0, 0))
        keys = [
            (press, PLAIN_KEYS.get(key, key) if self.ascii else self.say(key), self.plainly(what))
            for press, key, what in KEYS
        ]
        self.sheet("keys").show(key_line(keys, self.size.width - 2))
        if shown.lines:
            self._fit()

    def _inside(self, width: int) -> list[Line]:
        rows: list[Line] = []
        for name, value, changed in self._followed.shown.attributes:
            mark = "*" if changed else " "
            rows += wrapped(f"{mark} {name} = {value}", "coin" if changed else "", width - 1)
        return rows

    def _below(self, width: int) -> list[Line]:
        shown = self._followed.shown
        lines: list[Line] = []
        if shown.offers:
            lines += wrapped(" · ".join(shown.offers[:MOST_OFFERS]), "dim", width - 1)
        for line in shown.printed.splitlines()[-3:]:
            lines += wrapped(f"| {line}", "dim", width - 1)
        for line in shown.trouble[-MOST_TROUBLE:]:
            lines += wrapped(line, "wrong", width - 1)
        if shown.note:
            lines += wrapped(shown.note, "hint", width - 1)
        if self.prompt.trouble:
            lines += wrapped(self.prompt.trouble, "wrong", width - 1)
        return lines

    # -- keys -------------------------------------------------------------------------------------

    def _tell(self, what: Do, more: Any = None) -> None:
        try:
            self._followed.do(what, more)
        except Refused as refusal:
            self.prompt.refuse(refusal)
            self.draw()

    @override
    def takes(self, event: Key) -> bool:
        """Handle a digit: the seat to sit at, 0 for that of whoever is asked."""
        character = event.character or ""
        if not (character.isascii() and character.isdecimal()):
            return False
        self._tell(Do.SIT, int(character))
        return True

    def action_tell(self, name: str) -> None:
        self._tell(Do[name])

    def action_among(self, where: str) -> None:
        self._tell(Do.STEP, where)

    @override
    def action_step(self, where: str) -> None:
        if where in ("up", "down"):
            self._tell(Do.STEP, where)
        else:
            self._tell(Do.BACK if where == "left" else Do.ON)

    @override
    def action_take(self) -> None:
        self._tell(Do.MARK)

    @override
    def action_answer(self) -> None:
        if self._followed.shown.writes:
            self.action_talk()
        else:
            self._tell(Do.ENTER)

    @override
    def typed(self, words: str) -> None:
        self._tell(Do.SAY, words)

    def action_attributes(self) -> None:
        self._attributes = not self._attributes
        self.draw()

    @override
    def action_help(self) -> None:
        """Do nothing: the last line has all keys."""

    @override
    def action_escape(self) -> None:
        self.close_talk()
        self._attributes = False
        self.prompt.trouble = ""
        self.draw()

    @on(Sheet.Pointed, "#keys")
    def _clicked(self, event: Sheet.Pointed) -> None:
        self.press_named(event.thing)
