"""Horse Fever between peers: no file holds another's Action cards or Objectives before they are shown."""

from __future__ import annotations

from typing import Any

import pytest

from tavolata._engine.match.header import Header
from tavolata.ring import SEATS
from tavolata_horse_fever.rules import HorseFever

from .following import followed, key_of, seed_of
from .table import Hall, Tt, agree

OPTIONS = [word for rule in ("mode=board", "starred=yes", "turns=1") for word in ("--option", rule)]


@pytest.mark.parametrize("dealer", ["fair", pytest.param("host", marks=pytest.mark.long)])
def test_hands_lanes_and_objectives_are_known_to_their_seats_alone(hall: Hall, dealer: str) -> None:
    """After every entry of a whole Board Game a peer's file and key show its own cards and no others."""
    host = hall.host(
        "horse-fever", "--seats", "3", "--start", "full", "--bot", "easy", "--dealer", dealer, *OPTIONS
    )
    players = [host, *(hall.join("--bot", "easy") for _ in range(2))]
    agree(*players)
    looks = [looked_at(player) for player in players]
    assert looks
    assert all(hidden > 20 for hidden, _ in looks)
    assert all(owned > 5 for _, owned in looks)


def looked_at(player: Tt) -> tuple[int, int]:
    """How often a peer met a face that it may not know, and one that it alone knows, in its whole match."""
    (kept,) = player.matches()
    seed = seed_of(player.home)
    me = SEATS[Header.of(kept.header).keys.index(key_of(seed))]
    match = followed(kept, player.home, HorseFever, [])
    game, source = match.game, match.source
    assert isinstance(game, HorseFever)
    others = [seat for seat in range(3) if seat != me]
    hidden = owned = 0
    kinds = set()
    mine: list[Any] = []
    for entry in kept.entries:
        laid = match.table._pieces.laid
        mine += [card for card in game.hands[me] if card not in mine] if laid else []
        source.entries.append(entry)  # type: ignore[attr-defined]  # it follows a log
        match.run()
        if not laid:
            continue
        view = match.view(me)
        assert not any(source.known[seat] for seat in others)
        for seat in others:
            for card in (*game.hands[seat], *game.objectives[seat]):
                hidden += not card.is_public
                kinds.add(card.deck.name)
                assert card.is_public or view.face(card) is None
        for card in (*game.hands[me], *game.objectives[me]):
            owned += not card.is_public
            assert view.face(card) is not None
        face_down = [card for lane in game.lanes.values() for card in lane if not card.is_public]
        assert [card for card in face_down if view.face(card)] == [card for card in face_down if card in mine]
    assert match.over
    assert {"action*", "objective"} <= kinds
    return hidden, owned
