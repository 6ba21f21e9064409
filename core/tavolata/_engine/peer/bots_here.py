"""The bots of this machine: its own player, its extra bots, and stand-ins for its people."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from tavolata import _machine
from tavolata._engine.match.entries import LATE
from tavolata._engine.match.interjections import ALL, meant, share_of
from tavolata._engine.match.log_source import LogSource
from tavolata._engine.match.match import Match
from tavolata._engine.match.open_source import BotFault
from tavolata._engine.match.source import TimedAnswer, reflex_of
from tavolata._engine.match.updates import Notice
from tavolata._engine.peer.game_library import GameLibrary
from tavolata._engine.table.table_state import TableState
from tavolata._engine.thinking.thoughts import NO_THOUGHT, Thinking, quick
from tavolata._players import Bot, Chance, ChatMessage, RandomBot
from tavolata.asks import Ask
from tavolata.choices import Answer
from tavolata.errors import Refused
from tavolata.kinds.one_of import GO
from tavolata.kinds.question import Question
from tavolata.messages import N_
from tavolata.windows import Window

STAND_IN = "easy"
"""The level of a stand-in for a person of this machine."""


class Bots:
    """The bots of a single match by seat; none is asked before its cards are open here (`sees_hand`)."""

    def __init__(self, state: TableState, library: GameLibrary, sees_hand: Callable[[int], bool]) -> None:
        self._state = state
        self._library = library
        self._sees_hand = sees_hand
        self._chance = Chance(_machine.bits(64))
        self.resting: set[int] = set()
        """The seats of people here whom a bot plays for until they press a key."""
        self._playing: dict[int, Bot] = {}
        self._invited: dict[int, tuple[int, int]] = {}
        self._thoughts: dict[int, Thinking] = {}
        self._read = self._late = 0

    def of(self, seat: int) -> Bot | None:
        """Return the bot that plays a seat here; None if a person or another peer plays it."""
        if self._state.matches.player_of(seat) != self._state.me:
            return None
        place = self._state.roster.places[seat]
        level = place.level
        if level is None and (place.unattended or seat in self.resting):
            level = STAND_IN
        if level is None:
            self._playing.pop(seat, None)
            return None
        if seat not in self._playing:
            self._playing[seat] = self._library.bots.get(level, RandomBot)()
        return self._playing[seat]

    def for_person(self, match: Match, ask: Ask) -> Answer:
        """Return a bot's answer to one question of the person here, who gave none in time."""
        return self.choice(match, self._library.bots.get(STAND_IN, RandomBot)(), ask)

    def thinks(self, match: Match, bot: Bot, ask: Ask) -> bool:
        """Return True if a bot is still thinking, in another process; it begins now at the latest."""
        if not bot.seconds or ask.question is GO:
            return False
        from tavolata._engine.thinking.thinkers import THINKERS  # noqa: PLC0415 - few tables have such a bot

        if ask.id not in self._thoughts:
            self._thoughts[ask.id] = THINKERS.ask(match, ask, bot, self._chance.bits(), lambda: None)
        return not THINKERS.is_over(self._thoughts[ask.id])

    def _thought(self, match: Match, ask: Ask) -> Answer | None:
        """Return the result of thinking if it's still legal; notify people if there isn't one."""
        thought = self._thoughts.pop(ask.id, None)
        if thought is None or thought.reply is None:
            return None
        if thought.answer is None:
            name = self._state.roster.places[ask.seat].name
            said = {"name": name, "problem": thought.reply.problem}
            self._state.out.append(Notice(NO_THOUGHT, said, wrong=True))
            return None
        answer = ask.question.answer_at(thought.answer)
        match.check_claim(ask, answer)
        return answer

    def choice(self, match: Match, bot: Bot, ask: Ask) -> Answer:
        """Return a legal answer to a question of the bot's seat: one at random if the bot fails."""
        if ask.question is GO:
            return 0
        if bot.seconds:
            with suppress(Refused, IndexError):  # an interjection may have changed what is legal
                thought = self._thought(match, ask)
                if thought is not None:
                    return thought
            bot = quick(bot)
        try:
            answer = ask.question.answer_for(bot.choose(match.view(ask.seat), ask, self._chance))
            match.check_claim(ask, answer)
        except Exception as error:  # noqa: BLE001 - a bot is foreign code
            self._replace(int(ask.seat), error)
            return _legal(match, ask, self._chance)
        return answer

    def reflex(self, window: Window, seat: int) -> TimedAnswer | None:
        match, bot = self._state.matches.match, self.of(seat)
        if match is None or bot is None:
            return None
        try:
            return reflex_of(bot.react(match.view(seat), window, self._chance), window, seat)
        except Exception as error:  # noqa: BLE001 - a bot is foreign code
            self._replace(seat, error)
            return reflex_of(RandomBot().react(match.view(seat), window, self._chance), window, seat)

    def talk(
        self,
        match: Match[LogSource],
        say: Callable[[str, Sequence[int], int], None],
        interject: Callable[[int, str, Any], None],
    ) -> None:
        """Let each bot speak or act once when a question or a window opens, and again after words or an act.

        While a card is dealt no one is invited: the words would come too late to be answered. `say` takes the
        text, the seats spoken to (none for all) and the speaker's seat.
        """
        source = match.source
        self._late += sum(entry[0] in LATE for entry in source.entries[self._read : source.at])
        self._read = source.at
        if not match.table._pieces.laid or not (source.open or source.window):
            return
        now = (match.table._asks, self._late)
        for seat in self._state.matches.seats_of(self._state.me):
            bot = self.of(seat)
            asked = self._invited.get(seat) == now
            if asked or bot is None or not bot.interjects or not self._sees_hand(seat):
                continue
            self._invited[seat] = now
            standing = match.standing(seat)
            if not standing and not match.game.listens:
                continue
            said = self._word(match, bot, seat, standing)
            if isinstance(said, ChatMessage):
                with suppress(Refused):  # as with a person, nothing has changed
                    say(said.text, said.to, seat)
            elif said is not None:
                interject(seat, *said)

    def _word(
        self, match: Match, bot: Bot, seat: int, standing: Mapping[str, Question]
    ) -> ChatMessage | tuple[str, Any] | None:
        """Return a bot's message, or its action and the chosen value; None if that wasn't offered."""
        try:
            share = share_of(bot, match.terms.options)
            if share < ALL and not self._chance.percent(share):
                return None
            said = bot.interject(match.view(seat), standing, self._chance)
            if said is None or isinstance(said, ChatMessage):
                return said
            return said.name, meant(standing, said)
        except Refused:
            return None
        except Exception as error:  # noqa: BLE001 - a bot is foreign code
            self._replace(seat, error)
            return None

    def _replace(self, seat: int, error: Exception) -> None:
        """Handle a failed bot: this peer's own player ends the process, an extra bot plays on at random."""
        place, why = self._state.roster.places[seat], f"{type(error).__name__}: {error}"
        if place.level is not None and place is self._state.roster.place_of(self._state.me):
            raise BotFault(seat, f"The bot at seat {seat + 1} failed: {why}") from error
        self._playing[seat] = RandomBot()
        self._state.out.append(
            Notice(N_("{name}'s bot failed and will play at random from now on: {problem}"),
                   {"name": place.name, "problem": why}, wrong=True)
        )  # fmt: skip


def _legal(match: Match, ask: Ask, chance: Chance) -> Answer:
    """Return a random legal answer without a false claim."""
    for _ in range(100):
        answer = ask.question.answer_at(chance.below(ask.question.count()))
        try:
            match.check_claim(ask, answer)
        except Refused:
            continue
        return answer
    return ask.late
