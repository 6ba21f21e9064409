"""A newcomer's guide to Scala 40."""

from __future__ import annotations

from collections.abc import Iterator

from tavolata import N_, Ask, Event, Text, View, text
from tavolata_classics.scala40.facts import found
from tavolata_classics.scala40.melds import points_of
from tavolata_classics.scala40.options import Scala40Options
from tavolata_classics.scala40.rules import CLOSES, STOCK, Scala40

GOAL = N_("Lay sets (three or four of a rank) and runs (three or more of a suit). A joker can be any card.")
OPEN = N_(
    "Your first melds must reach {n} points in all. Until you've laid them, you can't add to other melds."
)
READY = N_("You can lay melds worth {n} points now.")
DRAW = N_("Take the discard only if you can use it: everyone sees you take it.")
CLOSED = N_("Cards left in your hand count against you: face cards 10, an ace 11, a joker 25.")


def hints(view: View[Scala40], about: Ask[object] | Event) -> Iterator[Text]:
    game, options = view.game, view.options
    assert isinstance(options, Scala40Options)
    if isinstance(about, Event):
        if about.message == CLOSES:
            yield text(CLOSED)
        return
    if about.question.nth(0) == STOCK:
        yield text(DRAW)
        return
    yield text(GOAL)
    least = 0 if game.opened[about.seat] else options.opening
    if least:
        yield text(OPEN, n=least)
    faces = tuple(face for card in game.hands[about.seat] if (face := view.face(card)) is not None)
    if melds := found(faces, least):
        yield text(READY, n=points_of(faces, melds))
