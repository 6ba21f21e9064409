"""A newcomer's guide to Horse Fever: what a bet is worth, what cards do, what is worth its money."""

from __future__ import annotations

from collections.abc import Iterator

from tavolata import N_, Ask, Chance, Event, Hint, Text, View, hint
from tavolata_horse_fever.appraisal import Appraiser
from tavolata_horse_fever.colours import LANES
from tavolata_horse_fever.foresight import imagine
from tavolata_horse_fever.rules.auctions import BUY_A_POINT, SELL_A_POINT
from tavolata_horse_fever.rules.betting import ANOTHER_BET, WHICH_CARD, YOUR_BET
from tavolata_horse_fever.rules.line_up import WHICH_HORSE
from tavolata_horse_fever.rules.payments import NEW_ODDS
from tavolata_horse_fever.rules.purchases import WHAT, WHICH
from tavolata_horse_fever.rules.race import CROSSES, MOVEMENT

IMAGINED = 100

ASKED = {
    YOUR_BET: (
        N_("To win pays by the odds, and 3 points; to place pays double, and 1 point, for the first three."),
        N_("The stake is gone at once, and every point that you have makes your least bet 100 D dearer."),
    ),
    ANOTHER_BET: (N_("You know more now: the cards that you have slipped in yourself. You may also pass."),),
    WHICH_CARD: (
        N_("Nobody sees what you play. Help a horse that you have bet on, or hinder one that others have."),
        N_("Two cards of one letter behind a horse cancel each other: a helping one may be undone."),
    ),
    WHAT: (
        N_("A stable is worth a point, and money whenever its horse is among the first three."),
        N_("Keep enough for your bets: who can't pay the least bet loses 2 points."),
    ),
    WHICH: (N_("The others go back under their deck, and only you know which they were."),),
    WHICH_HORSE: (N_("A Horse comes home after the race; an Action card of the same symbol beats it."),),
    SELL_A_POINT: (N_("The price falls with each bid. Who passes is out of it."),),
    BUY_A_POINT: (N_("The price rises with each bid. In the last turn money is good for nothing else."),),
}
TOLD = {
    MOVEMENT: N_("Each number is for a row of the blackboard, from the favourites at 1:2 to the outsiders."),
    CROSSES: N_("Further beyond the line is better; among equals the better odds come first."),
    NEW_ODDS: N_("Each stable has moved one row towards the place of its horse."),
}
WINNERS = N_("As far as you can know, of 100 such races so many are won by: {shares}.")


def hints(view: View, about: Ask | Event) -> Iterator[Hint]:
    """What helps with a question, or with what has just happened, with what its seat knows."""
    if isinstance(about, Event):
        if about.message in TOLD:
            yield hint(TOLD[about.message])
        return
    for sentence in ASKED.get(about.you, ()):
        yield hint(sentence)
    if about.you in (YOUR_BET, ANOTHER_BET) and view.seat is not None:
        yield hint(WINNERS, shares=shares(view))


def shares(view: View) -> list[Text]:
    """How often each horse wins in a hundred imagined races, with the cards that the viewer knows."""
    mind = Appraiser(view, Chance(1))
    places = mind.look_at(imagine(IMAGINED, Chance(1))).places()
    return [
        Text("{horse} {n}", {"horse": lane, "n": row[0]}) for lane, row in zip(LANES, places, strict=True)
    ]
