"""The table screen: it shows one session at a pace, on a terminal of any size, and hears what people do.

What is known is `model`; what is drawn, the pure modules. Each part of the screen is a module beside this.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, ClassVar, Final

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.events import AppBlur, AppFocus, Event, Key, MouseDown
from textual.widgets import Input
from typing_extensions import override

from tavolata._engine.match.take_back import may as may_take_back
from tavolata._engine.match.updates import EMOTES
from tavolata._ui.answers import is_go
from tavolata._ui.i18n import Translator
from tavolata._ui.match_plan import Afterwards
from tavolata._ui.plain_commands import NO_NEWS, NOT_ASKED, THINKS
from tavolata._ui.scene.identity import looks_of, next_look
from tavolata._ui.tui.drawing.stage import TableStage
from tavolata._ui.tui.drawing.workshop import Pen
from tavolata._ui.tui.input.keyboard import Button, Keyboard
from tavolata._ui.tui.input.keys import KEYS
from tavolata._ui.tui.input.quick_hands import QuickHands
from tavolata._ui.tui.model.director import Feed, loop_time
from tavolata._ui.tui.model.prompt import PaletteItem, PromptQuestion
from tavolata._ui.tui.screens.after_match import AfterMatch, Goodbye
from tavolata._ui.tui.screens.calling_out import CallingOut
from tavolata._ui.tui.screens.frame import Frame, Left, Looks, named_key
from tavolata._ui.tui.screens.notify import Notifier
from tavolata._ui.tui.screens.offers import Offers
from tavolata._ui.tui.screens.pages import Pages
from tavolata._ui.tui.screens.presentation import Presentation
from tavolata._ui.tui.screens.surroundings import Surroundings
from tavolata._ui.tui.screens.table_drawing import TableDrawing
from tavolata._ui.tui.widgets.sheet import Sheet
from tavolata.asks import Ask
from tavolata.errors import Refused
from tavolata.messages import N_

if TYPE_CHECKING:
    from tavolata._engine.review.replay import Replay
    from tavolata._ui.tui.screens.rows_drawing import RowsDrawing

ELSEWHERE: Final = {"answer", "take", "undo", "talk", "commands", "help", "quit", "skip"}
"""The named keys that every screen has."""


class TableApp(Frame):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("slash", "talk('/')", show=False, priority=True),
        named_key("talk"),
        named_key("skip"),
        *(named_key(name, f"act('{name}')") for name in KEYS if name not in ELSEWHERE),
    ]
    LETTERS = Frame.LETTERS | {"talk", "act", "skip"}
    TALK_LINE = N_("Message to all; /to NAME, /help")
    _reader: int | None = None
    """The seat of the only player who looked at the screen when it was drawn last; None for everyone."""

    def __init__(
        self,
        feed: Feed,
        translator: Translator,
        looks: Looks,
        *,
        title: str,
        rules: Callable[[], str],
        after: Afterwards | None = None,
        is_new: Callable[[str], bool] = lambda _: False,
        past: Callable[[], Replay | None] = lambda: None,
    ) -> None:
        super().__init__(translator, looks)
        model = feed.model
        self.feed, self.session, self.model, self.director = feed, feed.session, model, feed.director
        model.plain = self.ascii
        self.surroundings = Surroundings(self, feed, title)
        self.pages = Pages(self, model, self.surroundings, rules)
        self.notifier = Notifier(looks, self.write)
        self.hands = QuickHands(model, self.notifier.ring)
        self.presentation = Presentation(self, feed, self.hands, self._call, is_new, past)
        self.after = AfterMatch(self, model, after, self.surroundings, self.pages, self.ask)
        self.offers = Offers(self, model, self.pages, self.after, self.ask)
        self.keyboard = Keyboard(
            model, feed.director, self.prompt, self.hands, self._lift, self.pages.close_note,
            self.offers.comer, loop_time,
        )  # fmt: skip
        self.calling = CallingOut(model, self.say, self.ask)
        self.goodbye = Goodbye(feed, self.say, self.ask, partial(self.exit, Left()))
        self.table = TableDrawing(self, feed, self.surroundings, self.hands, self.pages)
        self.acts: dict[str, Callable[[], object]] = {
            **{name: partial(self.calling.call, EMOTES[name]) for name in ("bravo", "wow", "ha", "ouch")},
            **{name: partial(self.pages.turn_to, name) for name in ("log", "rules", "help")},
            "slower": partial(self.director.faster, -1), "faster": partial(self.director.faster, 1),
            "talk": self.action_talk, "emote": self.calling.choose, "repeat": self.calling.repeat,
            "mute": self.calling.hush, "colour": self._change_look,
            "mark": partial(self._change_look, mark=True), "name": self.offers.rename,
            "do": self.offers.choose, "bot": self.offers.add_bot, "again": self.after.play_again,
            "take_back": self.session.take_back, "advice": self._advise, "why": self.pages.ask_why,
            "what": self._recall_news, "seats": self.pages.show_seats, "quit": self.goodbye.begin,
        }  # fmt: skip
        """By the name of a key, what it does."""

    def on_mount(self) -> None:
        for name in ("#side", "#page"):
            self.query_one(name).set_class(self.ascii, "-ascii")
        self.begin()
        self.set_interval(1.0, lambda: self.presentation.tick(stepped=self.surroundings.has_stepped()))
        self.run_worker(self._present(), exit_on_error=True)

    async def _present(self) -> None:
        await self.director.tell(self.presentation.show)
        self.exit(Left())

    @override
    def compose(self) -> ComposeResult:
        only = self.ascii
        yield Sheet(id="status", ascii_only=only, focusable=False)
        with Horizontal(id="middle"):
            yield Sheet(id="board", ascii_only=only)
            yield Sheet(id="side", ascii_only=only)
        yield Sheet(id="table", ascii_only=only)
        yield Sheet(id="page", ascii_only=only)
        yield Sheet(id="news", ascii_only=only, focusable=False)
        yield Sheet(id="prompt", ascii_only=only)
        yield Input(id="talk", compact=True, select_on_focus=False)
        yield Sheet(id="keys", ascii_only=only, focusable=False)

    # -- the question -----------------------------------------------------------------------------

    @override
    def question(self) -> PromptQuestion | None:
        return self.model.question()

    def ask(self, question: PromptQuestion) -> None:
        self.prompt.clear()
        self.model.own = question
        self.set_focus(self.main)
        self.draw()

    @override
    def sent(self, question: PromptQuestion, answer: Any) -> None:
        if self.model.own is question:
            self.model.own = None
        elif not self.director.pace and question.ask is not None:
            self.presentation.marking.hold()
        self.model.card = () if question.ask is not None else self.model.card
        question.done(answer)

    @override
    def typed(self, words: str) -> None:
        from tavolata._ui.tui.screens.typed_words import hear  # noqa: PLC0415 - a match starts faster without it

        hear(words, self.model, self.pages, self.say)

    @override
    def palette_items(self) -> list[PaletteItem]:
        from tavolata._ui.tui.screens.typed_words import found  # noqa: PLC0415 - a table starts faster without it

        return found(self, self.model, self.pages, self.offers.standing(), self.action_act)

    # -- drawing ----------------------------------------------------------------------------------

    @override
    def draw(self) -> None:
        if not self.is_whole:
            return
        if self._reader != self.model.veil.unveiled:  # what one person opened isn't for the next
            self._reader, self.prompt.palette = self.model.veil.unveiled, None
            if self.pages.view == "zone":
                self.pages.close_page()
        self.offers.renew()
        if self.question() is None or self.keyboard.button() is Button.ANSWER:
            self.write_answer()
        plan = self.plan()
        for name in ("status", "middle", "news", "prompt", "keys"):
            self.query_one(f"#{name}").display = plan is None
        self.sheet("table").display = plan is not None
        self.sheet("page").display = plan is not None and self.pages.view != "table"
        if not self.typing:
            self.set_focus(self.main)
        if plan is None:
            self.rows.draw(self.keys_now(), self.key("bot") if self.offers.may_add_bot else "")
        else:
            button = self.keyboard.button()
            told, board = self.presentation.told, self.after.sees_board
            self.table.draw(plan, button, told, self._offered(), self.keys_now(), on_board=board)
        self.keyboard.shows()

    def plan(self) -> TableStage | None:
        """Return where everything is; None where rows are drawn."""
        return self.table.plan(on_podium=self.offers.on_podium)

    @cached_property
    def rows(self) -> RowsDrawing:
        """Return the lobby as it's drawn, or what a small screen has room for."""
        from tavolata._ui.tui.screens.rows_drawing import RowsDrawing  # noqa: PLC0415 - a match starts faster without it

        return RowsDrawing(self, self.model, self.surroundings, self.pages)

    @override
    def pen(self, room: int) -> Pen:
        model, question = self.model, self.question()
        view = model.view()
        if question is not None and question.ask is not None and model.match is not None:
            view = model.match.view(question.ask.seat)
        return Pen(model.words(), view, self.glyphs, room)

    @override
    def waiting(self) -> str:
        return self.surroundings.waiting(None, [], self._offered())[1]

    def _offered(self) -> list[str]:
        comer = self.offers.comer()
        keys = {} if comer is None else {comer.label: f"{comer.key}. "}
        return [keys.get(label, "") + label for label, _ in self.offers.standing()]

    @property
    @override
    def main(self) -> Sheet:
        shown = [name for name in ("page", "table") if self.sheet(name).display]
        return self.sheet((*shown, "prompt")[0])

    @override
    def scrolled(self) -> Sheet:
        if self.sheet("table").display:
            return self.main
        return self.sheet("side" if self.pages.view != "table" else "board")

    @override
    def keys_now(self) -> list[str]:
        model, question = self.model, self.question()
        asked = None if question is None else question.ask
        here = {
            "answer": self.keyboard.button() in (Button.ANSWER, Button.LIFT, Button.BEGIN),
            "skip": self.keyboard.button() in (Button.NEXT, Button.AGAIN),
            "take": question is not None and question.draft.several,
            "undo": question is not None and question.draft.touched,
            "do": bool(self.offers.standing()),
            "take_back": may_take_back(model.match, self.session.people),
            "advice": self.table.guided and asked is not None and not is_go(asked.question),
            "why": question is not None and _cannot(question),
            "bot": self.offers.may_add_bot,
            "what": bool(model.recalled) and model.window is None,
        }
        matter = [name for name, matters in here.items() if matters]
        matter += ["talk", "log", "rules", "commands", "quit", "help"]
        if model.window is None:
            return matter
        return [name for name in matter if self.keymap[name].partition(",")[0] not in self.hands.own()]

    # -- keys -------------------------------------------------------------------------------------

    @override
    async def on_event(self, event: Event) -> None:
        if isinstance(event, Key | MouseDown) and not event.is_forwarded:
            self.session.stirred()
        await super().on_event(event)

    @override
    def takes(self, event: Key) -> bool:
        """Handle the letters of choices and of what follows a match, and the keys of reaction windows."""
        letter = event.character
        return bool(letter) and self._pressed(partial(self.keyboard.letter, letter or ""))

    def _pressed(self, press: Callable[[], object]) -> bool:
        """Press a key; return False if it means nothing here."""
        try:
            return press() is not False
        except Refused as refusal:
            self.prompt.refuse(refusal)
            if self.model.window is not None:
                self.hands.refused = self.prompt.trouble
            return True

    @override
    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Leave letters that have no meaning now to choices."""
        possible = {
            "bot": lambda: self.offers.may_add_bot,
            "name": lambda: self.model.lobby() is not None,
            "repeat": lambda: self.calling.last != "",
        }
        if action == "skip" and not self.sheet("table").display:
            return False  # where no match is on view, Tab goes from sheet to sheet
        name = str(parameters[0]) if action == "act" else ""
        return possible.get(name, lambda: True)() and super().check_action(action, parameters)

    def action_act(self, name: str) -> None:
        self.prompt.trouble = ""
        try:
            self.acts[name]()
        except Refused as refusal:
            self.prompt.refuse(refusal)
        self.draw()

    @override
    def action_help(self) -> None:
        self.action_act("help")

    @override
    def action_ask_to_leave(self) -> None:
        self.action_act("quit")

    @override
    def action_page(self, by: int) -> None:
        question = self.prompt.shown
        if self.pages.view == "table" and question is not None and self.sheet("table").display:
            question.draft.leap(by * self.prompt.page)
            self.draw()
        else:
            super().action_page(by)

    @override
    def action_take(self) -> None:
        self._pressed(self.keyboard.take)
        self.draw()

    @override
    def action_answer(self) -> None:
        if self.keyboard.button() is not Button.ANSWER or not self.writes_again():
            self._pressed(self.keyboard.answer)
        self.draw()

    def action_skip(self) -> None:
        self.keyboard.skip()
        self.draw()

    @override
    def point_at(self, place: int) -> None:
        self.keyboard.click(place)

    def _lift(self) -> None:
        """Lift the curtain; what has changed meanwhile is marked from now on."""
        self.model.unveil()
        self.presentation.marking.anew()

    @override
    def action_escape(self) -> None:
        if self.close_talk() or self.pages.close_page():
            pass
        elif self.model.recall is not None:
            self.model.recall = None
        elif self.model.own is not None:
            self.model.own = None
        elif not self.pages.close_note():
            self.prompt.undo()
        self.prompt.trouble = ""
        self.draw()

    def _advise(self) -> None:
        """Have a thinker advise at the question; its hint comes when it has thought."""
        question = self.question()
        if question is None or question.ask is None:
            raise Refused(NOT_ASKED)
        self.session.advise(question.ask)
        self.prompt.trouble = self.say(THINKS)

    def _recall_news(self) -> None:
        """Show again what happened since the last answer; the match continues meanwhile."""
        model = self.model
        if model.match is not None and model.window is None and self.pages.view == "table":
            self.prompt.trouble = "" if model.recalled else self.say(NO_NEWS)
            model.recall_next()

    def _change_look(self, *, mark: bool = False) -> None:
        """Take another colour or mark, which no one else has."""
        facts, seat = self.model.lobby(), self.model.seat()
        looks = looks_of(self.session.looks or [None] * len(self.session.names))
        if facts is not None:
            seat = next(iter(self.model.named_here()), None)
            looks = looks_of([one.look for one in facts.taken])
        if seat is not None and seat in range(len(looks)):
            self.session.choose_look(seat, *next_look(looks, seat, mark=mark))

    # -- terminal and mouse -----------------------------------------------------------------------

    def _call(self, ask: Ask) -> None:
        self.notifier.call(ask, self.surroundings.title, self.model.words())

    def on_app_focus(self, event: AppFocus) -> None:
        self.notifier.focused = True

    def on_app_blur(self, event: AppBlur) -> None:
        self.notifier.focused = False

    @on(Sheet.Pointed, "#table")
    def _table_clicked(self, event: Sheet.Pointed) -> None:
        what, thing = event.thing
        if what == "choice":
            self.point_at(thing)
            self.draw()
        elif what == "hold":
            self.keyboard.hold(thing)
            self.draw()
        elif what == "view":
            self.action_act(thing)
        else:
            self.press_named(thing)

    @on(Sheet.Pointed, "#status")
    def _view_clicked(self, event: Sheet.Pointed) -> None:
        self.action_act(event.thing)


def _cannot(question: PromptQuestion) -> bool:
    draft = question.draft
    unfit = not all(map(draft.fits, range(len(draft.choices))))
    return unfit or (bool(draft.choices) and bool(draft.shape.unavailable))  # type: ignore[union-attr]  # choices
