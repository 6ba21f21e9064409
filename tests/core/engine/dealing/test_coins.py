"""Coins: each has one value, fixed with the coin keys, and no word, absence or choice moves it."""

from __future__ import annotations

import pytest
from tests.core.engine.dealing.world import World, key_of

from tavolata import N_, Game, Options, Outcome, Table, one_of
from tavolata._engine.dealing import openings, steps
from tavolata._engine.dealing.authority import OwnWord
from tavolata._engine.dealing.key_making import EpochKeys
from tavolata._engine.dealing.notices import COINS
from tavolata._engine.match.entries import DEAL
from tavolata.bots import RandomBot
from tavolata.errors import PieceError
from tavolata_protocol.fair import dice, shares

TURNS = 4
SIDES = 1000


class Throws(Game[Options]):
    """Each turn has a throw for all, as many more as somebody likes, and one for the last seat."""

    name, title, seats = "throws", N_("Throws"), (2, 5)

    def setup(self, t: Table[Options]) -> None:
        """Note what was thrown: the turn, the seat and the value."""
        self.thrown: list[tuple[int, int, int]] = []

    async def turn(self, t: Table[Options]) -> Outcome | None:
        """Throw; whoever is first chooses how often."""
        await self._throw(t, 0)
        more = await t.ask(t.first_seat, one_of([0, 1, 3]), N_("How many more?"), otherwise=0)
        for _ in range(more):
            await self._throw(t, 0)
        await self._throw(t, len(list(t.ring)))
        return Outcome(tuple(t.ring)) if t.turn + 1 == TURNS else None

    async def _throw(self, t: Table[Options], seat: int) -> None:
        value = await t.randrange(SIDES, list(t.ring)[seat - 1] if seat else None)
        self.thrown.append((t.turn, seat, value))


def expected(world: World, keys: EpochKeys, turn: int, seat: int, number: int) -> int:
    """The value that whoever knows the keys of t parties computes before anybody wants it."""
    context = keys.public.context(f"lot of turn {turn}, seat {seat}", number, 0)
    thing, said = dice.point(context), dict[int, bytes]()
    for party in keys.holders[: keys.threshold]:
        dealer = world.peers[party].dealer
        assert dealer is not None
        ring = dealer._ring(keys)
        said[ring.party] = shares.own_shares(ring, [thing]).images[0]
    return dice.value(context, openings.combined(keys.public, said), SIDES)


def flap(world: World, party: int) -> None:
    """A party says that it steps away, and that it is back."""
    for word in (OwnWord.OUT, OwnWord.BACK):
        absence = world.peers[1].deal.authority.absence_of(party)
        world.say((DEAL, party, world.head(), steps.SELF, int(word), absence), party)


@pytest.mark.parametrize("liars", [(), (2, 3), (3,)])
def test_no_own_word_moves_a_coin(liars: tuple[int, ...]) -> None:
    """Conspirators go and come back at every entry: each value is what its name had from the start."""
    world = World(Throws, (1, 2, 3))
    rings = world.peers[1].deal.rings
    while not rings.done:
        world.round()
    keys = rings.done[1]
    for _ in range(200):
        if world.ended():
            break
        for liar in liars:
            for _ in range(3):
                flap(world, liar)
        if not world.round():
            world.wait(1)
    assert world.ended()
    game = world.peers[1].match.game
    assert isinstance(game, Throws)
    counts = {(0, 0): 0}  # that is who begins
    for turn, seat, value in game.thrown:
        number = counts[turn, seat] = counts.get((turn, seat), -1) + 1
        assert value == expected(world, keys, turn, seat, number)
    assert len(game.thrown) >= 2 * TURNS
    assert len({value for *_, value in game.thrown}) > TURNS
    assert list(rings.done) == [1]
    assert world.convicted == {}


class Thrifty(RandomBot):
    """Throws no more than it has to."""

    def choose(self, view: object, ask: object, chance: object) -> object:
        """None."""
        return 0


class Eager(RandomBot):
    """Throws as often as it may."""

    def choose(self, view: object, ask: object, chance: object) -> object:
        """Three times."""
        return 3


def test_optional_throws_leave_all_others_as_they_are() -> None:
    """Who throws more often in a turn sees more of that turn's coins, and changes none of another."""
    found = []
    for bot in (Thrifty, Eager):
        world = World(Throws, (1, 2, 3), bot=bot)
        world.play()
        game = world.peers[1].match.game
        assert isinstance(game, Throws)
        found.append(game.thrown)
    few, many = found
    assert len(few) == 2 * TURNS
    assert len(many) == 5 * TURNS
    assert few == [throw for at, throw in enumerate(many) if at % 5 in (0, 4)]


def test_coins_come_from_new_keys_only_once_somebody_is_gone() -> None:
    """Absences and returns leave the coin keys alone; a departure renews them, named in no word before."""
    world = World(Throws, (1, 2, 3, 4))
    deal = world.peers[1].deal
    while deal.lots.open is None:
        world.round()
    first = deal.lots.open
    world.leave(4, OwnWord.LEFT)
    assert deal.lots.open is first, "a wanted coin keeps its keys"
    world.play()
    assert world.ended()
    assert [(made.holders, made.threshold) for made in deal.rings.done.values()] == [
        ((1, 2, 3, 4), 3),
        ((1, 2, 3), 2),
    ]
    said = [(one.message, one.params.get("by")) for one in deal.news(key_of(1))]
    assert said.count((COINS, "P3")) == 1


def test_a_wanted_coin_that_too_few_can_open_ends_the_match() -> None:
    """It is drawn under no other keys: with two of four gone for good, the match is over."""
    world = World(Throws, (1, 2, 3, 4))
    deal = world.peers[1].deal
    while deal.lots.open is None:
        world.round()
    for party in (3, 4):
        assert not deal.is_lost
        world.leave(party, OwnWord.LEFT)
    assert deal.is_lost


@pytest.mark.parametrize("sides", [0, -1, 2**63 + 1])
def test_a_lot_has_so_many_sides_at_most(sides: int) -> None:
    """What no stream of numbers can draw evenly is refused where it is wanted."""

    class Wide(Throws):
        async def turn(self, t: Table[Options]) -> Outcome | None:
            """Want it."""
            await t.randrange(sides)
            return None

    world = World(Wide, (1, 2))
    with pytest.raises(PieceError, match="numbers to draw from"):
        world.play()
