"""Attacks from prepared states of whole matches, and the rules without which each of them works.

Each attack is a test that passes. With the rule taken out, the same test has to fail.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests.core.engine.dealing import test_absences, test_cheats, test_coins
from tests.core.engine.dealing.peek import Peek
from tests.core.engine.dealing.test_cheats import sealing_junk
from tests.core.engine.dealing.world import START, World, header_of, key_of, secret_of, seed_of
from tests.core.engine.peer import test_machine

from tavolata._engine.dealing import key_rings, steps
from tavolata._engine.dealing.authority import Authority, OwnWord, VoteKind
from tavolata._engine.dealing.driver import DealingDriver
from tavolata._engine.dealing.key_making import EpochKeys
from tavolata._engine.dealing.key_rings import KeyRings
from tavolata._engine.dealing.lots import Lots
from tavolata._engine.dealing.parcels import Parcels
from tavolata._engine.dealing.seals import Seals
from tavolata._engine.match.entries import DEAL, MatchEntry
from tavolata._engine.match.source import Stamp
from tavolata._engine.match.state import pack
from tavolata._engine.storage import secret_files
from tavolata._engine.table import start_barrier
from tavolata._engine.table.start_barrier import StartBarrier
from tavolata_protocol.fair import dice, keys
from tavolata_protocol.fair.beginning import match_id
from tavolata_protocol.fair.chain import Chain
from tavolata_protocol.fair.context import Context
from tavolata_protocol.fair.seeds import Secrets

ROOT = Path(__file__).parents[3]
TABLE = b"a table"


def mixers(world: World, machine: int) -> list[set[int]]:
    """A list that gets, for each pile that comes into play at a machine, the parties that shuffled it."""
    piles, found = world.peers[machine].deal.piles, list[set[int]]()
    applied = piles.shuffled

    def noting(cards: tuple[int, ...], witness: Any) -> None:
        pile = piles.wanted
        assert pile is not None
        found.append({pile.keys.holders[one[0] - 1] for one in pile.chain.shuffles})
        applied(cards, witness)

    piles.shuffled = noting  # type: ignore[method-assign]  # for this world alone
    return found


def test_one_word_away_drops_no_honest_shuffle() -> None:
    """Two of four say at every step that the honest are away or owe: both of these shuffle every pile."""
    world = World(Peek, (1, 2, 3, 4), rounds=1)
    found = mixers(world, 1)
    for _ in range(500):
        if world.ended() or not world.round():
            break
        deal = world.peers[1].deal
        for liar in (3, 4):
            for victim in (1, 2):
                debts = [(VoteKind.STALL, task.number) for task in deal.owed(victim)[:1]]
                for kind, about in ((VoteKind.AWAY, 0), *debts):
                    entry = (DEAL, liar, world.head(), steps.VOTE, int(kind), victim, about, True, 999)
                    world.say(entry, liar)
    assert world.ended()
    assert len(found) > 1
    assert [one for one in found if not one >= {1, 2}] == []


def test_a_pile_that_fewer_than_t_have_shuffled_is_not_used() -> None:
    """One honest party after the other is away while it is awaited: the third does not mix alone."""

    def slow(party: int, entry: MatchEntry) -> Iterable[MatchEntry]:
        return [] if held and party < 3 and entry[0] == DEAL and entry[3] == steps.DECK else [entry]

    held = [True]
    world = World(Peek, (1, 2, 3), tamper=slow, rounds=1)
    found = mixers(world, 3)
    world.play()
    world.leave(1, OwnWord.OUT)
    world.play()
    world.back(1)
    held.clear()
    world.leave(2, OwnWord.OUT)
    world.play()
    world.back(1)
    world.back(2)
    for _ in range(5):
        world.play()
        world.wait(3)
    assert world.ended()
    assert len(found) > 1
    assert min(map(len, found)) >= 2


def test_junk_behind_good_shares_changes_nothing() -> None:
    """The first parcel stands for ever: nobody has to complain of the second, and nobody is convicted."""

    def tamper(party: int, entry: MatchEntry) -> Iterable[MatchEntry]:
        if party != 1 or entry[0] != DEAL or entry[3] != steps.CARDS:
            return [entry]
        return [(*entry[:5], entry[5] + junk[5]) for junk in sealing_junk(world, entry, 1)]

    world = World(Peek, (1, 2, 3), tamper=tamper, rounds=1)
    world.play()
    assert world.ended()
    assert world.convicted == {}


def test_no_part_of_keys_is_said_that_leave_out_one_who_is_heard() -> None:
    """Its word is held back and votes stand against it: who hears it waits ten seconds for its BACK."""

    def hostile(party: int, entry: MatchEntry) -> Iterable[MatchEntry]:
        taken_back = entry[0] == DEAL and entry[3] == steps.VOTE and entry[7] is False
        return [] if taken_back or party == 3 else [entry]

    world = World(Peek, (1, 2, 3), tamper=hostile, rounds=1)
    for voter in (1, 2):
        world.say((DEAL, voter, world.head(), steps.VOTE, int(VoteKind.AWAY), 3, 0, True, 99), voter)
    world.play()
    making = world.peers[1].deal.rings.making
    assert making is not None
    assert making.holders == (1, 2)
    assert not making.dealings


def test_keys_without_one_who_is_away_take_t_of_all() -> None:
    """One of four has stepped away: three make the keys, and it takes all three, not two, to open a card."""
    world = World(Peek, (1, 2, 3, 4), rounds=1)
    world.leave(4, OwnWord.OUT)
    world.play()
    assert world.ended()
    assert [(made.holders, made.threshold) for made in world.peers[1].deal.rings.done.values()] == [
        ((1, 2, 3), 3)
    ]


def test_the_page_names_tests_that_are_there() -> None:
    """Every test that the page's claims and its table of attacks name is a function of that file."""
    page = (ROOT / "docs" / "security-argument.md").read_text(encoding="utf-8")
    named = re.findall(r"(tests/[\w/]+\.py)::(test_\w+)", page)
    assert len(named) > 60
    missing = [
        (file, name) for file, name in named
        if not re.search(rf"^(async )?def {name}\(", (ROOT / file).read_text(encoding="utf-8"), re.MULTILINE)
    ]  # fmt: skip
    assert missing == []


