"""A narrator: what it tells, who learns it, and what follows from a false word."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest
from typing_extensions import override

from tavolata import Deck, Game, Options, Outcome, Seat, Secret, Table, fact, one_of
from tavolata._engine.dealing.host_dealer import HostDealer
from tavolata._engine.dealing.match_secret import MatchSecret
from tavolata._engine.dealing.sealing import Keys, SeatSealer
from tavolata._engine.match.dealing import OneDealer
from tavolata._engine.match.entries import ANSWER, NARRATED, OPENED, SEALED, SEAT, UNOPENED, MatchEntry
from tavolata._engine.match.header import HOST, Header, Narrator
from tavolata._engine.match.log_source import LogSource
from tavolata._engine.match.offences import read_conviction
from tavolata._engine.match.source import Origin, Stamp
from tavolata._engine.match.worlds import new_match
from tavolata._engine.table.continuation import ONE_DEALS, Continuation
from tavolata.assertions import Narration
from tavolata.bots import Chance
from tavolata.errors import GameError
from tavolata.sim import Simulation

PEERS = (b"a" * 32, b"b" * 32, b"n" * 32)
NARRATOR = PEERS[2]
FACES = Deck("faces", ["low", "middle", "high"])


@fact
def sum_of(faces: Mapping[Seat, str], said: Mapping[Seat, int], seat: Seat) -> tuple[str, int]:
    """The face of a seat, and what all said."""
    return faces[seat], sum(said.values())


@fact
def highest(faces: Mapping[Seat, str]) -> Seat:
    """Who has the highest card."""
    order = ("low", "middle", "high")
    return max(faces, key=lambda seat: order.index(faces[seat]))


@fact
def broken(faces: Mapping[Seat, str]) -> int:
    """One that raises."""
    raise ValueError(faces)


@fact
def much(faces: Mapping[Seat, str]) -> str:
    """Too much for one seat's box."""
    return "x" * 300 if faces else ""


class Fortune(Game[Options]):
    """Two seats with one card each; a narrator tells each something, and all who has the higher card."""

    name, title, seats = "fortune", "Fortune", (2, 2)
    narrator = True
    first: Callable[..., Any] = staticmethod(sum_of)

    def setup(self, t: Table[Options]) -> None:
        self.box, self.hands = t.pile("box", FACES), t.hands("hand")
        self.told: dict[Seat, Secret[Any]] = {}

    async def turn(self, t: Table[Options]) -> Outcome | None:
        await t.shuffle(self.box)
        await t.deal(self.box, self.hands)
        cards = {seat: self.hands[seat].top for seat in t.ring}
        said = await t.seal_all(dict.fromkeys(t.ring, one_of([1, 2, 3])))
        for seat in t.ring:
            self.told[seat] = await t.narrate(sum_of, cards, said, args=(seat,), to=seat)
        return Outcome((await t.narrate(highest, cards),))


def header() -> Header:
    """Two seats of two machines, and a third one that narrates."""
    return Header(
        "", "fortune", "1", 1, {}, ("Ann", "Bob"), (None, None), HOST, keys=PEERS[:2],
        narrator=Narrator(NARRATOR, "Bruno"),
    )  # fmt: skip


class Machine:
    """One machine's copy of a match, with its own keys."""

    def __init__(self, table: Village, peer: bytes, dealer: type[HostDealer] = HostDealer) -> None:
        sealer = SeatSealer(table.header, table.origin, peer)
        boxes = (NARRATOR, sealer.confide)
        self.dealer = dealer(bytes(32), sealer.face, PEERS[:2], *boxes) if peer == NARRATOR else None
        secret = table.secrets.get(peer)
        self.keys = None if secret is None else Keys(table.header, table.origin, peer, secret)
        self.source = LogSource(2, self.dealer or OneDealer(PEERS[:2], *boxes), keys=self.keys)
        self.match = new_match(Fortune, table.header.terms(Fortune), self.source)
        self.sealer = sealer
        self.match.run()


