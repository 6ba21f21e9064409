"""A check with permuted unseen cards: a card that nobody saw has no effect that all can see."""

from __future__ import annotations

from typing import Any

from typing_extensions import override

from tavolata._engine.match.entries import FACE, SHOWN, MatchEntry
from tavolata._engine.match.resume_source import ResumeSource
from tavolata._engine.match.source import sides_of
from tavolata.bots import Chance
from tavolata.cards import Card
from tavolata.testing.cases import Case
from tavolata.testing.checks.check import each
from tavolata.testing.recording import Recorded, follow, play, same, told
from tavolata.windows import Window

CHANGED = "With the cards that were never turned up changed about"


@each(share=25)
def unseen_cards_permuted(case: Case) -> None:
    """With other faces on the cards that were never turned up, the same choices look the same to all."""
    whole = play(case)
    again = Recorded(case)
    follow(again, PermutedSource(whole, again))
    same(whole, again, CHANGED, logs=False, private=False)


class PermutedSource(ResumeSource):
    """A source that repeats a match with other faces on the cards that were never public."""

    def __init__(self, whole: Recorded, again: Recorded) -> None:
        super().__init__(whole.case.seed, whole.case.players(), again.record, whole.log)
        self._whole = whole
        self._again = again
        self._mix = Chance(whole.case.seed + 17)

    def _compare(self, entry: MatchEntry) -> None:
        number = self._at
        if not self.replaying or not _alike(entry, self._script[number]):
            raise self._whole.failure(
                f"{CHANGED}, entry {number + 1} is {told([entry], 0)} and not {told(self._script, number)}.",
                number,
            )
        self._at += 1
        self._again.log.append(entry)

    def _settle(self, asks: Any) -> None:
        self._again.log.append(self._script[self._at])
        super()._settle(asks)

    def _settle_window(self, window: Window) -> None:
        self._again.log.append(self._script[self._at])
        super()._settle_window(window)

    @override
    def shuffle(self, cards: list[Card[Any]]) -> bool:
        """Shuffle as before, but permute the faces of the cards that stay unseen."""
        before = self._at
        done = super().shuffle(cards)
        truth = self._whole.shuffles[before]
        for card in cards:
            self._faces[card.id] = truth[card.id]
        unseen = [card.id for card in cards if card.id not in _turned_up(self._whole, before, truth)]
        for place in range(len(unseen) - 1, 0, -1):
            other = self._mix.below(place + 1)
            one, two = unseen[place], unseen[other]
            self._faces[one], self._faces[two] = self._faces[two], self._faces[one]
        return done

    @override
    def shake(self, dice: list[Card[Any]]) -> bool:
        """Throw as before, but the dice that stay unseen are on any side."""
        before = self._at
        done = super().shake(dice)
        truth = self._whole.shuffles[before]
        seen = _turned_up(self._whole, before, truth)
        for die in dice:
            sides = sides_of(die)
            self._faces[die.id] = truth[die.id] if die.id in seen else sides[self._mix.below(len(sides))]
        return done


def _alike(entry: MatchEntry, before: MatchEntry) -> bool:
    if entry[0] == SHOWN == before[0]:
        return entry[1] == before[1] and len(entry[2]) == len(before[2])
    return entry == before


def _turned_up(whole: Recorded, at: int, cards: dict[int, int]) -> set[int]:
    """Return those of these cards that everyone saw, or that a fact was said of, before the next shuffle."""
    waiting, seen = set(cards), set()
    for number in range(at + 1, len(whole.log)):
        if number in whole.shuffles:
            waiting -= whole.shuffles[number].keys()
        entry = whole.log[number]
        if entry[0] == FACE and entry[1] in waiting:
            seen.add(entry[1])
        seen.update(waiting.intersection(whole.spoken.get(number, ())))
    return seen
