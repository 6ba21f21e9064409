"""Facts where all deal together: said by machines, kept at shuffles, opened by shares, and judged."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

import pytest
from tests.core.engine.dealing.world import World
from tests.core.games import Boasts, Promises, is_lowest, ranks

from tavolata import N_, Options, Outcome, Seat, Table, claim, fact, one_of
from tavolata._engine.dealing import steps
from tavolata._engine.dealing.authority import OwnWord
from tavolata._engine.match.attention import Scrutiny
from tavolata._engine.match.entries import ANSWER, CHANCE, DEAL, DECLARED, OPENED, RAISES, MatchEntry
from tavolata._engine.match.header import FAIR, STRICT
from tavolata._engine.match.source import Stamp
from tavolata.decks import ItalianFace

LIE = ("tuple", 9, 9)


class Lies:
    """Party 2 says of its first hand what is not so."""

    def __init__(self) -> None:
        self.left = 1

    def __call__(self, party: int, entry: MatchEntry) -> Iterable[MatchEntry]:
        if party == 2 and entry[0] == DECLARED and self.left:
            self.left -= 1
            return [(*entry[:3], LIE)]
        return [entry]


def steps_of(world: World) -> list[Any]:
    """The steps of the dealing in the log, with their authors."""
    return [(entry[1], entry[3]) for entry, _ in world.log if entry[0] == DEAL]


@pytest.mark.parametrize(
    ("seats", "dealer"), [((1, 2), FAIR), ((1, 2, 3), FAIR), ((1, 2, 1), FAIR), ((1, 2, 3), STRICT)]
)
def test_a_match_with_facts_is_the_same_for_all(seats: tuple[int, ...], dealer: str) -> None:
    """All that was said is true, and is opened at the end by shares of what was kept."""
    world = World(Boasts, seats, dealer)
    world.play()
    assert world.ended()
    assert len(world.digests) == 1
    for peer in world.peers.values():
        assert peer.match.conviction is None
        assert peer.match.outcome is not None
        assert peer.match.table._facts.said == []
    assert not any(entry[0] in CHANCE for entry, _ in world.log)
    said = [step for _, step in steps_of(world)]
    assert said[-1] == steps.PROOFS
    assert said.index(steps.PROOFS) > len(said) - 2 * len(set(seats))


@pytest.mark.parametrize("seats", [(1, 2), (1, 2, 3), (2, 1, 2)])
def test_a_lie_is_found_when_the_cards_were_shuffled_away(seats: tuple[int, ...]) -> None:
    """The kept ciphertexts are opened: every machine convicts the party, which forfeits all its seats."""
    world = World(Boasts, seats, tamper=Lies())
    world.play()
    assert world.ended()
    assert len(world.digests) == 1
    for peer in world.peers.values():
        conviction, outcome = peer.match.conviction, peer.match.outcome
        assert conviction is not None
        assert outcome is not None
        assert conviction.seat == seats.index(2)
        fields = conviction.charge.fields
        assert (fields["fact"], fields["value"], fields["turn"]) == ("ranks", "9, 9", 1)
        assert [seats[seat] for seat in outcome.winners] == [party for party in seats if party != 2]


@pytest.mark.parametrize("seats", [(1, 2), (1, 2, 3)])
def test_what_is_false_by_other_code_convicts_nobody(seats: tuple[int, ...]) -> None:
    """Where the header says that code differs, a false word may be an honest one: all play on, and agree."""
    codes = tuple(bytes([party == 2]) * 16 for party in seats)
    world = World(Boasts, seats, tamper=Lies(), codes=codes)
    world.play()
    assert world.ended()
    assert len(world.digests) == 1
    for peer in world.peers.values():
        assert peer.match.conviction is None
        assert peer.match.outcome is not None


def test_a_revoke_is_found_although_its_card_is_never_shown() -> None:
    """A changed program answers what its claim forbids: nobody can tell, and all know it in the end."""
    for seed in range(20):
        world = World(Boasts, (1, 2, 3))
        revoked = False

        def revokes(party: int, entry: MatchEntry, world: World = world) -> Iterable[MatchEntry]:
            nonlocal revoked
            if party == 2 and entry[0] == ANSWER and not revoked:
                peer = world.peers[2]
                (ask,) = peer.source.open
                other = 1 - entry[3]
                if not peer.match.view(1).allows(ask, ask.question.value_of(other)):
                    revoked = True
                    return [(*entry[:3], other)]
            return [entry]

        world.tamper = revokes
        world.play()
        convictions = [peer.match.conviction for peer in world.peers.values()]
        if revoked:
            assert all(one is not None and one.seat == 1 for one in convictions)
            assert len(world.digests) == 1
            return
        assert convictions == [None] * 3, seed
    raise AssertionError("no hand of seat 1 has two different ranks")


def test_who_watches_judges_as_well() -> None:
    """One that only looks on comes to the same verdict from the log alone."""
    world = World(Boasts, (1, 2, 3), tamper=Lies())
    watcher = world.watcher()
    world.play()
    for entry, stamp in world.log:
        watcher.hear(entry, stamp)
    assert watcher.match.conviction == world.peers[1].match.conviction
    assert watcher.match.conviction is not None
    assert watcher.match.digest() == world.peers[1].match.digest()


def test_a_machine_that_does_not_declare_is_overruled() -> None:
    """By the votes of the others; `otherwise` counts then, and nobody is convicted of it."""

    def silent(party: int, entry: MatchEntry) -> Iterable[MatchEntry]:
        return [] if party == 2 and entry[0] == DECLARED else [entry]

    world = World(Boasts, (1, 2, 3), tamper=silent)
    world.play()
    assert not world.ended()
    for _ in range(8):
        world.wait(45)
        world.play()
    assert world.ended()
    match: Any = world.peers[1].match
    assert match.conviction is None
    assert match.game.said[1] == (0, 0)


@pytest.mark.parametrize("author", [1, 3, 0])
def test_nobody_declares_for_another(author: int) -> None:
    """What is declared for a seat of somebody else does not count, whoever says it."""
    world = World(Boasts, (1, 2, 3))
    while not world.peers[1].source.declaring:
        world.round()
    (one,) = [one for one in world.peers[1].source.declaring if int(one.seat) == 1][:1]
    from tavolata._engine.table.permissions import may_say

    entry = [DECLARED, 1, one.id, list(LIE)]
    seats = [seat for seat, party in enumerate(world.seats) if party == author]
    assert not may_say(entry, party=author or None, seats=seats, coordinator=True, host=True)
    assert may_say(entry, party=2, seats=[1], coordinator=False, host=False)


def test_shares_to_judge_are_given_for_what_is_judged_alone() -> None:
    """Before the end, for other things, twice, or under other numbers they are void."""
    world = World(Boasts, (1, 2, 3))
    while not world.peers[1].source.declaring:
        world.round()
    peer = world.peers[1]
    slots = [slot.name for slot in peer.deal.laid.slots.values()]
    for names in ((slots[0],), tuple(slots), ()):
        for at in range(4):
            before = len(peer.source.voids)
            world.say((DEAL, 2, bytes(40), steps.PROOFS, 1, at, names, bytes(96)), 2)
            assert len(peer.source.voids) == before + 1
    assert world.convicted == {}
    world.play()
    assert world.ended()
    assert peer.match.conviction is None


def test_a_false_share_convicts_at_the_end_as_well() -> None:
    """Who gives a wrong share of what is to be judged is out; the others go on and judge."""

    lies = Lies()

    def junk(party: int, entry: MatchEntry) -> Iterable[MatchEntry]:
        if party == 3 and entry[0] == DEAL and entry[3] == steps.PROOFS:
            return [(*entry[:-1], bytes(len(entry[-1])))]
        return lies(party, entry)

    world = World(Boasts, (1, 2, 3), tamper=junk)
    world.liar = 3
    world.play()
    assert list(world.convicted) == [3]
    conviction = world.peers[1].match.conviction
    assert conviction is not None
    assert conviction.seat == 1


class Withholds:
    """Party 2 says nothing that would judge the match, and perhaps lies before."""

    def __init__(self, *, lies: bool, who: int = 2) -> None:
        self.lies = Lies() if lies else None
        self.who = who
        self.withholds = True

    def __call__(self, party: int, entry: MatchEntry) -> Iterable[MatchEntry]:
        proves = entry[0] == DEAL and entry[3] in (steps.PROOFS, steps.DONE)
        if self.withholds and party == self.who and proves:
            return []
        return [entry] if self.lies is None else self.lies(party, entry)


def test_with_enough_others_nobody_waits_for_who_withholds() -> None:
    """Of three the two others open all, and the liar is convicted at once."""
    world = World(Boasts, (1, 2, 3), tamper=Withholds(lies=True))
    world.play()
    assert world.peers[1].match.conviction is not None


@pytest.mark.parametrize(("seats", "dealer"), [((1, 2), FAIR), ((1, 2, 1), FAIR), ((1, 2, 3), STRICT)])
def test_an_outcome_stands_unproven_after_a_minute_and_a_later_share_convicts(
    seats: tuple[int, ...], dealer: str
) -> None:
    """Where all are needed, who withholds stops the judgement and not the end; giving in convicts it."""
    withheld = Withholds(lies=True)
    world = World(Boasts, seats, dealer, tamper=withheld)
    world.play()
    assert not world.ended()
    world.wait(58)
    assert not world.ended()
    world.wait(4)
    assert world.ended()
    assert len(world.digests) == 1
    for peer in world.peers.values():
        assert peer.match.is_unproven
        assert peer.match.conviction is None
        assert peer.deal.withholding == (seats.index(2),)
    watcher = world.watcher()
    withheld.withholds = False
    world.peers[2].dealer._said.clear()  # type: ignore[union-attr]  # its program begins anew
    world.wait(2)
    for entry, stamp in world.log:
        watcher.hear(entry, stamp)
    for peer in (*world.peers.values(), watcher):
        assert not peer.match.is_unproven
        assert peer.match.conviction is not None
        assert peer.match.conviction.seat == seats.index(2)
        assert peer.match.outcome is not None
        assert [seats[seat] for seat in peer.match.outcome.winners] == [one for one in seats if one != 2]


def test_a_liar_gains_nothing_by_cutting_off_the_honest_at_the_end() -> None:
    """The outcome stands while the honest one is silent; once it is back, its share convicts the liar."""
    cut = Withholds(lies=True, who=1)
    world = World(Boasts, (1, 2), tamper=cut)
    world.play()
    world.wait(62)
    assert world.ended()
    assert world.peers[2].deal.withholding == (0,)
    cut.withholds = False
    world.back(1)
    assert {peer.match.conviction and peer.match.conviction.seat for peer in world.peers.values()} == {1}


def test_what_is_proven_late_and_true_leaves_the_outcome() -> None:
    """Who was only away is not blamed for anything."""
    late = Withholds(lies=False)
    world = World(Boasts, (1, 2), tamper=late)
    world.play()
    world.wait(62)
    before = world.peers[1].match.outcome
    assert before is not None
    late.withholds = False
    world.back(2)
    for peer in world.peers.values():
        assert not peer.match.is_unproven
        assert (peer.match.outcome, peer.match.conviction) == (before, None)
        assert peer.match.table._facts.said == []
    assert len(world.digests) == 1


@pytest.mark.parametrize("lies", [True, False])
@pytest.mark.parametrize("paid", [True, False])
def test_leaving_at_the_end_takes_nothing_back(lies: bool, paid: bool) -> None:
    """Of two one leaves: a liar that has opened its part is judged all the same, else the outcome stands."""
    withheld = Withholds(lies=lies)
    withheld.withholds = not paid
    held_back: list[MatchEntry] = []

    def tamper(party: int, entry: MatchEntry) -> Iterable[MatchEntry]:
        if paid and party == 1 and entry[0] == DEAL and entry[3] == steps.PROOFS and not held_back:
            held_back.append(entry)
            return []
        return withheld(party, entry)

    world = World(Boasts, (1, 2), tamper=tamper)
    world.play()
    world.leave(2, OwnWord.LEFT)
    assert not world.ended()
    assert world.peers[1].deal.openings.fled is not paid
    if paid:
        world.say(held_back[0], 1)
        assert (world.peers[1].match.conviction is not None) is lies
    else:  # the table lets its seats forfeit, since they have given up; see `Matches`
        world.wait(62)
        assert world.peers[1].match.is_unproven
    assert world.ended()


def test_who_can_open_nothing_any_more_waits_no_longer_for_those_who_left() -> None:
    """Two of four leave at the end: the shares of the others open nothing, and who left is named."""
    world = World(Boasts, (1, 2, 3, 4), tamper=Lies())
    while not world.peers[1].match.is_judging:
        assert world.round()
    for party in (2, 3):
        world.leave(party, OwnWord.LEFT)
    world.wait(58)
    assert not world.ended()
    world.wait(4)
    assert world.ended()
    for party in (1, 4):
        assert world.peers[party].match.is_unproven
        assert world.peers[party].deal.withholding == (1, 2)


class KeepsShut:
    """Party 2 neither opens its seals nor helps to open any, and says nothing of waiting."""

    def __init__(self) -> None:
        self.kept: list[MatchEntry] = []

    def __call__(self, party: int, entry: MatchEntry) -> Iterable[MatchEntry]:
        if party == 2 and entry[0] == OPENED:
            self.kept.append(entry)
            return []
        helps = entry[0] == DEAL and entry[3] in (steps.FORCE, steps.DONE)
        return [] if party == 2 and helps else [entry]


@pytest.mark.parametrize(("seats", "dealer"), [((1, 2), FAIR), ((1, 2, 3), STRICT)])
def test_a_seal_kept_shut_leaves_the_outcome_unproven_and_opened_late_it_is_judged(
    seats: tuple[int, ...], dealer: str
) -> None:
    """Where others can't open it they wait for a minute; then the outcome stands, and names its author."""
    shut = KeepsShut()
    world = World(Promises, seats, dealer, tamper=shut)
    world.play()
    assert shut.kept
    assert not world.ended()
    world.wait(62)
    assert world.ended()
    assert {peer.deal.withholding for peer in world.peers.values()} == {(1,)}
    assert len(world.digests) == 1
    watcher = world.watcher()
    world.say(shut.kept[0], 2)
    world.wait(2)
    for entry, stamp in world.log:
        watcher.hear(entry, stamp)
    for peer in (*world.peers.values(), watcher):
        assert peer.match.outcome is not None
        assert (peer.match.is_unproven, peer.match.conviction) == (False, None)
        assert peer.match.table._facts.said == []


