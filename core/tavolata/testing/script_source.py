"""The dealer of a rehearsal: the open dealer with a script of cards, dice and lots.

Only chance is scripted here; `rehearsal` feeds the answers of seats.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from typing_extensions import override

from tavolata._engine.match.entries import FACE, NUMBER, SHUFFLED
from tavolata._engine.match.match import Match
from tavolata._engine.match.open_source import OpenSource
from tavolata._engine.match.source import InputRequest, hide, sides_of
from tavolata.cards import Card
from tavolata.dice import Die, check_dice
from tavolata.ring import Seat
from tavolata.table import Table
from tavolata.testing.cases import ScriptError
from tavolata.testing.script import arrange

DeckScript = str | Sequence[Any]
"""Faces in the order in which they leave the pile; as one text, parted by spaces. The cards that
are not named follow in any order. A list of such, for one shuffle after the other."""


class ScriptSource(OpenSource):
    """The open dealer with a script: cards, dice and lots as written, then by chance."""

    def script(
        self,
        decks: Mapping[str, DeckScript],
        dice: Sequence[Any] | None,
        lots: Sequence[int] | None,
        first: int,
    ) -> None:
        """Take up the script; see `rehearse`."""
        self.words = Table  # a script can stop the match at a card
        self._decks = {name: _shuffles(script) for name, script in decks.items()}
        self._dice = None if dice is None else list(dice)
        self._lots = [first] if lots is None else list(lots)
        self._lots_end = lots is not None
        self._unnamed: set[int] = set()
        self.stops_unnamed = True

    @override
    def attach(self, match: Match) -> None:
        super().attach(match)
        match.table.roll = self._roll  # type: ignore[method-assign] # dice are scripted by face, not by number

    async def _roll(self, *dice: Die[Any]) -> list[Any]:
        thrown = []
        check_dice(dice)
        for die in dice:
            place = self._die(die.faces)
            if place is None:
                place = int(self._rng.random() * len(die.faces))
            self._record((NUMBER, len(die.faces), place))
            thrown.append(die.faces[place])
        return thrown

    @override
    def _thrown(self, die: Card[Any]) -> int:
        sides = sides_of(die)
        place = self._die([die.deck.faces[face] for face in sides])
        return super()._thrown(die) if place is None else sides[place]

    def _die(self, faces: Sequence[Any]) -> int | None:
        """Return the side on which the script lets a die with these faces fall; None for any side."""
        if self._dice is None:
            return None
        if not self._dice:
            raise ScriptError("The script has no more dice.")
        face = self._dice.pop(0)
        if face not in faces:
            raise ScriptError(f"A die of {len(faces)} faces can't show {face!r}.")
        return faces.index(face)

    @override
    def number(self, sides: int, seat: Seat | None = None) -> int | None:
        if self._lots:
            value = self._lots.pop(0)
            if not 0 <= value < sides:
                raise ScriptError(f"A lot of {sides} can't fall on {value}.")
            self._record((NUMBER, sides, value))
            return value
        if self._lots_end:
            raise ScriptError("The script has no more lots.")
        return super().number(sides, seat)

    @override
    def shuffle(self, cards: list[Card[Any]]) -> bool:
        name = next(
            (n for n, p in self._match.table._pieces.named.items() if getattr(p, "cards", None) is cards), ""
        )
        script = self._decks.get(name) or self._decks.get(cards[0].deck.name if cards else "")
        if not script:
            return super().shuffle(cards)
        named = script.pop(0)
        now = named[: len(cards)]
        if len(named) > len(cards):
            script.insert(0, named[len(cards) :])
        order = arrange(cards, [self._faces[card.id] for card in cards], now, name)
        for card, face in zip(cards, order, strict=True):
            self._faces[card.id] = face
        left = len(cards) - len(now)
        self._unnamed.update(card.id for card in cards[:left])
        self._unnamed.difference_update(card.id for card in cards[left:])
        hide(cards, self.known)
        self._record((SHUFFLED, len(cards), b""))
        return True

    @override
    def reveal(self, card: Card[Any]) -> bool:
        """Turn no card that the script doesn't name, unless turns are counted."""
        if self.stops_unnamed and card.id in self._unnamed:
            self.wants = InputRequest(FACE, 0, (card.id,))
            return False
        return super().reveal(card)


def _shuffles(script: DeckScript) -> list[list[Any]]:
    if isinstance(script, str):
        return [script.split()]
    if script and all(isinstance(part, list) for part in script):
        return [list(part) for part in script]
    return [list(script)]
