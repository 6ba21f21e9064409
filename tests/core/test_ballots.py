"""Tests of ballots: secret votes of which all learn the count, and nobody whose they are."""

from __future__ import annotations

from typing import Any

import pytest
from tests.core.engine.dealing.world import World
from tests.core.games import Deed, Missions

from tavolata import Ask, Game, Options, Outcome, Table, View
from tavolata._engine.match.entries import FACE, OPENED, SEALED
from tavolata.bots import Bot, Chance
from tavolata.errors import PieceError
from tavolata.testing.cases import Case
from tavolata.testing.checks import ALL
from tavolata.testing.recording import play


class Traitor(Bot):
    """Seats 1 and 3 let every mission fail."""

    def choose(self, view: View[Any], ask: Ask[Any], chance: Chance) -> Any:
        assert view.seat is not None
        wanted = Deed.FAIL if view.seat % 2 else Deed.HELP
        return next(card for card in view.legal(ask) if view.face(card) is wanted)


@pytest.mark.parametrize("check", ALL, ids=str)
def test_a_game_of_secret_votes_passes_the_battery(check: Any) -> None:
    """Cards stay in one place, what is hidden decides nothing, and a match is saved and resumed."""
    check(Missions, matches=3)


def test_the_values_are_counted_and_the_packs_given_back() -> None:
    """Each vote has the values that were laid, in their order; then every pack is whole again."""
    kept = play(Case(Missions, 5, {}, 3, (Traitor,)))
    game = kept.match.game
    assert isinstance(game, Missions)
    away = [kept.match.table.first_seat, kept.match.table.ring.after(kept.match.table.first_seat)]
    assert game.fails == [2 - (seat % 2) for seat in away]
    assert [[card.face for card in pack] for pack in game.deeds.packs] == [[*Deed]] * 5
    assert not game.deeds.laid
    assert not game.deeds.kept


def test_all_learn_how_many_and_no_machine_whose() -> None:
    """Dealt together: a vote goes as the seats chose, and no machine ever knows a card of another's."""
    world = World(Missions, (1, 2, 3, 4), bot=Traitor)
    own = 0
    while world.round() and not world.ended():
        for party, peer in world.peers.items():
            for seat, of in enumerate(world.seats):
                assert of == party or not peer.source.known[seat]
                own += len(peer.source.known[seat])
    assert own
    assert world.ended()
    assert len(world.digests) == 1
    game = world.peers[1].match.game
    assert isinstance(game, Missions)
    first = world.peers[1].match.table.first_seat
    assert game.fails == [2 - (seat % 2) for seat in (first, (first + 1) % 4)]


def test_what_is_shown_has_no_name_on_it() -> None:
    """The laid cards are shuffled: the same votes of the same seats are shown in either order."""
    found = set()
    for seed in range(12):
        kept = play(Case(Missions, 3, {}, seed, (Traitor,)))
        faces = [entry for entry in kept.log if entry[0] == FACE][:2]
        assert {kept.match.table._pieces.cards[entry[1]].deck.name for entry in faces} == {"deeds"}
        found.add(tuple(entry[2] for entry in faces))
    assert {(0, 1), (1, 0)} <= found  # one who helps, and one who lets it fail


@pytest.mark.parametrize("values", [(), ("yes",), ("yes", "no", "yes")])
def test_ballots_need_values_that_differ(values: tuple[str, ...]) -> None:
    """One value is no vote, and two equal ones can't be counted."""

    class Wrong(Game[Options]):
        name, title, seats = "wrong", "Wrong", (2, 2)

        def setup(self, t: Table[Options]) -> None:
            t.ballots("votes", values)

        async def turn(self, t: Table[Options]) -> Outcome | None:
            return Outcome((t.ring[0],))

    with pytest.raises(PieceError, match="each different from the others"):
        Wrong().setup(play(Case(Missions, 3, {}, 1)).match.table)


def test_who_stays_away_lays_a_card_at_random() -> None:
    """A machine is gone and none stands in: the vote is held, with a card that nobody chose."""
    world = World(Missions, (1, 2, 3, 4), bot=Traitor)
    while not any(entry[0] == SEALED for entry, _ in world.log):
        world.round()
    world.kill(4)
    world.give_up(4)
    world.play()
    assert world.ended()
    assert len(world.digests) == 1
    assert any(entry[0] == OPENED for entry, _ in world.log)
