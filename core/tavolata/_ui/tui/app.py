"""The program behind the screen: one sitting, followed as it goes, shown at a pace, left in peace."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from textual.app import App
from textual.binding import Binding, BindingType
from textual.events import AppBlur, AppFocus
from textual.worker import WorkerFailed

from tavolata._engine.happenings import Asked, Happening, Told
from tavolata._engine.sitting import Sitting
from tavolata._engine.table_facts import TableFacts
from tavolata._ui.answers import is_go
from tavolata._ui.i18n import Translator
from tavolata._ui.plain_commands import Commands
from tavolata._ui.tui import keys, pacer
from tavolata._ui.tui.asking import Question
from tavolata._ui.tui.desk import Desk
from tavolata._ui.tui.glyphs import ASCII, UNICODE
from tavolata._ui.tui.help_page import help_lines
from tavolata._ui.tui.hosting import Hosting, Rows, chosen
from tavolata._ui.tui.notify import BELL, notification
from tavolata._ui.tui.roster import AWAY, BOT, STAND_IN
from tavolata._ui.tui.table_screen import TableScreen
from tavolata._ui.tui.themes import DARK, LIGHT, ROLE_CSS
from tavolata.choices import Choice
from tavolata.errors import Refused
from tavolata.kinds import OneOf
from tavolata.messages import N_

LEAVE = N_("Do you want to leave?")
STAY = N_("stay")
GO_AWAY = N_("leave")
ONCE_MORE = N_("Ctrl+C once more leaves; every other key stays.")
LOBBY = N_("What now?")
SLOW = 150
"""Milliseconds of a round trip from which on it is told beside a name."""
PATIENCE = 5.0
"""Seconds within which a second Ctrl+C leaves."""


@dataclass(frozen=True)
class Looks:
    """How the screen is to look and behave, as a person has set it.

    Attributes:
        ascii: nothing but ASCII.
        color: whether colours are wanted at all.
        light: whether the background is light.
        keys: the table of keys in the config file.
        step: seconds that one event is shown while others wait.
        bell, notify: whether to ring, and to notify, when it is one's turn and one looks elsewhere.
        environ: the environment, which names the terminal.
    """

    ascii: bool = False
    color: bool = True
    light: bool = False
    keys: object = None
    step: float = pacer.STEP
    bell: bool = True
    notify: bool = True
    environ: Mapping[str, str] = ()  # type: ignore[assignment]  # an empty tuple has no names either


class TableApp(App[str]):
    """One sitting on a full screen; its result is "", "again" or "interrupt"."""

    ENABLE_COMMAND_PALETTE = False
    CSS = f"""
        {ROLE_CSS}
        App:nocolor Sheet > .sheet--cursor {{ text-style: bold reverse; }}
        Screen {{ layout: vertical; background: $background; }}
        #status, #keys, #talk {{ height: 1; padding: 0 1; }}
        #status, #keys {{ background: $panel; }}
        #talk {{ border: none; background: $surface; }}
        #middle {{ height: 1fr; }}
        #board {{ width: 1fr; padding: 0 1; }}
        #side {{ padding: 0 2; border-left: solid $edge; }}
        #side.-narrow {{ border-left: none; padding: 0 1; }}
        #news, #prompt {{ padding: 0 1; }}
        #prompt {{ background: $surface; }}
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "interrupt", show=False, priority=True),
        Binding("ctrl+q", "quit_now", show=False, priority=True),
        Binding(keys.KEYS["quit"].keys, "ask_to_leave", keys.KEYS["quit"].what, id="quit"),
        Binding(keys.KEYS["help"].keys, "help", keys.KEYS["help"].what, id="help"),
        Binding(keys.KEYS["commands"].keys, "commands", keys.KEYS["commands"].what, id="commands"),
    ]

    def __init__(
        self,
        sitting: Sitting,
        translator: Translator,
        looks: Looks,
        *,
        title: str,
        rules: Callable[[], str],
        can_play_again: bool = False,
    ) -> None:
        super().__init__()
        self.title_of_game = title
        self.sitting = sitting
        self.desk = Desk(sitting, translator)
        self.looks = looks
        self.ascii = looks.ascii
        self.glyphs = ASCII if looks.ascii else UNICODE
        self.can_play_again = can_play_again
        self.asked_at: dict[int, float] = {}
        self.failure: BaseException | None = None
        self._translator = translator
        self._rules = rules
        self._commands = Commands(self.desk, sitting, translator, self.desk.reply)
        self._hosting = Hosting(
            self.say, lambda text: self.desk.words().text(text), self._command, self._ask, self.invite
        )
        self._keymap = keys.keymap(looks.keys)
        self._queue: deque[Happening] = deque()
        self._wake = asyncio.Event()
        self._skip = asyncio.Event()
        self._pausing = False
        self._focused = True
        self._interrupted = 0.0
        self.register_theme(DARK)
        self.register_theme(LIGHT)
        self.theme = "light" if looks.light else "dark"

    async def on_mount(self) -> None:
        """Show the table, and what has happened already."""
        self.set_keymap(self._keymap)
        await self.push_screen(TableScreen())
        self.run_worker(self._present(), exit_on_error=True)
        self._write("\x1b[?25h")  # the terminal's cursor follows what matters, for magnifiers and readers

    @property
    def table(self) -> TableScreen | None:
        """The table screen, if it is there."""
        return next((one for one in self.screen_stack if isinstance(one, TableScreen)), None)

    def say(self, message: str, params: Mapping[str, object] | None = None) -> str:
        """A message of the program in the person's language."""
        return self._translator.text(message, params)

    def key(self, name: str) -> str:
        """The key that does this, as people write it."""
        return keys.shown(self._keymap[name])

    def rules(self) -> str:
        """The rules of the game, in the person's language."""
        return self._rules()

    # -- the sitting ------------------------------------------------------------------------------

    async def follow(self) -> None:
        """Take all that happens from the sitting at once; when it is shown is another matter."""
        try:
            async with contextlib.aclosing(self.sitting.happenings()) as happenings:
                async for happening in happenings:
                    if isinstance(happening, Asked):
                        self.asked_at[happening.ask.id] = time.monotonic()
                    self._queue.append(happening)
                    self._wake.set()
                    if self.sitting.match is not None and self.looks.step:
                        self.sitting.match.look = self.desk.look
        except Exception as error:  # noqa: BLE001 - kept, shown, and raised again when the screen is gone
            self.failure = error
        self._wake.set()

    async def _present(self) -> None:
        """Show what has happened, one thing after the other."""
        while True:
            while self._queue:
                happening = self._queue.popleft()
                self.desk.seen = happening.seen if isinstance(happening, Told) and self._queue else None
                self.desk.take(happening)
                if isinstance(happening, Asked) and happening.mine:
                    self._call(happening)
                if table := self.table:
                    table.draw()
                seconds = pacer.pause(happening, len(self._queue), self.looks.step)
                if seconds and not self._skip.is_set():
                    self._pausing = True
                    with contextlib.suppress(TimeoutError):
                        async with asyncio.timeout(seconds):
                            await self._skip.wait()
                    self._pausing = False
            self._skip.clear()
            if self.failure is not None:
                self.exit("")
                return
            self._wake.clear()
            await self._wake.wait()

    def skip(self) -> bool:
        """Show at once what waits to be shown; whether anything did."""
        if self._pausing and self._queue:
            self._skip.set()
            return True
        return False

    # -- calling --------------------------------------------------------------------------------

    def on_app_focus(self, event: AppFocus) -> None:
        """The person looks at the terminal."""
        self._focused = True

    def on_app_blur(self, event: AppBlur) -> None:
        """The person looks at something else."""
        self._focused = False

    def _call(self, asked: Asked) -> None:
        if self._focused or is_go(asked.ask.kind):
            return
        if self.looks.bell:
            self._write(BELL)
        if self.looks.notify:
            said = self.desk.words().text(asked.ask.you or asked.ask.others, asked.ask.params)
            self._write(notification(self.title_of_game, said, self.looks.environ))

    def _write(self, sequence: str) -> None:
        if self._driver is not None and not self.is_headless:
            self._driver.write(sequence)

    # -- what people do ---------------------------------------------------------------------------

    def speak(self, words: str) -> None:
        """Words to all; /to NAME words to one; /command.

        Raises:
            Refused: it can't be said or done now.
        """
        if not words.startswith("/"):
            self.sitting.say(words, None, self.desk.seat())
            return
        word, _, rest = words[1:].partition(" ")
        if word.lower() in ("to", self.say(N_("to"))):
            self._commands.do(f"say @{rest.strip().removeprefix('@')}")
        elif not self._commands.do(words[1:]):
            raise Refused(N_("There is no command {word}; ? lists what you can do."), word=word)

    def _command(self, line: str) -> None:
        if not self._commands.do(line):
            raise Refused(N_("There is no command {word}; ? lists what you can do."), word=line)

    def _ask(self, question: Question) -> None:
        if table := self.table:
            table.ask(question)

    def standing(self) -> Rows:
        """What may be done at any time now: what it is, and how."""
        if self.desk.curtain() is not None:
            return []
        return [(what, partial(self._command, line)) for what, line in self._commands.standing()]

    def choose_standing(self) -> None:
        """Let the person choose from what may be done at any time."""
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
        """Who sits here, in the log."""
        self.speak("/seats")

    def action_commands(self) -> None:
        """Everything that can be done, as a list to choose from."""
        table = self.table
        if table is None:
            return
        rows: Rows = list(self.standing())
        for name in ("talk", "log", "rules"):
            key = keys.KEYS[name]
            action = {"talk": table.action_talk, "log": lambda: table.action_view("log"),
                      "rules": lambda: table.action_view("rules")}[name]  # fmt: skip
            rows.append((self.say(key.why), action))
        offered = {word: what for word, what in self.sitting.table_commands().items() if what}
        rows += [
            (f"{self.say(word)}: {self.say(what)}", partial(table.action_talk, f"/{word} "))
            for word, what in offered.items()
        ]
        rows.append((self.say(N_("Change between the light and the dark theme.")), self.action_theme))
        rows.append((self.say(keys.KEYS["help"].why), self.action_help))
        self.choose(self.say(N_("Commands")), rows)

    def action_theme(self) -> None:
        """Light or dark."""
        self.theme = "dark" if self.theme == "light" else "light"

    def action_help(self) -> None:
        """All keys and commands, in the log."""
        for text, role in help_lines(self._translator, self._keymap):
            self.desk.write(text, role)
        self._commands.do("?")
        if table := self.table:
            table.view = "table"
            table.action_view("log")

    # -- leaving ----------------------------------------------------------------------------------

    def leave(self, *, again: bool = False) -> None:
        """Close the screen."""
        self.exit("again" if again else "")

    def action_quit_now(self) -> None:
        """Ctrl+Q, which other programs of this kind know, asks too."""
        self.action_ask_to_leave()

    def action_ask_to_leave(self) -> None:
        """Ask once; nothing is lost either way."""
        message, params = self.sitting.how_to_return()
        if self.desk.ended is not None or self.facts() is not None:
            self.leave()
            return
        said = " ".join(filter(None, [self.say(LEAVE), self.say(message, params) if message else ""]))
        kind = OneOf([Choice(False, STAY), Choice(True, GO_AWAY)])
        if table := self.table:
            table.ask(Question(said, kind, lambda answer: self.leave() if answer else None))

    def action_interrupt(self) -> None:
        """The first Ctrl+C asks, a second one leaves."""
        now = time.monotonic()
        if now - self._interrupted < PATIENCE:
            self.exit("interrupt")
            return
        self._interrupted = now
        if table := self.table:
            table.trouble = self.say(ONCE_MORE)
            table.draw()

    async def press_named(self, name: str) -> None:
        """Do what a key does, because its name was clicked."""
        if name:
            self.simulate_key(self._keymap[name].partition(",")[0])

    # -- what a table of peers adds -----------------------------------------------------------------

    def facts(self) -> TableFacts | None:
        """What is known of the table between matches; None in a match, or where there is no table."""
        facts = self.sitting.table()
        return None if facts is None or facts.running else facts

    def idle(self) -> None:
        """Offer what can be done while nothing is asked."""
        facts = self.facts()
        if facts is None or not facts.seats:
            self.desk.idle = None
            return
        rows: Rows = [*self._hosting.rows(facts), (self.say(GO_AWAY), self.leave)]
        fresh = chosen(self.say(LOBBY), rows)
        before = self.desk.idle
        if before is not None and _labels(before) == _labels(fresh):
            fresh.draft.cursor = before.draft.cursor
        self.desk.idle = fresh

    def invite(self) -> None:
        """How others join, on a page of its own."""
        if table := self.table:
            table.inviting, table.view = True, "table"

    def marks(self) -> dict[int, str]:
        """What is to be said of seats beside their names: bots, those who are away, slow links."""
        facts = self.sitting.table()
        if facts is None or not facts.running:
            seats = range(len(self.sitting.names))
            return {seat: self.say(BOT) for seat in seats if seat not in self.sitting.people}
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
        """How good the connection is: the slowest round trip; "" where there is none."""
        facts = self.sitting.table()
        trips = [] if facts is None else [one.trip for one in facts.taken if one.trip is not None]
        return f"{max(trips)} ms" if trips else ""

    def _print_error_renderables(self) -> None:
        """Errors are told by whoever started the screen, in one sentence."""

    def _handle_exception(self, error: Exception) -> None:
        cause = error.error if isinstance(error, WorkerFailed) else error
        self.failure = self.failure or cause
        super()._handle_exception(error)


def _labels(question: Question) -> list[object]:
    kind = question.kind
    return [choice.params["what"] for choice in kind.choices] if isinstance(kind, OneOf) else []
