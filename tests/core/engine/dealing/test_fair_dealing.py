"""Dealing together, without a network: whole matches, people who go and come back, crashes."""

from __future__ import annotations

import pytest
from tests.core.engine.dealing.peek import NINE, Peek
from tests.core.engine.dealing.world import World
from tests.core.games import Tricks

from tavolata import N_, Deck, Game, Options, Outcome, Pile, Table, one_of
from tavolata._engine.dealing import steps
from tavolata._engine.dealing.authority import OwnWord
from tavolata._engine.dealing.piles import MOST
from tavolata._engine.match.entries import CHANCE, DEAL, MatchEntry
from tavolata._engine.match.header import STRICT
from tavolata.errors import GameError
from tavolata_protocol.fair.shuffle import proof_size
from tavolata_protocol.messages.entries import MAX_BODY


@pytest.mark.parametrize("seats", [(1, 2), (1, 2, 3), (1, 2, 3, 4), (1, 1, 2), (2, 1, 2, 1, 3)])
def test_a_match_goes_to_its_end_and_is_the_same_for_all(seats: tuple[int, ...]) -> None:
    """Whoever plays however many seats: one outcome, one digest, and nobody is convicted."""
    world = World(Peek, seats)
    world.play()
    assert world.ended()
    assert len(world.digests) == 1
    assert world.convicted == {}
    assert not any(entry[0] in CHANCE for entry, _ in world.log)