class Village:
    """Three machines and one that only watches, which all follow one log."""

    def __init__(self, dealer: type[HostDealer] = HostDealer) -> None:
        self.header = header()
        self.secrets = {peer: MatchSecret(peer, bytes(32)) for peer in PEERS}
        mailboxes = {
            peer: secret.named_mailbox(bytes(16), number, bytes(32), bytes)[:32]
            for number, (peer, secret) in enumerate(self.secrets.items(), 1)
        }
        nonces = dict.fromkeys(PEERS, bytes(32))
        self.origin = Origin(bytes(16), Stamp(lineage=bytes(16)), mailboxes, nonces, bytes(32))
        self.machines = {peer: Machine(self, peer, dealer) for peer in (*PEERS, b"watcher")}
        self.log: list[tuple[bytes, MatchEntry]] = []

    @property
    def narrator(self) -> Machine:
        return self.machines[NARRATOR]

    def say(self, author: bytes, entry: MatchEntry) -> None:
        self.log.append((author, entry))
        for one in self.machines.values():
            one.match.feed(entry, Stamp(author, b"", bytes(16)))

    def play(self, *, spoilt: bool = False, bent: bool = False, silent: bool = False) -> None:
        """Play to the end; if `spoilt`, Ann's copy for the narrator is junk; if `silent`, none is judged."""
        nonces: dict[int, tuple[bytes, int]] = {}
        for _ in range(60):
            source, dealer = self.narrator.source, self.narrator.dealer
            assert dealer is not None
            if self.narrator.match.over or (silent and self.narrator.match.is_judging):
                return
            if source.wants is not None:
                self.say(NARRATOR, dealer.entry(source.wants))
                continue
            ask = source.open[0]
            seat = int(ask.seat)
            if ask.box is None:
                nonce, answer = bytes([seat]) * 32, 2
                nonces[ask.id] = nonce, answer
                sealer = self.machines[PEERS[seat]].sealer
                box, _ = sealed(seat, ask.id, nonce, answer)
                copy = sealer.confide(PEERS[seat], NARRATOR, seat, ask.id, nonce, answer)
                copy = bytes(len(copy)) if spoilt and seat == 0 else copy
                self.say(PEERS[seat], (SEALED, seat, ask.id, box, (copy,)))
                continue
            opening = dealer.opening(ask) or nonces[ask.id]
            if bent and ask.id not in nonces:
                opening = opening[0], (("tuple", "high", 99),)
            self.say(NARRATOR, (OPENED, seat, ask.id, *opening))
        raise AssertionError("there is no end")


def sealed(seat: int, ask: int, nonce: bytes, answer: int) -> tuple[bytes, bytes]:
    """A commitment, as a machine makes it where one peer deals."""
    from tavolata._engine.match.dealing import box_of

    return box_of(seat, ask, nonce, answer), nonce


def told_in(village: Village) -> list[MatchEntry]:
    return [entry for _, entry in village.log if entry[0] == NARRATED]


def test_each_machine_opens_only_what_its_seat_was_told() -> None:
    """Boxes of one length; a seat's machine reads its own, the watcher none; all agree in the end."""
    village = Village()
    village.play()
    boxes = [entry[3] for entry in told_in(village) if entry[1] is not None]
    assert len(boxes) == 2
    assert len({len(box) for box in boxes}) == 1
    for peer, mine in zip((*PEERS, b"watcher"), ({0}, {1}, set(), set()), strict=True):
        keys = village.machines[peer].keys
        read = {
            entry[1]
            for entry in told_in(village)
            if entry[1] is not None and keys and keys.told(NARRATOR, entry[1], entry[2], entry[3])
        }
        assert read == mine
    assert len({one.match.digest() for one in village.machines.values()}) == 1
    assert {one.match.conviction for one in village.machines.values()} == {None}
    assert None not in [one.match.outcome for one in village.machines.values()]


class Bends(HostDealer):
    """A narrator that tells one seat something else than the truth."""

    @override
    def work_out(self, one: Narration) -> Any:
        value = super().work_out(one)
        return ("low", 99) if one.to == 1 else value


def test_a_value_that_is_bent_convicts_the_narrator() -> None:
    """On every machine, and without an outcome: it has no seat to forfeit."""
    village = Village(Bends)
    village.play()
    for one in village.machines.values():
        found = one.match.conviction
        assert found is not None
        assert found.seat is None
        assert found.charge.offence.value == "false-fact"
        assert read_conviction(found.plain()) == found
        assert str(found).startswith("The narrator")
        assert one.match.outcome is None


def test_a_narrator_that_opens_another_value_than_it_told_is_convicted() -> None:
    """The box follows from what is in it, so the opening has to give it again."""
    village = Village()
    village.play(bent=True)
    found = {one.match.conviction for one in village.machines.values()}
    assert {None if one is None else one.charge.offence.value for one in found} == {"wrong-opening"}


