"""Dealing together with hidden dice: who sees them, that all open the same, and who is caught."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from tests.core.engine.dealing.world import World
from tests.core.games import Liars

from tavolata._engine.dealing import steps
from tavolata._engine.dealing.authority import OwnWord
from tavolata._engine.dealing.fair_dealing import FairDealing
from tavolata._engine.dealing.laid import DieSlot
from tavolata._engine.dealing.steps import CARDS, FACES
from tavolata._engine.dealing.witness import Witness
from tavolata._engine.match.entries import CHANCE, DEAL, MatchEntry
from tavolata._engine.match.header import FAIR, STRICT
from tavolata._engine.match.log_source import LogSource
from tavolata._engine.match.worlds import new_match
from tavolata_protocol.fair import dice
from tavolata_protocol.fair.audit import records
from tavolata_protocol.fair.audit.auditor import Auditor
from tavolata_protocol.fair.context import Context
from tavolata_protocol.fair.errors import Cheat
from tavolata_protocol.fair.offences import Offence


@pytest.mark.parametrize(
    ("seats", "dealer"), [((1, 2), FAIR), ((1, 2, 3), FAIR), ((1, 2, 1), FAIR), ((1, 2, 3), STRICT)]
)
def test_a_match_with_hidden_dice_is_the_same_for_all(seats: tuple[int, ...], dealer: str) -> None:
    """Each machine sees its own dice while they are hidden, all the same ones when they are open."""
    world = World(Liars, seats, dealer)
    own = 0
    while world.round() and not world.ended():
        for party, peer in world.peers.items():
            for seat, of in enumerate(world.seats):
                assert of == party or not peer.source.known[seat]
                own += len(peer.source.known[seat])
    assert own
    assert world.ended()
    assert len(world.digests) == 1
    assert world.convicted == {}
    assert not any(entry[0] in CHANCE for entry, _ in world.log)
    assert not any(entry[3] in (steps.DECK, steps.SEED) for entry, _ in world.log if entry[0] == DEAL)


def test_what_an_owner_saw_is_what_all_open() -> None:
    """The die that its owner sees has the face that the shares for all give."""
    world = World(Liars, (1, 2, 3))
    seen: dict[str, int] = {}
    while world.round() and not world.ended():
        for party, peer in world.peers.items():
            known = {die: face for one in peer.source.known.values() for die, face in one.items()}
            hidden = {slot.name: die for die, slot in peer.deal.laid.slots.items() if die in known}
            for name, die in hidden.items():
                assert seen.setdefault(name, known[die]) == known[die], party
    open_ = {f"die {one.place.number} of {one.place.about}": one.value for one in thrown_in(witnessed(world))}
    assert len(seen) > 6
    assert seen.items() <= open_.items()


def test_a_shake_takes_one_round_of_shares() -> None:
    """For a cup each machine sends one parcel to each other: no shuffle, and no second step."""
    world = World(Liars, (1, 2, 3))
    while not world.peers[1].source.open:
        world.round()
    sent = Counter(entry[1] for entry, _ in world.log if entry[0] == DEAL and entry[3] == CARDS)
    assert set(sent) <= {1, 2, 3}
    assert all(number == 1 for number in sent.values())


def test_dice_are_even() -> None:
    """Over many points the values of a die of three sides are equally frequent."""
    found = Counter(opened(number) for number in range(1500))
    assert set(found) == {0, 1, 2}
    assert max(found.values()) - min(found.values()) < 120


def opened(number: int) -> int:
    """The side of a die whose point opens to some bytes."""
    context = Context(b"m" * 16, b"l" * 16, 1, f"shake {number}", 0, 0, b"T" * 64)
    die = DieSlot(1, number, 0, dice.point(context), context, (0, 1, 2), "shake")
    return die.side(number.to_bytes(32, "little"))


def test_a_wrong_share_of_a_die_convicts_its_sender() -> None:
    """Shares for all that don't fit the die's point name their sender, and the match goes on without it."""

    def bend(party: int, entry: MatchEntry) -> list[MatchEntry]:
        if party == 3 and entry[0] == DEAL and entry[3] == FACES:
            *rest, data = entry
            return [(*rest, data[32:64] + data[:32] + data[64:])]
        return [entry]

    world = World(Liars, (1, 2, 3), tamper=bend)
    world.liar = 3
    world.play()
    assert [charge.offence for charge in world.convicted.values()] == [Offence.INVALID_PROOF]
    assert list(world.convicted) == [3]


def witnessed(world: World) -> list[Any]:
    """What a machine that only follows the log gives to an auditor."""
    told: list[Any] = []
    deal = FairDealing(world.header, world.origin)
    deal.witness = Witness(told.append)
    source = LogSource(len(world.header.names), deal, stamp=world.origin.stamp)
    match = new_match(Liars, world.header.terms(Liars), source)
    match.run()
    for entry, stamp in world.log:
        match.feed(entry, stamp)
    return told


def thrown_in(told: list[Any]) -> list[records.Thrown]:
    """The hidden dice that were opened, without lots."""
    return [one for one in told if isinstance(one, records.Thrown) and one.place.about.startswith("shake ")]


def test_an_auditor_who_trusts_nobody_checks_the_dice() -> None:
    """From the log alone each open die is computed again, and another value is refused."""
    world = World(Liars, (1, 2))
    world.play()
    told = witnessed(world)
    thrown = thrown_in(told)
    assert len(thrown) >= 4
    auditor = Auditor(world.origin.id, world.origin.stamp.lineage)
    for one in told:
        auditor.check(one)
    assert auditor.counts[records.Thrown] == len(thrown) + 1  # and the lot of the first seat
    other_die = thrown[0].place._replace(number=7)
    others: dict[str, Any] = {"value": (thrown[0].value + 1) % 6, "place": other_die}
    for name, other in others.items():
        with pytest.raises(Cheat):
            auditor.check(replace(thrown[0], **{name: other}))


def test_dice_of_one_who_stays_away_are_opened_by_the_others() -> None:
    """A machine dies with dice in its cup: its questions are closed, and the dice are opened as they lay."""
    world = World(Liars, (1, 2, 3))
    while not world.peers[1].source.open:
        world.round()
    world.kill(2)
    world.give_up(2)
    world.play()
    assert world.ended()
    assert len(world.digests) == 1


def test_after_somebody_has_left_new_keys_are_made_for_the_next_shake() -> None:
    """t follows those who are left, as at the next deal of cards; an absence alone changes no keys."""
    world = World(Liars, (1, 2, 3, 4))
    while not world.peers[1].source.open:
        world.round()
    assert [keys.threshold for keys in world.peers[1].deal.rings.done.values()] == [3]
    world.leave(4, OwnWord.LEFT)
    world.play()
    assert world.ended()
    made = world.peers[1].deal.rings.done
    assert [keys.holders for keys in made.values()][1:] == [(1, 2, 3)]
    assert [keys.threshold for keys in made.values()] == [3, 2]


def test_whoever_was_voted_aside_says_it_is_here_and_has_part_in_the_next_keys_for_dice() -> None:
    """Its machine says BACK by itself, so all who are present make the keys of the next shake."""
    world = World(Liars, (1, 2, 3, 4))
    while not world.peers[1].source.open:
        world.round()
    for peer in world.peers.values():
        peer.deal.authority._aside.add(3)
    assert not world.peers[1].deal.authority.deals(3)
    world.leave(4, OwnWord.LEFT)
    world.play()
    assert world.ended()
    assert [keys.holders for keys in world.peers[1].deal.rings.done.values()] == [(1, 2, 3, 4), (1, 2, 3)]


def test_one_that_was_away_has_part_in_the_same_keys() -> None:
    """Who steps away and comes back finds the keys that it helped to make."""
    world = World(Liars, (1, 2, 3))
    while not world.peers[1].source.open:
        world.round()
    world.leave(3, OwnWord.OUT)
    for _ in range(20):
        world.round()
    world.back(3)
    world.play()
    assert world.ended()
    assert [keys.holders for keys in world.peers[1].deal.rings.done.values()] == [(1, 2, 3)]


def test_a_crash_in_the_middle_of_a_shake_loses_nothing() -> None:
    """A machine that starts again with secret and log alone sees its dice as before."""
    world = World(Liars, (1, 2))
    while not world.peers[2].source.open:
        world.round()
    before = dict(world.peers[2].source.known[1])
    world.here.discard(2)
    world.back(2)
    assert before
    assert world.peers[2].source.known[1] == before
    world.play()
    assert len(world.digests) == 1
