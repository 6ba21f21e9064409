"""What several ways of looking found is one list: merged, ranked, without the dead."""

from __future__ import annotations

from dataclasses import replace

from tavolata_protocol.addresses import Address
from tavolata_protocol.announcements import Announcement
from tavolata_protocol.sightings import Directory, Rung, Sighting

ANN = Announcement(b"A" * 16, "Ann", "zompa", 8286, free=3)
BOB = Announcement(b"B" * 16, "Bob", "conto", 8286, free=1)
FOUR: Address = ("192.168.1.5", 8286)
SIX: Address = ("fd00::5", 8286, 0, 0)
NEAR: Address = ("fe80::5", 8286, 0, 2)


def seen(*sightings: Sighting, alive: bool = True) -> Directory:
    """A directory that saw these, and asked all of their addresses."""
    directory = Directory()
    for one in sightings:
        directory.saw(one)
        directory.answered(one.address, alive=alive)
    return directory


def test_a_table_is_listed_once_it_has_answered() -> None:
    """An announcement alone lists nothing; an answer lists it, silence lists it among the silent."""
    directory = Directory()
    assert directory.saw(Sighting(FOUR, Rung.MDNS, ANN))
    assert (directory.tables(), directory.silent()) == ([], [])
    directory.answered(FOUR, alive=True)
    assert [one.announcement for one in directory.tables()] == [ANN]
    directory.answered(FOUR, alive=False)
    assert directory.tables() == []
    assert [one.announcement for one in directory.silent()] == [ANN]


def test_one_table_found_in_three_ways_is_one() -> None:
    """Ways and addresses are merged; what people can type stands first, the newest announcement counts."""
    newer = replace(ANN, free=2)
    [one] = seen(
        Sighting(FOUR, Rung.REMEMBERED), Sighting(NEAR, Rung.MDNS, ANN), Sighting(SIX, Rung.MDNS, ANN),
        Sighting(FOUR, Rung.BROADCAST, newer),
    ).tables()  # fmt: skip
    assert one.addresses == [FOUR, SIX, NEAR]
    assert one.rungs == set(Rung)
    assert one.announcement == newer


def test_an_address_is_asked_once() -> None:
    """A second sighting of it asks nothing; one of another address does."""
    directory = Directory()
    asked = [directory.saw(Sighting(where, Rung.MDNS, ANN)) for where in (FOUR, FOUR, SIX)]
    assert asked == [True, False, True]


def test_a_table_is_told_when_its_best_address_has_answered() -> None:
    """A link-local address that was quicker waits for the better one, unless that is silent."""
    directory = Directory()
    directory.saw(Sighting(FOUR, Rung.MDNS, ANN))
    directory.saw(Sighting(NEAR, Rung.MDNS, ANN))
    directory.answered(NEAR, alive=True)
    [one] = directory.tables()
    settled = [one.is_settled]
    directory.answered(FOUR, alive=False)
    assert [*settled, one.is_settled] == [False, True]
    assert one.addresses == [NEAR]


def test_a_withdrawal_is_no_more_than_a_reason_to_ask() -> None:
    """Anybody can say that a table is gone: its addresses are told, and asked."""
    directory = seen(Sighting(FOUR, Rung.MDNS, ANN), Sighting(SIX, Rung.MDNS, BOB))
    assert directory.addresses_of(ANN.table) == [FOUR]
    assert directory.addresses_of(b"nobody's") == []
    assert len(directory.tables()) == 2


def test_a_killed_hosts_announcement_does_not_borrow_the_life_of_the_next_table() -> None:
    """At one address there is one table: the one heard itself, else the one seen last."""
    stale = Sighting(FOUR, Rung.MDNS, ANN)
    assert [one.announcement for one in seen(stale, Sighting(FOUR, Rung.MDNS, BOB)).tables()] == [BOB]
    heard = seen(Sighting(FOUR, Rung.BROADCAST, BOB), stale)
    assert [one.announcement for one in heard.tables()] == [BOB]


def test_an_address_that_only_worked_before_is_listed_without_a_name() -> None:
    """Somebody answers there; who, nobody has said."""
    [one] = seen(Sighting(FOUR, Rung.REMEMBERED)).tables()
    assert one.announcement is None
    assert seen(Sighting(FOUR, Rung.REMEMBERED), alive=False).silent() == []