def test_a_narrator_that_opens_nothing_is_waited_for_no_longer() -> None:
    """Once every player's machine has given up; nobody says that for another, nor too early."""
    village = Village()
    judging = village.narrator.match.awaits
    village.say(PEERS[0], (UNOPENED, 0, judging))  # the match isn't judged yet
    village.play(silent=True)
    machines = [village.machines[peer] for peer in (*PEERS, b"watcher")]
    now = village.narrator.match.awaits
    assert not any(one.match.over for one in machines)
    assert {one.source.voids.keys() == {0} for one in machines} == {True}
    village.say(PEERS[0], (UNOPENED, 0, now - 1))
    village.say(PEERS[1], (UNOPENED, 1, now))
    assert {(len(one.source.voids), one.source.dealing.is_ended) for one in machines} == {(2, False)}
    village.say(PEERS[0], (UNOPENED, 0, now))
    assert {one.source.dealing.is_ended for one in machines} == {True}
    assert {frozenset(one.source.dealing.unopened) for one in machines} == {frozenset(PEERS[:2])}


def test_nobody_goes_back_at_a_narrators_table() -> None:
    """Only the narrator knows the cards, so no state of a turn's end is everyone's; the refusal says so."""
    village = Village()
    for one in village.machines.values():
        continuation = Continuation()
        continuation.begin(village.header, one.match)
        for peer in PEERS:
            assert continuation.why_not_back(one.source.dealing, peer) == ONE_DEALS


def test_a_spoilt_copy_counts_as_silence_for_all() -> None:
    """Else a player could have an honest narrator convicted."""
    village = Village()
    village.play(spoilt=True)
    for one in village.machines.values():
        assert one.match.conviction is None
        assert one.match.outcome is not None
        (first, second) = vars(one.match.game)["told"].values()
        assert {first.value[1], second.value[1]} == {1 + 3}  # the first answer stands for silence


def test_what_nobody_can_open_of_who_has_left_counts_as_silence() -> None:
    """A seal and its copy may be junk: then their author's leaving stops nobody, and nothing else does."""
    village = Village()
    while not village.narrator.source.open:
        step(village)
    for seat, ask in enumerate(list(village.narrator.source.open)):
        box, nonce = sealed(seat, ask.id, bytes([seat]) * 32, 2)
        sealer = village.machines[PEERS[seat]].sealer
        copy = sealer.confide(PEERS[seat], NARRATOR, seat, ask.id, nonce, 2)
        mine = (copy,) if seat else (bytes(len(copy)),)
        village.say(PEERS[seat], (SEALED, seat, ask.id, box if seat else bytes(32), mine))
    source, dealer, late = village.narrator.source, village.narrator.dealer, -1
    assert dealer is not None
    for _ in range(60):
        if village.narrator.match.over:
            break
        if source.wants is not None:
            village.say(NARRATOR, dealer.entry(source.wants))
            continue
        ask = next((one for one in source.open if dealer.opening(one) is None), source.open[0])
        if (opening := dealer.opening(ask)) is not None:
            village.say(NARRATOR, (OPENED, int(ask.seat), ask.id, *opening))
            continue
        late = ask.id
        village.say(NARRATOR, (OPENED, 0, late, b"", ask.late))
        village.say(NARRATOR, (SEAT, 0, "blind"))
        village.say(NARRATOR, (OPENED, 0, late, b"", 2))  # silence is no answer of its choice
        village.say(PEERS[1], (OPENED, 0, late, None, ask.late))  # nor is it for others to say
    for machine in village.machines.values():
        assert len(machine.source.voids) == 3
        assert machine.match.outcome is not None
        assert machine.match.conviction is None
        assert machine.source.said_by[late] is None


def test_a_narrator_that_begins_anew_tells_the_same() -> None:
    """All that it says follows from its secret and the log."""
    village = Village()
    village.play()
    again = Machine(village, NARRATOR)
    for author, entry in village.log:
        if author == NARRATOR and entry[0] == NARRATED:
            want = again.source.wants
            assert want is not None
            assert again.dealer is not None
            assert again.dealer.entry(want) == entry
        again.match.feed(entry, Stamp(author, b"", bytes(16)))
    assert again.match.outcome == village.narrator.match.outcome


