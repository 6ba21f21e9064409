"""The plain frontend: append-only lines, complete in themselves.

It is for pipes, dumb terminals and screen readers. Every event is a line and every choice has a number.
A command shows the table. Printed lines are never overwritten.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final

from typing_extensions import override

from tavolata._engine.match import updates
from tavolata._engine.sessions.next_step import Deed, NextStep
from tavolata._engine.sessions.session import TableSession
from tavolata._ui.answers import (
    BY_ENTER_ALONE,
    TO_COMMAND,
    Parts,
    by_words,
    choice_lines,
    fits_for,
    has_letter,
    is_go,
    parse,
    prompt_of,
    reason_lines,
)
from tavolata._ui.curtain import LOOK_AWAY, Curtain, as_seen_by, watch
from tavolata._ui.i18n import Translator
from tavolata._ui.line_frontend import LineFrontend, Typed
from tavolata._ui.plain_commands import NOT_ASKED, Commands
from tavolata._ui.previews import Details, details
from tavolata._ui.scene.text import items_of, lines_of, said_once
from tavolata._ui.table_lines import KeyQuestion
from tavolata._ui.whole_ending import whole_ending
from tavolata._ui.window_input import WindowInput
from tavolata.asks import Ask
from tavolata.errors import Refused
from tavolata.kinds.fields import fields_of
from tavolata.kinds.question import Branching, Choices, Fieldset, Question, Writing, has_text
from tavolata.messages import N_, NN_, Event
from tavolata.ring import SEATS, Seat
from tavolata.view import View
from tavolata.zones import Rows

YOUR_TURN = N_("{seat}: {prompt}")
LATE = N_("Time is up.")
CLOCK = NN_("You have {n} second.", "You have {n} seconds.")
BACK, ALL = N_("back"), N_("all")
GO_BACK = N_("{choice}. (Type {word} to choose something else.)")
AGAIN = N_("The match continues.")
STATE = N_("State of the table: {digest}")
FOR_SCREEN_READERS = N_(
    "Tavolata in screen reader mode: every line begins with its type. Type help for the commands."
)
ONLY = N_("{label}: {value}")
LABELLED = N_("{label}: {line}")
EVENT, QUESTION, CHOICE = N_("Event"), N_("Question"), N_("Choice")
TABLE, TALK, NOTICE, WRONG, MATCH = N_("Table"), N_("Talk"), N_("Notice"), N_("Error"), N_("Match")
REACTION, HINT = N_("Reaction"), N_("Hint")
HINTED = N_("  (Hint: {line})")
MORE = NN_("{seat}: {title} {now}, up {n}", "{seat}: {title} {now}, up {n}")
LESS = NN_("{seat}: {title} {now}, down {n}", "{seat}: {title} {now}, down {n}")
LABELS = {"talk": TALK, "private": TALK, "notice": NOTICE, "wrong": WRONG}
"""The first word of a sentence, by its role."""


SURPLUS = 20.0
"""Seconds after a match in which a line of a script whose input has ended still waits for a question."""
Numbers = dict[str, dict[int, int]]
"""By zone, the number of each seat, as everybody sees it."""
Look = tuple[tuple[int, int], Numbers]
"""A moment, how often the rules had waited and the turn, and the numbers at its end."""
MOST_CHOICES = 12
"""The most choices that have a line unasked: so many can be heard, and stand on a small screen."""
NEWS = 60
"""The most events since the last answer that are told again."""

COUNTED: Final = (30, 10, 5)
"""The seconds left at which plain lines say the next step again."""
YOU_CAN = N_("You can type: {words}")
DEEDS: Final = {
    Deed.READY: N_("ready"), Deed.NUDGE: N_("nudge"), Deed.BOT: N_("substitute"), Deed.STOP: N_("suspend"),
    Deed.WITHOUT: N_("without"), Deed.END: N_("end"), Deed.WAIT: N_("wait"), Deed.PLAY_ON: N_("continue"),
    Deed.BACK: N_("rewind"),
}  # fmt: skip
"""The command of each deed."""


class Plain(LineFrontend):
    """One session as lines of text; see `LineFrontend` for its other arguments.

    With `narrate` it prints notices and the prompts of others, too. With `proof` a match ends with the digest
    of its last state, which is equal on all peers. `bell` rings when someone has reacted in a window. With
    `labelled` each line begins with its role, for people who hear single lines. For `rules` see `Commands`.
    `wipe` clears the screen and its scrollback between several people at one keyboard.
    """

    def __init__(
        self,
        session: TableSession,
        translator: Translator,
        out: Callable[[str], object],
        lines: Typed | None,
        *,
        narrate: bool = True,
        proof: bool = False,
        bell: Callable[[], object] | None = None,
        labelled: bool = False,
        rules: Callable[[str], Sequence[str]] | None = None,
        wipe: Callable[[], object] | None = None,
        drained: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        super().__init__(session, translator, out, lines, drained)
        # A pipe needs no curtain.
        self._veil = Curtain(session, drawn=lines is not None and lines.on_terminal)
        self._secrets: list[tuple[Event | updates.Saying, set[int | None]]] = []  # with who hasn't read it
        self._news: list[str] = []
        self._over = False
        self._board: dict[str, list[str]] = {}
        self._numbers: Numbers | None = None
        self._last: Numbers | None = None
        self._moment: Look | None = None
        self._latest: Look | None = None
        self._series: dict[int, dict[int, int]] = {}
        self._pointed_out: set[str] = set()
        self._quick = False
        self._parts = Parts()
        self._begun: Ask | None = None
        self._waits_for = ""
        self._wipe = wipe
        self._labelled = labelled
        self._narrate = narrate
        self._proof = proof
        self._lobby: list[str] = []
        self._noticed = ""
        self._race = WindowInput(session, self._labels(REACTION), bell)
        self._key = KeyQuestion(session, translator.text, self._labels(QUESTION), self._labels(CHOICE))
        self._commands = Commands(self, session, translator, self._labels(TABLE), rules, self._key.ask)

    @override
    def greet(self) -> None:
        if self._labelled:
            self._print(self._translator.text(FOR_SCREEN_READERS))

    def _say(self, label: str, line: str) -> None:
        if self._labelled:
            told = {"label": self._translator.text(label), "line": line.strip()}
            line = self._translator.text(LABELLED, told)
        self._print(line)

    def _labels(self, label: str) -> Callable[[str], object]:
        return lambda line: self._say(label, line)

    @override
    async def hear(self, line: str) -> None:
        typed = line.strip()
        try:
            if not typed and self._hidden():
                self._lift()
                return
            letter = self._is_letter(typed) or self._is_text(typed)
            if not letter and not self._race.waits and self._key.hear(typed):
                return
            # A person's key may be a command, too, which then needs a slash.
            if not letter and (self._answers() or not self._race.takes(typed)) and self._commands.do(typed):
                if typed == "?":
                    self._race.explain(self.words())
                return
            lines = self._lines
            at = getattr(lines, "at", None) if lines is not None and lines.on_terminal else None
            if lines is not None and not lines.on_terminal:
                await self._until_expected(typed, lines)
            if self._answers() or not self._race.hear(typed, at):
                self._answer(typed)
        except Refused as refusal:
            self._say(WRONG, self.words().text(refusal.message, refusal.params))

    async def _until_expected(self, typed: str, lines: Typed) -> None:
        """Keep a line that a script typed ahead of its question.

        Raise `Refused` if it was typed too much: match and input are over, and no one asks any more.
        """
        while not self._expected(typed):
            asked = await self._something_asked(SURPLUS if self._over else None)
            if not asked and getattr(lines, "ended", False):
                raise Refused(NOT_ASKED)
            await self._all_shown()

    def _expected(self, typed: str) -> bool:
        """Return True if a line has a meaning now: Enter alone is a move, anything else a reaction."""
        return bool(self._asks) or (self._race.waits if typed else self._race.owes)

    def _answers(self) -> bool:
        """Return True if a line answers a question, even where it's a key."""
        return bool(self._asks) and not is_go(self._asks[0].question)

    def _wants_text(self) -> bool:
        ask = self.open_question()
        return ask is not None and isinstance(self._asked_now(ask)[0].shape(), Writing)

    def _is_text(self, typed: str) -> bool:
        """Return True if a line is a text that is asked, even if a command has that name; or goes back."""
        return self._wants_text() and (not typed.startswith("/") or self._goes_back(typed))

    def _goes_back(self, typed: str) -> bool:
        words = ("back", self._translator.text(BACK).casefold())
        slash = "/" if self._wants_text() else ""
        return bool(self._parts.given) and typed.casefold() in {f"{slash}{word}" for word in words}

    def _is_letter(self, typed: str) -> bool:
        """Return True if a line is the letter of a choice, which then overrides a command."""
        ask = self.open_question()
        return ask is not None and has_letter(self._asked_now(ask)[0], typed)

    def _asked_now(self, ask: Ask) -> tuple[Question, list[Any]]:
        """Return the next question, a whole one or that of a field; and the answers before it."""
        if not self._by_parts(ask):
            return ask.question, []
        return self._parts.next_field(ask.question)[1], self._parts.given

    def details(self) -> Details | None:
        ask, match = self.open_question(), self._session.match
        if ask is None or match is None:
            return None
        return details(match, ask, *self._asked_now(ask), self.words())

    def reasons(self) -> list[str]:
        """Return what can't be chosen now, and why; empty if nothing is asked or nothing is ruled out."""
        ask, match = self.open_question(), self._session.match
        if ask is None or match is None:
            return []
        now, given = self._asked_now(ask)
        return reason_lines(now, self.words(), match.view(ask.seat), ask, given)

    def _answer(self, typed: str) -> None:
        if self._hidden():
            self._look_away()
        elif self._asks:
            ask = self._asks[0]
            if self._goes_back(typed):
                self._parts.back(ask.question)
                (self._show_field if self._parts.given else self.show_question)(ask)
                return
            if typed.casefold() in ("all", self._translator.text(ALL).casefold()) and not self._wants_text():
                self._list(ask)
                return
            typed = self._number_of(ask, typed)
            answer = (
                self._parts.answer(ask.question, typed) if self._by_parts(ask) else parse(ask.question, typed)
            )
            if answer is None:
                self._show_field(ask)
                return
            self._session.answer(ask, answer)
            self._news.clear()
            self._drop(ask)
            self._fall()
        elif typed:
            raise Refused(NOT_ASKED)

    # -- showing ------------------------------------------------------------------------------

    @override
    def show(self, update: updates.Update) -> None:
        words = self.words()
        self._count(update)
        match update:
            case updates.Told(event):
                if self._veil.several and event.to is not None:
                    self._secrets.append((event, {seat for seat in self._session.people if seat in event.to}))
                    self._tell_secrets()
                elif event.to is None or any(seat in event.to for seat in self._session.people):
                    match, line = self._session.match, words.event(event, self._view(event))
                    self._say(EVENT, line)
                    if match is not None and self._veil.several:
                        line = words.event(event, match.view(None))  # anyone here may ask for the news
                    self._news = [*self._news, line][-NEWS:]
                self._waits_for = ""
            case updates.Asked(ask, mine):
                self._over = False
                self._show_ask(ask, mine=mine)
            case updates.Closed(ask, late):
                self._drop(ask)
                self._fall()
                if late:
                    self._say(QUESTION, words.text(LATE))
            case updates.WindowOpened():
                self._race.open(update, words)
                self._stir()
                self._nobody_answers()
            case updates.WindowClosed():
                self._race.close()
            case updates.Said(to=to, mine=False) if to and self._veil.several:
                self._whisper(update.saying(), to)
            case updates.Telling():
                self._tell(update.saying())
            case updates.LobbyChanged(whole):
                self.show_lobby(whole=whole)
                if self._narrate:
                    self._key.look()
            case updates.Began(again=again):
                self._drop_all()  # whatever is still open is asked again
                self._race.close()
                self._board.clear()
                self._news.clear()
                self._numbers = self._last = self._moment = self._latest = None
                self._series, self._pointed_out = {}, set()
                if again:
                    self._say(MATCH, words.text(AGAIN))
            case updates.Ended():
                self._over = True
                self._stir()  # a line that waits now waits for another match
                self._drop_all()
                for line in whole_ending(update, self._session.match, words, self._series):
                    self._say(MATCH, line)
                if self._proof:
                    self._say(MATCH, words.text(STATE, {"digest": update.digest.hex()}))

    @override
    def caught_up(self) -> None:
        """Print numbers of a moment that nothing follows, and the acts out of turn; after all else."""
        if self._moment is not None:
            self._tell_numbers(self._moment[1])
        if self._narrate:
            self._commands.tell_offers()

    # -- numbers that no sentence says --------------------------------------------------------

    @override
    def step(self, step: NextStep | None, *, changed: bool) -> None:
        """Say it when it changes, and again when few seconds are left."""
        if step is not None and (changed or step.left in COUNTED):
            line = f"{self._translator.text(step.text.message, step.text.params)} {step.clock}".strip()
            self._say(TABLE, line)
            if changed and (words := self._deeds(step)):
                self._say(TABLE, self._translator.text(YOU_CAN, {"words": words}))

    def _deeds(self, step: NextStep) -> str:
        say, names = self._translator.text, self._session.names
        return ", ".join(
            f"{say(DEEDS[deed])} {names[seat]}" if seat >= 0 else say(DEEDS[deed]) for deed, seat in step.acts
        )

    def _on_terminal(self) -> bool:
        return self._lines is not None and self._lines.on_terminal

    def look(self) -> Look:
        """Return an event's moment, and the numbers of the seats at the end of that moment; see `watch`.

        Rules may tell first and count then, so a later look at the same moment corrects an earlier one.
        """
        match = self._session.match
        assert match is not None
        numbers: Numbers = {}
        for name, zone in match.view(None).zones().items():
            shape = zone.shape()
            if isinstance(shape, Rows) and all(
                isinstance(label, Seat) and type(number) is int for label, number in shape.rows
            ):
                numbers[name] = {int(label): number for label, number in shape.rows}
        turn = match.game.turns_begun(match.table)
        for row in list(numbers.values())[:1]:
            for seat, number in row.items():
                self._series.setdefault(seat, {})[turn] = number
        moment = (match.awaits, turn)
        if self._latest is None or self._latest[0] != moment:
            self._latest = moment, {}
        self._latest[1].update(numbers)
        return self._latest

    def _count(self, update: updates.Update) -> None:
        """Print the numbers that changed in the moment before; while hands are quick, only leaps."""
        if self._labelled or self._on_terminal():
            watch(self._session.match, self)
            if isinstance(update, updates.Asked) and self._numbers is None and self._moment is None:
                self._numbers = dict(self.look()[1])  # what happened before nobody looked
        if isinstance(update, updates.Telling):
            return  # a hint or words in the midst of a moment don't end it
        told, was = isinstance(update, updates.Told), self._moment
        own = as_seen_by(update, self)
        seen = own.seen if isinstance(own, updates.Told) else None
        if isinstance(update, updates.WindowOpened):
            self._quick = True
        elif isinstance(update, updates.Asked | updates.Ended):
            self._quick = False
        if was is not None and not (told and seen is not None and seen[0] == was[0]):
            self._tell_numbers(was[1])
        if told:
            self._moment = seen

    def _tell_numbers(self, now: Numbers) -> None:
        self._moment, before = None, self._numbers
        changed = [
            (name, seat, number, number - before[name][seat])
            for name, row in now.items() for seat, number in row.items()
            if before is not None and seat in before.get(name, {}) and before[name][seat] != number
        ]  # fmt: skip
        last, self._last = self._last or before or {}, now
        leap = max(
            (abs(number - last.get(name, {}).get(seat, number)) for name, seat, number, _ in changed),
            default=0,
        )
        if changed and self._quick and leap < 2:
            return
        self._numbers = dict(now)
        view, words = self._view(), self.words()
        zones = view.zones() if changed else {}
        for name, seat, number, by in changed:
            if name not in zones:
                continue
            title = words.text(zones[name].title, zones[name].params, view)
            said = {"seat": SEATS[seat], "title": title, "now": number, "n": abs(by)}
            line = words.text(MORE if by > 0 else LESS, said)
            self._say(TABLE, line if self._labelled else f"  ({line})")

    def _tell(self, said: updates.Saying) -> None:
        if (said.own and not self._ended) or (said.role == "notice" and not self._narrate):
            return
        if said.renews:  # a line that is written stays as it is; how far it has got isn't news
            return
        if said.role == "hint":
            line = self.words().text(said.message, said.params, self._view())
            self._say(HINT, line if self._labelled else self._translator.text(HINTED, {"line": line}))
        else:
            line = self.words().text(said.message, said.params)
            self._noticed = line if said.role == "notice" else self._noticed
            self._say(LABELS[said.role], line)

    def _nobody_answers(self) -> None:
        super()._nobody_answers()
        if self._ended and self._race.owes:
            self.end_input()

    def show_lobby(self, *, whole: bool = True) -> None:
        """Print the lobby; only its changes, unless `whole`."""
        words = self.words()
        lines = [words.text(message, params) for message, params in self._session.lobby()]
        for line in lines if self._narrate or whole else ():
            if whole or line not in {*self._lobby, self._noticed}:  # who watches is a notice, too
                self._say(TABLE, line)
        self._lobby = lines

    def _view(self, event: Event | None = None) -> Any:
        match, seat = self._session.match, self.seat() if event is None else self.seat_for(event)
        return None if match is None else match.view(seat)

    def _show_ask(self, ask: Ask, *, mine: bool) -> None:
        words = self.words()
        self._veil.asked(ask, mine=mine)
        if not mine:
            if ask.others and self._narrate and not is_go(ask.question):
                said = words.text(ask.others, {"seat": ask.seat, **ask.params}, self._view())
                if said != self._waits_for:  # one answer after the other is waited for in the same words
                    self._say(EVENT, said)
                self._waits_for = said
            return
        self._owe(ask)
        if self._asks[0] is ask or not self._veil.several:
            self._next_question()
        self._nobody_answers()

    # -- several people at one keyboard ---------------------------------------------------------

    @override
    def seat(self) -> int | None:
        return self._veil.seat() if self._veil.several else super().seat()

    def _hidden(self) -> bool:
        if not self._asks:
            return False
        told = any(self._asks[0].seat in unread for _, unread in self._secrets)
        return self._veil.hides(self._asks[0], told=told)

    @override
    def open_question(self) -> Ask | None:
        """Return the open question; None behind a curtain, because repeating it would lift the curtain."""
        return None if self._hidden() else super().open_question()

    def news(self) -> list[str]:
        """Return the news since the last answer; of several people at one keyboard, what all may know."""
        return self._news

    def _next_question(self) -> None:
        if self._hidden():
            self._look_away()
        elif self._asks:
            self.show_question(self._asks[-1 if not self._veil.several else 0])

    def _look_away(self) -> None:
        self._say(QUESTION, self.words().text(LOOK_AWAY, {"seat": self._asks[0].seat}))

    def _lift(self) -> None:
        """Lift the curtain for one player: print the seat's secret news first, then the question."""
        ask = self._asks[0]
        self._veil.lift(int(ask.seat))
        self._tell_secrets()
        self.show_question(ask)

    def _whisper(self, said: updates.Saying, to: Sequence[str]) -> None:
        """Print a whisper to each of its hearers here when they look alone; without one, that it came."""
        names = self._session.names
        self._secrets.append((said, {seat for seat in self._session.people if names[seat] in to}))
        if self._secrets[-1][1]:
            self._tell_secrets()
        else:
            self._tell(said)

    def _tell_secrets(self) -> None:
        """Print the secret news of the player who looks now; it waits for others who may read it, too."""
        for told, unread in self._secrets:
            if self._veil.unveiled in unread:
                unread.remove(self._veil.unveiled)
                if isinstance(told, Event):
                    self._say(EVENT, self.words().event(told, self._view()))
                else:
                    self._tell(told)
        self._secrets = [one for one in self._secrets if one[1]]

    def _fall(self) -> None:
        """Draw the curtain: remove everything secret from the screen and its scrollback."""
        if self._veil.unveiled is not None and self._wipe is not None:
            self._wipe()
            self._board.clear()
        self._veil.fall()
        if self._veil.several:
            self._next_question()

    def _show_changes(self, view: View) -> None:
        """Print the zones that have changed since they were printed here."""
        shown = said_once(items_of(view, self.words()), view.seat)
        now = {item.zone.id: lines_of(item) for item in shown}
        counted = self._numbers or {}
        for name, lines in now.items():
            if self._board.get(name) == lines or (name in self._board and name in counted):
                continue  # what each number became was told when it changed
            for line in lines:
                self._say(TABLE, line)
        self._board = now

    def _by_parts(self, ask: Ask) -> bool:
        """Return True if fields are asked one after the other; a script answers most forms in one line."""
        shape = ask.question.shape()
        by_parts = self._on_terminal() or has_text(ask.question)
        return isinstance(shape, Branching) or (isinstance(shape, Fieldset) and by_parts)

    def _show_field(self, ask: Ask) -> None:
        """Ask for the next field; nothing is sent before all are answered, and the person can go back."""
        words, view = self.words(), self.view_of(ask.seat)
        label, _ = self._parts.next_field(ask.question)
        given = self._parts.given
        fields = fields_of(ask.question, given)
        if self._parts.is_begun(ask.question):
            before = fields[len(given) - 1][1].shape()
            if not label and isinstance(before, Choices):
                label = words.choice(before.choices[given[-1][0]], view)
            slash = "/" if self._wants_text() else ""
            said = {"choice": words.text(label), "word": f"{slash}{words.text(BACK)}"}
            self._say(QUESTION, words.text(GO_BACK, said))
        else:
            for (name, one), answer in zip(fields, given, strict=False):  # nobody was asked these
                shape = one.shape()
                if name and isinstance(shape, Choices):
                    value = ", ".join(words.choice(shape.choices[place], view) for place in answer)
                    self._say(CHOICE, words.text(ONLY, {"label": words.text(name), "value": value}))
            if label:
                self._say(QUESTION, f"{words.text(label)}:")
        self._list(ask, self._most())
        if self._parts.only(ask.question) is not None:
            self._say(CHOICE, "  " + words.text(BY_ENTER_ALONE))
        self._point_out(ask)

    def _list(self, ask: Ask, most: int | None = None) -> None:
        now, given = self._asked_now(ask)
        view = self.view_of(ask.seat)
        for line in choice_lines(now, self.words(), view, ask, given, why=False, most=most):
            self._say(CHOICE, "  " + line)

    def _number_of(self, ask: Ask, typed: str) -> str:
        """Return the number of the choice with the typed words, if they are those of one alone."""
        match = self._session.match
        return typed if match is None else by_words(
            self._asked_now(ask)[0], typed, self.words(), match.view(ask.seat)
        )  # fmt: skip

    def _most(self) -> int | None:
        """Return how many choices have a line: a script counts them all."""
        return MOST_CHOICES if self._on_terminal() else None

    def _point_out(self, ask: Ask) -> None:
        """Say once a match and question how to hear what its choices mean, or that a line is a text."""
        if self._wants_text() and TO_COMMAND not in self._pointed_out and self._on_terminal():
            self._pointed_out.add(TO_COMMAND)
            self._say(CHOICE, f"  {self.words().text(TO_COMMAND)}")
        found = self.details()
        if found is not None and (line := found.pointer()) and f"{ask.you} {line}" not in self._pointed_out:
            self._pointed_out.add(f"{ask.you} {line}")
            self._say(CHOICE, f"  {self.words().text(line)}")

    def show_question(self, ask: Ask) -> None:
        words, view = self.words(), self.view_of(ask.seat)
        if not is_go(ask.question):
            self._show_changes(view)
        said = {"seat": SEATS[ask.seat], "prompt": prompt_of(ask, words, view)}
        self._say(QUESTION, words.text(YOUR_TURN, said))
        if ask.seconds is not None and not is_go(ask.question):
            self._say(QUESTION, words.text(CLOCK, {"n": round(ask.seconds)}))
        if self._by_parts(ask):
            if self._begun is not ask:  # asked once more, what was answered so far stays
                self._begun = ask
                self._parts = Parts(fits_for(ask, view), ask.claim.reason if ask.claim else "")
            self._show_field(ask)
            return
        if is_go(ask.question):
            return
        self._list(ask, self._most())
        self._point_out(ask)