def test_who_leaves_with_a_seal_kept_shut_has_fled() -> None:
    """Of two one leaves while its seal would judge the match: the table lets it forfeit; see `Matches`."""
    world = World(Promises, (1, 2), tamper=KeepsShut())
    while not world.peers[1].match.is_judging:
        assert world.round()
    world.round()
    assert world.peers[1].deal.withholding == (1,)
    world.leave(2, OwnWord.LEFT)
    assert world.peers[1].deal.openings.fled
    assert world.peers[1].deal.withholding == (1,)


def test_only_who_has_opened_its_own_part_waits_no_longer_and_only_at_the_end() -> None:
    """Before the end, for another want, by who owes, by who is gone, or twice it is void."""
    world = World(Boasts, (1, 2), tamper=Withholds(lies=False))

    def is_void(party: int, at: int) -> bool:
        before = len(world.peers[1].source.voids)
        world.say((DEAL, party, bytes(40), steps.DONE, at), party)
        return len(world.peers[1].source.voids) == before + 1

    while not world.peers[1].source.open:
        assert is_void(1, world.peers[1].source.dealt)
        world.round()
    world.play()
    want = world.peers[1].source.wants
    assert want is not None
    assert all(is_void(1, at) for at in (want.at + 1, -1, 0))
    assert is_void(2, want.at)
    assert not world.ended()
    assert not is_void(1, want.at)
    assert world.ended()
    assert is_void(1, want.at)
    assert is_void(2, want.at)