def test_an_open_value_for_one_seat_is_void_at_a_table() -> None:
    """It has to be in a box, or everyone would learn it."""
    village = Village()
    while village.narrator.source.wants is None or village.narrator.source.wants.kind != NARRATED:
        before = len(village.log)
        step(village)
        assert len(village.log) > before
    want = village.narrator.source.wants
    village.say(NARRATOR, (NARRATED, 0, want.number, (1,)))
    assert [len(one.source.voids) for one in village.machines.values()] == [1] * 4


def step(village: Village) -> None:
    """One entry of the beginning: what the dealer owes, or an open answer."""
    source, dealer = village.narrator.source, village.narrator.dealer
    assert dealer is not None
    if source.wants is not None:
        village.say(NARRATOR, dealer.entry(source.wants))
    else:
        ask = source.open[0]
        village.say(PEERS[ask.seat], (ANSWER, int(ask.seat), ask.id, 0))


def test_a_simulation_tells_at_once_and_only_the_seat_sees() -> None:
    """Views read it, and no script can before it is revealed."""
    match = Simulation(Fortune, seed=3)
    for _ in range(2):
        match.step(2)
    assert match.outcome is not None
    (secret, _) = match.game.told.values()
    assert secret.is_open
    assert secret.value[1] == 4


class Peeks(Fortune):
    """Fortune in which each seat waits with what it was told."""

    name = "peeks"

    async def turn(self, t: Table[Options]) -> Outcome | None:
        await t.shuffle(self.box)
        await t.deal(self.box, self.hands)
        cards = {seat: self.hands[seat].top for seat in t.ring}
        for seat in t.ring:
            self.told[seat] = await t.narrate(highest, cards, to=seat)
        await t.ask(t.ring[0], one_of([0, 1]))
        return Outcome(tuple(t.ring))


def test_what_a_seat_was_told_is_true_in_the_worlds_that_it_imagines() -> None:
    """It is an open fact to that seat; another knows nothing of it."""
    for seed in range(12):
        match = Simulation(Peeks, seed=seed)
        view = match.view(0)
        told = view.answer(match.game.told[Seat(0)])
        assert told is not None
        assert view.answer(match.game.told[Seat(1)]) is None
        for draw in range(6):
            world = view.imagine(Chance(draw))
            faces = {seat: world.view(seat).face(world.game.hands[seat].top) for seat in (0, 1)}
            order = ("low", "middle", "high")
            assert max(faces, key=lambda seat: order.index(str(faces[seat]))) == told
            assert world.view(1).answer(world.game.told[Seat(1)]) == told


@pytest.mark.parametrize(("one", "to", "says"), [(broken, None, "ValueError"), (much, 0, "more than 222")])
def test_a_fact_that_can_not_be_told_is_the_games_fault(one: Any, to: int | None, says: str) -> None:
    """It raises, or its value has no room in a box."""

    class Wrong(Fortune):
        name = "wrong"

        async def turn(self, t: Table[Options]) -> Outcome | None:
            cards = dict(zip(t.ring, self.box.cards, strict=False))
            await t.narrate(one, cards, to=None if to is None else Seat(to))
            return None

    with pytest.raises((GameError, ValueError)) as caught:
        Simulation(Wrong)
    assert says in f"{type(caught.value).__name__}: {caught.value}"


def test_only_a_game_with_a_narrator_narrates() -> None:
    """Else its table would deal together, where nobody knows the faces."""

    class Without(Fortune):
        name, narrator = "without", False

    match = Simulation(Without)
    match.step(1)
    with pytest.raises(GameError, match="narrator = True"):
        match.step(1)


def test_terms_name_their_narrator_and_no_other_terms_change() -> None:
    """Its number comes last; a header without one has the bytes that it always had."""
    one = header()
    assert one.numbers == {PEERS[0]: 1, PEERS[1]: 2, NARRATOR: 3}
    assert one.parties == PEERS
    assert Header.of(one.plain()) == one
    assert one.name_of(NARRATOR) == "Bruno"
    assert "narrator" not in replace(one, narrator=None).plain()
    with pytest.raises(TypeError):
        Header.of(replace(one, dealer="fair").plain())
    assert one.terms(Fortune).narrator == ()
    assert replace(one, narrator=Narrator(PEERS[1], "Bob")).terms(Fortune).narrator == (1,)
