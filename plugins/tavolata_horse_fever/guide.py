"""A newcomer's guide to Horse Fever: what a bet is worth, what cards do, what is worth its money."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tavolata import N_, Ask, Event, Seat, Text, View, text
from tavolata_horse_fever.appraisal import Appraiser
from tavolata_horse_fever.colours import LANES
from tavolata_horse_fever.foresight import RACES, places
from tavolata_horse_fever.rules.auctions import BUY_A_POINT, SELL_A_POINT
from tavolata_horse_fever.rules.betting import ANOTHER_BET, WHICH_CARD, YOUR_BET
from tavolata_horse_fever.rules.ending import owed
from tavolata_horse_fever.rules.line_up import WHICH_HORSE
from tavolata_horse_fever.rules.payments import NEW_ODDS
from tavolata_horse_fever.rules.purchases import WHAT, WHICH
from tavolata_horse_fever.rules.race import CROSSES, MOVEMENT
from tavolata_horse_fever.tables import PENALTY, PLACE_PAYS, PLACE_POINTS, PLACED, WIN_POINTS

ASKED = {
    ANOTHER_BET: (N_("You know more now: you've slipped in cards of your own. You can also pass."),),
    WHICH_CARD: (
        N_("No one sees what you play. Help a horse you've bet on, or hinder one the others have bet on."),
        N_("Two cards with the same letter behind a horse cancel each other, so your help may be undone."),
    ),
    WHAT: (N_("A stable is worth a point, and earns money whenever its horse is in the first three."),),
    WHICH: (
        N_("The cards you don't choose go to the bottom of their deck, and only you know which they were."),
    ),
    WHICH_HORSE: (
        N_(
            "A Horse comes back to you after the race. An Action card in its lane cancels the "
            "ability with the same symbol."
        ),
    ),
    SELL_A_POINT: (N_("The price falls with each bid. If you pass, you're out."),),
}
TOLD = {
    MOVEMENT: N_(
        "There's one number for each row of the blackboard, from the favourites at 1:2 to the outsiders."
    ),
    CROSSES: N_(
        "The horse furthest past the line is ahead; on the same square, the one with better odds wins."
    ),
    NEW_ODDS: N_(
        "Each stable has moved one row towards its horse's place in the race, unless it was already there."
    ),
}
BETS = N_(
    "A bet to win pays the odds and 3 points. A bet to place pays double and 1 point if the horse is in "
    "the first three."
)
LEAST = N_("Each of your points raises your minimum bet by 100 D: it's now {n} D. You pay the stake at once.")
KEEP = N_("Keep {n} D for your first bet: if you can't afford it, you lose {points} points.")
RISES = N_("The price rises with each bid. If you pass, you're out.")
LAST_AUCTION = N_(
    "The price rises with each bid. This is the last auction: afterwards you repay {n} D in loans, and an "
    "Objective may depend on your money."
)
WINNERS = N_("Wins in 100 races like this, going by what you know: {shares}.")


def hints(view: View, about: Ask | Event) -> Iterator[Text]:
    if isinstance(about, Event):
        if about.message in TOLD:
            yield text(TOLD[about.message])
        return
    for sentence in ASKED.get(about.you, ()):
        yield text(sentence)
    if view.seat is not None:
        yield from counted(view, view.seat, about)


def counted(view: View, seat: Seat, about: Ask) -> Iterator[Text]:
    mind = Appraiser(view)
    game, least = mind.game, mind.game.minimum_bet(seat)
    if about.you == YOUR_BET:
        yield text(BETS, holds=lambda: (WIN_POINTS, PLACE_PAYS, PLACE_POINTS, PLACED) == (3, 2, 1, 3))
        stakes: Any = about.question.shape()
        yield text(LEAST, n=least, holds=lambda: stakes.fields[-1].question.low == least)
    if about.you in (YOUR_BET, ANOTHER_BET):
        won = shares(view)
        yield text(WINNERS, shares=won, holds=lambda: abs(sum(one.params["n"] for one in won) - 100) <= 3)
    if about.you == WHAT:
        yield text(KEEP, n=least, points=PENALTY)
    if about.you == BUY_A_POINT:
        if mind.turns_left > 1:
            yield text(RISES)
        else:
            debt = owed(game, seat)
            owes = any(who == seat for who, _ in game.loans)
            yield text(LAST_AUCTION, n=debt, holds=lambda: (debt > 0) is owes)


def shares(view: View) -> list[Text]:
    """Return how often each horse wins in a hundred imagined races, with the cards that the viewer knows."""
    mind = Appraiser(view)
    found = places([mind.lane(colour, rumour=(0, 0)) for colour in LANES])
    return [
        Text("{horse} {n}", {"horse": lane, "n": round(100 * row[0].bit_count() / RACES)})
        for lane, row in zip(LANES, found, strict=True)
    ]