def test_broken_rules_are_to_blame_after_a_minute_if_nobody_proves_a_lie() -> None:
    """Where the rules raise and of two one withholds, the error of the rules ends the match for both."""
    world = World(Divides, (1, 2), tamper=Withholds(lies=False))
    broken = Broken(world)
    world.play(60)
    assert broken.faults == {}
    world.wait(62)
    assert broken.faults == {1: "GameError", 2: "GameError"}


@fact
def shares_of(hand: Sequence[ItalianFace]) -> int:
    """It divides by zero for many hands: it is no fact that rules could use."""
    return 10 // (hand[0].rank // 8)


@fact
def is_a_share(chosen: ItalianFace, hand: Sequence[ItalianFace]) -> bool:
    """It raises for nearly every card."""
    return 10 // (chosen.rank // 99) > 0


class Divides(Boasts):
    """Its first fact raises for some hands, on the machine that has to declare it."""

    async def turn(self, t: Table[Options]) -> Outcome | None:
        await t.shuffle(self.deck)
        await t.deal(self.deck, self.hands, each=1)
        await t.declare_all(shares_of, {seat: self.hands[seat] for seat in t.ring})
        return Outcome((Seat(0),))


class Claims(Boasts):
    """The fact that an answer claims raises, for whatever card."""

    async def turn(self, t: Table[Options]) -> Outcome | None:
        await t.shuffle(self.deck)
        await t.deal(self.deck, self.hands, each=2)
        share = claim(N_("That is no share."), is_a_share, self.hands[0])
        await t.ask(Seat(0), one_of(self.hands[0]), N_("Which card?"), claim=share)
        return Outcome((Seat(0),))


