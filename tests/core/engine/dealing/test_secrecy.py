"""What a peer keeps of a match says nothing of the cards that it did not see."""

from __future__ import annotations

from typing import Any

import pytest
from tests.core.engine.dealing.peek import NINE, Peek
from tests.core.engine.dealing.world import World, secret_of

from tavolata._engine.dealing.dealer import Dealer
from tavolata._engine.dealing.fair_dealing import FairDealing
from tavolata._engine.match.log_source import LogSource
from tavolata._engine.match.match import Match
from tavolata._engine.match.state import pack
from tavolata._engine.match.worlds import new_match

HOST = 1


@pytest.fixture(scope="module")
def world() -> World:
    """A match of three peers that was played to its end."""
    world = World(Peek, (1, 2, 3), rounds=1)
    world.play()
    assert world.ended()
    return world


def followed(world: World, party: int = HOST) -> tuple[Match, FairDealing]:
    """The match as a peer has it, before the first entry."""
    header = world.header
    deal = FairDealing(header, world.origin, header.keys[party - 1])
    source = LogSource(len(header.names), deal, stamp=world.origin.stamp)
    match = new_match(Peek, header.terms(Peek), source, lambda _: None)
    Dealer(deal, secret_of(party), bytes)
    match.run()
    return match, deal


def replayed(world: World, other: dict[int, int], party: int = HOST) -> bytes:
    """All that a peer makes of its file, as bytes: cards, events and digest after every entry.

    Args:
        world: what was played.
        other: faces that are taken for others wherever a card is opened.
        party: whose file it is.
    """
    match, deal = followed(world, party)
    made: list[Any] = []
    renamed = False
    for entry, stamp in world.log:
        match.feed(entry, stamp)
        if match.table._pieces.cards and not renamed:
            numbers = deal.laid.kind_of(0).faces._numbers
            numbers.update({point: other.get(number, number) for point, number in numbers.items()})
            renamed = True
        cards = [match.view(0).face(card) for card in match.table._pieces.cards]
        events = [[str(event.message), repr(sorted(event.params.items()))] for event in match.events]
        known = [sorted(faces.items()) for faces in match.source.known.values()]
        made.append([cards, events, match.digest(), known])
    return pack(made)


def dealt(world: World) -> tuple[set[int], set[int]]:
    """The faces that the rules gave to the host, and those that they gave to the others in their hands.

    What a hand held is asked of the peer that held it. So a face that came to the host although no rule
    gave it is not among the host's.
    """
    matches = [followed(world, party)[0] for party in (1, 2, 3)]
    hosts, others = set[int](), set[int]()
    shown: int | None = None
    for entry, stamp in world.log:
        for match in matches:
            match.feed(entry, stamp)
        game, table = matches[0].game, matches[0].table
        assert isinstance(game, Peek)
        cards = table._pieces.cards
        if all(card.is_public for card in cards):
            continue  # before the first shuffle
        hosts |= {card.deck.number[card.face] for card in cards if card.is_public}
        for seat, hand in enumerate(game.hands):
            known = matches[seat].source.known[seat]
            held = {known[card.id] for card in hand.cards if card.id in known}
            (others if seat else hosts).update(held)
            if seat == table.first_seat and shown is None and held:
                (shown,) = held
                if table.ring.after(table.first_seat) == 0:
                    hosts.add(shown)  # `Peek` shows it to the next seat
    assert shown is not None
    return hosts, others


def exchanged(faces: set[int]) -> dict[int, int]:
    """Each of these faces taken for the next of them."""
    order = sorted(faces)
    return dict(zip(order, [*order[1:], order[0]], strict=True))


def test_with_the_cards_it_did_not_see_exchanged_the_hosts_file_gives_the_same_bytes(world: World) -> None:
    """Which of the faces that it was not dealt is which changes nothing of what its file leads to."""
    hosts, others = dealt(world)
    assert others - hosts  # somebody held a card that was never the host's to see
    turned = exchanged(set(range(len(NINE.faces))) - hosts)
    assert replayed(world, turned) == replayed(world, {})


def test_a_card_that_a_peer_saw_exchanged_gives_others(world: World) -> None:
    """The comparison notices a face that the host was dealt, and in another's file one that it was not."""
    hosts, others = dealt(world)
    assert replayed(world, exchanged(hosts)) != replayed(world, {})
    hidden = set(range(len(NINE.faces))) - hosts
    holders = [
        party for party in (2, 3)
        if replayed(world, exchanged(hidden), party) != replayed(world, {}, party)
    ]  # fmt: skip
    assert holders
    assert others & hidden
