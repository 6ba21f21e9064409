"""Effects of cards, as data: when a card acts, on whom, and what it changes.

Every card of the game is a name and one or two effects. An effect changes a number that a chapter
of the rules asks for with `worth`: `worth(effects, Moment.SPRINT, 1)` is the length of a sprint.
A card that changes an existing number needs only its declaration. A card that acts at a new moment
needs a `Moment`, and the one place in the rules that asks for its number.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from tavolata import N_


class Tone(Enum):
    GREEN = N_("helps")
    RED = N_("hinders")
    GREY = N_("special")


class Moment(Enum):
    """The time when a card acts. The comment says on whom, and which number changes."""

    # The race: the horse in whose lane the card lies.
    START = N_("start")  # squares of the first movement card
    SPRINT = N_("sprint")  # squares of a sprint
    FINISH = N_("finish")  # squares beyond the line, when a movement card carries the horse there
    PHOTO = N_("photo finish")  # 1 wins it, -1 loses it
    FIRST = N_("when first")  # squares of a movement card, while the horse is first
    LAST = N_("when last")  # the same, while it is last
    ODDS = N_("odds")  # rows up the blackboard: at the reveal (Action card) or the line-up (Horse)
    LANE = N_("cards")  # removes Action cards of a tone from the lane
    # Payments.
    BETTORS = N_("everyone who bet on it")  # Danari from the bank for each player with a bet on the horse
    POINTS = N_("points for a winning bet")  # points of each won bet on the horse
    OWNER = N_("its owner at the payout")  # Danari from the bank for the owner who lined the horse up
    INCOME = N_("at each payout")  # Danari from the bank for the holder, in every payment
    FROM_RIGHT = N_("from the right at each payout")  # Danari from the neighbour for the holder
    FROM_LEFT = N_("from the left at each payout")
    # Purchases: the holder.
    ACTIONS_PRICE = N_("price of Action cards")
    OBJECTIVE_PRICE = N_("price of an Objective")
    ASSISTANT_PRICE = N_("price of an Assistant")
    HORSE_PRICE = N_("price of a Horse")
    STABLE_PRICE = N_("price of a stable")
    PASSING = N_("passing")  # Danari for passing
    BOUGHT = N_("when bought")  # Danari, once, when it is bought from the deck
    SWAP = N_("swap when bought")  # must be swapped for another card of its kind
    # The end.
    COUNT = N_("counts as")  # the number of cards of its kind that it counts for
    BANK_LOAN = N_("repaying the bank")
    UNDERWORLD_LOAN = N_("repaying the underworld")
    # Characters.
    SECOND_BETS = N_("second bets")  # the number of bets in the second round of betting
    PLACES = N_("places paid by a place bet")
    TIP = N_("rows to shift after the first bets")
    SECOND_ROUND = N_("no limits in the second round of purchases")


@dataclass(frozen=True, slots=True)
class Effect:
    """One thing that a card does at a moment, to the number of that moment.

    Attributes:
        sets: replaces the number; None if it doesn't.
        adds: is added to the number.
        most: limits the number, whatever else happens; None for no limit.
        removes: the tone of the Action cards that leave the lane; None if none do.
    """

    when: Moment
    sets: int | None = None
    adds: int = 0
    most: int | None = None
    removes: Tone | None = None

    def __str__(self) -> str:
        """Return the change alone, as on a card: =4, +1, -2, 0!"""
        if self.sets is not None:
            return f"={self.sets}"
        if self.most is not None:
            return f"{self.most}!"
        return f"{self.adds:+}" if self.adds else ""


Effects = tuple[Effect, ...]


def worth(effects: Iterable[Effect], when: Moment, base: int) -> int:
    """Return a number after the effects of a moment: first replace it, then add, then limit it (6, 7)."""
    now = [effect for effect in effects if effect.when is when]
    return changed(now, base) if now else base


def changed(effects: Iterable[Effect], base: int) -> int:
    """Return a number after all these effects. Of several that replace it, the last one counts."""
    for effect in effects:
        if effect.sets is not None:
            base = effect.sets
    for effect in effects:
        base += effect.adds
    for effect in effects:
        if effect.most is not None:
            base = min(base, effect.most)
    return base


def has(effects: Iterable[Effect], when: Moment) -> bool:
    return any(effect.when is when for effect in effects)
