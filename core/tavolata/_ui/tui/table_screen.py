"""The table: status, board, log, rules, the question, the keys. Where each of them is shown, and when.

What is known is `desk`; what is drawn, the pure modules; this one puts both on a terminal of any size.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.events import Key, Resize
from textual.screen import Screen
from textual.widgets import Input

from tavolata._ui.tui.asking import Question
from tavolata._ui.tui.board import draw_board
from tavolata._ui.tui.keys import KEYS
from tavolata._ui.tui.lines import key_line, log_block, status_line
from tavolata._ui.tui.lobby import draw_invitation, draw_lobby
from tavolata._ui.tui.pen import Pen
from tavolata._ui.tui.question import cards_of, draw_question
from tavolata._ui.tui.roster import Players
from tavolata._ui.tui.rules_text import rules_block
from tavolata._ui.tui.runs import Block, wrapped
from tavolata._ui.tui.sheet import Sheet
from tavolata.errors import Refused
from tavolata.kinds import Amount, SomeOf
from tavolata.messages import N_

if TYPE_CHECKING:
    from tavolata._ui.tui.app import TableApp

WIDE = 100
"""From so many columns on, log and rules stand beside the board."""
WAITING = N_("The others play.")
LOOK_AWAY = N_("Now it is {seat}'s turn. Everybody else looks away; {seat} presses Enter.")
OVER = N_("Enter: leave. {key}: play again.")
JOINING = N_("The table lets you in...")
LEAVE = N_("Enter: leave.")
VIEWS = ("table", "log", "rules")


class TableScreen(Screen[None]):
    """The table of one sitting."""

    app: TableApp

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(KEYS["answer"].keys, "answer", KEYS["answer"].what, id="answer"),
        Binding(KEYS["take"].keys, "take", KEYS["take"].what, id="take"),
        Binding(KEYS["undo"].keys, "undo", KEYS["undo"].what, id="undo"),
        Binding(KEYS["talk"].keys, "talk", KEYS["talk"].what, id="talk"),
        Binding("slash", "talk('/')", show=False),
        Binding(KEYS["do"].keys, "do", KEYS["do"].what, id="do"),
        Binding(KEYS["log"].keys, "view('log')", KEYS["log"].what, id="log"),
        Binding(KEYS["rules"].keys, "view('rules')", KEYS["rules"].what, id="rules"),
        Binding(KEYS["seats"].keys, "seats", KEYS["seats"].what, id="seats"),
        Binding(KEYS["again"].keys, "again", KEYS["again"].what, id="again"),
        Binding("escape", "back", show=False),
        Binding("up,k", "step('up')", show=False),
        Binding("down,j", "step('down')", show=False),
        Binding("left,h", "step('left')", show=False),
        Binding("right", "step('right')", show=False),
        Binding("pageup", "page(-1)", show=False),
        Binding("pagedown", "page(1)", show=False),
    ]

    def __init__(self) -> None:
        super().__init__()
        self.view = "table"
        self.columns = 1
        self.trouble = ""
        self.inviting = False
        self._ready = False

    def compose(self) -> ComposeResult:
        """See Textual."""
        only = self.app.ascii
        yield Sheet(id="status", ascii_only=only, focusable=False)
        with Horizontal(id="middle"):
            yield Sheet(id="board", ascii_only=only)
            yield Sheet(id="side", ascii_only=only)
        yield Sheet(id="news", ascii_only=only, focusable=False)
        yield Sheet(id="prompt", ascii_only=only)
        yield Input(id="talk", placeholder=self.app.say(N_("Words to all; /to NAME, /help")), compact=True)
        yield Sheet(id="keys", ascii_only=only, focusable=False)

    def on_mount(self) -> None:
        """Begin with the keys on the question."""
        self._ready = True
        self.query_one("#talk").display = False
        self.query_one("#prompt").focus()
        self.set_interval(1.0, self._tick)
        self.draw()

    def on_resize(self, event: Resize) -> None:
        """Everything is laid out anew."""
        self.draw()

    def _tick(self) -> None:
        """A clock runs only while somebody is asked against time."""
        desk = self.app.desk
        if any(ask.seconds is not None for ask in [*desk.asks, *desk.others]):
            self.draw_status()

    # -- drawing ----------------------------------------------------------------------------------

    @property
    def wide(self) -> bool:
        """Whether there is room for a side beside the board."""
        return self.size.width >= WIDE

    def draw(self) -> None:
        """Show what is known now."""
        if not self._ready or not self.size.width:
            return
        desk, height = self.app.desk, self.size.height
        self.app.idle()
        prompt = self._draw_prompt()
        self.query_one("#status").display = height >= 6
        self.query_one("#keys").display = height >= 8
        taken = (height >= 6) + (height >= 8) + self.query_one("#talk").display
        room = height - taken
        lines = max(1, min(prompt.height, room if height < 9 else room - max(3, room // 2)))
        self.query_one("#prompt").styles.height = lines
        news = 0 if self.wide or self.view != "table" or height < 10 else 1 if height < 16 else 3
        self.query_one("#news").display = bool(news)
        self.query_one("#news").styles.height = news
        middle = room - lines - news
        self._draw_middle(middle)
        if news:
            recent = log_block(desk.visible()[-news:], self.size.width - 2)
            self._sheet("news").show(Block(recent.lines[-news:]))
        self.draw_status()
        self._sheet("keys").show(key_line(self._keys(), self.size.width))

    def _sheet(self, name: str) -> Sheet:
        return self.query_one(f"#{name}", Sheet)

    def _draw_middle(self, height: int) -> None:
        board, side = self._sheet("board"), self._sheet("side")
        board.display = self.wide or self.view == "table"
        side.display = self.wide or self.view != "table"
        width = self.size.width
        beside = min(60, width * 2 // 5) if self.wide else width
        side.styles.width = beside
        if board.display:
            room = width - 2 - (beside if self.wide else 0)
            board.show(self._board(room, height))
        if side.display and self.view == "rules":
            side.show(rules_block(self.app.rules(), beside - 4))
        elif side.display:
            at_end = side.is_vertical_scroll_end
            side.show(log_block(self.app.desk.visible(), beside - 4))
            if at_end:
                side.scroll_end(animate=False, immediate=True)

    def pen(self, room: int) -> Pen:
        """How to draw for those who look now."""
        desk = self.app.desk
        return Pen(desk.words(), desk.view(), self.app.glyphs, room)

    def _board(self, room: int, height: int) -> Block:
        desk, match = self.app.desk, self.app.desk.match
        facts, pen = self.app.facts(), self.pen(room)
        if facts is not None and (match is None or desk.ended is not None):
            return draw_invitation(facts, pen, with_qr=True) if self.inviting else draw_lobby(facts, pen)
        if match is None:
            return Block((pen.line(self.app.say(JOINING), "dim"),))
        question = desk.question()
        if question is not None:
            cards = cards_of(question.draft)
            at = {place: card for card, place in cards.items()}
            pen = replace(
                pen,
                pointed=frozenset(cards),
                taken=frozenset(at[place] for place in question.draft.marked if place in at),
                cursor=at.get(question.draft.cursor),
            )
        mine = desk.sitting.people if not desk.several else () if desk.unveiled is None else (desk.unveiled,)
        asked = frozenset(int(ask.seat) for ask in [*desk.asks, *desk.others])
        players = Players(match.terms.names, frozenset(mine), asked, self.app.marks())
        return draw_board(desk.zones().values(), players, pen, height)

    def _draw_prompt(self) -> Block:
        desk, room = self.app.desk, max(1, self.size.width - 2)
        question, sheet = desk.question(), self._sheet("prompt")
        cursor = None
        if question is not None:
            pen = self.pen(room)
            if question.ask is not None and desk.match is not None:
                pen = replace(pen, view=desk.match.view(question.ask.seat))
            drawn = draw_question(question.prompt, question.draft, pen, question.ask)
            block, self.columns, cursor = drawn.block, drawn.columns, drawn.cursor
        else:
            block = Block(tuple(wrapped(self._waiting(), "dim", room)))
        if self.trouble:
            lines = tuple(wrapped(self.trouble, "wrong", room))
            block = Block((*lines, *block.lines), tuple(spot.moved(0, len(lines)) for spot in block.spots))
            cursor = None if cursor is None else (cursor[0], cursor[1] + len(lines))
        sheet.show(block, cursor=cursor or (0, 0))
        return block

    def _waiting(self) -> str:
        desk, words = self.app.desk, self.app.desk.words()
        curtain = desk.curtain()
        if curtain is not None:
            return words.text(LOOK_AWAY, {"seat": desk.asks[0].seat})
        if desk.ended is not None:
            again = self.app.can_play_again
            return self.app.say(OVER if again else LEAVE, {"key": self.app.key("again")})
        for ask in reversed(desk.others):
            if ask.others:
                return words.text(ask.others, {"seat": ask.seat, **ask.params}, desk.view())
        return self.app.say(WAITING) if desk.match is not None else ""

    def draw_status(self) -> None:
        """The first line: the game, the turn, the clock, and what else can be looked at."""
        desk = self.app.desk
        left = [self.app.title_of_game]
        if desk.match is not None and desk.ended is None:
            left.append(self.app.say(N_("turn {n}"), {"n": desk.match.table.turn + 1}))
        asked = [desk.words().describe(ask.seat) for ask in [*desk.asks, *desk.others]]
        if asked:
            more = f" +{len(asked) - 3}" if len(asked) > 3 else ""
            left.append(f"{self.app.glyphs.turn} {', '.join(asked[:3])}{more}")
        clock = self._clock()
        views = [(name, self.app.say(KEYS.get(name, KEYS["log"]).what if name != "table" else N_("table")))
                 for name in VIEWS]  # fmt: skip
        now = ("log" if self.view == "table" else self.view) if self.wide else self.view
        shown = [one for one in views if not (self.wide and one[0] == "table")]
        line = status_line(left, clock, self.app.link(), shown, now, self.size.width, self.app.glyphs)
        self._sheet("status").show(line)

    def _clock(self) -> str:
        desk, now = self.app.desk, time.monotonic()
        for ask in [*desk.asks, *desk.others]:
            if ask.seconds is not None:
                left = ask.seconds - (now - self.app.asked_at.get(ask.id, now))
                return self.app.say(N_("{n} s left"), {"n": max(0, round(left))})
        return ""

    def _keys(self) -> list[tuple[str, str, str]]:
        desk, names = self.app.desk, list[str]()
        if self.query_one("#talk").has_focus:
            return [("answer", "Enter", self.app.say(N_("say it"))), ("", "Esc", self.app.say(N_("back")))]
        question = desk.question()
        if question is not None or desk.curtain() is not None or desk.ended is not None:
            names.append("answer")
        if question is not None:
            names += ["take"] if isinstance(question.draft.now, SomeOf) else []
            names += ["undo"] if question.draft.touched else []
        if desk.ended is not None and self.app.can_play_again:
            names.append("again")
        if self.app.standing():
            names.append("do")
        names += ["talk", "log", "rules", "commands", "quit", "help"]
        return [(name, self.app.key(name), self.app.say(KEYS[name].what)) for name in names]

    # -- keys -------------------------------------------------------------------------------------

    def on_key(self, event: Key) -> None:
        """Digits name a choice, or are an amount."""
        question = self.app.desk.question()
        if (
            event.character
            and event.character in "0123456789"
            and not self.query_one("#talk").has_focus
            and question is not None
        ):
            event.stop()
            question.draft.digit(event.character)
            self.draw()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """While words are typed, letters are letters."""
        typing = self._ready and self.query_one("#talk").has_focus
        return not typing or action not in {
            "answer", "take", "undo", "talk", "do", "view", "seats", "again", "step"
        }  # fmt: skip

    def action_step(self, where: str) -> None:
        """Point at another choice; without a question, scroll."""
        question = self.app.desk.question()
        if question is None or self._scrolls():
            self._scrolled().scroll_relative(y={"up": -1, "down": 1}.get(where, 0), animate=False)
            return
        amount = isinstance(question.draft.now, Amount)
        across = -1 if amount else self.columns
        question.draft.move({"left": -1, "right": 1, "up": -across, "down": across}[where])
        self.draw()

    def _scrolls(self) -> bool:
        return self.focused is not None and self.focused.id in ("board", "side")

    def _scrolled(self) -> Sheet:
        if self.focused is not None and self.focused.id in ("board", "side"):
            return self._sheet(self.focused.id)
        return self._sheet("side" if self.view != "table" else "board")

    def action_page(self, by: int) -> None:
        """Scroll by a page."""
        sheet = self._scrolled()
        sheet.scroll_relative(y=by * max(1, sheet.size.height - 1), animate=False)

    def action_take(self) -> None:
        """Show at once what waits; take a choice where several can be; go on where none can."""
        question = self.app.desk.question()
        if self.app.skip() or question is None:
            return
        if isinstance(question.draft.now, SomeOf):
            question.draft.mark()
            self.draw()
        elif question.kind.count() == 1:
            self.action_answer()

    def action_undo(self) -> None:
        """Take back what was not sent."""
        question = self.app.desk.question()
        if question is not None and question.draft.undo():
            self.trouble = ""
            self.draw()

    def action_answer(self) -> None:
        """Send the answer; lift a curtain; after the match, leave."""
        desk = self.app.desk
        if self.app.skip():
            return
        self.trouble, self.inviting = "", False
        if desk.question() is not None:
            self._answer()
        elif desk.curtain() is not None:
            desk.unveil()
        elif desk.ended is not None:
            self.app.leave()
        self.draw()

    def _answer(self) -> None:
        desk = self.app.desk
        question = desk.question()
        assert question is not None
        try:
            answer = question.draft.enter()
            if answer is not None:
                if desk.own is question:
                    desk.own = None
                question.done(answer)
        except Refused as refusal:
            self.trouble = desk.words().text(refusal.reason, refusal.params)

    def ask(self, question: Question) -> None:
        """Put a question of the program."""
        self.trouble = ""
        self.app.desk.own = question
        self._sheet("prompt").focus()
        self.draw()

    def action_again(self) -> None:
        """Play again, when the match is over."""
        if self.app.desk.ended is not None and self.app.can_play_again:
            self.app.leave(again=True)

    def action_view(self, name: str) -> None:
        """Show the log or the rules; a second time, the table again."""
        self.view = "table" if self.view == name or (name == "log" and self.wide) else name
        self.draw()
        if self.view != "table" and not self.wide:
            self._sheet("side").focus()
        else:
            self._sheet("prompt").focus()
        if self.view == "rules":
            self._sheet("side").scroll_home(animate=False)
        elif self.view == "log":
            self._sheet("side").scroll_end(animate=False)

    def action_back(self) -> None:
        """Out of what was opened, to the question."""
        talk = self.query_one("#talk", Input)
        if talk.display:
            talk.value, talk.display = "", False
        elif self.app.desk.own is not None:
            self.app.desk.own = None
        else:
            self.view = "table"
        self._sheet("prompt").focus()
        self.draw()

    def action_talk(self, begin: str = "") -> None:
        """Open the line for words and commands."""
        talk = self.query_one("#talk", Input)
        talk.display, talk.value = True, begin
        talk.cursor_position = len(begin)
        talk.focus()
        self.draw()

    @on(Input.Submitted, "#talk")
    def _said(self, event: Input.Submitted) -> None:
        event.stop()
        words = event.value.strip()
        event.input.value, event.input.display = "", False
        self._sheet("prompt").focus()
        if words:
            try:
                self.trouble = ""
                self.app.speak(words)
            except Refused as refusal:
                self.trouble = self.app.desk.words().text(refusal.reason, refusal.params)
        self.draw()

    def action_do(self) -> None:
        """Choose from what may be done at any time."""
        self.app.choose_standing()

    def action_seats(self) -> None:
        """Who sits here."""
        self.app.show_seats()

    # -- mouse ------------------------------------------------------------------------------------

    @on(Sheet.Pointed, "#prompt")
    def _choice_clicked(self, event: Sheet.Pointed) -> None:
        self._point(event.thing)

    @on(Sheet.Pointed, "#board")
    def _card_clicked(self, event: Sheet.Pointed) -> None:
        question = self.app.desk.question()
        place = None if question is None else cards_of(question.draft).get(event.thing)
        if place is not None:
            self._point(place)

    def _point(self, place: int) -> None:
        question = self.app.desk.question()
        if question is None:
            return
        again = question.draft.point(place)
        if isinstance(question.draft.now, SomeOf):
            question.draft.mark()
        elif again:
            self.action_answer()
            return
        self.draw()

    @on(Sheet.Pointed, "#status")
    def _view_clicked(self, event: Sheet.Pointed) -> None:
        if event.thing != self.view:
            self.action_view(event.thing)

    @on(Sheet.Pointed, "#keys")
    async def _key_clicked(self, event: Sheet.Pointed) -> None:
        await self.app.press_named(event.thing)
