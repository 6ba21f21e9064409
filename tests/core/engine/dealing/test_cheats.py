"""A peer that cheats in the dealing is stopped and named, and the match goes on without it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import msgspec
import pytest
from tests.core.engine.dealing.peek import Peek
from tests.core.engine.dealing.world import START, World, seed_of

from tavolata._engine.dealing import dealer, steps
from tavolata._engine.dealing.authority import PATIENCE, VoteKind
from tavolata._engine.dealing.driver import QUIET
from tavolata._engine.match.entries import DEAL, OPENED, SEALED, MatchEntry
from tavolata.errors import Refused
from tavolata_protocol.equivocation import CONTEXT, Equivocation, sign_commit
from tavolata_protocol.fair import boxes, shares
from tavolata_protocol.fair.deck import CARD_SIZE
from tavolata_protocol.fair.offences import Charge, Offence
from tavolata_protocol.identity import Identity
from tavolata_protocol.messages.votes import Statement

pytestmark = pytest.mark.battery

CHEAT = 3
Trick = Callable[[World, MatchEntry], Iterable[MatchEntry]]


def flipped(data: bytes, at: int = -1) -> bytes:
    """The bytes with one bit changed."""
    at %= len(data)
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


def changed(step: int, change: Callable[[bytes], bytes]) -> Trick:
    """Change the last part of a step."""

    def trick(_: World, entry: MatchEntry) -> Iterator[MatchEntry]:
        yield (*entry[:-1], change(entry[-1])) if entry[3] == step else entry

    return trick


def doubles_a_card(data: bytes) -> bytes:
    """The second card of the deck twice, and the first not at all."""
    return data[:32] + data[32 + CARD_SIZE : 32 + 2 * CARD_SIZE] + data[32 + CARD_SIZE :]


def marks_a_card(data: bytes) -> bytes:
    """A point that is not of the group: a mark that could be seen again after all shuffles."""
    return data[:32] + bytes(32) + data[64:]


def boxes_wrong_shares(world: World, entry: MatchEntry) -> Iterator[MatchEntry]:
    """Boxes whose sender's proof is right, and which hold junk."""
    return sealing_junk(world, entry, CHEAT)


def sealing_junk(world: World, entry: MatchEntry, sender: int) -> Iterator[MatchEntry]:
    """The same, by any sender."""
    if entry[3] != steps.CARDS:
        yield entry
        return
    deal, dealer = world.peers[sender].deal, world.peers[sender].dealer
    assert dealer is not None
    keys = deal.rings.done[entry[4]]
    parcels = []
    for receiver, cards, piles, _ in entry[5]:
        context = keys.about("box of", [deal.laid.slots[card] for card in cards], sender)
        junk = bytes(32 * len(cards) + 64)
        to, mailbox = deal.parcels.address(keys, receiver)
        parcels.append((receiver, cards, piles, boxes.seal(context, to, mailbox, junk, dealer._secrets)))
    yield (*entry[:5], tuple(parcels))


def boxes_junk_and_then_shares(world: World, entry: MatchEntry) -> Iterator[MatchEntry]:
    """First boxes with junk, then the honest ones, in an entry of their own: the receiver gets both."""
    yield from boxes_wrong_shares(world, entry)
    if entry[3] == steps.CARDS:
        yield entry


def boxes_junk_and_shares_at_once(world: World, entry: MatchEntry) -> Iterator[MatchEntry]:
    """Both for the same receivers in one entry, the junk first."""
    for bad in boxes_wrong_shares(world, entry):
        yield (*bad[:5], bad[5] + entry[5]) if entry[3] == steps.CARDS else bad


def boxes_a_wrong_key_share(world: World, entry: MatchEntry) -> Iterator[MatchEntry]:
    """A key share for one party that does not fit what was published."""
    if entry[3] != steps.KEYS_SHARES:
        yield entry
        return
    deal, dealer = world.peers[CHEAT].deal, world.peers[CHEAT].dealer
    assert dealer is not None
    making = deal.rings.making
    assert making is not None
    sender = making.number_of(CHEAT)
    share = (5).to_bytes(32, "little")
    wrong = boxes.seal(making.box_context(sender), 1, making.dealings[1].mailbox, share, dealer._secrets)
    yield (*entry[:5], (wrong, *entry[5][1:]))