def test_every_promise_to_players_leads_to_a_claim() -> None:
    """Each promise of docs/fairness.md links to a claim, and each claim about dealing is promised there."""
    page = (ROOT / "docs" / "fairness.md").read_text(encoding="utf-8")
    _, _, rest = page.partition("## No single machine can\n")
    promises = re.split(r"\n(?=- )", rest.partition("\n## ")[0].strip())
    assert len(promises) > 8
    assert [one for one in promises if "security-argument.md#" not in one] == []
    linked = {int(number) for number in re.findall(r"security-argument\.md#claim-(\d+)-", page)}
    assert linked == set(range(1, 10))  # 10 and 11 are about undoing and campaigns


# -- two matches ------------------------------------------------------------------------------------


def begun(nonces: dict[int, bytes]) -> bytes:
    """The id of a match of two, whose host repeats table, log, header and its own nonce."""
    header = header_of(Peek, (1, 2))
    gathered = StartBarrier(Peek, header, pack(header.plain()), START, TABLE)
    origin = None
    for number, (party, nonce) in enumerate(nonces.items(), 1):
        secret = secret_of(party, gathered.header_hash)
        mailbox = secret.named_mailbox(START.lineage, number, nonce, bytes)
        stamp = Stamp(key_of(party), START.chain, START.lineage)
        origin = gathered.take(stamp, gathered.header_hash, nonce, mailbox)
    assert origin is not None
    return origin.id


def test_a_host_that_repeats_everything_does_not_repeat_a_match() -> None:
    """With one honest nonce the id is another, and with it every point of a lot and every secret of a key."""
    host = b"the host says the same every day"
    ids = [begun({1: host, 2: seed_of(party)}) for party in (201, 202)]
    assert len(set(ids)) == 2
    points, dealings = set(), set()
    for number in ids:
        context = Context(number, START.lineage, 1, "keys", 0, 1)
        roster = keys.Roster((key_of(1), key_of(2)), 2, START.chain)
        dealings.add(keys.deal(context, roster, Secrets(seed_of(1), bytes)).data[:96])
        points.add(dice.point(Context(number, START.lineage, 1, "lot", 0, 0)).point)
    assert len(points) == len(dealings) == 2


# -- the same without the rule ---------------------------------------------------------------------------


def last_stands(self: Parcels, keys: Any, sender: int, receiver: int, cards: Any, *rest: Any) -> Any:
    """What a party sends later takes the place of what it sent first."""
    for card in cards:
        self._sent.get((card, receiver), {}).pop(sender, None)
    return PARCEL(self, keys, sender, receiver, cards, *rest)


def judge_anything(self: Parcels, named: bytes) -> Any:
    """A complaint is about the last parcel for the third party, whatever it names."""
    return [one for one in self._by_hash.values() if one.receiver == 3][-1]


def lots_anew(self: Lots, want: Any, turn: int) -> int | None:
    """A lot whose keys somebody has left for a while is wanted anew, under another number."""
    if self.open is not None and not all(
        map(self._rings._authority.is_present, self.open.opening.keys.holders)
    ):
        self.open = None
        self._drawn[want.seat] = self._drawn.get(want.seat, 0) + 1
    return VALUE(self, want, turn)


