"""Following a log: what fits nothing is void, seals hold, and a wrong log is refused."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.core.games import GAMES, Shouts, Tricks
from tests.core.replaying import replay

from tavolata import Game, Options, Outcome, amount, claim, fact, one_of
from tavolata._engine.match.dealing import NoKeys, OneDealer, box_of
from tavolata._engine.match.entries import (
    ANSWER,
    DECLARED,
    FACE,
    INTERJECT,
    LONGEST_ANSWER,
    NUMBER,
    OPENED,
    SAY,
    SEALED,
    SEAT,
    SHOWN,
    SHUFFLED,
    TIMEOUT,
)
from tavolata._engine.match.log_source import LogSource
from tavolata._engine.match.match import Match, Terms
from tavolata._engine.match.sight import seen_match, sight
from tavolata._engine.match.worlds import new_match
from tavolata.bots import Chance
from tavolata.choices import Answer
from tavolata.decks import ITALIAN_40
from tavolata.errors import Diverged
from tavolata.ring import SEATS
from tavolata.testing import Case
from tavolata.testing.checks.secrecy import known_to
from tavolata.testing.recording import play, terms_of

NONCE, OTHER = bytes(32), bytes(31) + b"x"
ATOMS = st.one_of(
    st.integers(-3, 45), st.booleans(), st.none(), st.floats(), st.text(max_size=3), st.binary(max_size=33)
)
PARTS = st.one_of(ATOMS, st.lists(ATOMS, max_size=4), st.lists(ATOMS, max_size=4).map(tuple))
JUNK = st.one_of(
    st.just(()),
    st.tuples(ATOMS),
    st.builds(lambda kind, parts: (kind, *parts), st.integers(-1, 12), st.lists(PARTS, max_size=5)),
)
HARMLESS = (SAY, SEAT, INTERJECT)
"""What may come at any time: junk that happens to be such an entry is no junk."""

WHOLE = {game: play(Case(game, game.seats[1], {}, 3)) for game in GAMES}


@settings(max_examples=150)
@given(st.sampled_from([Tricks, Shouts]), st.lists(st.tuples(st.integers(0, 200), JUNK), max_size=8))
def test_entries_that_fit_nothing_are_void(game: Any, junk: list[tuple[int, Any]]) -> None:
    """Whatever nonsense stands between the entries of a log, the match goes the same way."""
    whole = WHOLE[game]
    junk = [(at, entry) for at, entry in junk if not entry or entry[0] not in HARMLESS]
    log = list(whole.log)
    planted = 0
    for at, entry in sorted(junk, key=lambda one: -one[0]):
        if at < len(whole.log) and not _fits(entry, whole.log[at]):
            log.insert(at, entry)
            planted += 1
    source = LogSource(whole.case.seats, OneDealer(), log)
    match = new_match(game, terms_of(whole.case), source)
    match.run()
    assert match.digest() == whole.match.digest()
    assert len(source.voids) == planted


def _fits(entry: Any, before: Any) -> bool:
    """Whether planted junk would happen to be what the match waits for there, as another answer or face."""
    return bool(entry) and (entry[0] == before[0] or entry[0] in (TIMEOUT, ANSWER, SEALED))


@pytest.mark.parametrize("game", GAMES)
def test_a_log_that_does_not_fit_is_refused(game: Any) -> None:
    """A log with an entry of another match in it diverges, and the error has the number of that entry."""
    whole = WHOLE[game]
    log = [*whole.log[:1], (SHUFFLED, 39, b""), *whole.log[1:]]
    with pytest.raises(Diverged, match=r"Entry 2 of the log does not fit the rules: That wasn't asked for\."):
        replay(new_match(game, terms_of(whole.case), LogSource(whole.case.seats, OneDealer())), log)


@fact
def low(chosen: Any, _: object) -> bool:
    """Whether a card is lower than a five."""
    return bool(chosen.rank < 5)


class Bids(Game[Options]):
    """Two sealed bids, opened together; then a card that claims to be low."""

    name, title, seats = "bids", "Bids", (2, 2)

    def setup(self, t: Any) -> None:
        self.deck = t.pile("deck", ITALIAN_40)
        self.bids: dict[Any, Any] = {}
        self.got: list[Any] = []

    async def turn(self, t: Any) -> Outcome | None:
        if not self.bids:
            self.bids = await t.seal_all(dict.fromkeys(t.ring, amount(0, 9)), seconds=5.0, otherwise=1)
            return None
        await t.reveal(self.bids.values())
        self.got = [secret.value for secret in self.bids.values()]
        card = await t.ask(t.ring[0], one_of(self.deck.cards), claim=claim("That card does not fit.", low))
        self.got.append(card.face.rank)
        return Outcome(())


def bids(*entries: Any) -> tuple[Match, LogSource, Any]:
    source = LogSource(2, OneDealer(), [(NUMBER, 2, 0), *entries])
    match = new_match(Bids, Terms(("A", "B"), Options()), source)
    match.run()
    return match, source, match.game


def test_faces_shown_for_another_request_are_void() -> None:
    """Of another number, or for more or fewer cards, they show nothing; the right ones are waited for."""
    whole = WHOLE[Tricks]
    at, (kind, number, faces) = next(one for one in enumerate(whole.log) if one[1][0] == SHOWN)
    for wrong in ((kind, number + 1, faces), (kind, number, faces[:-1]), (kind, number, (*faces, 0)),
                  (FACE, number, faces)):  # fmt: skip
        source = LogSource(whole.case.seats, OneDealer(), [*whole.log[:at], wrong, *whole.log[at:]])
        match = new_match(Tricks, terms_of(whole.case), source)
        match.run()
        assert list(source.voids) == [at]
        assert match.digest() == whole.match.digest()


SEALS = [(SEALED, seat, seat + 1, box_of(seat, seat + 1, NONCE, 4 + seat)) for seat in (0, 1)]
OPENINGS = [(OPENED, seat, seat + 1, NONCE, 4 + seat) for seat in (0, 1)]


def test_sealed_answers_are_opened_by_what_is_in_them() -> None:
    """Boxes stand for answers until all are in; then each is opened with its nonce."""
    match, source, game = bids(*SEALS)
    assert [secret.is_open for secret in game.bids.values()] == [False, False]
    for entry in OPENINGS:
        match.feed(entry)
    assert (game.got, source.voids) == ([4, 5], {})


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        ((OPENED, 0, 1, NONCE, 5), "doesn't match the seal"),
        ((OPENED, 0, 1, OTHER, 4), "doesn't match the seal"),
        ((OPENED, 0, 1, b"", 4), "doesn't match the seal"),
        ((OPENED, 1, 1, NONCE, 4), "That question is closed"),
        ((ANSWER, 0, 1, 9), "takes a sealed answer"),
        ((SEALED, 0, 1, box_of(0, 1, NONCE, 9)), "doesn't take a sealed answer"),
    ],
)
def test_a_sealed_answer_can_not_become_another(entry: Any, reason: str) -> None:
    """Once sealed, an answer is that answer: it is not opened to another, sealed anew or answered."""
    _, source, game = bids(*SEALS, OPENINGS[1], entry, OPENINGS[0])
    assert reason in str(source.voids[4])
    assert game.got == [4, 5]


TIMED: list[tuple[Any, ...]] = [
    (*one, [], took) for one, took in zip(SEALS, (0, LONGEST_ANSWER), strict=True)
]


def test_answers_say_how_long_they_took() -> None:
    """Milliseconds behind an answer, sealed or open, change nothing of the match."""
    _, source, game = bids(*TIMED, *OPENINGS, (ANSWER, 0, 3, 2, 1_200))
    assert (game.got, source.voids) == ([4, 5, 3], {})


@pytest.mark.parametrize(
    "took", [(-1,), (LONGEST_ANSWER + 1,), (1.5,), (True,), ("9",), (None,), (9, 9), ([],)]
)
def test_an_answer_with_a_time_that_is_none_is_void(took: tuple[object, ...]) -> None:
    """Whoever says no time, or more than one, has not answered, in the open and under a seal."""
    _, source, game = bids(
        (*SEALS[0], [], *took), *SEALS, *OPENINGS, (ANSWER, 0, 3, 2, *took), (ANSWER, 0, 3, 2)
    )
    assert (game.got, sorted(source.voids)) == ([4, 5, 3], [1, 6])


def test_time_runs_out_for_what_was_not_sealed() -> None:
    """Whose time is up has answered what was said to count then."""
    _, source, game = bids(SEALS[0], (TIMEOUT, 2), OPENINGS[0])
    assert (game.got, source.voids) == ([4, 1], {})
    _, source, game = bids((TIMEOUT, 1), (TIMEOUT, 2), (TIMEOUT, 3))
    assert (game.got, str(source.voids[3])) == ([1, 1], "There's no time limit for that.")


def test_a_sealed_answer_of_ones_own_is_seen_by_its_owner() -> None:
    """What its own seat has sealed a machine shows to that seat, and still waits for the opening."""
    match, source, game = bids()
    source.sealed[0][1] = 4
    for entry in SEALS:
        match.feed(entry)
    assert [match.view(seat).answer(game.bids[0]) for seat in (0, 1, None)] == [4, None, None]
    match.feed(OPENINGS[1])
    assert game.got == []
    match.feed(OPENINGS[0])
    assert game.got == [4, 5]


def test_a_false_claim_of_a_public_card_is_void() -> None:
    """What everybody can see to be false is refused on every machine at once."""
    _, source, game = bids(*SEALS, *OPENINGS, (ANSWER, 0, 3, 9), (ANSWER, 0, 3, 2))
    assert str(source.voids[5]) == "That card does not fit."
    assert game.got == [4, 5, 3]


@pytest.mark.parametrize(
    "entry",
    [
        (FACE, 0),
        (FACE, 39, "x"),
        (FACE, 39, 1.0),
        (FACE, 39, 40),
        (FACE, 39, True),
        (FACE,),
        (),
        (FACE, 38, 3),
    ],
)
def test_a_face_that_is_none_is_void(entry: Any) -> None:
    """Broken faces are passed over, on the quick way as on the general one."""
    log = [entry for entry in WHOLE[Shouts].log if entry[0] in (NUMBER, SHUFFLED)]
    source = LogSource(5, OneDealer(), [*log[:2], entry, (FACE, 39, 3)])
    match = new_match(Shouts, terms_of(WHOLE[Shouts].case), source)
    match.run()
    assert list(source.voids) == [2]
    game: Any = match.game
    assert len(game.open) == 1


def test_wants_say_what_a_dealer_owes() -> None:
    """Each missing piece of chance is described with its cards and seats, and numbered once."""
    wanted, source = [], LogSource(2, OneDealer())
    match = new_match(Tricks, Terms(("A", "B"), Options()), source)
    match.run()
    for entry in ((NUMBER, 2, 0), (SHUFFLED, 40, b""), (SHOWN, 1, (0,) * 8)):
        want = source.wants
        assert want is not None
        wanted.append((want.kind, want.at, len(want.cards), want.seats, want.number))
        match.feed(entry)
    assert wanted == [
        (NUMBER, 0, 0, (), 2),
        (SHUFFLED, 1, 40, (), 0),
        (SHOWN, 2, 8, (0, 1) * 4, 1),
    ]
    assert source.wants is None
    assert [ask.seat for ask in source.open] == [0, 1]


def test_boxes_that_are_not_ours_tell_nothing() -> None:
    """Without keys, sealed faces stay unknown; with them they are known to their seat alone."""

    class Mine(NoKeys):
        def face(self, sender: bytes, request: int, seat: int, card: int, box: bytes) -> int | None:
            return box[0] if seat == 1 else None

        def answer(self, sender: bytes, seat: int, ask: int, copy: bytes) -> tuple[bytes, Answer] | None:
            return None

    whole = WHOLE[Tricks]
    log = [(*e[:2], tuple(bytes([3]) for _ in e[2])) if e[0] == SHOWN else e for e in known_to(None, whole)]
    source = LogSource(4, OneDealer(), log, keys=Mine())
    match = new_match(Tricks, terms_of(whole.case), source)
    match.run()
    assert match.outcome == whole.match.outcome
    assert [set(source.known[seat].values()) <= {3} for seat in range(4)] == [True] * 4
    assert not source.known[0]


@fact
def is_high(chosen: int, _: object = ()) -> bool:
    """Whether a number is above three."""
    return chosen > 3


class Promises(Game[Options]):
    """Two sealed numbers that are said to be high, by a claim or by a declaration, and opened."""

    name, title, seats = "promises", "Promises", (2, 2)
    declares = False

    def setup(self, t: Any) -> None:
        self.said: Any = None

    async def turn(self, t: Any) -> Outcome | None:
        if t.turn:
            await t.ask(t.ring[0], amount(0, 9))
            return Outcome((SEATS[0],)) if t.turn > 1 else None
        high = None if self.declares else dict.fromkeys(t.ring, claim("Too low.", is_high))
        bids = await t.seal_all(dict.fromkeys(t.ring, amount(0, 9)), claim=high)
        if self.declares:
            self.said = await t.declare_all(is_high, bids, otherwise=False)
        await t.reveal(bids.values())
        return None


class Pledges(Promises):
    """The same with declarations."""

    declares = True


@pytest.mark.parametrize("declares", [False, True])
@pytest.mark.parametrize("left", [False, True])
def test_no_one_is_convicted_for_an_answer_that_replaces_its_own(
    declares: bool, left: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A player that leaves before its seal is opened said nothing of the answer that counts instead of it."""
    monkeypatch.setattr(Promises, "declares", declares)
    said = [(DECLARED, seat, seat + 3, True) for seat in (0, 1)] if declares else []
    last = 3 + 2 * declares
    lie = (SEALED, 1, 2, box_of(1, 2, NONCE, 1))
    for seal in (SEALS[1], lie):
        log = [(NUMBER, 2, 0), SEALS[0], seal, *said]
        match = new_match(Promises, Terms(("A", "B"), Options()), LogSource(2, OneDealer(), log))
        match.run()
        match.replicas.imagine(match, 0, Chance(1))
        opened = (SEAT, 1, "blind") if left else (OPENED, 1, 2, NONCE, 5 if seal is SEALS[1] else 1)
        for entry in (opened, OPENINGS[0], (ANSWER, 0, last, 9)):
            if match.over:
                break
            match.feed(entry)
            world = match.replicas.imagine(match, 0, Chance(2))
        if seal is lie and not left:
            assert match.conviction is not None
            assert match.conviction.seat == 1
            continue
        assert match.conviction is None
        assert [ask.id for ask in match.source.open] == [ask.id for ask in world.open] == [last + 1]