def accuses_falsely(world: World, entry: MatchEntry) -> Iterator[MatchEntry]:
    """After it was sent good shares, it says that they are bad, and opens the box to all to show it."""
    yield entry
    if entry[3] != steps.FACES:
        return
    deal, dealer = world.peers[CHEAT].deal, world.peers[CHEAT].dealer
    assert dealer is not None
    for card, _ in deal.parcels.seen_by(CHEAT):
        for parcel in [*deal.parcels.sent(card, CHEAT).values()][:1]:
            secret = dealer._ring(parcel.keys).mailbox_secret
            evidence = boxes.reveal(parcel.dispute, parcel.box, secret, dealer._secrets)
            yield (*entry[:3], steps.COMPLAINT, parcel.box.hash, evidence)
            return


def opens_the_box_of_another(world: World, entry: MatchEntry) -> Iterator[MatchEntry]:
    """A complaint whose evidence does not open that box."""
    yield entry
    if entry[3] == steps.FACES:
        deal = world.peers[CHEAT].deal
        for card, _ in deal.parcels.seen_by(CHEAT):
            for parcel in [*deal.parcels.sent(card, CHEAT).values()][:1]:
                yield (*entry[:3], steps.COMPLAINT, parcel.box.hash, bytes(96))
                return


def equivocation(liar: int, signer: int, lineage: bytes = START.lineage) -> bytes:
    """A proof that a party led two logs, signed by that party, or by another in its name."""
    commits = []
    for chain in (b"1" * 32, b"2" * 32):
        true = sign_commit(Identity(seed_of(liar)), lineage, 1, 8, chain)
        signed = true.statement.signed
        mine = Statement(signed, Identity(seed_of(signer)).sign(CONTEXT, signed))
        commits.append(msgspec.structs.replace(true, statement=mine))
    return Equivocation(*commits).pack()


def says(step: int, proof: bytes) -> Trick:
    """Say something more after the first share for all."""

    def trick(_: World, entry: MatchEntry) -> Iterator[MatchEntry]:
        yield entry
        if entry[3] == steps.FACES:
            yield (*entry[:3], step, proof)

    return trick


OLD: dict[int, bytes] = {}


def replays_an_old_shuffle(_: World, entry: MatchEntry) -> Iterator[MatchEntry]:
    """For every pile after its first one, it sends the deck of its first one again."""
    if entry[3] == steps.DECK and len(entry[6]) == 32 + 9 * CARD_SIZE:
        old = OLD.setdefault(entry[0], entry[6])
        yield (*entry[:6], old)
        return
    yield entry


TRICKS: dict[str, tuple[Trick, Offence]] = {
    "another dealing than promised": (changed(steps.KEYS_PART, flipped), Offence.BROKEN_COMMITMENT),
    "a commitment that is none": (changed(steps.KEYS_HASH, lambda data: data + b"x"), Offence.WRONG_SIZE),
    "keys that others did not make": (changed(steps.KEYS_AGREED, flipped), Offence.TRANSCRIPT_MISMATCH),
    "a wrong key share": (boxes_a_wrong_key_share, Offence.KEY_SHARE_MISMATCH),
    "a doubled card": (changed(steps.DECK, doubles_a_card), Offence.INVALID_PROOF),
    "a marked card": (changed(steps.DECK, marks_a_card), Offence.INVALID_POINT),
    "a deck cut short": (changed(steps.DECK, lambda data: data[:-CARD_SIZE]), Offence.WRONG_SIZE),
    "a wrong proof": (changed(steps.PROOF, flipped), Offence.INVALID_PROOF),
    "an old shuffle": (replays_an_old_shuffle, Offence.INVALID_PROOF),
    "another seed than promised": (changed(steps.SEED, flipped), Offence.BROKEN_COMMITMENT),
    "a wrong share of a card": (changed(steps.FACES, flipped), Offence.INVALID_PROOF),
    "a wrong share of a lot": (changed(steps.LOT, flipped), Offence.INVALID_PROOF),
    "boxes that hold junk": (boxes_wrong_shares, Offence.INVALID_POINT),
    "junk, then shares": (boxes_junk_and_then_shares, Offence.INVALID_POINT),
    "junk and shares at once": (boxes_junk_and_shares_at_once, Offence.INVALID_POINT),
    "a false accusation": (accuses_falsely, Offence.FALSE_COMPLAINT),
    "a complaint with nothing in it": (opens_the_box_of_another, Offence.INVALID_POINT),
    "two logs that another did not sign": (
        says(steps.EQUIVOCATION, equivocation(1, signer=CHEAT)),
        Offence.FALSE_ACCUSATION,
    ),
    "two logs that are none": (says(steps.EQUIVOCATION, b"junk"), Offence.FALSE_ACCUSATION),
    "two logs of its own": (
        says(steps.EQUIVOCATION, equivocation(CHEAT, signer=CHEAT)),
        Offence.EQUIVOCATION,
    ),
}