def counted_over_the_match(self: Lots, want: Any, turn: int) -> int | None:
    """Lots are counted over the match, and not within a turn."""
    return VALUE(self, want._replace(seat=0), 0)


def coin_of_the_day(self: KeyRings) -> EpochKeys | None:
    """Coins come from the latest keys, and an absence renews these."""
    here = tuple(filter(self._authority.deals, self._authority.all))
    if not self.is_waiting and (self.current is None or self.current.holders != here):
        self._want()
    return None if self.is_waiting else self.current


def any_keys(self: Seals, asks: Any) -> None:
    """A question belongs to the keys of the day."""
    for ask in asks:
        self._keys_of.pop(ask.id, None)
    ASKED(self, asks)


def crew_decides(
    match: bytes, lineage: bytes, origin: bytes, epoch: int, holders: Any, ids: Any, t: int
) -> EpochKeys:
    """Keys that t of their holders can use, instead of t of all who are not gone."""
    return EpochKeys(match, lineage, origin, epoch, holders, ids, keys.threshold(len(holders)))


def has_the_crew(self: KeyRings, made: Any) -> bool:
    """Whether the making of keys goes on, whatever their t is."""
    return bool(made.holders == self._makers())


PARCEL, VALUE, ASKED = Parcels._parcel, Lots.value, Seals.asked

MUTANTS: list[tuple[str, list[tuple[Any, str, Any]], Callable[[], None]]] = [
    (
        "t of the holders",
        [(key_rings, "EpochKeys", crew_decides), (KeyRings, "_goes_on", has_the_crew)],
        test_keys_without_one_who_is_away_take_t_of_all,
    ),
    (
        "a pile of fewer than t shuffles",
        [(Chain, "is_short", property(lambda self: False))],
        test_a_pile_that_fewer_than_t_have_shuffled_is_not_used,
    ),
    (
        "votes of fewer than t drop a shuffle",
        [(Authority, "_is_decided", lambda self, party, kind: len(self._accusers(party, kind)) > 1)],
        test_one_word_away_drops_no_honest_shuffle,
    ),
    (
        "the last parcel stands",
        [(Parcels, "_parcel", last_stands)],
        test_junk_behind_good_shares_changes_nothing,
    ),
    (
        "a complaint without a hash",
        [(Parcels, "boxed", judge_anything)],
        test_cheats.test_a_complaint_of_an_unknown_box_convicts_nobody,
    ),
    (
        "a lot's keys anew",
        [(Lots, "value", lots_anew)],
        test_absences.test_a_lot_is_never_drawn_anew_by_who_withholds_leaves_and_comes_back,
    ),
    (
        "lots counted over the match",
        [(Lots, "value", counted_over_the_match)],
        test_coins.test_optional_throws_leave_all_others_as_they_are,
    ),
    (
        "coin keys that follow absences",
        [(KeyRings, "coin", coin_of_the_day)],
        partial(test_coins.test_no_own_word_moves_a_coin, (2, 3)),
    ),
    (
        "coin keys never renewed",
        [(KeyRings, "coin", lambda self: self.done.get(1))],
        test_coins.test_coins_come_from_new_keys_only_once_somebody_is_gone,
    ),
    (
        "a seal under any keys",
        [(Seals, "asked", any_keys)],
        test_cheats.test_a_seal_is_opened_by_force_although_new_keys_came_since,
    ),
    (
        "keys without one who is heard",
        [(DealingDriver, "_held_back", lambda self, now: set())],
        test_no_part_of_keys_is_said_that_leave_out_one_who_is_heard,
    ),
    (
        "an id by the host",
        [(start_barrier, "match_id", lambda table, chain, header, said: bytes(said[0][1][:16]))],
        test_a_host_that_repeats_everything_does_not_repeat_a_match,
    ),
    (
        "nonces not in the id",
        [(start_barrier, "match_id", lambda table, chain, header, said: match_id(table, chain, header, []))],
        test_a_host_that_repeats_everything_does_not_repeat_a_match,
    ),
    (
        "a secret kept at the end",
        [(secret_files, "erase", lambda nonce: None)],
        test_machine.test_after_the_end_no_file_of_any_machine_has_a_secret_of_the_match,
    ),
]


@pytest.mark.battery
@pytest.mark.parametrize(("patches", "attack"), [one[1:] for one in MUTANTS], ids=[one[0] for one in MUTANTS])
def test_without_the_rule_the_attack_works(
    patches: list[tuple[Any, str, Any]], attack: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One rule is left out: the test of the attack that it is there for fails."""
    for where, name, instead in patches:
        monkeypatch.setattr(where, name, instead)
    with pytest.raises(Exception):  # noqa: B017 - whatever breaks first
        attack()
