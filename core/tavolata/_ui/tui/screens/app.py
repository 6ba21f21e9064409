"""The Textual application of the table screen: it follows one session and shows it at a pace."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from textual.events import AppBlur, AppFocus

from tavolata._engine.match.updates import Asked, Ended, Update, WindowClosed, WindowOpened
from tavolata._engine.sessions.session import TableSession
from tavolata._engine.sessions.table_facts import TableFacts
from tavolata._ui.answers import NUMBERED, is_go
from tavolata._ui.chapters import chapter
from tavolata._ui.i18n import Translator
from tavolata._ui.plain_commands import Commands
from tavolata._ui.standing import Standing, standing
from tavolata._ui.tui.drawing.help_page import help_lines
from tavolata._ui.tui.drawing.roster import AWAY, BOT, STAND_IN
from tavolata._ui.tui.input.window_keys import keys_of
from tavolata._ui.tui.model.questions import Question
from tavolata._ui.tui.model.story import Story
from tavolata._ui.tui.model.table_model import TableModel
from tavolata._ui.tui.screens.asking_screen import AskingScreen
from tavolata._ui.tui.screens.frame import Frame, Left, Looks
from tavolata._ui.tui.screens.hosting import Hosting, Rows, chosen
from tavolata._ui.tui.screens.notify import BELL, notification
from tavolata._ui.window_input import WindowInput
from tavolata.choices import Choice
from tavolata.errors import Refused
from tavolata.kinds.kind import choices_of
from tavolata.kinds.one_of import OneOf
from tavolata.messages import N_

LEAVE = N_("Do you want to leave?")
STAY = N_("stay")
GO_AWAY = N_("leave")
LOBBY = N_("What now?")
ABSENT = N_("Somebody is away. What is to be done?")
INVITING = N_("This is how others join.")
BACK = N_("back")
SLOW = 150
"""The round-trip time in milliseconds above which it is shown beside a name."""


class TableView(AskingScreen):
    """The table screen, as far as the application needs it.

    Attributes:
        view: the current view: the table, the log, the rules or the help.
        inviting: whether the invitation page is shown instead of the table.
    """

    view = "table"
    inviting = False

    def ask(self, question: Question) -> None:
        """Ask a question of the program."""
        raise NotImplementedError

    def action_view(self, name: str) -> None:
        """Show another view than the table; if it is shown already, show the table again."""
        raise NotImplementedError

    def action_talk(self, begin: str = "") -> None:
        """Open the line for words and commands."""
        raise NotImplementedError

    def action_seats(self) -> None:
        """Show the players."""
        raise NotImplementedError


class TableApp(Frame):
    """One session on a full screen.

    Args:
        session: the session to show.
        translator: the language.
        looks: the appearance.
        screen: makes the table screen.
        title: the title of the game.
        rules: reads the rules of the game.
        can_play_again: whether another match of the same kind can follow.
    """

    def __init__(
        self,
        session: TableSession,
        translator: Translator,
        looks: Looks,
        screen: Callable[[], TableView],
        *,
        title: str,
        rules: Callable[[], str],
        can_play_again: bool = False,
    ) -> None:
        super().__init__(translator, looks)
        self._table_screen = screen
        self._title = title
        self.session = session
        self.model = TableModel(session, translator)
        self.can_play_again = can_play_again
        self.asked_at: dict[int, float] = {}
        self.ended_at = 0.0
        self._read_rules = rules
        self._rules, self.topic = ("", ""), ""
        self._commands = Commands(self.model, session, translator, self.model.reply, self.rules)
        self._hosting = None if session.commands is None else Hosting(
            translator.text,
            lambda text: self.model.words().text(text),
            session.commands,
            self._ask,
            self.invite,
        )  # fmt: skip
        self._race = WindowInput(session, lambda _: None, lambda: self.write(BELL) if looks.bell else None)
        self.story = Story(looks.step)
        self._focused = True

    async def on_mount(self) -> None:
        """Show the table and the updates so far."""
        self.begin()
        await self.push_screen(self._table_screen())
        self.run_worker(self._present(), exit_on_error=True)

    @property
    def table(self) -> TableView | None:
        """The table screen, if it is shown."""
        return next((one for one in self.screen_stack if isinstance(one, TableView)), None)

    def rules(self) -> str:
        """The rules of the game, in the person's language."""
        if self._rules[0] != self.session.game:  # a table may change to another game
            self._rules, self.topic = (self.session.game, self._read_rules()), ""
        return self._rules[1]

    def read_rules(self, topic: str = "") -> None:
        """Show the rules, or one chapter of them, beside the table.

        Raises:
            Refused: there is no such chapter.
        """
        if topic:
            chapter(self.rules(), topic)
        self.topic = topic
        if table := self.table:
            table.view = "table"
            table.action_view("rules")

    def rules_shown(self) -> str:
        """The part of the rules to show now."""
        text = self.rules()
        return chapter(text, self.topic) if self.topic else text

    @property
    def title_of_game(self) -> str:
        """The title of the game."""
        facts, match = self.session.table(), self.session.match
        rules = facts.rules if facts is not None else None if match is None else match.rules
        return self._title if rules is None else self.model.words().text(rules.title)

    # -- the session ------------------------------------------------------------------------------

    async def follow(self) -> None:
        """Take all updates from the session at once; they are shown later at the chosen pace."""
        self._watch()
        try:
            async with contextlib.aclosing(self.session.updates()) as updates:
                async for update in updates:
                    if isinstance(update, Asked):
                        self.asked_at[update.ask.id] = time.monotonic()
                    self.story.add(update)
                    self._watch()
        except Exception as error:  # noqa: BLE001 - kept, and raised again when the screen is gone
            self.failure = error
        # After a match, people can look at its last board for as long as they like.
        shown = self.model.ended is not None or self.story.has_end
        self.story.end(ended=self.failure is not None or not shown)

    def _watch(self) -> None:
        """Keep a snapshot of the board at each event, because the match goes on while it is shown."""
        if self.session.match is not None and self.looks.step:
            self.session.match.look = self.model.look

    async def _present(self) -> None:
        await self.story.tell(self._show)
        self.exit(Left())

    async def _show(self, update: Update) -> None:
        self.model.seen = self.story.seen(update, self.model.seen)
        self.model.take(update)
        if isinstance(update, Asked) and update.mine:
            self._call(update)
        if isinstance(update, Ended):
            self.ended_at = time.monotonic()
        if isinstance(update, WindowClosed):
            self._race.close()
        if table := self.table:
            if isinstance(update, WindowOpened):
                table.palette = None  # the keys are needed
            table.draw()
            if isinstance(update, WindowOpened):
                drawn = asyncio.Event()
                table.call_after_refresh(drawn.set)
                await drawn.wait()  # time runs from when the card is visible
                self._race.open(update, self.model.words())

    def react(self, key: str, character: str) -> bool:
        """Handle a pressed key; return whether it was a key of an open reaction window."""
        window = self.model.window
        asked = self.model.question()
        if window is None or (key == "enter" and asked is not None and asked.ask is None):
            return False  # Enter answers the program's question and lays no card
        now, mine = time.monotonic(), keys_of(self.session.people)
        typed = ""
        if key != "enter":
            alone = len(mine) == 1 and key == "space"
            typed = next(iter(mine)) if alone else character.lower()
            if typed not in mine:
                return False
        try:
            self._race.hear(typed, now)
        except Refused as refusal:
            if table := self.table:
                table.trouble = self.model.words().text(refusal.message, refusal.params)
        return True

    # -- calling --------------------------------------------------------------------------------

    def on_app_focus(self, event: AppFocus) -> None:
        """Note that the terminal has the focus."""
        self._focused = True

    def on_app_blur(self, event: AppBlur) -> None:
        """Note that the terminal has lost the focus."""
        self._focused = False

    def _call(self, asked: Asked) -> None:
        if self._focused or is_go(asked.ask.kind):
            return
        if self.looks.bell:
            self.write(BELL)
        if self.looks.notify:
            said = self.model.words().text(asked.ask.you or asked.ask.others, asked.ask.params)
            self.write(notification(self.title_of_game, said, self.looks.environ))

    # -- actions of people ------------------------------------------------------------------------

    def speak(self, words: str) -> None:
        """Send words to all, send "/to NAME words" to one player, or carry out "/command".

        Raises:
            Refused: this is not possible now.
        """
        if not words.startswith("/"):
            self.session.say(words, None, self.model.seat())
            return
        word, _, rest = words[1:].partition(" ")
        if word.lower() in ("to", self.say(N_("to"))):
            name, _, said = rest.strip().removeprefix("@").partition(" ")
            self._commands.speak(said, name)
        elif word.lower() in ("?", "help", self.say(N_("help"))):
            self.action_help()
        elif word.lower() in ("rules", self.say(N_("rules"))):
            self.read_rules(rest.strip())
        elif not self._commands.do(words[1:]):
            raise Refused(N_("There is no command {word}; ? lists what you can do."), word=word)

    def _type(self, begin: str) -> None:
        if table := self.table:
            table.action_talk(begin)

    def _ask(self, question: Question) -> None:
        if table := self.table:
            table.ask(question)

    def standing(self) -> Rows:
        """The possible interjections: the label and the action of each."""
        if self.model.curtain() is not None:
            return []
        seat = self.model.seat()
        rows = standing(self.model.match, seat, self.model.words()) if seat in self.session.people else []
        return [(row.label, partial(self._do_standing, row)) for row in rows]

    def _do_standing(self, row: Standing) -> None:
        def done(answer: Any) -> None:
            self.session.interject(row.seat, row.name, row.kind.value_of(answer))

        if row.place is not None:
            done(row.place)
        else:
            self._ask(Question(row.label, row.kind, done))

    def choose_standing(self) -> None:
        """Let the person choose an interjection."""
        rows = self.standing()
        table = self.table
        if table is None:
            return
        if not rows:
            table.trouble = self.say(N_("There is nothing that you could do out of turn now."))
            table.draw()
            return
        self.choose(self.say(N_("What do you do?")), rows)

    def choose(self, prompt: str, rows: Rows) -> None:
        """Let the person choose one of these, or nothing."""
        if table := self.table:
            table.ask(chosen(prompt, [*rows, (self.say(N_("nothing")), lambda: None)]))

    def show_seats(self) -> None:
        """Write the players to the log."""
        if self.session.table() is not None:
            self._commands.tell_lobby()
        else:
            marks = self.marks()
            for seat, name in enumerate(self.session.names):
                said = {"number": seat + 1, "choice": f"{name} {marks.get(seat, '')}".rstrip()}
                self.model.write(self.say(NUMBERED, said), "notice")
        self._show_log()

    def _show_log(self) -> None:
        if table := self.table:
            table.view = "table"
            table.action_view("log")

    def describe(self, zone: str) -> None:
        """Write everything in a zone to the log."""
        self._commands.board(zone)
        self._show_log()

    def offered(self) -> dict[str, str]:
        """The other commands of this table with their descriptions, as message ids."""
        return {word: what for word, what in self._commands.table_words().items() if what}

    def offer(self, word: str) -> None:
        """Begin to type a command of the table; the person completes it."""
        self._type(f"/{self.say(word)} ")

    def action_help(self) -> None:
        """Show all keys and commands instead of the log, or the table again."""
        if table := self.table:
            table.action_view("help")

    def help_shown(self) -> list[tuple[str, str]]:
        """The lines of the help page, each with its role."""
        keys = help_lines(self.translator, self.keymap)
        return [*keys, ("", ""), *((line, "") for line in self._commands.help())]

    # -- leaving ----------------------------------------------------------------------------------

    def leave(self, *, again: bool = False) -> None:
        """Close the screen."""
        self.exit(Left(again=again))

    def action_ask_to_leave(self) -> None:
        """Ask before leaving, unless nobody would lose anything."""
        message, params = self.session.how_to_return()
        facts = self.facts()
        left_alone = facts is not None and not (facts.hosts and facts.has_company)
        if left_alone or (facts is None and self.model.ended is not None):
            self.leave()
            return
        said = " ".join(filter(None, [self.say(LEAVE), self.say(message, params) if message else ""]))
        kind = OneOf([Choice(False, STAY), Choice(True, GO_AWAY)])
        if table := self.table:
            table.ask(Question(said, kind, lambda answer: self.leave() if answer else None))

    # -- tables of peers ----------------------------------------------------------------------------

    def facts(self) -> TableFacts | None:
        """The state of the table between matches; None in a match or without a table."""
        facts = self.session.table()
        return None if facts is None or facts.running else facts

    def idle(self) -> None:
        """Offer the possible actions while nothing is asked."""
        facts, hosting, prompt = self.session.table(), self._hosting, LOBBY
        if facts is None or hosting is None or not facts.seats:
            self.model.idle = None
            return
        if facts.running:
            rows, prompt = hosting.absent(facts), ABSENT
            if not rows:
                self.model.idle = None
                return
        else:
            rows = [*hosting.rows(facts), (self.say(GO_AWAY), self.action_ask_to_leave)]
        fresh = chosen(self.say(prompt), rows)
        before = self.model.idle
        if before is not None and _labels(before) == _labels(fresh):
            fresh.draft.cursor = before.draft.cursor
        self.model.idle = fresh

    def invite(self) -> None:
        """Show the invitation page."""
        if table := self.table:
            table.inviting, table.view = True, "table"
            table.ask(chosen(self.say(INVITING), [(self.say(BACK), lambda: None)]))

    def marks(self) -> dict[int, str]:
        """The notes beside the names of seats: a bot, away, a slow connection."""
        facts = self.session.table()
        if facts is None or not facts.running:
            seats = range(len(self.session.names))
            return {seat: self.say(BOT) for seat in seats if seat not in self.session.people}
        marks: dict[int, str] = {}
        for seat, one in enumerate(facts.taken):
            if one.state in ("away", "stand-in"):
                marks[seat] = self.say(AWAY if one.state == "away" else STAND_IN)
            elif one.level:
                marks[seat] = self.say(BOT)
            elif one.trip is not None and one.trip >= SLOW:
                marks[seat] = f"{one.trip} ms"
        return marks

    def link(self) -> str:
        """The quality of the connection: the slowest round trip; "" without connections."""
        facts = self.session.table()
        trips = [] if facts is None else [one.trip for one in facts.taken if one.trip is not None]
        return f"{max(trips)} ms" if trips else ""


def _labels(question: Question) -> list[object]:
    return [choice.params["what"] for choice in choices_of(question.kind)]