@pytest.mark.parametrize("name", TRICKS)
def test_a_cheat_is_named_and_the_match_goes_on(name: str) -> None:
    """It is convicted of that offence by all alike, and the other two play on to the end with a bot."""
    OLD.clear()
    trick, offence = TRICKS[name]
    world = caught(trick)
    assert {party: charge.offence for party, charge in world.convicted.items()} == {CHEAT: offence}
    world.here.discard(CHEAT)
    world.play()
    assert world.ended()
    assert len(world.digests) == 1
    assert list(world.convicted) == [CHEAT]
    honest = min(world.here)
    (judged,) = world.peers[honest].deal.judged
    said = [stamp.chain for _, stamp in world.log]
    assert set(judged.entries) <= set(said)
    assert CHEAT in [world.log[said.index(one)][0][1] for one in judged.entries]


def test_a_parcel_is_opened_whatever_lay_where_it_lies_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was judged is known by its hash: addresses are used again when a cheat's parcels are dropped."""
    monkeypatch.setattr(dealer, "id", lambda _: 1, raising=False)
    test_a_cheat_is_named_and_the_match_goes_on("boxes that hold junk")


def caught(trick: Trick) -> World:
    """Play until somebody is convicted."""

    def tamper(party: int, entry: MatchEntry) -> Iterable[MatchEntry]:
        return trick(world, entry) if party == CHEAT and entry[0] == DEAL else [entry]

    world = World(Peek, (1, 2, 3), tamper=tamper, rounds=4)
    world.liar = CHEAT
    while not world.convicted and not world.ended() and world.round():
        pass
    return world


def test_who_ordered_two_logs_is_convicted_by_its_own_signatures() -> None:
    """Two signed commits that contradict each other convict who signed them, and nobody else."""
    world = World(Peek, (1, 2, 3), rounds=4)
    world.play_until(60)
    world.say((DEAL, 1, bytes(40), steps.EQUIVOCATION, equivocation(2, signer=2)), 1)
    assert world.convicted == {2: Charge(Offence.EQUIVOCATION)}
    assert world.peers
    assert all(peer.deal.has_equivocation for peer in world.peers.values())
    for party in (0, 2, 4):  # the convicted one has no say any more, and there are three
        with pytest.raises(Refused):
            world.peers[1].deal.take((DEAL, party, bytes(40), steps.EQUIVOCATION, b"junk"))
    before = dict(world.convicted)
    world.say((DEAL, 3, bytes(40), steps.EQUIVOCATION, equivocation(2, signer=2)), 3)
    assert world.convicted == before


def test_what_was_signed_at_another_table_convicts_nobody_here() -> None:
    """Otherwise anybody could throw a machine out of all its matches, for what its copies once signed."""
    world = World(Peek, (1, 2, 3), rounds=4)
    world.play_until(60)
    proof = equivocation(2, signer=2, lineage=bytes(16))
    world.say((DEAL, 1, bytes(40), steps.EQUIVOCATION, proof), 1)
    assert world.convicted == {}
    world.play()
    assert world.ended()


def test_shares_that_nobody_asked_for_open_nothing() -> None:
    """A share of a card in somebody's hand, said without being wanted, is void, and no crime."""
    world = World(Peek, (1, 2, 3))
    world.play_until(60)
    peer = world.peers[1]
    deal, dealer = peer.deal, peer.dealer
    assert dealer is not None
    card = next(iter(deal.laid.slots))
    keys = deal.rings.done[deal.laid.slots[card].epoch]
    slot = deal.laid.slots[card]
    made = shares.make_shares(
        keys.about("all see", [slot], 1), dealer._ring(keys), [slot.thing], dealer._secrets
    )
    before = len(peer.source.voids)
    world.say((DEAL, 1, bytes(40), steps.FACES, keys.epoch, 99, (card,), made.encoded), 1)
    assert len(peer.source.voids) == before + 1
    assert world.convicted == {}


