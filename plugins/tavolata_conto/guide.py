"""A newcomer's guide to Il Conto: what a call says, how likely it is, and when to ask for the bill."""

from __future__ import annotations

from collections.abc import Iterator

from tavolata import N_, Ask, Event, Text, View, text
from tavolata_conto.bill import Bill
from tavolata_conto.calls import legal
from tavolata_conto.deal import DISCARD
from tavolata_conto.hints import may_call, my_cards
from tavolata_conto.menu import NOTHING_CALLED
from tavolata_conto.odds import SURE, seen_by
from tavolata_conto.rules import CALL, FOUND, OPEN, Conto

GOAL = N_(
    "The kitchen is all the hands together: {n} cards now. A call says what's in there: "
    "3×7 means at least three sevens. Jokers are wild. Each call goes higher, until "
    "someone doubts it."
)
OPENING = N_("You order one card and show it. It's just a start, so nearly any rank will do.")
LIKELY = N_("{call} is on the table. Going by what you see, it's true about {n} times in a hundred.")
ASK_NOW = N_("Long odds: ask for the bill? But if you're wrong, you pay.")
GO_ON = N_("The odds are good: call a little more, and show a card of a rank in your call.")
OWN = N_("Cards of the called ranks in your own hand: {n}; jokers: {jokers}.")
RAISING = N_(
    "Ordering adds a second course, spicing raises a course's rank, and upsizing adds a card to a "
    "course. A small raise is likelier to be true, but easier for the next player to top."
)
ONLY_BILL = N_("None of your cards fits a higher call. All you can do is ask for the bill.")
KEEPING = N_("Keep jokers and any ranks you have several of.")
BILL = N_(
    "Now everything is counted. If the call holds, the player who asked for the "
    "bill pays; if not, the caller does."
)


def hints(view: View[Conto], about: Ask | Event) -> Iterator[Text]:
    game = view.game
    if isinstance(about, Event):
        if about.message == FOUND:
            yield text(BILL)
    elif about.you == OPEN:
        yield text(GOAL, n=game.cards)
        orders = legal(NOTHING_CALLED, game.cards)
        yield text(OPENING, holds=lambda: all(call.total == 1 for call in orders))
    elif about.you == CALL:
        yield from _doubting(game, view)
        if may_call(view):
            yield text(RAISING)
    elif about.you == DISCARD:
        yield text(KEEPING)


def _doubting(game: Conto, view: View[Conto]) -> Iterator[Text]:
    if game.hand == 1:
        yield text(GOAL, n=game.cards)
    call = game.last_call
    assert call is not NOTHING_CALLED
    mine = my_cards(view)
    likely = 100 * seen_by(view).truth(call) // SURE
    own = Bill.of(call, [face for card, _ in mine if (face := view.face(card)) is not None])
    others = game.cards - len(mine)
    yield text(
        LIKELY, call=str(call), n=likely,
        holds=lambda: likely == 100 if own.is_true else likely == 0 or own.missing - own.jokers <= others,
    )  # fmt: skip
    yield text(
        OWN, n=sum(own.natural), jokers=own.jokers, holds=lambda: sum(own.natural) + own.jokers <= len(mine)
    )
    if not may_call(view):
        yield text(ONLY_BILL)
    else:
        yield text(ASK_NOW if likely < 40 else GO_ON)
