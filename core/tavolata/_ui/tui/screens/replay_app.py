"""The screen of a replay: the table with a timeline, forward and back, from any seat that may be seen."""

from __future__ import annotations

from typing import ClassVar, Final

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.events import Key
from textual.timer import Timer
from textual.widgets import Input
from typing_extensions import override

from tavolata._engine.review.replay import ALL, Replay
from tavolata._text import number_within
from tavolata._ui.i18n import Translator
from tavolata._ui.scene.viewpoint import Viewpoint
from tavolata._ui.tui.drawing.frame import Foot, draw_frame
from tavolata._ui.tui.drawing.lines import log_block
from tavolata._ui.tui.drawing.runs import Block, wrapped
from tavolata._ui.tui.drawing.stage import stage
from tavolata._ui.tui.drawing.workshop import Pen
from tavolata._ui.tui.model.director import PACES, Director
from tavolata._ui.tui.model.replay_model import ReplayModel
from tavolata._ui.tui.screens.frame import Frame, Looks
from tavolata._ui.tui.screens.surroundings import PACE, PACE_NAMES
from tavolata._ui.tui.widgets.sheet import Sheet
from tavolata.errors import Refused
from tavolata.messages import N_

SEEN_BY = N_("{name}'s view")
SEEN_BY_ALL = N_("spectators' view")
ALL_OPEN = N_("all hands shown")
REPLAY = N_("{game}: replay")
TURN_WANTED = N_("Choose a number from 1 to {n}.")
GO_TO = N_("Turn number")
TOO_SMALL = N_("The screen is too small for a table. Make it at least 60x20.")
KEYS: Final = (
    ("space", N_("Space"), N_("play")),
    ("right", "←→", N_("step")),
    ("shift+right", "⇧←→", N_("turn")),
    ("right_square_bracket", "[ ]", N_("big moment")),
    ("o", "o", N_("all hands")),
    ("comma", ", .", N_("pace")),
    ("l", "l", N_("log")),
    ("q", "q", N_("quit")),
)
"""The keys: what a click on one presses, how it is written, and what it does."""
PLAIN_KEYS: Final = {"←→": "<>", "⇧←→": "Shift <>"}