class Broken:
    """How the match ends on each machine: the errors of its rules, by party."""

    def __init__(self, world: World) -> None:
        self.faults: dict[int, str] = {}
        for party, peer in world.peers.items():
            peer.hear = partial(self._hear, party, peer.hear)  # type: ignore[method-assign]  # watched

    def _hear(
        self, party: int, hear: Callable[[MatchEntry, Stamp], None], entry: MatchEntry, stamp: Stamp
    ) -> None:
        try:
            if party not in self.faults:
                hear(entry, stamp)
        except Exception as error:  # noqa: BLE001 - whatever the rules raise
            self.faults[party] = type(error).__name__


@pytest.mark.parametrize("rules", [Divides, Claims])
@pytest.mark.parametrize("seats", [(1, 2), (1, 2, 3)])
def test_a_fact_that_raises_is_the_fault_of_the_game_on_all_machines(
    rules: Any, seats: tuple[int, ...]
) -> None:
    """The machine on which it raises says so, all open what it speaks of, and all find the same error."""
    world = World(rules, seats)
    broken = Broken(world)
    for _ in range(500):
        world.round()
        if broken.faults:
            break
    assert broken.faults == dict.fromkeys(set(seats), "ZeroDivisionError")
    assert {peer.match.conviction for peer in world.peers.values()} == {None}


