"""Hidden hands that one trusted peer deals: no file or memory of another holds what its seats did not see."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tavolata import Hand
from tavolata._engine.dealing.host_dealer import HostDealer
from tavolata._engine.match.entries import ANSWER, FACE, SEALED, SHOWN
from tavolata._engine.match.header import Header
from tavolata._engine.match.log_source import LogSource, replay
from tavolata._engine.match.worlds import new_match
from tavolata._engine.review.replay import Replay
from tavolata._engine.storage.record_framing import records
from tavolata.decks import ItalianFace
from tavolata.errors import Refused

from . import sealed_tricks
from .following import followed, hands_seen, key_of, seed_of
from .table import Hall, Tt, two_hands

RULES = sealed_tricks.SealedTricks


@pytest.fixture(scope="module")
def players(tmp_path_factory: pytest.TempPathFactory, sealed_tricks: Path) -> Iterator[list[Tt]]:
    """What the host dealt alone, see `two_hands`."""
    with two_hands(tmp_path_factory.mktemp("hall"), sealed_tricks, "--dealer", "host") as all_of_them:
        yield all_of_them


def test_dealt_faces_travel_in_boxes_alone(players: list[Tt]) -> None:
    """In every file a face for one seat is a sealed box; the only faces in clear are public ones."""
    for player in players:
        (kept,) = player.matches()
        shown = [entry for entry in kept.entries if entry[0] == SHOWN]
        assert len(shown) == 2
        boxes = [box for entry in shown for box in entry[2]]
        assert len(boxes) == 2 * 15
        assert all(type(box) is bytes and len(box) > 48 for box in boxes)
        assert len(set(boxes)) == len(boxes)
        assert sum(entry[0] == FACE for entry in kept.entries) == 2 * 15  # played in the open, one by one
        assert {type(entry[3]) for entry in kept.entries if entry[0] == SEALED} == {bytes}
        assert kept.snapshot is None


def test_a_peer_opens_the_boxes_of_its_own_seat_alone(players: list[Tt]) -> None:
    """With the secret of the match a peer learns what its seat saw, and of the others nothing."""
    keys: tuple[bytes, ...] = ()
    dealer = key_of(seed_of(players[0].home))
    for player in players:
        (kept,) = player.matches()
        keys = Header.of(kept.header).keys
        match = followed(kept, player.home, RULES)
        mine = [seat for seat, key in enumerate(keys) if key == key_of(seed_of(player.home))]
        assert len(mine) == 1
        opener = match.source._keys  # type: ignore[attr-defined]  # it follows a log
        requests = [entry for entry in kept.entries if entry[0] == SHOWN]
        opened = {
            seat
            for entry in requests
            for box in entry[2]
            for seat in range(3)
            for card in range(40)
            if opener.face(dealer, entry[1], seat, card, box) is not None
        }
        assert opened == set(mine)
        assert not any(match.source.known[seat] for seat in range(3) if seat not in mine)
    assert len(set(keys)) == 3


def test_in_the_middle_of_a_hand_a_view_has_ones_own_faces_only(players: list[Tt]) -> None:
    """Replayed to the first card chosen, each peer's view of its seat has five faces, others' none."""
    for player in players:
        (kept,) = player.matches()
        first = next(at for at, entry in enumerate(kept.entries) if entry[0] == ANSWER)
        match = followed(kept, player.home, RULES, kept.entries[:first])
        me = Header.of(kept.header).keys.index(key_of(seed_of(player.home)))
        for seat in range(3):
            hand: Hand[ItalianFace] = match.game.hands[seat]  # type: ignore[attr-defined]  # the game is RULES
            faces = [match.view(me).face(card) for card in hand]
            assert len([face for face in faces if face is not None]) == (5 if seat == me else 0)


def test_the_dealers_file_brings_its_book_back(players: list[Tt]) -> None:
    """The host's file has the seed of its book, once the match is over; a guest's has none."""
    host, *guests = players
    (kept,) = host.matches()
    assert kept.book is not None
    header = Header.of(kept.header)
    dealer = HostDealer(kept.book, lambda *_: b"")
    match = new_match(RULES, header.terms(RULES), LogSource(3, dealer))
    first = next(at for at, entry in enumerate(kept.entries) if entry[0] == FACE)
    replay(match, kept.entries[:first])
    faces = {entry[1]: entry[2] for entry in kept.entries[: len(kept.entries) // 2] if entry[0] == FACE}
    assert faces
    assert {card: dealer.face(card) for card in faces} == faces
    assert [guest.matches()[0].book for guest in guests] == [None, None]


def test_a_match_that_one_peer_dealt_passes_the_check(hall: Hall, players: list[Tt]) -> None:
    """`tt verify` finds the log signed and the rules kept, and says who has to be trusted with the cards."""
    for player in players:
        check = hall.run("verify", str(player.matches()[0].path))
        assert check.done() == 0, check.story()
        assert check.has("Host dealt alone, so you have to trust")


def test_no_other_file_of_a_peer_has_more(players: list[Tt]) -> None:
    """Stores of the agreed log are gone when a peer has left; key, match file and known peers are left."""
    for player in players:
        left = {
            path.name if path.parent.name != "matches" else "match"
            for path in (player.home / "data").rglob("*")
            if path.is_file()
        }
        assert left <= {"key", "lock", "match", "known_names.json", "known_tables.json"}, left


def test_the_store_of_the_running_log_has_boxes_alone(hall: Hall) -> None:
    """While a match runs, a guest's copy of the agreed log has faces of public cards and boxes only."""
    host = hall.host("tricks", "--seats", "2", "--start", "full", "--bot", "random", "--dealer", "host")
    guest = hall.join(typed=True)
    guest.expect("How many do you take")
    (store,) = (guest.home / "data" / "identities").glob("*/tables/*.log")
    entries = list(_plays(store))
    shown = [entry for entry in entries if entry[0] == SHOWN]
    assert len(shown) == 1
    assert shown[0][2]
    assert all(type(box) is bytes for box in shown[0][2])
    assert not [entry for entry in entries if entry[0] == FACE]
    assert not host.has("Traceback")


