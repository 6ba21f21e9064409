"""Sealed answers that some seats may look at with their owner: in every source, and nobody else."""

from __future__ import annotations

from typing import Any

import pytest
from nacl.signing import SigningKey
from tests.core.engine.match.whist import Whist
from tests.core.replaying import replay

from tavolata import Options
from tavolata._engine.dealing.match_secret import MatchSecret
from tavolata._engine.dealing.sealing import Keys, SeatSealer
from tavolata._engine.match.dealing import OneDealer, box_of
from tavolata._engine.match.entries import ANSWER, SEALED
from tavolata._engine.match.header import HOST, Header
from tavolata._engine.match.log_source import LogSource
from tavolata._engine.match.match import Match, Terms
from tavolata._engine.match.open_source import OpenSource
from tavolata._engine.match.resume_source import ResumeSource
from tavolata._engine.match.source import NOWHERE, Origin, Stamp
from tavolata._engine.match.state import pack, unpack
from tavolata._engine.match.worlds import new_match
from tavolata.bots import RandomBot
from tavolata.errors import Refused
from tavolata.testing import Case, check_game
from tavolata.testing.checks.secrecy import known_to
from tavolata.testing.recording import play
from tavolata_protocol.fair.group import ED25519

NONCE = bytes(31) + b"n"


def seen(match: Match) -> list[list[int | None]]:
    """What each seat, and one who watches, knows of the two numbers."""
    game: Any = match.game
    viewers = [match.view(seat) for seat in (0, 1, 2, 3, None)]
    return [[view.answer(secret) for secret in game.sealed.values()] for view in viewers]


PLAYED = [[4, None], [None, 7], [4, None], [None, 7], [None, None]]


def entered(source: Any) -> Match:
    """A match in which 4 and 7 were written and the seals are closed."""
    match = new_match(Whist, Terms(tuple("ABCD"), Options()), source)
    match.run()
    for ask, number in zip(list(source.open), (4, 7), strict=True):
        match.feed((ANSWER, int(ask.seat), ask.id, number))
    return match


def test_in_one_process_mates_see_it_and_nobody_else() -> None:
    """The owner and whom it is shown to have the answer in their views until it is open to all."""
    match = entered(OpenSource(1, [None] * 4, lambda _: None))
    assert seen(match) == PLAYED
    assert match.view(2).zones()["written"].params == {"number": 4}
    assert match.view(None).zones()["written"].params == {"number": "sealed"}
    match.feed((ANSWER, 2, 3, 5))
    assert seen(match) == [[4, 7]] * 5
    assert not any(match.source.sealed.values())


def test_after_a_resume_mates_see_it_still() -> None:
    """Replayed from its file, a match of one process shows the seal to the same seats."""
    log: list[Any] = []
    entered(OpenSource(1, [None] * 4, log.append))
    match = new_match(
        Whist, Terms(tuple("ABCD"), Options()), ResumeSource(1, [None] * 4, lambda _: None, log)
    )
    match.run()
    assert seen(match) == PLAYED


def test_a_log_in_clear_shows_it_to_the_same_seats() -> None:
    """Following a log whose sealed answers stand in clear, the views are as in the first place."""
    log: list[Any] = []
    entered(OpenSource(1, [None] * 4, log.append))
    match = new_match(Whist, Terms(tuple("ABCD"), Options()), LogSource(4, OneDealer(), log))
    match.run()
    assert seen(match) == PLAYED


@pytest.mark.parametrize("seat", [0, 1, 2, 3, None])
def test_a_log_in_boxes_shows_it_to_those_seats_alone(seat: int | None) -> None:
    """As one seat's machine holds the log, that seat sees what it may and no other answer is in it."""
    whole = play(Case(Whist, 4, seed=5, bots=(RandomBot,)))
    answers = [entry[3] for entry in whole.log if entry[0] == ANSWER][:2]
    log = known_to(seat, whole)[:-3]  # without the question between, and the openings
    match = new_match(Whist, Terms(tuple("ABCD"), Options()), LogSource(4, OneDealer(), log))
    match.run()
    mine = {2: [answers[0], None], 3: [None, answers[1]]}.get(-1 if seat is None else seat, [None, None])
    assert seen(match)[4 if seat is None else seat] == mine
    assert sum(map(bool, match.source.sealed.values())) == (mine != [None, None])