@pytest.mark.parametrize("peers", [2, 3, 5])
def test_junk_that_is_sent_before_good_shares_convicts_its_sender_alone(peers: int) -> None:
    """With 2 to 5 peers: what comes second is void, the complaint names what stands, innocents stay."""

    def tamper(party: int, entry: MatchEntry) -> Iterable[MatchEntry]:
        if party != 1 or entry[0] != DEAL or entry[3] != steps.CARDS:
            return [entry]
        return [*sealing_junk(world, entry, 1), entry]

    world = World(Peek, tuple(range(1, peers + 1)), tamper=tamper, rounds=1)
    world.liar = 1
    while not world.convicted and not world.ended() and world.round():
        pass
    assert list(world.convicted) == [1]
    (judged,) = world.peers[2].deal.judged
    steps_said = [
        next(entry[3] for entry, stamp in world.log if stamp.chain == one) for one in judged.entries
    ]
    assert steps_said == [steps.CARDS, steps.COMPLAINT]
    assert judged.evidence


def test_a_complaint_of_an_unknown_box_convicts_nobody() -> None:
    """A hash that no box has, or that of a box for another, is void, whatever is shown with it."""
    world = World(Peek, (1, 2, 3))
    world.play_until(40)
    deal = world.peers[1].deal
    others = [parcel for parcel in deal.parcels._by_hash.values() if parcel.receiver == 2]
    assert others
    for named in (bytes(32), b"", others[0].box.hash):
        before = len(world.peers[1].source.voids)
        world.say((DEAL, 3, bytes(40), steps.COMPLAINT, named, bytes(96)), 3)
        assert len(world.peers[1].source.voids) == before + 1
    assert world.convicted == {}


def test_a_complaint_about_a_share_of_a_key_is_its_receiver_s_and_comes_before_the_keys_are_made() -> None:
    """Of another party, or when all have agreed to the keys, it is void, whatever is shown with it."""
    world = World(Peek, (1, 2, 3))
    rings = world.peers[1].deal.rings
    while rings.making is None or len(rings.making.boxes) < 3:
        world.play_until(len(world.log) + 1)
    making = rings.making
    box = making.boxes[1][1]
    assert box is not None
    assert not making.done

    def complains(party: int) -> None:
        before = len(world.peers[1].source.voids)
        world.say((DEAL, party, bytes(40), steps.COMPLAINT, box.hash, bytes(96)), party)
        assert len(world.peers[1].source.voids) == before + 1

    complains(3)
    while rings.current is None:
        world.round()
    complains(2)
    assert world.convicted == {}


def test_a_seal_under_other_keys_is_void_and_the_question_stays_open() -> None:
    """Under the keys of an earlier epoch, whoever made it: only a seal of the question's own keys counts."""
    old: list[MatchEntry] = []

    def tamper(party: int, entry: MatchEntry) -> Iterable[MatchEntry]:
        if party != 2 or entry[0] != SEALED or len(rings.done) < 2:
            return [entry]
        peer = world.peers[2]
        assert peer.dealer is not None
        ask = next(one for one in peer.source.open if one.id == entry[2])
        seals = peer.deal.seals
        keys = seals._keys_of[ask.id]
        assert keys is not rings.done[min(rings.done)]
        seals._keys_of[ask.id] = rings.done[min(rings.done)]
        old.append((*entry[:3], peer.dealer.seal(ask, 3)[0]))
        seals._keys_of[ask.id] = keys
        return [old[-1], entry]

    world = World(Peek, (1, 2, 3), tamper=tamper, rounds=4)
    rings = world.peers[2].deal.rings
    world.kill(3)
    world.play_until(30)
    world.back(3)
    world.play()
    assert old
    assert world.ended()
    assert world.convicted == {}
    voids = [str(one) for one in world.peers[1].source.voids.values()]
    assert sum("doesn't take a sealed answer" in one for one in voids) == len(old)


def test_a_seal_is_opened_by_force_although_new_keys_came_since() -> None:
    """It belongs to the keys of its question; t of those who made them open it, whatever was made later."""
    world = World(Peek, (1, 2, 3), rounds=1, tamper=lambda p, e: [] if p == CHEAT and e[0] == OPENED else [e])
    while world.round():
        pass
    (ask,) = world.peers[1].source.open
    for peer in world.peers.values():
        peer.deal.rings.making = None
        peer.deal.rings._want()
    while world.peers[1].deal.rings.making is not None and world.round():
        for peer in world.peers.values():
            peer.deal.rings.look()
    assert len(world.peers[1].deal.rings.done) == 2
    for party in (1, 2):
        dealer = world.peers[party].dealer
        assert dealer is not None
        for step in list(dealer.force(ask)):
            world.say((DEAL, party, bytes(40), *step), party)
    world.play()
    assert world.ended()


