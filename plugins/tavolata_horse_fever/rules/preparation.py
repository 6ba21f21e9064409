"""The preparation: the first odds, and the players' characters (rulings 14, 33, 34)."""

from __future__ import annotations

from tavolata import N_
from tavolata_horse_fever.colours import LANES, STABLES
from tavolata_horse_fever.rules.ledger import Flow
from tavolata_horse_fever.rules.table import HorseFeverTable, T
from tavolata_horse_fever.tables import HIGHEST


async def prepare(g: HorseFeverTable, t: T) -> None:
    """Rate the stables by lot. Then everybody draws a character and gets its stable and money (34)."""
    await rate_stables(g, t)
    await t.shuffle(g.characters)
    for seat in t.ring.starting(g.first):
        card = await t.turn_up(g.characters, onto=g.character[seat])
        character = card.face
        g.receive(seat, character.money, Flow.START)
        t.tell(N_("{seat} is {card}, with {n} D."), seat=seat, card=card, n=character.money)
        for stable, odds in g.odds.items():
            if odds == character.odds:
                g.owners[stable] = seat
                t.tell(N_("{seat} owns {name}: {stable}, at 1:{odds}."),
                       seat=seat, name=STABLES[stable], stable=stable, odds=odds)  # fmt: skip
    for deck in (g.assistant_deck, g.horse_deck, g.objective_deck):
        if deck:
            await t.shuffle(deck)
    g.turn_number = 1
    t.tell(N_("{seat} has the First Player card."), seat=g.first)


async def rate_stables(g: HorseFeverTable, t: T) -> None:
    """Put one stable on each row of the blackboard, by lot."""
    left = list(LANES)
    order = [left.pop(await t.randrange(len(left))) for _ in LANES]
    g.odds = {colour: order.index(colour) + HIGHEST for colour in LANES}
    g.before = dict(g.odds)
    t.tell(N_("The blackboard, from 1:2 to 1:7: {stables}."), stables=order)