class ReplayApp(Frame):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "play", show=False, priority=True),
        Binding("shift+left", "turn(-1)", show=False, priority=True),
        Binding("shift+right", "turn(1)", show=False, priority=True),
        Binding("left_square_bracket", "peak(-1)", show=False, priority=True),
        Binding("right_square_bracket", "peak(1)", show=False, priority=True),
        Binding("home", "ends(0)", show=False, priority=True),
        Binding("end", "ends(1)", show=False, priority=True),
        Binding("g", "go_to", show=False, priority=True),
        Binding("o", "open_all", show=False, priority=True),
        Binding("comma", "pace(-1)", show=False, priority=True),
        Binding("full_stop", "pace(1)", show=False, priority=True),
        Binding("l", "log", show=False, priority=True),
    ]
    LETTERS = Frame.LETTERS | {
        "play", "turn", "peak", "ends", "go_to", "open_all", "pace", "log",
    }  # fmt: skip

    def __init__(
        self, replay: Replay, translator: Translator, looks: Looks, *, title: str, package: str
    ) -> None:
        super().__init__(translator, looks)
        self.model = ReplayModel(replay, translator, package)
        self.director = Director(looks.pace or PACES["normal"])
        self._title = title
        self._logging = False
        self._going: Timer | None = None

    def on_mount(self) -> None:
        self.query_one("#page").set_class(self.ascii, "-ascii")
        self.begin()

    @override
    def compose(self) -> ComposeResult:
        yield Sheet(id="table", ascii_only=self.ascii)
        yield Sheet(id="page", ascii_only=self.ascii)
        yield Input(id="talk", compact=True, select_on_focus=False)

    @property
    @override
    def main(self) -> Sheet:
        return self.sheet("page" if self._logging else "table")

    @override
    def scrolled(self) -> Sheet:
        return self.sheet("page")

    @override
    def pen(self, room: int) -> Pen:
        return Pen(self.model.words, None, self.glyphs, room)

    @override
    def shown_keys(self, names: object = ()) -> list[tuple[str, str, str]]:
        return [
            (press, PLAIN_KEYS.get(key, key) if self.ascii else self.say(key), self.plainly(what))
            for press, key, what in KEYS
        ]

    @override
    def draw(self) -> None:
        if not self.is_whole:
            return
        model = self.model
        self.query_one("#page").display = self._logging
        if not self.typing:
            self.set_focus(self.main)
        model.rehearse(plain=self.ascii)
        plan = stage(self.size.width, self.size.height, wish=model.wish, cast=model.table.cast)
        sheet = self.sheet("table")
        if plan is None:
            trouble = self.prompt.trouble
            text = self.pen(1).plainly(trouble or self.say(TOO_SMALL))
            rows = wrapped(text, "wrong" if trouble else "", self.size.width - 1)
            sheet.show(Block(tuple(rows)))
            return
        pace = next(name for name, factor in PACES.items() if factor == self.director.pace)
        viewpoint = Viewpoint(
            self.translator.lang, self.say(REPLAY, {"game": self._title}), (), link=self._eyes(),
            phase="end" if model.ended() is not None else "play", ascii=self.ascii,
            pace=self.say(PACE, {"name": self.say(PACE_NAMES[pace])}) if pace != "normal" else "",
        )  # fmt: skip
        foot = Foot(keys=self.shown_keys(), answer=self.say(KEYS[0][1]), trouble=self.prompt.trouble)
        frame = draw_frame(model.scene(viewpoint), plan, self.glyphs, self.plainly, foot)
        sheet.show(frame.block, cursor=frame.cursor)
        if self._logging:
            page = self.sheet("page")
            page.styles.width, page.styles.height = plan.width, plan.decision.y - 1
            page.styles.offset = (0, 1)
            page.show(
                log_block(model.table.visible(), self.pen(plan.width - 5)), grows=True
            )  # its edges, and the scroll bar

    def _eyes(self) -> str:
        seat = self.model.seat
        if seat is None:
            return self.say(SEEN_BY_ALL)
        if seat == ALL:
            return self.say(ALL_OPEN)
        return self.say(SEEN_BY, {"name": self.model.table.session.names[seat]})

    # -- keys -------------------------------------------------------------------------------------

    @override
    def takes(self, event: Key) -> bool:
        """Handle a digit: the player through whose eyes to see, 0 for what everyone saw."""
        character = event.character or ""
        if not (character.isascii() and character.isdecimal()):
            return False
        self._watch(int(character) - 1 if character != "0" else None)
        return True

    def _watch(self, seat: int | None) -> None:
        self.prompt.trouble = ""
        if seat is not None and seat >= len(self.model.table.session.names):
            return
        try:
            self.model.watch(seat)
        except Refused as refusal:
            self.prompt.refuse(refusal)

    def action_open_all(self) -> None:
        """Open all hands that this file can open, or see again what everyone saw."""
        self._watch(None if self.model.seat == ALL else ALL)
        self.draw()

    @override
    def action_step(self, where: str) -> None:
        if where in ("up", "down"):
            super().action_step(where)
        else:
            self._move(self.model.at + (1 if where == "right" else -1))

    def _move(self, moment: int) -> None:
        """Go to a moment by hand, which ends the play."""
        self._pause()
        self.prompt.trouble = ""
        self.model.go(moment)
        self.draw()

    def action_turn(self, by: int) -> None:
        """Go to the next turn, or to the beginning of this one or the one before."""
        self._pause()
        turn, at = self.model.turn, self.model.at
        self.model.to_turn(turn + max(0, by))
        if by < 0 and self.model.at >= at:
            self.model.to_turn(turn - 1)
        self.draw()

    def action_peak(self, by: int) -> None:
        self._pause()
        self.model.to_peak(by)
        self.draw()

    def action_ends(self, end: int) -> None:
        self._move(self.model.last if end else 0)

    def action_go_to(self) -> None:
        self._pause()
        self.query_one("#talk", Input).placeholder = self.say(GO_TO)
        self.action_talk()

    @override
    def typed(self, words: str) -> None:
        """Go to the turn of this number; raise `Refused` if there's no such turn."""
        turns = self.model.turns
        turn = number_within(words, 1, turns)
        if turn is None:
            raise Refused(TURN_WANTED, n=turns)
        self.model.to_turn(turn)

    def action_pace(self, by: int) -> None:
        """Play more slowly or faster; what is shown step by step never stops being so."""
        before = self.director.pace
        self.director.faster(by)
        self.director.pace = self.director.pace or before
        self.draw()

    def action_log(self) -> None:
        self._logging = not self._logging
        self.draw()
        if self._logging:
            self.call_after_refresh(self.sheet("page").scroll_end, animate=False, force=True)

    # -- playing ----------------------------------------------------------------------------------

    def action_play(self) -> None:
        """Play from here, or stop; at the end, begin again."""
        if self.model.playing:
            self._pause()
        else:
            if self.model.at == self.model.last:
                self.model.go(0)
            self.model.playing = True
            self._wait()
        self.draw()

    @override
    def action_answer(self) -> None:
        self.action_play()

    def _pause(self) -> None:
        self.model.playing = False
        if self._going is not None:
            self._going.stop()

    def _wait(self) -> None:
        self._going = self.set_timer(self.model.seconds(self.director.pace), self._go_on)

    def _go_on(self) -> None:
        if not self.model.playing:
            return
        self.model.go(self.model.at + 1)
        if self.model.at == self.model.last:
            self._pause()
        else:
            self._wait()
        self.draw()

    @override
    def action_help(self) -> None:
        """Do nothing: the last line has all keys."""

    @override
    def action_escape(self) -> None:
        if not self.close_talk():
            self._logging = False
        self.prompt.trouble = ""
        self.draw()

    @on(Sheet.Pointed, "#table")
    def _clicked(self, event: Sheet.Pointed) -> None:
        what, thing = event.thing
        if what == "key":
            self.press_named("space" if thing == "answer" else thing)
