"""A table of Zompa whose cards are stacked: a match that follows entries made up card by card.

Only the driving of such a match lives here; what is to be proved stands in the tests.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tavolata import Event, Outcome, Seat
from tavolata._engine.match.dealing import OneDealer
from tavolata._engine.match.entries import ANSWER, FACE, NUMBER, SAY, SHUFFLED
from tavolata._engine.match.log_source import LogSource
from tavolata._engine.match.match import Terms
from tavolata._engine.match.worlds import new_match
from tavolata.ring import SEATS
from tavolata_zompa.options import ZompaOptions
from tavolata_zompa.rules import Zompa

RANKS = {"A": 0, "F": 7, "H": 8, "K": 9} | {str(rank): rank - 1 for rank in range(2, 8)}
QUIET = "3"


class Stacked:
    """A match among `seats` players, the dealer at seat `dealer`, who turns what a test says.

    Args:
        fiches: what each seat has, for matches that begin in the middle.
        centre: what lies in the centre then.
        fiches_each: the option `fiches`.
        pace: as in `Terms`.
    """

    def __init__(
        self,
        seats: int = 4,
        *,
        dealer: int = 0,
        fiches: Sequence[int] = (),
        centre: int = 0,
        fiches_each: int = 4,
        pace: float | None = None,
        **options: Any,
    ) -> None:
        self.events: list[Event] = []
        self.source = LogSource(seats, OneDealer(), [(NUMBER, seats, dealer), (SHUFFLED, 40, b"")])
        names = tuple("ABCDEFGHIJKLMNOPQRST"[:seats])
        terms = Terms(names, ZompaOptions.parse({**options, "fiches": fiches_each}), pace)
        self.match = new_match(Zompa, terms, self.source, self.events.append)
        self.match.run()
        game = self.match.game
        assert isinstance(game, Zompa)
        self.game: Zompa = game
        if fiches:
            self.game.fiches._load(list(fiches))
            self.game.centre._load(centre)

    def turn(self, cards: str) -> Stacked:
        """Turn these cards (A 2 3 ... 7 F H K, spaces between), shuffling when the pack is used up."""
        for rank in cards.split():
            if self.source.wants is not None and self.source.wants.kind == SHUFFLED:
                self.match.feed((SHUFFLED, 40, b""))
            assert self.source.wants is not None, "the match waits for no card"
            self.match.feed((FACE, self.source.wants.cards[0], RANKS[rank]))
        return self

    def finish_round(self) -> Stacked:
        """Turn quiet cards until the pack is used up."""
        return self.turn(" ".join([QUIET] * len(self.game.deck)))

    def do(self, seat: int, name: str, value: int) -> bool:
        """An interjection of this seat, by the value of its choice; whether it was legal."""
        kind = self.match.standing(seat).get(name)
        if kind is not None:
            kind.answer_for(SEATS[value])  # it has to be among the choices
        return self._feed(self.match.interjection(seat, name, SEATS[value]))

    def offered(self, seat: int, name: str) -> list[Seat]:
        """What this seat may choose at any time, now."""
        kind: Any = self.match.standing(seat).get(name)
        return [] if kind is None else list(kind.values)

    def say(self, seat: int, *to: int) -> None:
        """Words of one seat to others, or to all (-1)."""
        assert self._feed((SAY, seat, () if to == (-1,) else to, "ciao"))

    def bet(self, **bets: str) -> None:
        """What the seats of these names answer to the five, sealed as far as this log goes."""
        for ask in list(self.source.open):
            word = bets.get("ABCDEFGHIJKLMNOPQRST"[ask.seat], "NONE")
            names = [value.name for value in ask.question.values]  # type: ignore[attr-defined] # a OneOf
            assert self._feed((ANSWER, ask.seat, ask.id, names.index(word)))

    def _feed(self, entry: tuple[Any, ...]) -> bool:
        number = len(self.source.entries)
        self.match.feed(entry)
        return number not in self.source.voids

    @property
    def fiches(self) -> list[int]:
        """What each seat has."""
        return self.game.fiches.values()

    @property
    def centre(self) -> int:
        """What lies in the centre."""
        return self.game.centre.value

    @property
    def called(self) -> int:
        """Whose name was called last."""
        return int(self.game.called)

    @property
    def dealer(self) -> int:
        """Who deals."""
        return int(self.game.dealer)

    @property
    def winner(self) -> int | None:
        """Who has won; None while the match runs."""
        outcome: Outcome | None = self.match.outcome
        return None if outcome is None else int(outcome.winners[0])

    def calls(self) -> list[int]:
        """Everybody who was called so far, in order."""
        return [int(event.params["seat"]) for event in self.events if event.message == "{seat}: {card}."]
