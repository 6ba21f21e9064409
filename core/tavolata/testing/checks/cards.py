"""Checks of cards and zones: each card is in one place, and drawing works and changes nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from typing_extensions import override

from tavolata._engine.match.entries import MatchEntry
from tavolata.asks import Ask
from tavolata.cards import Pile
from tavolata.ring import Seat
from tavolata.testing.cases import Case
from tavolata.testing.checks.check import each
from tavolata.testing.recording import NotingSource, Recorded, blamed, follow


@each(share=20)
def cards_stay(case: Case) -> None:
    """Each card is in one pile or hand, or is in one attribute, at each question and end of turn."""
    tracked = _Tracked(case)
    follow(tracked, NotingSource(tracked), lambda _: tracked.look())


class _Tracked(Recorded):
    """A match in which the last place of each card is known."""

    def __init__(self, case: Case) -> None:
        super().__init__(case)
        self._lay: dict[int, str] = {}

    @override
    def record(self, entry: MatchEntry) -> None:
        super().record(entry)
        for name, piece in self.match.table._pieces.named.items():
            if isinstance(piece, Pile):
                self._lay.update(dict.fromkeys((card.id for card in piece.cards), name))

    @override
    def before_answer(self, ask: Ask) -> None:
        self.look()

    def look(self) -> None:
        """Look for each card; raise `CheckFailed` if one is in two places, or nowhere."""
        lies, cards = places_of(self), self.match.table._pieces.cards
        if len(lies) < len(cards):
            lies = {**_kept(self), **lies}
        for card in cards:
            if card.id not in lies:
                lay = self._lay.get(card.id, "no pile")
                raise self.failure(f"Card {card.id} ({card.deck.name}) is nowhere; it lay in {lay} before.")


def places_of(kept: Recorded) -> dict[int, str]:
    """Return, by the number of each card, where it is.

    Raise `CheckFailed` if a card is in two piles, or twice in one.
    """
    lies: dict[int, str] = {}
    for name, piece in kept.match.table._pieces.named.items():
        for card in piece.cards if isinstance(piece, Pile) else ():
            if card.id in lies:
                raise kept.failure(f"Card {card.id} lies both in {lies[card.id]} and in {name}.")
            lies[card.id] = name
    return lies


def _kept(kept: Recorded) -> dict[int, str]:
    """Return, by the number of each card that no pile has, the attribute or the piece that has it."""
    state = kept.match.state()
    named = [*((name, state["pieces"][name]) for name in state["pieces"]), *state["game"].items()]
    return {card_id: name for name, value in named for card_id in _cards_in(value)}


def _cards_in(plain: Any) -> Iterator[int]:
    """Yield the numbers of the cards that plain data of a state name."""
    if isinstance(plain, list | tuple):
        if len(plain) == 2 and plain[0] == "card":
            yield plain[1]
        else:
            for part in plain:
                yield from _cards_in(part)


MOST_LOOKS = 40
"""The open questions of a match at which the table is drawn; afterwards it is drawn at every twentieth."""


@each(share=15)
def zones_pure(case: Case) -> None:
    """At every open question, for each viewer, zones drawn twice are the same, and nothing has changed."""
    kept = _Drawn(case)
    follow(kept, NotingSource(kept))


class _Drawn(Recorded):
    def __init__(self, case: Case) -> None:
        super().__init__(case)
        self._looks = 0

    @override
    def before_answer(self, ask: Ask) -> None:
        self._looks += 1
        if self._looks > MOST_LOOKS and self._looks % 20:
            return
        match = self.match
        before = match.digest()
        for seat in (*map(Seat, range(self.case.seats)), None):
            who = "somebody who only watches" if seat is None else f"seat {int(seat)}"
            with blamed(self):
                one, other = (list(match.game.zones(match.table, seat)) for _ in range(2))
                match.view(seat).zones()
            if one != other:
                raise self.failure(f"Drawn twice for {who}, the zones are not the same.")
        if match.digest() != before:
            raise self.failure("Drawing the zones has changed the state.")


@each(share=10)
def drawn_everywhere(case: Case) -> None:
    """Plain text, JSON, the screen at 80×24 and 120×36 and a phone's page can draw it for each viewer."""
    from tavolata.testing.checks.faces import draw_everywhere  # noqa: PLC0415 - nothing else here wants a screen

    draw_everywhere(case)
