"""What a peer keeps of a match says nothing of the cards that it did not see."""

from __future__ import annotations

from typing import Any

import pytest

from tavolata._engine.fair.deal import Deal
from tavolata._engine.fair.dealer import Dealer
from tavolata._engine.log_source import LogSource
from tavolata._engine.match import Match
from tavolata._engine.state import pack

from .peek import NINE, Peek
from .world import World, seed_of

HOST = 1


@pytest.fixture(scope="module")
def world() -> World:
    """A match of three peers that was played to its end."""
    world = World(Peek, (1, 2, 3), rounds=1)
    world.play()
    assert world.ended()
    return world


def followed(world: World) -> tuple[Match, Deal]:
    """The match as the first peer has it, before the first entry."""
    header = world.header
    deal = Deal(header, header.keys[0])
    source = LogSource(len(header.names), together=deal)
    match = Match(Peek, header.terms(Peek), source, lambda _: None)
    Dealer(deal, seed_of(HOST), bytes)
    match.run()
    return match, deal


def replayed(world: World, other: dict[int, int]) -> bytes:
    """All that the first peer makes of its file, as bytes: cards, events and digest after every entry.

    Args:
        world: what was played.
        other: faces that are taken for others wherever a card is opened.
    """
    match, deal = followed(world)
    made: list[Any] = []
    renamed = False
    for entry in world.log:
        match.feed(entry)
        if match.table._cards and not renamed:
            numbers = deal.laid.kind_of(0).faces._numbers
            numbers.update({point: other.get(number, number) for point, number in numbers.items()})
            renamed = True
        cards = [match.view(0).face(card) for card in match.table._cards]
        events = [[str(event.message), repr(sorted(event.params.items()))] for event in match.events]
        known = [sorted(faces.items()) for faces in match.source.known.values()]
        made.append([cards, events, match.digest(), known])
    return pack(made)


def seen_faces(world: World) -> set[int]:
    """The numbers of the faces that the first peer was shown, once cards were shuffled."""
    seen: set[int] = set()
    match, _ = followed(world)
    for entry in world.log:
        match.feed(entry)
        if not all(card.is_public for card in match.table._cards):
            seen |= {number for faces in match.source.known.values() for number in faces.values()}
            seen |= {card.deck.number[card.face] for card in match.table._cards if card.is_public}
    return seen


def test_with_the_cards_it_did_not_see_exchanged_the_hosts_file_gives_the_same_bytes(world: World) -> None:
    """Which of the unseen faces is which changes nothing of what its file leads to."""
    hidden = sorted(set(range(len(NINE.faces))) - seen_faces(world))
    assert len(hidden) >= 2
    turned = dict(zip(hidden, [*hidden[1:], hidden[0]], strict=True))
    assert replayed(world, turned) == replayed(world, {})


def test_a_card_that_it_saw_exchanged_gives_others(world: World) -> None:
    """The comparison does notice a face that the host knows."""
    seen = sorted(seen_faces(world))
    turned = {seen[0]: seen[1], seen[1]: seen[0]}
    assert replayed(world, turned) != replayed(world, {})