def _plays(store: Path) -> Any:
    """The match entries in the copy of a log, found by taking its records apart."""
    from tavolata._engine.table import log_bodies
    from tavolata_protocol.entries import EntryKind
    from tavolata_protocol.grouplog.storage import recover

    class Stored:
        def load(self) -> list[bytes]:
            return [record for _, record in records(store.read_bytes())]

    from tavolata_protocol.entries import read_entry

    chain = None
    for data in recover(Stored()).entries:  # type: ignore[arg-type]  # only `load` is needed to recover
        entry = read_entry(data, chain) if chain is not None else _first(data)
        chain = entry.chain
        body = log_bodies.read(entry.body) if entry.kind is EntryKind.APPLICATION else None
        if body is not None and body[0] == log_bodies.PLAY:
            yield body[1][1]


def _first(data: bytes) -> Any:
    from tavolata_protocol.entries import read_entry

    return read_entry(data, b"\0" * 32)


def test_watched_again_the_host_sees_all_hands_and_a_guest_its_own(
    players: list[Tt], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The machine that dealt brings its book back, a guest's opens its seat, and why no more is said."""
    assert hands_seen(players[0].home, RULES, monkeypatch) == (0, 1, 2)
    for player in players[1:]:
        seen = hands_seen(player.home, RULES, monkeypatch)
        assert len(seen) == 1
        (kept,) = player.matches()
        replay = Replay(kept, Header.of(kept.header), RULES)
        assert replay.seats() == seen
        for seat in {0, 1, 2} - set(seen):
            with pytest.raises(Refused, match="the host's computer"):
                replay.check_seat(seat)