def test_between_peers_a_copy_opens_for_its_seat_alone() -> None:
    """Keys open the copy for their own seat, question and match, and what is filled up has one length."""
    seeds = [bytes([number]) * 32 for number in range(1, 5)]
    public = tuple(bytes(SigningKey(seed).verify_key) for seed in seeds)
    header = Header(
        id="0" * 16, game="whist", version="0", rules_id=1, options={}, names=tuple("ABCD"),
        bots=(None,) * 4, dealer=HOST, pace=None, keys=public,
    )  # fmt: skip
    secrets = [MatchSecret(seed, b"") for seed in seeds]
    mailboxes = {
        key: ED25519.multiply_base(one.mailbox_secret) for key, one in zip(public, secrets, strict=True)
    }
    origin = Origin(b"", NOWHERE, mailboxes, {}, b"")
    ann = public[0]
    sealer = SeatSealer(header, origin, ann)
    keys = [Keys(header, origin, key, secret) for key, secret in zip(public, secrets, strict=True)]
    copy = sealer.answer(2, 7, NONCE, (1, 2, 3))
    assert keys[2].answer(ann, 2, 7, copy) == (NONCE, (1, 2, 3))
    assert keys[2].answer(public[1], 2, 7, copy) is None
    assert keys[2].answer(ann, 2, 8, copy) is None
    assert keys[2].answer(ann, 3, 7, copy) is None
    assert keys[1].answer(ann, 2, 7, copy) is None
    assert keys[2].answer(ann, 2, 7, b"junk") is None
    assert len(copy) == len(sealer.answer(2, 7, NONCE, 300))

    assert sealer.hears(2)
    assert not SeatSealer(header, Origin(b"", NOWHERE, {}, {}, b""), ann).hears(2)
    words = sealer.words(2, "psst")
    assert keys[2].words(ann, 2, words) == "psst"
    assert keys[2].words(ann, 3, words) is None
    assert keys[1].words(ann, 2, words) is None
    assert keys[2].words(ann, 2, copy) is None

    boxes = [(SEALED, 0, 1, box_of(0, 1, NONCE, 4), (sealer.answer(2, 1, NONCE, 4),)),
             (SEALED, 1, 2, box_of(1, 2, NONCE, 7), (sealer.answer(3, 2, NONCE, 7),))]  # fmt: skip
    for seat, mine in ((2, [4, None]), (3, [None, 7]), (1, [None, None])):
        source = LogSource(4, OneDealer(), keys=keys[seat])
        match = new_match(Whist, Terms(tuple("ABCD"), Options()), source)
        log = [entry for entry in play(Case(Whist, 4, seed=5, bots=(RandomBot,))).log if entry[0] != ANSWER]
        for entry in [*log, *boxes]:
            source.feed(entry, Stamp(ann))
        match.run()
        assert seen(match)[seat] == mine


@pytest.mark.parametrize(
    "copies",
    [
        ((NONCE, 5),),  # another answer than in the box
        ((bytes(32), 4),),  # another nonce
        ((NONCE, 99),),  # no legal answer
        ((NONCE,),),
        ((b"", 4),),
        (4,),
        ("four",),
        (),
        ((None, None),),
        ((NONCE, 4, 4),),
    ],
)
def test_a_false_copy_shows_nothing_and_changes_nothing(copies: Any) -> None:
    """Whoever seals one thing and shows another: the answer counts, its mate learns nothing, all agree."""
    log = [e for e in play(Case(Whist, 4, seed=5, bots=(RandomBot,))).log if e[0] != ANSWER]
    digests = []
    for shown in (copies, (b"for another machine",)):
        source = LogSource(4, OneDealer())
        match = new_match(Whist, Terms(tuple("ABCD"), Options()), source)
        replay(match, [*log, (SEALED, 0, 1, box_of(0, 1, NONCE, 4), shown)])
        assert [ask.seat for ask in source.open] == [1]
        assert not source.sealed[2]
        digests.append(match.digest())
    assert digests[0] == digests[1]


def test_copies_that_are_no_list_make_the_entry_void() -> None:
    """What stands in place of the copies and is none is void on every machine alike."""
    log = [e for e in play(Case(Whist, 4, seed=5, bots=(RandomBot,))).log if e[0] != ANSWER]
    for wrong in ((4,), ((), ())):
        source = LogSource(4, OneDealer(), [*log, (SEALED, 0, 1, box_of(0, 1, NONCE, 4), *wrong)])
        new_match(Whist, Terms(tuple("ABCD"), Options()), source).run()
        assert len(source.voids) == 1
        assert isinstance(next(iter(source.voids.values())), Refused)
        assert len(source.open) == 2


def test_put_away_and_laid_out_again_it_still_opens() -> None:
    """From a snapshot taken while the seals are closed, the match goes on and opens them for all."""
    whole = play(Case(Whist, 4, seed=5, bots=(RandomBot,)))
    log = known_to(None, whole)
    first = new_match(Whist, Terms(tuple("ABCD"), Options()), LogSource(4, OneDealer(), log[:-3]))
    kept: list[bytes] = []
    first.on_turn = lambda: kept.append(pack(first.state()))
    first.run()
    again = new_match(Whist, first.terms, LogSource(4, OneDealer()))
    again.load(unpack(kept[0]))
    replay(again, log[-3:])
    assert again.outcome == whole.match.outcome


def test_the_kit_is_content_with_it() -> None:
    """The battery follows such a match as each seat knows it, and finds all the same."""
    check_game(Whist, matches=8).expect()