def test_a_step_of_a_shuffle_that_nobody_waits_for_is_void() -> None:
    """Said twice, it convicts nobody: a step may be on its way when the others have gone on without it."""
    shuffles = (steps.DECK, steps.PROOF, steps.SEED)

    def tamper(party: int, entry: MatchEntry) -> list[MatchEntry]:
        return [entry, entry] if entry[0] == DEAL and entry[3] in shuffles else [entry]

    world = World(Peek, (1, 2), tamper=tamper, rounds=1)
    world.play()
    assert world.ended()
    assert world.convicted == {}
    voids = world.peers[1].source.voids
    said = [at for at, (entry, _) in enumerate(world.log) if entry[0] == DEAL and entry[3] in shuffles]
    assert [at in voids for at in said] == [False, True] * (len(said) // 2)


class TwoDecks(Game[Options]):
    """A card of each of two decks, opened together; between their shuffles somebody is asked."""

    name, title, seats = "two-decks", N_("Two decks"), (2, 4)

    def setup(self, t: Table[Options]) -> None:
        self.decks = [t.pile(name, Deck(name, (1, 2, 3))) for name in ("one", "two")]

    async def turn(self, t: Table[Options]) -> Outcome:
        for deck in self.decks:
            await t.shuffle(deck)
            await t.ask(t.first_seat, one_of([1, 2]), N_("Well?"))
        await t.reveal([deck.cards[-1] for deck in self.decks])
        return Outcome((t.first_seat,))


def test_cards_under_different_keys_are_opened_together() -> None:
    """Nobody gives a share of a card under keys that are not its own, and nobody is convicted."""
    world = World(TwoDecks, (1, 2, 3, 4))
    while not world.peers[1].source.open:
        world.round()
    world.leave(4, OwnWord.LEFT)
    world.play()
    assert world.ended()
    deal = world.peers[1].deal
    assert [keys.threshold for keys in deal.rings.done.values()] == [3, 2]
    assert world.convicted == {}
    assert len(world.digests) == 1


def test_nothing_is_wanted_of_machines_while_a_person_is_asked() -> None:
    """What the match got last keeps nobody waiting, so no machine votes or warns because of it."""
    world = World(TwoDecks, (1, 2, 3))
    while not world.peers[1].source.open:
        world.round()
    deal = world.peers[1].deal
    assert not deal.is_stuck
    assert deal.needed is None


def test_claims_and_hidden_hands_hold_on_it() -> None:
    """A game with claims on hidden cards and seals that stay closed to the end plays as with any dealer."""
    world = World(Tricks, (1, 2, 3))
    world.play()
    assert world.ended()
    assert len(world.digests) == 1


def test_a_peer_knows_the_cards_of_its_own_seats_alone() -> None:
    """In every state of a match, what a machine knows for other machines' seats is nothing."""
    world = World(Peek, (1, 2, 3))
    seen = 0
    while world.round() and not world.ended():
        for party, peer in world.peers.items():
            for seat, of in enumerate(world.seats):
                assert of == party or not peer.source.known[seat]
                seen += len(peer.source.known[seat])
    assert seen


def test_one_who_looks_on_follows_and_sees_only_what_all_see() -> None:
    """A machine without a seat comes to the same state from the log, and knows no hidden card."""
    world = World(Peek, (1, 2))
    world.play()
    watcher = world.watcher()
    for entry, stamp in world.log:
        watcher.hear(entry, stamp)
        assert not any(watcher.source.known.values())
    assert watcher.match.over
    assert watcher.match.digest() in world.digests


@pytest.mark.battery
@pytest.mark.parametrize(
    ("party", "at"), [(1, 3), (2, 9), (3, 14), (1, 20), (2, 31), (1, 47), (3, 62), (2, 85)]
)
def test_a_match_goes_on_without_one_of_three_whenever_it_goes(party: int, at: int) -> None:
    """Gone after so many entries, a bot of another plays for it: the match ends with one digest."""
    finishes_without(party, at)


@pytest.mark.long
@pytest.mark.parametrize("party", [1, 2, 3])
@pytest.mark.parametrize("at", range(120))
def test_a_match_goes_on_without_one_of_three_at_every_entry(party: int, at: int) -> None:
    """The same at each place of the log."""
    finishes_without(party, at)


def finishes_without(party: int, at: int) -> None:
    world = World(Peek, (1, 2, 3))
    world.play_until(at)
    if world.ended():
        return
    world.kill(party)
    world.play()
    if not world.ended():
        world.give_up(party)
        world.play()
    assert world.ended()
    assert len(world.digests) == 1


@pytest.mark.parametrize("at", [4, 14, 20, 50])
def test_of_two_the_other_waits_and_goes_on_when_it_is_back(at: int) -> None:
    """With two, nothing is opened while one is away; it comes back with seed and log alone."""
    world = World(Peek, (1, 2))
    world.play_until(at)
    world.kill(2)
    world.play()
    assert not world.ended()
    world.back(2)
    world.play()
    assert world.ended()
    assert len(world.digests) == 1
    assert world.convicted == {}


@pytest.mark.battery
@pytest.mark.parametrize(("parties", "at", "needed"), [(2, 0, 2), (2, 4, 2), (4, 60, 3)])
def test_people_are_told_once_for_whom_the_match_waits(parties: int, at: int, needed: int) -> None:
    """Making keys, or with cards in hands: how many it takes, who is missing; no more once they are back."""
    world = World(Peek, tuple(range(1, parties + 1)))
    duty = world.peers[1].duty
    world.play_until(at)
    assert duty.shortage(world.now) is None
    gone = range(2, parties + 3 - needed)
    for party in gone:
        world.kill(party)
    world.play()
    assert not world.ended()
    told = duty.shortage(world.now)
    assert told is not None
    names = ", ".join(f"P{party - 1}" for party in gone)
    assert (told.params["names"], told.params["t"]) == (names, needed)
    assert duty.shortage(world.now) is None
    for party in gone:
        world.back(party)
    world.play()
    assert duty.shortage(world.now) is None
    assert world.ended()


@pytest.mark.battery
@pytest.mark.parametrize("at", [8, 13, 17, 40])
def test_one_that_crashes_and_starts_again_is_no_cheat(at: int) -> None:
    """A process that lost its memory says the same again: nobody is convicted, and the match ends."""
    world = World(Peek, (1, 2, 3))
    world.play_until(at)
    world.kill(3)
    world.play(rounds=3)
    world.back(3)
    world.play()
    assert world.ended()
    assert world.convicted == {}
    assert len(world.digests) == 1


def test_a_share_that_comes_a_whole_deck_late_convicts_nobody() -> None:
    """A slow machine's shares of a card that is wanted again by then, from another shuffle, are void."""
    held: dict[tuple[int, ...], MatchEntry] = {}
    late = 0

    def slow(party: int, entry: MatchEntry) -> list[MatchEntry]:
        if party != 3 or entry[0] != DEAL or entry[3] != steps.FACES:
            return [entry]
        held.setdefault(entry[6], entry)
        return []

    world = World(Turns, (1, 2, 3), tamper=slow)
    while not world.ended() and world.round():
        want = world.peers[1].source.wants
        if want is not None and want.cards in held and held[want.cards][5] != want.at:
            world.say(held.pop(want.cards), 3)
            late += 1
    assert late
    assert world.ended()
    assert world.convicted == {}
    assert len(world.digests) == 1


class Turns(Game[Options]):
    """Nine cards are turned up one by one, three times."""

    name, title, seats = "turns", "Turns", (2, 8)
    deck: Pile[int]
    shown: Pile[int]

    def setup(self, t: Table[Options]) -> None:
        self.deck, self.shown = t.pile("deck", NINE), t.pile("shown")

    async def turn(self, t: Table[Options]) -> Outcome | None:
        await t.shuffle(self.deck, self.shown)
        while self.deck:
            await t.turn_up(self.deck, onto=self.shown)
            await t.ask(t.first_seat, one_of(["on"]), "On?")
        return Outcome((t.first_seat,)) if t.turn == 2 else None


def test_strict_dealing_waits_for_everybody() -> None:
    """With --strict nothing is opened while one of three is away."""
    world = World(Peek, (1, 2, 3), dealer=STRICT)
    world.play_until(40)
    world.kill(3)
    world.play()
    assert not world.ended()
    world.back(3)
    world.play()
    assert world.ended()


@pytest.mark.battery
def test_whoever_comes_back_deals_again_under_new_keys() -> None:
    """Keys made without one who was away from the start are made anew with it for the next whole deck."""
    world = World(Peek, (1, 2, 3), rounds=4)
    world.kill(3)
    world.play_until(30)
    first = world.peers[1].deal.rings.current
    assert first is not None
    assert first.holders == (1, 2)
    world.back(3)
    world.play()
    latest = world.peers[1].deal.rings.current
    assert latest is not None
    assert latest.holders == (1, 2, 3)
    assert world.ended()


def test_the_next_deck_is_made_ready_while_one_is_played_with() -> None:
    """From the third shuffle of a whole deck on, its decks are in the log before the match wants them."""
    world = World(Peek, (1, 2), rounds=4)
    while not world.ended() and world.round():
        deal = world.peers[1].deal
        want = world.peers[1].source.wants
        if not world.ended() and world.peers[1].match.table.turn == 2 and want is None:
            break
    ahead = list(deal.piles.under_way)
    assert len(ahead) == 1
    assert len(world.log) > 0
    world.play()
    assert world.ended()


def test_shares_are_only_made_of_what_the_log_says_is_shown() -> None:
    """Every card that a step names was wanted when it was said: nobody opens anything else."""
    world = World(Peek, (1, 2))
    world.play()
    named = {
        card for entry, _ in world.log if entry[0] == DEAL and entry[3] == steps.FACES for card in entry[6]
    }
    assert named
    peer = world.peers[1]
    assert not [reason for reason in peer.source.voids.values() if "no entry" in str(reason)]


def test_a_pile_that_no_entry_could_prove_is_refused_with_a_sentence() -> None:
    """More than 240 cards in one pile: the rules end with an error that says so, on all machines alike."""
    world = World(Peek, (1, 2))
    world.play_until(20)
    piles = world.peers[1].deal.piles
    with pytest.raises(GameError, match="240 cards at most"):
        piles.ready(tuple(range(241)))
    assert proof_size(MOST) + 1000 < MAX_BODY
