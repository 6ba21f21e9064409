"""Campaigns: copies are compared by their chains, and what a match leaves is read as it was left."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any

import pytest

from tavolata import Card, Deck, Game, Options, Outcome, Table, amount
from tavolata._engine.match.campaign import (
    HEADS,
    MOST,
    Campaign,
    WrongLegacy,
    is_legacy,
    new_campaign,
    pack_legacy,
    read_legacy,
)
from tavolata._engine.match.header import Header
from tavolata._engine.match.simulation import Simulation
from tavolata._engine.match.state import pack, unpack
from tavolata.errors import GameError


class Ghost(Enum):
    """A value with a name."""

    MONK = "monk"


@dataclass(frozen=True)
class House:
    """What the game below leaves."""

    wealth: Mapping[str, int] = field(default_factory=dict)
    tired: tuple[Ghost, ...] = ()


CARD = Card(0, Deck("one", ["ace"]), "ace")


class Heirlooms(Game[Options]):
    """One question, whose answer is added to what the house has."""

    name, title, seats, legacy = "heirlooms", "Heirlooms", (1, 4), House

    def setup(self, t: Table[Options]) -> None:
        self.house = t.legacy(House)
        self.again: Any = None

    async def turn(self, t: Table[Options]) -> Outcome | None:
        many = await t.ask(t.ring[0], amount(1, 9), "How many?")
        wealth = self.house.wealth
        assert isinstance(wealth, dict)
        wealth[t.names[0]] = wealth.get(t.names[0], 0) + many  # what it read is its own
        self.again = t.legacy(House).wealth
        return Outcome((t.ring[0],), legacy=House(wealth, (Ghost.MONK,)))


def after(campaign: Campaign, *matches: str) -> Campaign:
    for match in matches:
        campaign = campaign.after(match, ("Ann", "Bea"), pack_legacy(Heirlooms, House({"Ann": len(match)})))
    return campaign


def test_a_copy_goes_on_from_each_earlier_one_and_from_no_other() -> None:
    """Of two copies one is a later one of the other, or their histories differ; a new one is before all."""
    new = Campaign("autumn")
    one, two, other = after(new, "a"), after(new, "a", "b"), after(new, "a", "c")
    assert two.goes_on_from(one)
    assert two.goes_on_from(two)
    assert not one.goes_on_from(two)
    assert not two.goes_on_from(other)
    assert not after(other, "b").goes_on_from(two)
    assert all(copy.goes_on_from(new) for copy in (new, one, two))


def test_the_chain_keeps_its_last_hashes() -> None:
    """A long campaign stays small; who missed fewer matches than it has hashes is known."""
    first = after(Campaign("autumn"), "0")
    long = after(first, *map(str, range(1, HEADS)))
    assert len(after(long, "x").heads) == HEADS
    assert long.goes_on_from(first)
    assert not after(long, "x").goes_on_from(first)
    assert Campaign.of(after(long, "x").packed()) == after(long, "x")


@pytest.mark.parametrize(
    "change",
    [{"legacy": b"other"}, {"players": ("Ann", "Eve")}, {"match": "z"}, {"matches": 3}, {"name": "No such"},
     {"heads": (b"x" * 16, b"y" * 16)}, {"heads": ()}, {"legacy": bytes(MOST + 1)}],
)  # fmt: skip
def test_a_copy_that_was_changed_is_none(change: dict[str, Any]) -> None:
    """The last hash is over what was left, by whom and in which match; nobody changes one of them alone."""
    copy = after(Campaign("autumn"), "a", "b")
    assert Campaign.of(copy.packed()) == copy
    assert Campaign.of(replace(copy, **change).packed()) is None


@pytest.mark.parametrize("data", [b"", b"\xc1", pack([]), pack(["autumn", -1, [], b"", "", []]), pack(7)])
def test_bytes_of_anybody_are_no_campaign(data: bytes) -> None:
    """They are refused, whatever they are."""
    assert Campaign.of(data) is None


def test_what_is_left_comes_back_as_it_was() -> None:
    """Also over a change of the class: a field that is gone is left out, a new one has its default."""
    left = House({"Ann": 3}, (Ghost.MONK,))
    packed = pack_legacy(Heirlooms, left)
    assert read_legacy(Heirlooms, packed, House) == left
    fields = unpack(packed)
    del fields["tired"]
    assert read_legacy(Heirlooms, pack({**fields, "gone": 1}), House) == House({"Ann": 3})
    with pytest.raises(WrongLegacy, match="can't read this campaign's saved data"):
        read_legacy(Heirlooms, pack({"wealth": ["enum", "os:Nothing", "X"]}), House)


def test_only_plain_data_of_the_declared_class_is_left() -> None:
    """A set, another class, too much, a card, or a legacy that nobody declared: each is refused by name."""
    for legacy, said in [
        (House({"Ann": {1}}), "House.wealth holds a set"),  # type: ignore[dict-item] # that is the point
        (Ghost.MONK, "is House"),
        (House({"Ann": 0, "x" * MOST: 1}), "the most are 4096"),
        (House({"Ann": CARD}), "next match can't read the legacy of heirlooms"),  # type: ignore[dict-item]
    ]:
        with pytest.raises(GameError, match=said):
            pack_legacy(Heirlooms, legacy)
    with pytest.raises(GameError, match="declares no `legacy`"):
        pack_legacy(Silent, House())
    assert is_legacy(House)
    assert not is_legacy(Ghost)
    assert not is_legacy(Header)  # it has fields without a default


def test_a_match_begins_with_what_the_one_before_has_left() -> None:
    """A simulation takes it; what rules do with it changes neither what was given nor a second reading."""
    given = House({"Seat 1": 2})
    match = Simulation(Heirlooms, 1, legacy=given)
    copy = match.clone()
    match.step(5)
    assert match.outcome is not None
    assert match.outcome.legacy == House({"Seat 1": 7}, (Ghost.MONK,))
    assert given == House({"Seat 1": 2})
    assert match.game.again == {"Seat 1": 2}
    assert copy.game.house == given
    assert Simulation(Heirlooms, 1).game.house == House()
    with pytest.raises(GameError, match="declares no `legacy`"):
        Simulation(Silent, 1, legacy=given)


class Silent(Game[Options]):
    """Nothing is declared."""

    name, title, seats = "silent", "Silent", (1, 2)


def test_a_header_carries_the_campaign() -> None:
    """It comes back from its plain data, gives the rules what was left, and refuses a copy that is none."""
    campaign = after(Campaign("autumn"), "a")
    header = Header("c" * 16, "heirlooms", "0", 1, {}, ("Ann",), (None,), campaign=campaign)
    read = Header.of(unpack(pack(header.plain())))
    assert read == header
    assert read_legacy(Heirlooms, read.terms(Heirlooms).legacy, House) == House({"Ann": 1})
    with pytest.raises(TypeError):
        Header.of(unpack(pack(replace(header, campaign=replace(campaign, legacy=b"")).plain())))


@pytest.mark.parametrize("name", ["", "Autumn", "a b", "x" * 33, "../up", "-a"])
def test_a_name_is_a_name_for_a_file(name: str) -> None:
    """Names are lower case letters, digits and dashes, and never lead out of the folder."""
    with pytest.raises(WrongLegacy, match="32 lower-case"):
        new_campaign(Heirlooms, name)
    with pytest.raises(WrongLegacy, match="no campaigns"):
        new_campaign(Silent, "autumn")


@pytest.mark.parametrize("name", ["con", "nul", "prn", "aux", "com1", "lpt9"])
def test_no_name_is_that_of_a_device_of_windows(name: str) -> None:
    """Nobody can name a campaign so, on any system, and a copy from elsewhere named so is none."""
    with pytest.raises(WrongLegacy, match=f"named {name}: Windows"):
        new_campaign(Heirlooms, name)
    assert Campaign.of(after(Campaign(name), "a").packed()) is None
    assert new_campaign(Heirlooms, f"{name}s") == Campaign(f"{name}s")
