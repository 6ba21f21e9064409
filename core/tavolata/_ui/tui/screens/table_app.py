"""The table screen: it follows one session, shows it at a pace, and lays it out on a terminal of any size.

What is known is `model`; what is drawn, the pure modules.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar

from msgspec import structs
from rich.cells import cell_len
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.events import AppBlur, AppFocus, Event, Key, MouseDown
from textual.widgets import Input
from typing_extensions import override

from tavolata._engine.match.emotes import EMOTES
from tavolata._engine.match.take_back import may as may_take_back
from tavolata._engine.match.updates import (
    Asked,
    Began,
    Ended,
    Hinted,
    Said,
    Told,
    Update,
    WindowClosed,
    WindowOpened,
)
from tavolata._engine.sessions.guided import Guided
from tavolata._engine.sessions.session import TableSession
from tavolata._engine.sessions.table_commands import TableCommand
from tavolata._engine.sessions.table_facts import TableFacts
from tavolata._text import Verbatim
from tavolata._ui.afterwards import Afterwards
from tavolata._ui.answers import NUMBERED, is_go
from tavolata._ui.chapters import chapter, topics
from tavolata._ui.curtain import LOOK_AWAY
from tavolata._ui.endings import kept_lines
from tavolata._ui.eyes import as_seen_by, watch
from tavolata._ui.i18n import Translator
from tavolata._ui.people_here import Person
from tavolata._ui.plain import NOT_ASKED
from tavolata._ui.plain_commands import NO_NEWS, THINKS, Commands
from tavolata._ui.scene.desk import Desk
from tavolata._ui.scene.identity import looks_of, next_look
from tavolata._ui.scene.make import wish_for
from tavolata._ui.scene.plain_text import in_ascii
from tavolata._ui.scene.scene import Scene
from tavolata._ui.standing import Standing, standing
from tavolata._ui.talk import TO
from tavolata._ui.tui.drawing.frame import Foot, draw_frame
from tavolata._ui.tui.drawing.help_page import help_lines
from tavolata._ui.tui.drawing.layout import Regions, above_words, layout
from tavolata._ui.tui.drawing.lines import key_line, log_block, news_block, status_line
from tavolata._ui.tui.drawing.lobby import draw_invitation, draw_lobby
from tavolata._ui.tui.drawing.markdown import markdown_block, told_rules
from tavolata._ui.tui.drawing.pen import Pen
from tavolata._ui.tui.drawing.people import draw_curtain
from tavolata._ui.tui.drawing.runs import Block, fitted, stacked, wrapped
from tavolata._ui.tui.input.keys import KEYS
from tavolata._ui.tui.input.window_keys import race_lines
from tavolata._ui.tui.model.changes import Changes
from tavolata._ui.tui.model.director import PACES, Director, counting
from tavolata._ui.tui.model.palette import PaletteItem
from tavolata._ui.tui.model.questions import PromptQuestion, Rows, chosen
from tavolata._ui.tui.model.table_model import TableModel
from tavolata._ui.tui.screens.after_match import AfterMatch
from tavolata._ui.tui.screens.calling_out import CallingOut
from tavolata._ui.tui.screens.frame import SMALL, Frame, Left, Looks, named_key
from tavolata._ui.tui.screens.goodbye import GO_AWAY, Goodbye
from tavolata._ui.tui.screens.hosting import Hosting, may_add_bot
from tavolata._ui.tui.screens.notify import BELL, notification
from tavolata._ui.tui.widgets.sheet import Sheet
from tavolata._ui.window_input import WindowInput, keys_of
from tavolata._ui.zone_lines import title_of
from tavolata.errors import Refused
from tavolata.kinds.question import choices_of
from tavolata.messages import N_
from tavolata.ring import SEATS

LOBBY = N_("What now?")
ABSENT = N_("Somebody is away. What is to be done?")
INVITING = N_("This is how others join.")
BACK = N_("back")
AWAY = N_("(away)")
BOT = N_("(bot)")
STAND_IN = N_("(bot for now)")
SLOW = 150
"""The round-trip time in milliseconds above which it is shown beside a name."""
FADE = 4.0
"""Seconds after which the marks of a change go away, if nothing else happens."""
EMOTE_SHOWN = 3.0
"""Seconds for which an emote stands beside a name."""
RENAME = N_("change your name")
HASTE = 1.5
"""Seconds after the end in which Enter and the keys of reactions do nothing: they were meant for a card."""
LEAST = 4
"""Lines of the board that stay visible beside a hint."""
CHOICES = 3
"""Lines of choices that stay visible below a question of any length."""
BESIDE = 76
"""The columns from which a lobby has the newest words beside its QR code."""
TALL = 26
"""The rows from which a lobby asks in words what to do."""
MARGIN = 8
"""The cells around a sentence in the line of the story."""
WIDE = 100
"""The number of columns from which log and rules are shown beside the board."""
WAITING = N_("The others play.")
NOTHING = N_("nothing to decide")
YOU_MAY = N_("you may")
ANY_TIME = N_("{key}: {what}")
WINDOW = N_("quick hands")
NEXT = N_("Next")
ARE_READY = N_("Ready: {names}.")
NOT_YET = N_("Not ready yet: {names}.")
SHOW_HAND = N_("show my hand")
I_AM = N_("I am {seat}: show my cards")
PACE = N_("Pace: {name}")
PACE_NAMES = {"slow": N_("slow"), "normal": N_("normal"), "quick": N_("quick"), "off": N_("off")}
OVER = N_("What now?")
JOINING = N_("The table lets you in...")
MORE = N_("There is more to this hint: {key} shows all.")
TALK_TO = N_("talk to {name}")
DESCRIBE = N_("tell all of: {what}")
READ = N_("rules: {topic}")
COMMAND = N_("{word}: {what}")
THEME = N_("Change between the light and the dark theme.")
VIEWS = ("log", "rules")


class TableApp(Frame):
    """One session on a full screen.

    Args:
        session: the session to show.
        translator: the language.
        looks: the appearance.
        title: the title of the game.
        rules: reads the rules of the game.
        after: what can be done after a match.
        before: the screen that was closed while the match was watched again; this one goes on from it.

    Attributes:
        view: the current view: the table, the log, the rules or the help.
        inviting: whether the invitation page is shown instead of the table.
        why: whether the reasons of impossible choices are shown.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("slash", "talk('/')", show=False, priority=True),
        named_key("slower", "pace(-1)"),
        named_key("faster", "pace(1)"),
        *(named_key(name) for name in ("talk", "do", "seats", "again", "why", "what", "bot")),
        *(named_key(name) for name in ("take_back", "advice")),
        *(named_key(name, f"view('{name}')") for name in ("log", "rules")),
        *(named_key(name, f"emote('{name}')") for name in ("bravo", "wow", "ha", "ouch")),
        named_key("emote", "emote('')"),
        named_key("colour", "look(False)"),
        named_key("mark", "look(True)"),
        *(named_key(name) for name in ("repeat", "mute", "name")),
    ]
    LETTERS = Frame.LETTERS | {"talk", "do", "view", "seats", "again", "why", "pace", "what", "bot", "emote"}
    LETTERS |= {"repeat", "mute", "look", "name", "take_back", "advice"}

    def __init__(
        self,
        session: TableSession,
        translator: Translator,
        looks: Looks,
        *,
        title: str,
        rules: Callable[[], str],
        after: Afterwards | None = None,
        before: TableApp | None = None,
    ) -> None:
        super().__init__(translator, looks)
        self._title = title
        self.session = session
        self.model: TableModel = TableModel(session, translator) if before is None else before.model
        self.director: Director = Director(looks.pace) if before is None else before.director
        self.asked_at: dict[int, float] = {} if before is None else before.asked_at
        self.after = AfterMatch(
            after, self.say, self.result, self.ask, self.tell, partial(self.action_view, "history"), self.exit
        )
        self.ended_at = 0.0
        self._read_rules = rules
        self._rules, self.topic = ("", ""), ""
        self._commands = Commands(self.model, session, translator, self.model.reply, self.told_rules)
        self._hosting = None if session.commands is None else Hosting(
            translator.text,
            lambda text: self.model.words().text(text),
            session.commands,
            self.ask,
            self.invite,
        )  # fmt: skip
        self._race = WindowInput(session, lambda _: None, lambda: self.write(BELL) if looks.bell else None)
        self.calling = CallingOut(self.model, self.prompt, self.say, self.ask)
        self.goodbye = Goodbye(session, self.say, self.ask, self.leave)
        self._marked_at = 0.0
        self._told: list[str] = []
        self._changes = Changes()
        self._still: Scene | None = None
        self._guided = isinstance(session, Guided) and len(session.people) == 1
        self._focused = True
        self.view = "table"
        self.inviting = False
        self.why = False

    def on_mount(self) -> None:
        """Show the table and the updates so far."""
        for name in ("#side", "#page"):
            self.query_one(name).set_class(self.ascii, "-ascii")
        self.begin()
        self.set_interval(1.0, self._tick)
        self.run_worker(self._present(), exit_on_error=True)

    def rules(self) -> str:
        """The rules of the game, in the person's language."""
        if self._rules[0] != self.session.game:  # a table may change to another game
            self._rules, self.topic = (self.session.game, self._read_rules()), ""
        return self._rules[1]

    def told_rules(self, topic: str) -> list[str]:
        """The rules as sentences; see `markdown.told_rules`."""
        return told_rules(self.rules(), topic)

    def read_rules(self, topic: str = "") -> None:
        """Show the rules, or one chapter of them, beside the table.

        Raises:
            Refused: there is no such chapter.
        """
        if topic:
            chapter(self.rules(), topic)
        self.topic = topic
        self.view = "table"
        self.action_view("rules")

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

    @override
    async def on_event(self, event: Event) -> None:
        if isinstance(event, Key | MouseDown) and not event.is_forwarded:
            self.session.stirred()
        await super().on_event(event)

    # -- the session ------------------------------------------------------------------------------

    async def follow(self) -> None:
        """Take all updates from the session at once; they are shown later at the chosen pace."""
        self._watch()
        try:
            async with contextlib.aclosing(self.session.updates()) as updates:
                async for update in updates:
                    if isinstance(update, Asked):
                        self.asked_at[update.ask.id] = time.monotonic()
                    self.director.add(as_seen_by(update, self.model))
                    self._watch()
        except Exception as error:  # noqa: BLE001 - kept, and raised again when the screen is gone
            self.failure = error
        # After a match, people can look at its last board for as long as they like.
        shown = (self.model.ended is not None or self.director.has_end) and not self.goodbye.is_over
        self.director.end(ended=self.failure is not None or not shown)

    def _watch(self) -> None:
        """Keep a snapshot of the board at each event, because the match goes on while it is shown."""
        watch(self.session.match, self.model)

    async def _present(self) -> None:
        await self.director.tell(self._show)
        self.exit(Left())

    async def _show(self, updates: Sequence[Update]) -> None:
        """Show a moment, with what has changed in it."""
        model = self.model
        veiled = model.curtain() is not None  # marks are kept until somebody can see them
        paced = bool(self.director.pace) and model.match is not None
        if isinstance(updates[0], Told):
            model.marks, model.counted = model.marks if veiled else (), None
            self._told = [one.seen.line for one in updates if isinstance(one, Told) and one.seen is not None]
        for update in updates:
            model.seen = self.director.seen(update, model.seen)
            model.take(update)
            await self._react_to(update)
        if any(isinstance(one, Began) for one in updates):
            self._changes, self.after.in_lobby = Changes(), False
            if paced and model.seen is None and self.director.has_told:
                return  # the match has run ahead of what is shown: its first event shows the table
        if paced and (isinstance(updates[0], Told) or not self._changes.in_view(model.zones())):
            self._marked_at = time.monotonic()
            at, pace = self._marked_at, self.director.pace
            model.before = self._changes.before(model.zones(), at, pace, kept=veiled)
        if not isinstance(updates[-1], WindowOpened) and not self.director.hurries:
            self.draw()
        if cards := sum(len(mark.cards) for mark in model.marks) * bool(self.director.pace):
            self.run_worker(self._count(cards), group="count", exclusive=True)

    async def _count(self, cards: int) -> None:
        """Mark the counted cards one after the other."""
        marks = self.model.marks
        for number in range(1, cards + 1):
            if self.model.marks is not marks:
                return
            self.model.counted = number
            self.draw()
            await asyncio.sleep(counting(cards) / cards * self.director.pace)
        self.model.counted = None

    async def _react_to(self, update: Update) -> None:
        """Do what an update needs beside being drawn."""
        if isinstance(update, Asked) and update.mine:
            self._call(update)
        if isinstance(update, Said) and update.is_emote:
            self.set_timer(EMOTE_SHOWN, partial(self._fade, dict(self.model.says)))
        if isinstance(update, Hinted) and update.seat is not None:
            self.prompt.trouble = ""
        if isinstance(update, Ended):
            self.ended_at = time.monotonic()
        if isinstance(update, WindowClosed):
            self._race.close()
        if isinstance(update, WindowOpened):
            self.prompt.palette = None  # the keys are needed
            self.model.before, self.model.marks = None, ()
            self._still = None
            self.draw()
            drawn = asyncio.Event()
            self.call_after_refresh(drawn.set)
            await drawn.wait()  # time runs from when the card is visible
            self._race.open(update, self.model.words())

    @override
    def takes(self, event: Key) -> bool:
        """Handle the keys of an open reaction window before all others."""
        key, window = event.key, self.model.window
        asked = self.model.question()
        if asked is not None and asked is self.model.idle and self.on_podium:
            letters = [choice.key for choice in asked.draft.choices]
            if event.character and event.character in letters:
                asked.draft.point(letters.index(event.character))
                if not (self._is_hasty and event.character in keys_of(self.session)):
                    self._confirm()
                return True
        if window is None or (key == "enter" and asked is not None and asked.ask is None):
            return False  # Enter answers the program's question and lays no card
        now, mine = time.monotonic(), keys_of(self.session)
        typed = ""
        if key != "enter":
            alone = len(mine) == 1 and key == "space"
            typed = next(iter(mine)) if alone else (event.character or "").lower()
            if typed not in mine:
                return False
        try:
            self._race.hear(typed, now)
        except Refused as refusal:
            self.prompt.refuse(refusal)
        return True

    # -- calling --------------------------------------------------------------------------------

    def on_app_focus(self, event: AppFocus) -> None:
        """Note that the terminal has the focus."""
        self._focused = True

    def on_app_blur(self, event: AppBlur) -> None:
        """Note that the terminal has lost the focus."""
        self._focused = False

    def _call(self, asked: Asked) -> None:
        if self._focused or is_go(asked.ask.question):
            return
        if self.looks.bell:
            self.write(BELL)
        if self.looks.notify:
            ask = asked.ask
            said = self.model.words().text(ask.you or ask.others, {"seat": ask.seat, **ask.params})
            self.write(notification(self.title_of_game, said, self.looks.environ))

    # -- actions of people ------------------------------------------------------------------------

    @override
    def typed(self, words: str) -> None:
        """Send words to all, send "/to NAME words" to one player, or carry out "/command".

        Lines take a whisper without the stroke. Who types one so here must not tell it to all.

        Raises:
            Refused: this is not possible now.
        """
        if self._is_whisper(words):
            words = f"/{words}"
        if not words.startswith("/"):
            self.session.say(words, (), self.model.seat())
            return
        word, _, rest = words[1:].partition(" ")
        if word.lower() in (TO, self.say(TO)):
            self._commands.whisper(rest.strip())
        elif word.lower() in ("?", "help", self.say(N_("help"))):
            self.action_help()
        elif word.lower() in ("rules", self.say(N_("rules"))):
            self.read_rules(rest.strip())
        elif not self._commands.do(words[1:]):
            raise Refused(N_("There is no command {word}; ? lists what you can do."), word=word)

    def _is_whisper(self, words: str) -> bool:
        word, _, rest = words.partition(" ")
        name = rest.strip().removeprefix("@").partition(" ")[0].casefold()
        called = (one.partition(" ")[0].casefold() for one in self.session.names)
        return word.lower() in (TO, self.say(TO)) and name in called

    def ask(self, question: PromptQuestion) -> None:
        """Ask a question of the program."""
        self.prompt.clear()
        self.model.own = question
        self.set_focus(self.main)
        self.draw()

    def standing(self) -> Rows:
        """What can be done out of turn: the label and the action of each."""
        if self.model.curtain() is not None:
            return []
        seat = self.model.seat()
        rows = standing(self.model.match, seat, self.model.words()) if seat in self.session.people else []
        return [*((row.label, partial(self._do_standing, row)) for row in rows), *self._about_absent()]

    def _about_absent(self) -> Rows:
        """What can be done about players who are gone, while the game asks something else."""
        facts = self.session.table()
        if facts is None or not facts.running or self._hosting is None or not self.model.asks:
            return []
        return self._hosting.absent(facts)[1:]  # without waiting, which needs no key

    def _do_standing(self, row: Standing) -> None:
        def done(answer: Any) -> None:
            self.session.interject(row.seat, row.name, row.question.value_of(answer))

        if row.place is not None:
            done(row.place)
        else:
            self.ask(PromptQuestion(row.label, row.question, done))

    def action_do(self) -> None:
        """Let the person choose an interjection."""
        rows = self.standing()
        if rows:
            self.ask(chosen(self.say(N_("What do you do?")), [*rows, (self.say(N_("nothing")), _stay)]))
        else:
            self.prompt.trouble = self.say(N_("There is nothing that you could do out of turn now."))
            self.draw()

    def action_take_back(self) -> None:
        """Take the last answer back, or agree that somebody else does."""
        try:
            self.session.take_back()
        except Refused as refusal:
            self.prompt.refuse(refusal)
        self.draw()

    def action_advice(self) -> None:
        """Have a thinker advise at the question; its hint comes when it has thought."""
        question = self.question()
        try:
            if question is None or question.ask is None:
                raise Refused(NOT_ASKED)  # noqa: TRY301 - one handler shows all refusals
            self.session.advise(question.ask)
            self.prompt.trouble = self.say(THINKS)
        except Refused as refusal:
            self.prompt.refuse(refusal)
        self.draw()

    def action_emote(self, name: str) -> None:
        """Call out an emote, or let the person choose one."""
        if self.model.window is not None:
            return
        if name:
            self.calling.call(EMOTES[name])
        else:
            self.calling.choose()
        self.draw()

    def action_repeat(self) -> None:
        """Call out the last emote once more."""
        self.calling.call(self.calling.last)
        self.draw()

    def action_mute(self) -> None:
        """Ask whose words this screen shows no more, or again."""
        self.calling.hush()

    def action_look(self, mark: bool) -> None:
        """Have another colour or mark, which nobody else has."""
        model, session = self.model, self.session
        facts, seat = self.facts(), model.seat()
        looks = looks_of(session.looks or [None] * len(session.names))
        if facts is not None:
            seat = next((at for at, one in enumerate(facts.taken) if one.mine and not one.level), None)
            looks = looks_of([one.look for one in facts.taken])
        if seat is None or seat not in range(len(looks)):
            return
        try:
            session.choose_look(seat, *next_look(looks, seat, mark=mark))
        except Refused as refusal:
            self.prompt.refuse(refusal)
        self.draw()

    def action_name(self) -> None:
        """Let the person type another name."""
        self.action_talk(f"/{self.say(TableCommand.NAME.value)} ")

    def _fade(self, shown: Mapping[int, str]) -> None:
        """Take away the emotes that were on view then."""
        for seat, said in shown.items():
            if self.model.says.get(seat) == said:
                del self.model.says[seat]
        self.draw()

    def action_seats(self) -> None:
        """Write the players to the log."""
        if self.session.table() is not None:
            self._commands.tell_lobby()
        else:
            bots = self._bots()
            for seat, name in enumerate(self.session.names):
                said = {"number": seat + 1, "choice": f"{name} {self.say(BOT)}" if seat in bots else name}
                self.model.write(self.say(NUMBERED, said), "notice")
        self._show_log()

    def _show_log(self) -> None:
        self.view = "table"
        self.action_view("log")

    def describe(self, zone: str) -> None:
        """Write everything in a zone to the log."""
        self._commands.board(zone)
        self._show_log()

    def action_help(self) -> None:
        """Show all keys and commands instead of the log, or the table again."""
        self.action_view("help")

    def help_shown(self) -> list[tuple[str, str]]:
        """The lines of the help page, each with its role."""
        keys = help_lines(self.translator, self.keymap)
        return [*keys, ("", ""), *((line, "") for line in self._commands.help())]

    # -- leaving ----------------------------------------------------------------------------------

    def leave(self) -> None:
        """Close the screen."""
        self.exit(Left())

    def action_ask_to_leave(self) -> None:
        """Ask before leaving, unless nobody would lose anything."""
        self.goodbye.begin(ended=self.model.ended is not None)

    # -- tables of peers ----------------------------------------------------------------------------

    def facts(self) -> TableFacts | None:
        """The state of the table between matches; None in a match or without a table."""
        facts = self.session.table()
        return None if facts is None or facts.running else facts

    def idle(self) -> None:
        """Offer the possible actions while nothing is asked."""
        facts, hosting, prompt = self.session.table(), self._hosting, LOBBY
        if self.on_podium:
            self._offer_after(facts)
            return
        if facts is None or hosting is None or not facts.seats:
            self.model.idle = None
            return
        if facts.running:
            rows, prompt = hosting.absent(facts), ABSENT
            if not rows:
                self.model.idle = None
                return
        elif self.model.match is not None and self.model.ended is None:
            self.model.idle = None  # the match is over, but not all of it has been shown
            return
        else:
            rows = [
                *hosting.rows(facts),
                (self.say(RENAME), self.action_name),
                (self.say(GO_AWAY), self.action_ask_to_leave),
            ]
            if not facts.played and self.size.width >= BESIDE and self.size.height < TALL:
                prompt = ""  # the QR code needs the room
        self._offer(self.say(prompt) if prompt else "", rows)

    @property
    def on_podium(self) -> bool:
        """Whether the end of a match is on view, and not the lobby of its table."""
        facts = self.session.table()
        if self.model.ended is None or self.inviting or self.after.in_lobby:
            return False
        return facts is None or not (facts.running or facts.orphaned)

    def _offer_after(self, facts: TableFacts | None) -> None:
        """Let the person choose what follows the match."""
        prompt = self.say(OVER)
        if facts is None:
            acts = self.after.acts()
        else:
            hosting = self._hosting
            first = hosting.rows(facts) if hosting is not None and facts.seated else []
            acts = self.after.acts_at_table(first, self.action_ask_to_leave)
            prompt = self._who_is_ready(facts)
        self._offer(prompt, [(one.label, one.do) for one in acts], [one.key for one in acts])

    def _who_is_ready(self, facts: TableFacts) -> str:
        """Who of the others wants to play again, and who has not said so yet."""
        guests = [
            seat for seat in facts.taken if seat.name != facts.host
        ]  # the host begins, and says no more
        others = [seat for seat in guests if not seat.mine and not seat.level]
        ready = [seat.name for seat in others if seat.state == "ready"]
        late = [seat.name for seat in others if seat.state == "waits"]
        words = self.model.words()
        told = [
            words.text(message, {"names": tuple(map(Verbatim, names))})
            for message, names in ((ARE_READY, ready), (NOT_YET, late)) if names
        ]  # fmt: skip
        return " ".join(told) or self.say(OVER)

    def result(self) -> list[str]:
        """The result of the last match in words."""
        ended = self.model.ended
        if ended is None:
            return []
        names = () if self.model.match is None else self.model.match.terms.names
        return kept_lines(self.title_of_game, names, ended, self.model.words())

    def tell(self, sentence: str) -> None:
        """Show a sentence above the question."""
        self.prompt.trouble = sentence
        self.draw()

    def _offer(self, prompt: str, rows: Rows, keys: Sequence[str] = ()) -> None:
        """Let the person choose one of these while nothing is asked; the cursor stays where it is."""
        fresh = chosen(prompt, rows, keys=keys)
        before = self.model.idle
        if before is not None and _labels(before) == _labels(fresh):
            fresh.draft.cursor = before.draft.cursor
        self.model.idle = fresh

    def invite(self) -> None:
        """Show the invitation page."""
        self.inviting, self.view = True, "table"
        self.ask(chosen(self.say(INVITING), [(self.say(BACK), _stay)]))

    def marks(self) -> dict[int, str]:
        """The notes beside the names of seats: a bot, away, a slow connection."""
        facts = self.session.table()
        if facts is None or not facts.running:
            return {}
        marks: dict[int, str] = {}
        for seat, one in enumerate(facts.taken):
            if one.state in ("away", "stand-in"):
                marks[seat] = self.say(AWAY if one.state == "away" else STAND_IN)
            elif one.trip is not None and one.trip >= SLOW:
                marks[seat] = f"{one.trip} ms"
        return marks

    def link(self) -> str:
        """The quality of the connection: the slowest round trip; "" without connections."""
        facts = self.session.table()
        trips = [] if facts is None else [one.trip for one in facts.taken if one.trip is not None]
        return f"{max(trips)} ms" if trips else ""

    # -- layout ---------------------------------------------------------------------------------------

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
        yield Input(
            id="talk",
            placeholder=self.say(N_("Words to all; /to NAME, /help")),
            compact=True,
            select_on_focus=False,
        )
        yield Sheet(id="keys", ascii_only=only, focusable=False)

    def _tick(self) -> None:
        """Redraw the clock of a question with a time limit, and let the marks of changes fade."""
        model = self.model
        faded = model.before is not None and self.director.pace and time.monotonic() - self._marked_at > FADE
        if faded and model.window is None and model.curtain() is None:
            model.before, model.marks = None, ()
        if faded or any(ask.seconds is not None for ask in [*model.asks, *model.others]):
            self.draw()

    # -- drawing ----------------------------------------------------------------------------------

    @property
    def wide(self) -> bool:
        """Whether there is room for a column beside the board."""
        return self.size.width >= WIDE

    @override
    def question(self) -> PromptQuestion | None:
        return self.model.question()

    @override
    def palette_items(self) -> list[PaletteItem]:
        """All actions that are possible now, the choices of the question first."""
        hidden = self.model.curtain() is not None
        read = [
            PaletteItem(self.say(READ, {"topic": topic}), partial(self.read_rules, topic))
            for topic in topics(self.rules())
        ]
        return [
            *([] if hidden else self.prompt.choices(self.pen(1).view)),
            *(PaletteItem(what, do) for what, do in self.standing()),
            *self._players_to_find(),
            *([] if hidden else self._zones_to_find()),
            *self._commands_to_find(),
            *read,
        ]

    def _players_to_find(self) -> list[PaletteItem]:
        own, to = self.session.people, self.say(TO)
        return [
            PaletteItem(self.say(TALK_TO, {"name": name}), partial(self.action_talk, f"/{to} {name} "))
            for seat, name in enumerate(self.session.names)
            if seat not in own or len(own) > 1
        ]

    def _zones_to_find(self) -> list[PaletteItem]:
        view, words = self.model.view(), self.model.words()
        return [] if view is None else [
            PaletteItem(
                self.say(DESCRIBE, {"what": title_of(zone, words, view)}), partial(self.describe, zone.id)
            )
            for zone in view.zones().values()
        ]  # fmt: skip

    def _commands_to_find(self) -> list[PaletteItem]:
        """The keys' actions, and the other commands of this table, which the person completes."""
        acts: dict[str, Callable[[], object]] = {
            "talk": self.action_talk,
            "take_back": self.action_take_back,
            "advice": self.action_advice,
            "log": partial(self.action_view, "log"),
            "rules": partial(self.action_view, "rules"),
            "seats": self.action_seats,
            "help": self.action_help,
            "quit": self.action_ask_to_leave,
        }
        commands = {self.say(word): what for word, what in self._commands.table_words().items() if what}
        return [
            *(
                PaletteItem(self.say(KEYS[name].why), act, self.say(KEYS[name].what))
                for name, act in acts.items()
            ),
            *(
                PaletteItem(
                    self.say(COMMAND, {"word": word, "what": self.say(what)}),
                    partial(self.action_talk, f"/{word} "),
                )
                for word, what in commands.items()
            ),
            PaletteItem(self.say(THEME), self.action_theme),
        ]

    @override
    def draw(self) -> None:
        if not self.is_whole:
            return
        self.idle()
        plan = self._plan()
        for name in ("status", "middle", "news", "prompt", "keys"):
            self.query_one(f"#{name}").display = plan is None
        self.query_one("#table").display = plan is not None
        self.query_one("#page").display = plan is not None and self.view != "table"
        if not self.typing:
            self.set_focus(self.main)
        if plan is None:
            self._draw_rows()
        else:
            self._draw_table(plan)

    def _plan(self) -> Regions | None:
        """The layout of the table; None in a lobby, and on a screen that is too small for a table."""
        facts, match = self.facts(), self.model.match
        if match is None or (facts is not None and self.model.ended is not None and not self.on_podium):
            return None
        plan = layout(
            self.size.width,
            self.size.height,
            guided=self._guided or bool(self.model.hints),
            wish=wish_for(match.game.table, len(match.terms.names)),
            opening=self.model.opening(),
        )
        return above_words(plan) if plan is not None and self.query_one("#talk").display else plan

    @property
    @override
    def main(self) -> Sheet:
        if self.query_one("#page").display:
            return self.sheet("page")
        return self.sheet("table" if self.query_one("#table").display else "prompt")

    def _draw_curtain(self, seat: int, plan: Regions) -> None:
        """Draw the curtain in place of the table: nothing that anybody holds is behind it."""
        names, session = self.session.names, self.session
        looks = looks_of(session.looks or [None] * len(names))
        own = {at: key for key, at in keys_of(session).items()}
        people = [Person(names[at], looks[at], own.get(at, "")) for at in session.people]
        pen = self.pen(plan.width)
        wrong = pen.line(self.prompt.trouble, "wrong")
        title = (*pen.line(f" {self.title_of_game}", "title"), ("   ", ""), *wrong)
        told = [note.text for note in self.model.notes if note.to is None and not note.role]
        curtain = draw_curtain(
            session.people.index(seat), people, told[-1] if told else "", pen, plan.width, plan.height - 2,
            self.key("take"),
        )  # fmt: skip
        keys = self.shown_keys(["log", "rules", "commands", "quit"])
        if not self.typing:
            keys.insert(0, ("take", self.key("take"), self.say(SHOW_HAND)))
        keys_line = key_line(keys, plan.width - 1)
        block = stacked([Block((title,)), curtain, fitted(keys_line, plan.width, 1)])
        self.sheet("table").show(block, cursor=(0, 0))

    def _draw_table(self, plan: Regions) -> None:
        model, prompt = self.model, self.prompt
        veiled = model.curtain()
        if veiled is not None and prompt.shown is None:
            self._draw_curtain(veiled, plan)
            if self.view != "table":
                self._draw_page(plan)
            return
        desk = Desk(
            self.translator.lang, self.title_of_game, (), notes=self.marks(), bots=self._bots(),
            phase="end" if model.ended is not None else "window" if model.window is not None else "play",
            waiting=self._waiting(plan), clock=self._clock(), link=self.link(), pace=self._pace(),
            ascii=self.ascii,
        )  # fmt: skip
        scene = self._at_rest(model.scene(desk, prompt.shown))
        foot = Foot(
            keys=self.shown_keys(self._keys()), views=[(name, self.say(KEYS[name].what)) for name in VIEWS],
            answer="" if self.keymap["answer"] == KEYS["answer"].keys else self.key("answer"),
            space=self.key("take"), why_key=self.key("why"), trouble=prompt.trouble, why=self.why,
            numbered=prompt.palette is None,
        )  # fmt: skip
        frame = draw_frame(scene, plan, self.glyphs, self._plainly, foot)
        prompt.columns, prompt.page = frame.columns, frame.page
        self.sheet("table").show(frame.block, cursor=frame.cursor)
        if self.view != "table":
            self._draw_page(plan)

    def _at_rest(self, scene: Scene) -> Scene:
        """The scene; while hands are quick, that of the first frame, but for the decision and the clock."""
        if self.model.window is None:
            self._still = None
            return scene
        still = self._still = self._still or scene
        return structs.replace(
            still, decision=scene.decision, status=structs.replace(still.status, clock=scene.status.clock)
        )

    def _plainly(self, message: str, params: Mapping[str, object] | None = None) -> str:
        text = self.say(message, params)
        return in_ascii(text) if self.ascii else text

    def _draw_page(self, plan: Regions) -> None:
        """Draw the log, the rules or the help beside or over the board; one's own things stay in view."""
        page = self.sheet("page")
        wide = max(plan.players.width + 1, min(60, plan.width * 2 // 5)) if plan.beside else plan.width
        page.styles.width = wide
        page.styles.height = plan.height - 2 if plan.beside else plan.yours.y - 1
        page.styles.offset = (plan.width - wide, 1)
        self._fill(page, wide - 4)

    def _fill(self, page: Sheet, inside: int) -> None:
        """Show the view in a sheet."""
        if self.view == "rules":
            page.show(markdown_block(self.rules_shown(), max(1, inside)))
        elif self.view == "history":
            page.show(
                Block(tuple(row for text in self.after.past for row in wrapped(text, "", inside, "  ")))
            )
        elif self.view == "help":
            rows = [row for text, role in self.help_shown() for row in wrapped(text, role, inside, "  ")]
            page.show(Block(tuple(rows)))
        else:
            page.show(log_block(self.model.visible(), max(1, inside)), grows=True)

    def _pace(self) -> str:
        """The pace, if it is not the normal one."""
        names = [name for name, factor in PACES.items() if factor == self.director.pace != PACES["normal"]]
        return self.say(PACE, {"name": self.say(PACE_NAMES[names[0]])}) if names else ""

    def action_pace(self, by: int) -> None:
        """Show what happens more slowly or faster."""
        self.prompt.trouble = self.say(PACE, {"name": self.say(PACE_NAMES[self.director.faster(by)])})
        self.draw()

    def _bots(self) -> frozenset[int]:
        facts, people = self.session.table(), self.session.people
        if facts is None:
            return frozenset(set(range(len(self.session.names))) - set(people))
        if not facts.running:
            return frozenset() if self.model.match is None else frozenset(self.model.match.terms.bots)
        return frozenset(seat for seat, one in enumerate(facts.taken) if one.level)

    def _draw_rows(self) -> None:
        """Draw a lobby, or on a small screen the question alone, as rows: status, board, prompt, keys."""
        height, width = self.size.height, self.size.width
        prompt = self.draw_prompt()
        self.query_one("#status").display = height >= 6
        self.query_one("#keys").display = height >= 8
        taken = (height >= 6) + (height >= 8) + self.query_one("#talk").display
        room = height - taken
        alone = height < SMALL and self.view == "table"
        lines = max(1, min(prompt.height, room if alone else room - max(3, room // 2)))
        self.query_one("#prompt").styles.height = lines
        choices = 1 if height < SMALL and self.prompt.trouble else CHOICES
        self.sheet("prompt").pin(min(self.head, max(0, lines - choices)))
        inviting = self.facts() is not None and (self.inviting or width >= BESIDE)  # for the QR code
        news = 0 if self.wide or self.view != "table" or height < 10 or inviting else 1 if height < 16 else 3
        if news:
            more = self.say(MORE, {"key": self.key("log")})
            most = max(news, room - lines - LEAST)
            said = news_block(self.model.visible(), self.size.width - 2, news, most, more)
            news = max(news, said.height)
            self.sheet("news").show(said)
        self.query_one("#news").display = bool(news)
        self.query_one("#news").styles.height = news
        self.query_one("#middle").display = room > lines + news  # else it pushes the choices off the screen
        self._draw_middle(room - lines - news)
        self.draw_status()
        self.draw_keys(self._keys())

    def _draw_middle(self, height: int) -> None:
        board, side = self.sheet("board"), self.sheet("side")
        board.display = self.wide or self.view == "table"
        side.display = self.wide or self.view != "table"
        width = self.size.width
        beside = min(40, width // 3) if self.wide else width  # a lobby has long lines
        side.styles.width = beside
        side.set_class(not self.wide, "-narrow")
        if board.display:
            room = width - 3 - (beside if self.wide else 0)
            board.show(self._board(max(1, room), height))
        if side.display:
            self._fill(side, beside - (7 if self.wide else 3))

    @override
    def pen(self, room: int) -> Pen:
        model = self.model
        question = model.question()
        view = model.view()
        if question is not None and question.ask is not None and model.match is not None:
            view = model.match.view(question.ask.seat)
        return Pen(model.words(), view, self.glyphs, room)

    def _board(self, room: int, height: int) -> Block:
        """The lobby; on a small screen the end of the log."""
        facts, pen = self.facts(), replace(self.pen(room), view=self.model.view())
        if facts is not None and (self.model.match is None or self.model.ended is not None):
            if self.inviting:
                return draw_invitation(facts, pen, with_qr=True)
            news = [] if self.wide else log_block(self.model.visible()[-3:], room).lines
            return draw_lobby(facts, pen, height, news, self._bot_key())
        if self.model.match is None:
            return Block((pen.line(self.say(JOINING), "dim"),))
        return Block(log_block(self.model.visible()[-height:], room).lines[-max(1, height) :])

    @override
    def waiting(self) -> str:
        return self._waiting()[1]

    def _waiting(self, plan: Regions | None = None) -> tuple[str, str, str]:
        """The title, the sentences and the act button while nothing is asked."""
        model, words = self.model, self.model.words()
        if model.curtain() is not None:
            seat = model.asks[0].seat
            return "", words.text(LOOK_AWAY, {"seat": seat}), words.text(I_AM, {"seat": seat})
        if model.window is not None:
            left = [seat for seat in model.window.mine if model.window.window.may(seat)]
            lines = race_lines(model.window._replace(mine=tuple(left)), keys_of(self.session), words)
            return self.say(WINDOW), "\n".join(lines), ""
        more = self.say(NEXT) if self.director.waiting else ""
        for ask in reversed(model.others):
            if ask.others:
                said = words.text(ask.others, {"seat": ask.seat, **ask.params}, model.view())
                return self._or_offers(said, more)
        told = [] if plan is None or plan.beside else self._told
        room = 0 if plan is None else plan.story.width - MARGIN
        cut = len(told) > 1 or any(cell_len(one) > room for one in told)
        said = "\n".join(told) if cut else self.say(WAITING) if model.match is not None else ""
        return self._or_offers(said, more)

    def _or_offers(self, said: str, more: str) -> tuple[str, str, str]:
        """What the person may do without being asked, with its key; else only this sentence."""
        rows = [label for label, _ in self.standing()]
        if not rows:
            return self.say(NOTHING), said, more
        offers = self.say(ANY_TIME, {"key": self.key("do"), "what": " · ".join(rows)})
        return self.say(YOU_MAY), offers, more

    def draw_status(self) -> None:
        """Draw the first line: the game, the turn, the clock and the views."""
        model = self.model
        left = [self.title_of_game]
        if model.match is not None and model.ended is None:
            left.append(self.say(N_("turn {number}"), {"number": model.turn()}))
        if asked := [model.words().describe(SEATS[seat]) for seat in sorted(model.asked())]:
            more = f" +{len(asked) - 3}" if len(asked) > 3 else ""
            left.append(f"{self.glyphs.cursor} {', '.join(asked[:3])}{more}")
        views = [(name, self.say(KEYS[name].what)) for name in VIEWS]
        room, glyphs = self.size.width - 2, self.glyphs
        self.sheet("status").show(
            status_line(left, self._clock(), self.link(), views, self.view, room, glyphs)
        )

    def _clock(self) -> str:
        model, now = self.model, time.monotonic()
        for ask in [*model.asks, *model.others]:
            if ask.seconds is not None:
                left = ask.seconds - (now - self.asked_at.get(ask.id, now))
                return self.say(N_("{number} s left"), {"number": max(0, round(left))})
        return ""

    def _keys(self) -> list[str]:
        """The names of the keys that matter now."""
        model, question = self.model, self.model.question()
        asked = None if question is None else question.ask
        here = {
            "answer": question is not None or model.curtain() is not None or model.ended is not None,
            "take": question is not None and question.draft.several,
            "undo": question is not None and question.draft.touched,
            "do": bool(self.standing()),
            "take_back": may_take_back(model.match, self.session.people),
            "advice": self._guided and asked is not None and not is_go(asked.question),
            "why": question is not None and bool(_cannot(question)),
            "bot": bool(self._bot_key()),
            "what": bool(model.recalled) and model.window is None,
        }
        return [
            *(name for name, matters in here.items() if matters),
            *("talk", "log", "rules", "commands", "quit", "help"),
        ]

    # -- keys -------------------------------------------------------------------------------------

    @override
    def scrolled(self) -> Sheet:
        if self._plan() is not None:
            return self.sheet("page" if self.view != "table" else "table")
        return self.sheet("side" if self.view != "table" else "board")

    @override
    def action_page(self, by: int) -> None:
        question = self.prompt.shown
        if self.view == "table" and question is not None and self._plan() is not None:
            question.draft.leap(by * self.prompt.page)
            self.draw()
        else:
            super().action_page(by)

    def action_take(self) -> None:
        """Fold a hint, or show the next moment at once; if nothing waits, as everywhere."""
        question = self.question()
        if question is None and self.model.curtain() is not None:
            self.action_answer()
            return
        if self._recalls(ends=False):
            return
        if (question is None or not question.draft.several) and self.model.next_hint():
            if self.model.folded:
                self.director.go_on()
            self.draw()
        elif not self._passes(self.director.step):
            super().action_take()

    def _passes(self, go_on: Callable[[], bool]) -> bool:
        """Whether a key was for what is shown now, not for a question."""
        question = self.question()
        if question is None or question is self.model.idle:
            return go_on()
        clocked = question.ask is None or question.ask.seconds is not None
        return self.director.guards() and not clocked

    def action_answer(self) -> None:
        """Show at once what waits to be shown; else as everywhere."""
        lifts = self.question() is None and self.model.curtain() is not None
        passed = not lifts and (self._recalls(ends=True) or self._passes(self.director.skip))
        if not (passed or self._is_hasty):
            self._confirm()

    @property
    def _is_hasty(self) -> bool:
        """Whether a key may have been meant for a card of the match that has just ended."""
        return self.on_podium and time.monotonic() - self.ended_at < HASTE

    def _confirm(self) -> None:
        """Answer with what is pointed at."""
        self.inviting = False
        self.why = False
        super().action_answer()

    def go_on(self) -> None:
        """Lift a curtain; what has changed meanwhile is marked from now on."""
        if self.model.curtain() is not None:
            self.model.unveil()
            self._marked_at = time.monotonic()

    @override
    def sent(self, question: PromptQuestion, answer: Any) -> None:
        if self.model.own is question:
            self.model.own = None
        elif not self.director.pace and question.ask is not None:
            self.model.before = dict(self.model.zones())  # what changes from now on is marked
        question.done(answer)

    @override
    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Leave letters that have no meaning now to choices."""
        possible = {
            "bot": lambda: self._bot_key() != "",
            "name": lambda: self.facts() is not None,
            "repeat": lambda: self.calling.last != "",
        }
        return possible.get(action, lambda: True)() and super().check_action(action, parameters)

    def _bot_key(self) -> str:
        """The key that puts a bot on a free seat; "" if this player may not do it now."""
        facts = self.facts()
        return self.key("bot") if facts is not None and facts.seats and may_add_bot(facts) else ""

    def action_bot(self) -> None:
        """Put a bot on a free seat."""
        facts = self.facts()
        if facts is not None and self._hosting is not None:
            self._hosting.add_bot(facts)
            self.draw()

    def action_what(self) -> None:
        """Show again what happened since the last answer; the match goes on meanwhile."""
        model = self.model
        if model.match is None or model.window is not None or self.view != "table":
            return
        if not model.recalled:
            self.prompt.trouble = self.say(NO_NEWS)
        model.recall_next()
        self.draw()

    def _recalls(self, *, ends: bool) -> bool:
        """Whether something is shown again; a key goes on, or ends it, and answers nothing."""
        if self.model.recall is None:
            return False
        if ends:
            self.model.recall = None
        else:
            self.model.recall_next()
        self.draw()
        return True

    def action_why(self) -> None:
        """Tell why some choices are not possible now, or show the choices again."""
        self.why = not self.why
        self.draw()

    def action_again(self) -> None:
        """Play again after the match."""
        if self.model.ended is not None and self.after.may_play_again:
            self.after.play_again()

    def action_view(self, name: str) -> None:
        """Show the log or the rules; if shown already, show the table again."""
        if self.view == "rules" == name:
            self.topic = ""
        self.view = "table" if self.view == name else name
        self.draw()
        page = self.sheet("page" if self._plan() is not None else "side")
        goes = page.scroll_end if self.view in ("table", "log") else page.scroll_home
        self.call_after_refresh(goes, animate=False, force=True)

    @override
    def action_escape(self) -> None:
        model = self.model
        if self.close_talk() or self._recalls(ends=True):
            pass
        elif model.own is not None or self.inviting:
            model.own, self.inviting = None, False
        elif self.why:
            self.why = False
        else:
            self.view = "table"
        self.prompt.trouble = ""
        self.draw()

    # -- mouse ------------------------------------------------------------------------------------

    @on(Sheet.Pointed, "#table")
    def _table_clicked(self, event: Sheet.Pointed) -> None:
        what, thing = event.thing
        if what == "choice":
            self.prompt.point(thing)
            self.draw()
        elif what == "view":
            self.action_view(thing)
        else:
            self.press_named(thing)

    @on(Sheet.Pointed, "#status")
    def _view_clicked(self, event: Sheet.Pointed) -> None:
        self.action_view(event.thing)


def _stay() -> None:
    """Do nothing."""


def _cannot(question: PromptQuestion) -> bool:
    """Whether a question has choices that are not possible now."""
    return bool(question.draft.choices) and bool(question.draft.shape.unavailable)  # type: ignore[union-attr]  # choices


def _labels(question: PromptQuestion) -> list[object]:
    return [choice.params["what"] for choice in choices_of(question.kind)]
