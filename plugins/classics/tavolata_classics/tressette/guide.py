"""A newcomer's guide to Tressette."""

from __future__ import annotations

from collections.abc import Iterator

from tavolata import N_, Ask, Event, Text, View, text
from tavolata_classics.tressette.bots import Sight
from tavolata_classics.tressette.rules import TAKES, Tressette

ORDER = N_("From highest to lowest: 3, 2, ace, king, horse, fante, 7, 6, 5, 4. You have to follow suit.")
WORTH = N_("Aces and the last trick are worth a point each; threes, twos and face cards are worth a third.")
MASTER = N_("No one can beat {card}: if you lead it, you take the trick.")
MATE = N_("Your partner is winning this trick. Give them an ace or a face card if you can.")
LEAD = N_("The winner of a trick leads the next one. There are no trumps.")


def hints(view: View[Tressette], about: Ask[object] | Event) -> Iterator[Text]:
    if isinstance(about, Event):
        if about.message == TAKES:
            yield text(LEAD)
        return
    sight = Sight(view, about.seat, counts=True)
    yield text(ORDER)
    yield text(WORTH)
    if sight.partner:
        yield text(MATE)
    if sight.led is None:
        for face in sight.hand.values():
            if sight.is_master(face):
                yield text(MASTER, card=face)
                return