@pytest.mark.parametrize("seats", [(1, 2), (1, 2, 3)])
def test_who_says_falsely_that_a_fact_raises_is_convicted(seats: tuple[int, ...]) -> None:
    """Nobody gets out of a match that it loses by blaming the rules."""

    def blames(party: int, entry: MatchEntry) -> Iterable[MatchEntry]:
        return [(*entry[:3], RAISES)] if party == 2 and entry[0] == DECLARED else [entry]

    world = World(Boasts, seats, tamper=blames)
    world.play()
    assert world.ended()
    assert len(world.digests) == 1
    for peer in world.peers.values():
        assert peer.match.conviction is not None
        assert peer.match.conviction.seat == 1
        assert peer.match.conviction.charge.fields["value"] == "an error"


class Neighbours(Boasts):
    """Each seat sees the hand of the next one, and says the ranks of its own."""

    async def turn(self, t: Table[Options]) -> Outcome | None:
        await t.shuffle(self.deck)
        await t.deal(self.deck, self.hands, each=2)
        for seat in t.ring:
            await t.show(self.hands[t.ring.after(seat)], [seat])
        await t.declare_all(ranks, {seat: self.hands[seat] for seat in t.ring}, otherwise=(0, 0))
        low = claim(N_("That is not your lowest card."), is_lowest, self.hands[1])
        await t.ask(Seat(1), one_of(self.hands[1]), N_("Your lowest card?"), claim=low)
        await t.ask(Seat(0), one_of(range(2)), N_("Go on?"))
        return Outcome((Seat(0),))


def test_a_machine_that_sees_a_lie_tells_its_own_player_at_once() -> None:
    """Only who sees the hand finds it false, once, and nobody finds anything in what is true."""
    for lies in (Lies(), lambda party, entry: [entry]):
        world = World(Neighbours, (1, 2, 3), tamper=lies)
        eyes = {seat: Scrutiny() for seat in range(3)}
        found: list[tuple[int, str, int]] = []
        while world.round() and not world.ended():
            for seat, eye in eyes.items():
                match = world.peers[seat + 1].match
                lied = eye.look(match, [seat])
                found += [(seat, said.fact.partition(":")[2], said.by) for said in lied]
        assert found == ([(0, "ranks", 1)] if isinstance(lies, Lies) else [])
        assert world.ended()
        assert (world.peers[1].match.conviction is not None) is isinstance(lies, Lies)
