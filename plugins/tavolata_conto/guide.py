"""A newcomer's guide to Il Conto: what a call says, how likely it is, and when to ask for the bill."""

from __future__ import annotations

from collections.abc import Iterator

from tavolata import N_, Ask, Event, Text, View, text
from tavolata_conto.deal import DISCARD
from tavolata_conto.hints import my_cards
from tavolata_conto.menu import JOKER, NOTHING_CALLED
from tavolata_conto.odds import SURE, seen_by
from tavolata_conto.rules import CALL, FOUND, OPEN, Conto

GOAL = N_(
    "All hands together are the kitchen, {n} cards now. A call says what the kitchen has at least, such as "
    "3×7: three sevens. Jokers count as anything. Everybody calls more, until somebody doubts it."
)
OPENING = N_("You order one card and show it. It is only a beginning, so nearly any rank will do.")
LIKELY = N_("{call} is on the table. As far as you can see it is true about {n} times in a hundred.")
ASK_NOW = N_("That is little: asking for the bill may be right. Who is wrong about the bill pays.")
GO_ON = N_("That is enough to go on: call a little more, and show a card of a rank that is in your call.")
OWN = N_("Of the ranks called you hold {n} yourself, and of jokers {jokers}.")
RAISING = N_(
    "Ordering adds a second course, spicing raises the rank of a course, abounding adds a card to it. "
    "A small step is likelier to be true, and easier for the next player to raise."
)
KEEPING = N_("Keep the ranks that you have several of, and jokers.")
BILL = N_("Now all is counted. If the call is there, who asked pays; if not, who called it.")


def hints(view: View[Conto], about: Ask | Event) -> Iterator[Text]:
    """What helps with a question, or with what has just happened; it sees its owner's hand."""
    game = view.game
    if isinstance(about, Event):
        if about.message == FOUND:
            yield text(BILL)
    elif about.you == OPEN:
        yield text(GOAL, n=game.cards)
        yield text(OPENING)
    elif about.you == CALL:
        yield from _doubting(game, view)
        yield text(RAISING)
    elif about.you == DISCARD:
        yield text(KEEPING)


def _doubting(game: Conto, view: View[Conto]) -> Iterator[Text]:
    """How true the call on the table may be, and what follows from that."""
    if game.hand == 1:
        yield text(GOAL, n=game.cards)
    call = game.last_call
    assert call is not NOTHING_CALLED
    dishes = [dish for _, dish in my_cards(view)]
    likely = 100 * seen_by(view).truth(call) // SURE
    yield text(LIKELY, call=str(call), n=likely)
    yield text(OWN, n=sum(dish in call.dishes for dish in dishes), jokers=dishes.count(JOKER))
    yield text(ASK_NOW if likely < 40 else GO_ON)