def test_a_seal_opens_in_no_second_way() -> None:
    """Another answer than the one sealed is void, however it is opened; the sealed one still counts."""
    tried = []

    def tamper(party: int, entry: MatchEntry) -> Iterable[MatchEntry]:
        if party == 2 and entry[0] == OPENED:
            tried.append(entry)
            return [(*entry[:4], (entry[4] + 1) % 10), entry]
        return [entry]

    world = World(Peek, (1, 2), tamper=tamper, rounds=1)
    world.play()
    assert tried
    assert world.ended()
    assert any("doesn't match the seal" in str(one) for one in world.peers[1].source.voids.values())


def test_a_sealed_answer_that_its_author_does_not_open_is_opened_by_the_others() -> None:
    """Who is there and refuses is waited for ten seconds; then two of three open its seal."""
    world = World(Peek, (1, 2, 3), rounds=1, tamper=lambda p, e: [] if p == CHEAT and e[0] == OPENED else [e])
    while world.round():
        pass
    assert not world.ended()
    world.wait(QUIET + 2)
    world.play()
    assert world.ended()
    assert world.convicted == {}


def test_a_machine_with_two_seals_of_junk_is_convicted_once() -> None:
    """The others open the seals of both its seats, and its file has one conviction with its evidence."""

    def tamper(party: int, entry: MatchEntry) -> Iterable[MatchEntry]:
        if party != CHEAT or entry[0] not in (SEALED, OPENED):
            return [entry]
        peer = world.peers[CHEAT]
        assert peer.dealer is not None
        asks = [ask for ask in peer.source.open if ask.id == entry[2] and entry[0] == SEALED]
        return [(*entry[:3], peer.dealer.seal(ask, 77)[0]) for ask in asks]

    world = World(Peek, (1, 2, CHEAT, CHEAT), tamper=tamper, rounds=1)
    while world.round():
        pass
    assert len(world.peers[1].source.open) == 2
    world.wait(QUIET + 2)
    assert world.convicted == {CHEAT: Charge(Offence.INVALID_ANSWER)}
    world.here.discard(CHEAT)
    world.play()
    assert world.ended()
    assert [one.charge.offence for one in world.peers[1].deal.judged] == [Offence.INVALID_ANSWER]


def test_junk_in_a_seal_is_no_answer() -> None:
    """What can't be opened by force is refused when it is sealed."""
    world = World(
        Peek, (1, 2), rounds=1,
        tamper=lambda p, e: [(*e[:3], flipped(e[3])), e] if p == 2 and e[0] == SEALED else [e],
    )  # fmt: skip
    world.play()
    assert world.ended()
    assert any("doesn't take a sealed answer" in str(one) for one in world.peers[1].source.voids.values())


def test_one_that_does_nothing_is_dealt_without_and_not_convicted() -> None:
    """A peer that is there and makes no keys and no decks is set aside by two thirds after forty seconds."""

    def idle(party: int, entry: MatchEntry) -> Iterable[MatchEntry]:
        return (
            []
            if party == CHEAT and entry[0] == DEAL and entry[3] in (steps.KEYS_HASH, steps.DECK)
            else [entry]
        )

    world = World(Peek, (1, 2, 3), tamper=idle)
    world.play()
    assert not world.ended()
    world.wait(PATIENCE.stall + 2)
    rings = world.peers[1].deal.rings
    making = rings.current or rings.making
    assert making is not None
    assert making.holders == (1, 2)
    assert world.peers[1].deal.authority.deals(CHEAT)  # it's back, and stays left out of this draw
    for _ in range(10):
        world.wait(PATIENCE.stall)
        world.play()
    assert world.ended()
    assert world.convicted == {}
    assert len(world.digests) == 1


def test_one_alone_sets_nobody_aside() -> None:
    """Of three, one vote against another does nothing; of two there is none."""
    for seats in ((1, 2), (1, 2, 3)):
        last = max(seats)

        def idle(party: int, entry: MatchEntry, last: int = last) -> Iterable[MatchEntry]:
            return [] if party == last and entry[0] == DEAL else [entry]

        world = World(Peek, seats, tamper=idle)
        world.play()
        debt = world.peers[1].deal.owed(last)[0].number
        for kind, about in ((VoteKind.AWAY, 0), (VoteKind.STALL, debt)):
            world.say((DEAL, 1, bytes(40), steps.VOTE, int(kind), last, about, True, 999), 1)
        authority = world.peers[1].deal.authority
        assert authority.deals(last)
        assert authority.player_of(last - 1) == last
