"""The table screen: the layout of status, board, log, rules, question and keys.

What is known is `model`; what is drawn, the pure modules; this one puts both on a terminal of any size.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.events import Key
from textual.widgets import Input
from typing_extensions import override

from tavolata._ui.curtain import LOOK_AWAY
from tavolata._ui.tui.drawing.board import draw_board
from tavolata._ui.tui.drawing.lines import key_line, log_block, news_block, status_line
from tavolata._ui.tui.drawing.lobby import draw_invitation, draw_lobby
from tavolata._ui.tui.drawing.markdown import markdown_block
from tavolata._ui.tui.drawing.pen import Pen
from tavolata._ui.tui.drawing.question import cards_of
from tavolata._ui.tui.drawing.roster import Players
from tavolata._ui.tui.drawing.runs import Block, wrapped
from tavolata._ui.tui.input.keys import KEYS, NAMED
from tavolata._ui.tui.input.window_keys import race_lines
from tavolata._ui.tui.model.palette import PaletteItem
from tavolata._ui.tui.model.questions import Question
from tavolata._ui.tui.screens.app import TableApp, TableView
from tavolata._ui.tui.screens.asking_screen import AskingScreen
from tavolata._ui.tui.screens.palette_items import palette_items
from tavolata._ui.tui.widgets.sheet import Sheet
from tavolata.messages import N_
from tavolata.ring import SEATS

HASTE = 1.5
"""Seconds after the end in which Enter does not leave, because it was meant for a card."""
LEAST = 4
"""Lines of the board that stay visible beside a hint."""
CHOICES = 3
"""Lines of choices that stay visible below a question of any length."""
WIDE = 100
"""The number of columns from which log and rules are shown beside the board."""
WAITING = N_("The others play.")
OVER = N_("Enter: leave. {key}: play again.")
JOINING = N_("The table lets you in...")
LEAVE = N_("Enter: leave.")
MORE = N_("There is more to this hint: {key} shows all.")
VIEWS = {"table": N_("table"), "log": KEYS["log"].what, "rules": KEYS["rules"].what}


class TableScreen(TableView):
    """The table of one session."""

    app: TableApp

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(KEYS["talk"].keys, "talk", id="talk", priority=True),
        Binding("slash", "talk('/')", show=False, priority=True),
        Binding(KEYS["do"].keys, "do", id="do", priority=True),
        Binding(KEYS["log"].keys, "view('log')", id="log", priority=True),
        Binding(KEYS["rules"].keys, "view('rules')", id="rules", priority=True),
        Binding(KEYS["seats"].keys, "seats", id="seats", priority=True),
        Binding(KEYS["again"].keys, "again", id="again", priority=True),
    ]
    LETTERS = AskingScreen.LETTERS | {"talk", "do", "view", "seats", "again"}

    @override
    def compose(self) -> ComposeResult:
        only = self.app.ascii
        yield Sheet(id="status", ascii_only=only, focusable=False)
        with Horizontal(id="middle"):
            yield Sheet(id="board", ascii_only=only)
            yield Sheet(id="side", ascii_only=only)
        yield Sheet(id="news", ascii_only=only, focusable=False)
        yield Sheet(id="prompt", ascii_only=only)
        yield Input(
            id="talk",
            placeholder=self.app.say(N_("Words to all; /to NAME, /help")),
            compact=True,
            select_on_focus=False,
        )
        yield Sheet(id="keys", ascii_only=only, focusable=False)

    def on_mount(self) -> None:
        """Give the question the focus."""
        self.ready = True
        self.query_one("#talk").display = False
        self.query_one("#side").set_class(self.app.ascii, "-ascii")
        self.set_focus(self.query_one("#prompt"))
        self.set_interval(1.0, self._tick)
        self.draw()

    def _tick(self) -> None:
        """Redraw the clock, which runs only while a question has a time limit."""
        model = self.app.model
        if any(ask.seconds is not None for ask in [*model.asks, *model.others]):
            self.draw_status()

    # -- drawing ----------------------------------------------------------------------------------

    @property
    def wide(self) -> bool:
        """Whether there is room for a column beside the board."""
        return self.size.width >= WIDE

    @override
    def question(self) -> Question | None:
        return self.app.model.question()

    @override
    def palette_items(self) -> list[PaletteItem]:
        return palette_items(self.app, self)

    @override
    def draw(self) -> None:
        if not self.is_whole:
            return
        model, height = self.app.model, self.size.height
        self.app.idle()
        prompt = self.draw_prompt()
        self.query_one("#status").display = height >= 6
        self.query_one("#keys").display = height >= 8
        taken = (height >= 6) + (height >= 8) + self.query_one("#talk").display
        room = height - taken
        lines = max(1, min(prompt.height, room if height < 9 else room - max(3, room // 2)))
        self.query_one("#prompt").styles.height = lines
        self.sheet("prompt").pin(min(self.head, max(0, lines - CHOICES)))
        inviting = self.inviting and self.app.facts() is not None  # the QR code needs the room
        news = 0 if self.wide or self.view != "table" or height < 10 or inviting else 1 if height < 16 else 3
        if (
            news > 1
            and self._board(max(1, self.size.width - 3), room - lines - news).height > room - lines - news
        ):
            news = 1  # the table itself needs the room
        if news:
            more = self.app.say(MORE, {"key": self.app.key("log")})
            most = max(news, room - lines - LEAST)
            said = news_block(model.visible(), self.size.width - 2, news, most, more)
            news = max(news, said.height)
            self.sheet("news").show(said)
        self.query_one("#news").display = bool(news)
        self.query_one("#news").styles.height = news
        self._draw_middle(room - lines - news)
        self.draw_status()
        self.sheet("keys").show(key_line(self._keys(), self.size.width - 2))

    def _draw_middle(self, height: int) -> None:
        board, side = self.sheet("board"), self.sheet("side")
        board.display = self.wide or self.view == "table"
        side.display = self.wide or self.view != "table"
        width = self.size.width
        waits = self.app.model.match is None  # a lobby has long lines, and little has happened yet
        beside = (min(40, width // 3) if waits else min(60, width * 2 // 5)) if self.wide else width
        side.styles.width = beside
        side.set_class(not self.wide, "-narrow")
        inside = beside - (7 if self.wide else 3)
        if board.display:
            room = width - 3 - (beside if self.wide else 0)
            board.show(self._board(max(1, room), height))
        if side.display and self.view == "rules":
            side.show(markdown_block(self.app.rules_shown(), max(1, inside)))
        elif side.display and self.view == "help":
            rows = [row for text, role in self.app.help_shown() for row in wrapped(text, role, inside, "  ")]
            side.show(Block(tuple(rows)))
        elif side.display:
            side.show(log_block(self.app.model.visible(), max(1, inside)), grows=True)

    @override
    def pen(self, room: int) -> Pen:
        model = self.app.model
        question = model.question()
        view = model.view()
        if question is not None and question.ask is not None and model.match is not None:
            view = model.match.view(question.ask.seat)
        return Pen(model.words(), view, self.app.glyphs, room)

    def _board(self, room: int, height: int) -> Block:
        model, match = self.app.model, self.app.model.match
        facts, pen = self.app.facts(), replace(self.pen(room), view=model.view())
        if facts is not None and (match is None or model.ended is not None):
            return draw_invitation(facts, pen, with_qr=True) if self.inviting else draw_lobby(facts, pen)
        if match is None:
            return Block((pen.line(self.app.say(JOINING), "dim"),))
        question = model.question()
        if question is not None:
            cards = cards_of(question.draft)
            at = {place: card for card, place in cards.items()}
            pen = replace(
                pen,
                pointed=frozenset(cards),
                taken=frozenset(at[place] for place in question.draft.marked if place in at),
                cursor=at.get(question.draft.cursor),
            )
        players = Players(match.terms.names, frozenset(model.looking()), model.asked(), self.app.marks())
        return draw_board(model.zones().values(), players, pen, height)

    @override
    def waiting(self) -> str:
        model, words = self.app.model, self.app.model.words()
        if model.curtain() is not None:
            return words.text(LOOK_AWAY, {"seat": model.asks[0].seat})
        if model.ended is not None:
            again = self.app.can_play_again
            return self.app.say(OVER if again else LEAVE, {"key": self.app.key("again")})
        if model.window is not None:
            left = [seat for seat in model.window.mine if model.window.window.may(seat)]
            return "\n".join(race_lines(model.window._replace(mine=tuple(left)), model.session.people, words))
        for ask in reversed(model.others):
            if ask.others:
                return words.text(ask.others, {"seat": ask.seat, **ask.params}, model.view())
        return self.app.say(WAITING) if model.match is not None else ""

    def draw_status(self) -> None:
        """Draw the first line: the game, the turn, the clock and the views."""
        model = self.app.model
        left = [self.app.title_of_game]
        if model.match is not None and model.ended is None:
            left.append(self.app.say(N_("turn {number}"), {"number": model.turn() + 1}))
        if asked := [model.words().describe(SEATS[seat]) for seat in sorted(model.asked())]:
            more = f" +{len(asked) - 3}" if len(asked) > 3 else ""
            left.append(f"{self.app.glyphs.turn} {', '.join(asked[:3])}{more}")
        now = ("log" if self.view == "table" else self.view) if self.wide else self.view
        views = [(name, self.app.say(what)) for name, what in VIEWS.items()
                 if not (self.wide and name == "table")]  # fmt: skip
        room, glyphs = self.size.width - 2, self.app.glyphs
        self.sheet("status").show(status_line(left, self._clock(), self.app.link(), views, now, room, glyphs))

    def _clock(self) -> str:
        model, now = self.app.model, time.monotonic()
        for ask in [*model.asks, *model.others]:
            if ask.seconds is not None:
                left = ask.seconds - (now - self.app.asked_at.get(ask.id, now))
                return self.app.say(N_("{number} s left"), {"number": max(0, round(left))})
        return ""

    def _keys(self) -> list[tuple[str, str, str]]:
        model, names = self.app.model, list[str]()
        if self.typing:
            return [
                ("answer", self.app.say(NAMED["enter"]), self.app.say(N_("say it"))),
                ("", self.app.say(NAMED["escape"]), self.app.say(N_("back"))),
            ]
        if self.palette is not None:
            return [
                ("answer", self.app.say(NAMED["enter"]), self.app.say(N_("do it"))),
                ("", self.app.say(NAMED["escape"]), self.app.say(N_("back"))),
            ]
        question = model.question()
        if question is not None or model.curtain() is not None or model.ended is not None:
            names.append("answer")
        if question is not None:
            names += ["take"] if question.draft.several else []
            names += ["undo"] if question.draft.touched else []
        if model.ended is not None and self.app.can_play_again:
            names.append("again")
        if self.app.standing():
            names.append("do")
        names += ["talk", "log", "rules", "commands", "quit", "help"]
        return [(name, self.app.key(name), self.app.say(KEYS[name].what)) for name in names]

    # -- keys -------------------------------------------------------------------------------------

    def takes(self, event: Key) -> bool:
        """Handle the keys of an open reaction window before all others."""
        return self.app.react(event.key, event.character or "")

    @override
    def scrolled(self) -> Sheet:
        if self.focused is not None and self.focused.id in ("board", "side"):
            return self.sheet(self.focused.id)
        return self.sheet("side" if self.view != "table" else "board")

    def action_take(self) -> None:
        """Show at once what waits to be shown; else see `AskingScreen`."""
        if self.question() not in (None, self.app.model.idle) or not self.app.story.skip():
            super().action_take()

    def action_answer(self) -> None:
        """Show at once what waits to be shown; else see `AskingScreen`."""
        if self.question() not in (None, self.app.model.idle) or not self.app.story.skip():
            self.inviting = False
            super().action_answer()

    def go_on(self) -> None:
        """Lift a curtain; after the match, leave."""
        model = self.app.model
        if model.curtain() is not None:
            model.unveil()
        elif model.ended is not None and time.monotonic() - self.app.ended_at > HASTE:
            self.app.leave()

    @override
    def sent(self, question: Question, answer: Any) -> None:
        if self.app.model.own is question:
            self.app.model.own = None
        question.done(answer)

    def ask(self, question: Question) -> None:
        """Ask a question of the program."""
        self.trouble, self.palette = "", None
        self.app.model.own = question
        self.set_focus(self.sheet("prompt"))
        self.draw()

    def action_again(self) -> None:
        """Play again after the match."""
        if self.app.model.ended is not None and self.app.can_play_again:
            self.app.leave(again=True)

    def action_view(self, name: str) -> None:
        """Show the log or the rules; if shown already, show the table again."""
        if self.view == "rules" == name:
            self.app.topic = ""
        self.view = "table" if self.view == name or (name == "log" and self.wide) else name
        self.draw()
        self.set_focus(self.sheet("side" if self.view != "table" and not self.wide else "prompt"))
        side = self.sheet("side")
        goes = side.scroll_end if self.view in ("table", "log") else side.scroll_home
        self.call_after_refresh(goes, animate=False, force=True)

    @override
    def action_back(self) -> None:
        model = self.app.model
        if self.close_talk():
            pass
        elif model.own is not None or self.inviting:
            model.own, self.inviting = None, False
        else:
            self.view = "table"
        self.draw()

    def action_talk(self, begin: str = "") -> None:
        """Open the line for words and commands."""
        self.open_talk(begin)

    @override
    def typed(self, words: str) -> None:
        self.app.speak(words)

    def action_do(self) -> None:
        """Let the person choose an interjection."""
        self.app.choose_standing()

    def action_seats(self) -> None:
        """Show the players."""
        self.app.show_seats()

    # -- mouse ------------------------------------------------------------------------------------

    @on(Sheet.Pointed, "#board")
    def _card_clicked(self, event: Sheet.Pointed) -> None:
        question = self.question()
        place = None if question is None else cards_of(question.draft).get(event.thing)
        if place is not None:
            self.point(place)

    @on(Sheet.Pointed, "#status")
    def _view_clicked(self, event: Sheet.Pointed) -> None:
        if event.thing != self.view:
            self.action_view(event.thing)
