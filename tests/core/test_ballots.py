"""Tests of ballots: secret votes of which all learn the count, and nobody whose they are."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from tests.core.engine.dealing.world import World
from tests.core.games import Deed, Missions

from tavolata import Ask, Game, Options, Outcome, Seat, Table, View
from tavolata._engine.match.entries import FACE, OPENED, SEALED, MatchEntry
from tavolata.bots import Bot, Chance
from tavolata.errors import GameError, PieceError
from tavolata.testing import check_game, rehearse
from tavolata.testing.cases import Case
from tavolata.testing.checks import ALL
from tavolata.testing.recording import play


class Traitor(Bot):
    """Seats 1 and 3 let every mission fail."""

    def choose(self, view: View[Any], ask: Ask[Any], chance: Chance) -> Any:
        assert view.seat is not None
        wanted = Deed.FAIL if view.seat % 2 else Deed.HELP
        return next(card for card in view.legal(ask) if view.face(card) is wanted)


@pytest.mark.battery
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


@pytest.mark.battery
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


class Council(Game[Options]):
    """Each may vote for the others only."""

    name, title, seats = "council", "Council", (3, 4)

    def setup(self, t: Table[Options]) -> None:
        """Ballots with all seats on them."""
        self.votes = t.ballots("votes", tuple(t.ring))
        self.counted: list[Seat] = []

    async def turn(self, t: Table[Options]) -> Outcome | None:
        """Two votes; the packs are whole in between."""
        self.counted += await t.ballot(
            self.votes, {seat: [x for x in t.ring if x != seat] for seat in t.ring}
        )
        return Outcome((t.first_seat,)) if t.turn else None


class Next(Bot):
    """Votes for the seat after its own."""

    level = "next"

    def choose(self, view: View[Any], ask: Ask[Any], chance: Chance) -> Any:
        """The card of the next seat."""
        assert view.seat is not None
        wanted = (view.seat + 1) % len(view.ring)
        return next(card for card in view.legal(ask) if view.face(card) == wanted)


def test_a_mapping_says_what_each_may_lay() -> None:
    """Three machines: a card outside isn't in the pack, and its answer is void on all; packs become whole."""
    tried = 0

    def grabs(party: int, entry: MatchEntry) -> Iterable[MatchEntry]:
        nonlocal tried
        if party == 2 and entry[0] == OPENED:
            (ask,) = [one for one in world.peers[2].source.open if one.id == entry[2]]
            assert ask.question.count() == 2
            tried += 1
            return [(*entry[:4], 2), entry]
        return [entry]

    world = World(Council, (1, 2, 3), tamper=grabs, bot=Next)
    world.play()
    assert world.ended()
    assert tried == 2
    assert len(world.digests) == 1
    for peer in world.peers.values():
        assert len(peer.source.voids) >= 2
        game = peer.match.game
        assert isinstance(game, Council)
        assert game.counted == [0, 1, 2, 0, 1, 2]
        assert [[card.face for card in pack] for pack in game.votes.packs] == [[0, 1, 2]] * 3


def test_what_is_put_away_openly_says_no_more_than_the_mapping() -> None:
    """The same votes are shown in either order, and what was kept is mixed with what was put away."""
    orders = {
        tuple(entry[1] for entry in play(Case(Council, 3, {}, seed, (Next,))).log if entry[0] == FACE)
        for seed in range(6)
    }
    assert len(orders) > 3


def test_who_may_lay_nothing_is_a_fault_of_the_game() -> None:
    """An empty list for a seat can't be asked."""

    class Mute(Council):
        name = "mute"

        async def turn(self, t: Table[Options]) -> Outcome | None:
            await t.ballot(self.votes, {t.ring[0]: []})
            return None

    with pytest.raises(GameError, match="Seat 1 may lay none of the values of votes"):
        rehearse(Mute, seats=3, answers=None)


@pytest.mark.parametrize(
    "check", ["random_playouts", "cards_stay", "save_and_resume_everywhere", "hidden_facts_raise"]
)
def test_such_a_ballot_passes_the_kit(check: str) -> None:
    """Cards stay, and a match is resumed in the midst of a vote."""
    check_game(Council, matches=2, only=[check]).expect()
