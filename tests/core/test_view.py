"""Views: built up from what was shown, so that there is nothing in them to leak."""

from __future__ import annotations

import gc
from typing import Any

import pytest
from tests.core.games import Race, Shouts, Tricks

from tavolata import Grid, Outcome, View
from tavolata._engine.match.dealing import OneDealer
from tavolata._engine.match.log_source import LogSource
from tavolata._engine.match.match import Match
from tavolata._engine.match.worlds import new_match
from tavolata.counters import Counter
from tavolata.testing import Case, rehearse
from tavolata.testing.checks.secrecy import known_to
from tavolata.testing.recording import play, terms_of
from tavolata.zones import CardView, counter_zone, grid_zone, text_zone, tokens_zone


def follow(seat: int) -> tuple[Match, Match]:
    """A match in mid-play: as it is dealt, and as this seat's machine follows it."""
    whole = play(Case(Tricks, 3, {}, 1))
    source = LogSource(3, OneDealer(), known_to(seat, whole)[:9])
    match = new_match(Tricks, terms_of(whole.case), source, lambda _: None)
    match.run()
    return whole.match, match


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_a_machine_that_follows_holds_no_face_of_another_hand(seat: int) -> None:
    """On a seat's own machine, the faces of other hands are in no object at all."""
    _, match = follow(seat)
    game: Any = match.game
    others = [card for hand in game.hands if hand.owner != seat for card in hand]
    assert others
    for other in range(3):
        assert all(card.id not in match.source.known[other] for card in others)
    for viewer in (0, 1, 2, None):
        assert {match.view(viewer).face(card) for card in others} == {None}


def test_a_view_reaches_no_other_hand_by_its_public_names() -> None:
    """Whatever a bot can reach from its view by public names, no hidden face and no seal is among it."""
    table = rehearse(Tricks, seats=3, decks={"deck": ["AD", "2D", "3D", "4D", "5D", "6D"]})
    table.play({0: 1, 1: 2, 2: 3})
    view = table.views(1)
    hidden = [card for hand in table.game.hands if hand.owner != 1 for card in hand]
    seen = reachable(view)
    assert {view.face(card) for card in hidden} == {None}
    assert table.match.source.known[0] not in [thing for thing in seen if isinstance(thing, dict)]
    assert not [thing for thing in seen if isinstance(thing, Match)]
    assert view.answer(table.game.bids[1]) == 2
    assert view.answer(table.game.bids[0]) is None


def reachable(view: View) -> list[Any]:
    """All objects that public attributes lead to."""
    found: dict[int, Any] = {}
    waiting: list[Any] = [view]
    while waiting:
        thing = waiting.pop()
        if id(thing) in found or isinstance(thing, type | str | int):
            continue
        found[id(thing)] = thing
        if isinstance(thing, dict):
            waiting += [*thing.keys(), *thing.values()]
        elif isinstance(thing, list | tuple):
            waiting += thing
        names = (
            [name for name in dir(thing) if not name.startswith("_")]
            if "tavolata" in type(thing).__module__
            else []
        )
        if type(thing).__module__.startswith("tests"):
            names = list(vars(thing)) if hasattr(thing, "__dict__") else []
        for name in names:
            try:
                waiting.append(getattr(thing, name))
            except Exception:  # noqa: BLE001 - what can't be read leads nowhere
                continue
    return [thing for thing in found.values() if gc.is_tracked(thing)]


def test_zones_show_each_viewer_what_it_knows() -> None:
    """One's own hand has its faces, the others' have backs, and what is turned up is there for all."""
    table = rehearse(
        Tricks,
        decks={"deck": ["AD", "2D", "3D", "4D", "5D", "6D", "7D", "FD"]},
        turns=1,
        answers=[{0: 1, 1: 2}],
    )
    zones = {seat: table.views(seat).zones() for seat in (0, 1, None)}
    faces = {seat: [str(card.face) for card in zones[seat]["hand.0"].content] for seat in zones}
    assert faces == {0: ["AD", "3D", "5D", "7D"], 1: ["None"] * 4, None: ["None"] * 4}
    assert zones[0]["hand.1"].seat == 1
    assert [card.id for card in zones[0]["hand.0"].content] == [
        card.id for card in zones[1]["hand.0"].content
    ]
    assert isinstance(zones[0]["deck"].content[0], CardView)


def test_pieces_become_zones() -> None:
    """Tracks, counters, tokens, grids and texts are plain data in zones."""
    zones = rehearse(Race, seats=2).views(0).zones()
    assert zones["track"].content[0] == (0, "", ("token 0", "token 1"))
    assert zones["track"].content[3] == (3, "a bridge", ())
    assert zones["stakes"].content == ((0, 5), (1, 5))
    grid = Grid("grid", 1, 2)
    grid.put((0, 1), "x")
    assert grid_zone(grid, "Grid").content == (((), ("x",)),)
    assert counter_zone(Counter("pot", 3), "Pot").content == 3
    assert tokens_zone("t", "T", [("red", 1)]).content == (("red", 1),)
    assert text_zone("text", "T", "{n} left", n=2).params == {"n": 2}


def test_a_view_follows_the_match() -> None:
    """A view that was taken early is up to date later, without being taken again."""
    table = rehearse(Shouts, decks={"deck": "2D 3D"}, pauses=True)
    view = table.views(None)
    assert len(view.zones()) == 0
    assert view.events == [] or list(view.events) == []
    table.play(True)
    game: Any = view.game
    assert len(game.open) == 1
    assert (view.ring[1], view.names, view.seat) == (1, ("P0", "P1"), None)


def test_an_outcome_says_who_won() -> None:
    """Winners, and points or places where the game has them."""
    assert Outcome((), scores=(1, 2)).ranks is None