def test_a_seat_that_left_is_followed_as_it_was() -> None:
    """Replicas find in the log what was closed for a player that has left, also while others have time."""
    log = [(NUMBER, 2, 0), *SEALS]
    source = LogSource(2, OneDealer(), log)
    match: Match[Any] = new_match(Pledges, Terms(("A", "B"), Options()), source)
    match.run()
    match.replicas.imagine(match, 0, Chance(1))
    for entry in ((SEAT, 1, "blind"), (DECLARED, 0, 3, True), OPENINGS[0]):
        match.feed(entry)
        world = match.replicas.imagine(match, 0, Chance(1))
        assert [ask.id for ask in seen_match(sight(match, 0)).source.open] == [ask.id for ask in source.open]
    assert vars(world.game)["said"] == vars(match.game)["said"] == {SEATS[0]: True, SEATS[1]: False}
    assert match.conviction is None


@fact
def ranks(hand: Any) -> list[int]:
    """The ranks of a hand."""
    return [face.rank for face in hand]


class Declares(Game[Options]):
    """All seats declare at once, and nothing counts for a silent one."""

    name, title, seats = "declares", "Declares", (3, 3)

    def setup(self, t: Any) -> None:
        pass

    async def turn(self, t: Any) -> Outcome | None:
        await t.declare_all(ranks, dict.fromkeys(t.ring, ()))
        return Outcome(())


def test_every_seat_that_leaves_a_declaration_out_forfeits() -> None:
    """No seat wins that nobody declares for, even if there are several; the others do."""
    log = [(NUMBER, 3, 0), (SEAT, 0, "blind"), (SEAT, 2, "blind")]
    match = new_match(Declares, Terms(("A", "B", "C"), Options()), LogSource(3, OneDealer(), log))
    match.run()
    asked = match.source.declaring[0]
    match.feed((DECLARED, 1, asked.id, ("list",)))
    assert match.outcome == Outcome((SEATS[1],))
