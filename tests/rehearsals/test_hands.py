"""Hidden hands: no file or memory of a machine holds what its seats didn't see, whoever deals."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import pytest
from msgspec.structs import replace
from tests.core.replaying import replay
from tests.network.following import begun, followed, hands_seen, key_of, seed_of
from tests.network.sealed_tricks import SealedTricks
from tests.rehearsals.cheap import cheap_algebra, forget
from tests.rehearsals.laptops import Laptop
from tests.rehearsals.plan import Face, Plan, Seat
from tests.rehearsals.scenes import ANN, BID, Scene, played
from typing_extensions import override

from tavolata import Hand
from tavolata._engine.dealing.host_dealer import HostDealer
from tavolata._engine.match.entries import ANSWER, FACE, SEALED, SHOWN
from tavolata._engine.match.header import Header
from tavolata._engine.match.log_source import LogSource
from tavolata._engine.match.state import pack
from tavolata._engine.match.worlds import new_match
from tavolata._engine.review.replay import Replay
from tavolata._engine.review.verify import check
from tavolata._engine.storage.match_file import Kept, read
from tavolata._engine.storage.record_framing import records
from tavolata._engine.table import log_bodies
from tavolata._ui.i18n import Translator
from tavolata.decks import ITALIAN_40, ItalianFace
from tavolata.errors import Refused
from tavolata_protocol.entries import EntryKind, read_entry
from tavolata_protocol.grouplog.storage import recover

pytestmark = pytest.mark.battery

BOT = Seat(None, "random")
TWO_HANDS = Plan(3, "tricks", (BOT, Seat(Face.JSON), BOT), {"hands": 2}, dealer="host")
PACK = set(range(40))


class Left(NamedTuple):
    """What a machine left, in a folder."""

    home: Path

    def matches(self) -> list[Kept]:
        """Return its match files, the oldest first."""
        return [read(path) for path in sorted((self.home / "data" / "matches").glob("*.ttm"))]


class Copied(Scene):
    """An evening whose machines leave their files in a folder, and there the secrets that they erase.

    Attributes:
        running: what Ann has when she is asked for her first bid.
    """

    running: Left | None = None

    def __init__(self, plan: Plan, folder: Path) -> None:
        super().__init__(plan)
        self._folder = folder

    @override
    def _begin(self, name: str, program: Callable[[Laptop], Coroutine[Any, Any, str]]) -> None:
        disk = self.world.computers[name].disk
        told = disk.told

        def keeps_secrets(what: str, path: Path, data: bytes) -> None:
            told(what, path, data)
            if path.parent.name == "secrets" and any(data):
                put(self._folder / "secrets" / path.name, data)

        disk.told = keeps_secrets
        super()._begin(name, program)

    @override
    def _check_files(self) -> None:
        for name in self.world.computers:
            self.copy(name, self._folder / name)
        super()._check_files()

    def left(self) -> list[Left]:
        """Return what the machines left, the host's first."""
        return [Left(self._folder / name) for name in self.world.computers]

    def copy(self, name: str, folder: Path) -> Left:
        """Copy all files of a machine into a folder as they are now."""
        disk = self.world.computers[name].disk
        for path, content in disk._names.items():
            put(folder / path.relative_to("/rehearsal"), bytes(content.data))
        return Left(folder)

    @override
    def _shown(self, computer: str, who: str, text: str) -> None:
        super()._shown(computer, who, text)
        if who == ANN and self.running is None and BID in text:
            self.running = self.copy(ANN, self._folder / "running")


def put(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


@pytest.fixture(scope="module")
def _cheap() -> Iterator[None]:
    """What was played with cheap algebra is read with it."""
    with pytest.MonkeyPatch.context() as patch:
        cheap_algebra(patch)
        yield
    forget()


@pytest.fixture(scope="module")
def dealt(tmp_path_factory: pytest.TempPathFactory) -> Copied:
    """What the host dealt alone."""
    return _played(TWO_HANDS, tmp_path_factory.mktemp("dealt"))


@pytest.fixture(scope="module")
def players(dealt: Copied, _cheap: None) -> list[Left]:
    return dealt.left()


@pytest.fixture(scope="module")
def together(tmp_path_factory: pytest.TempPathFactory, _cheap: None) -> list[Left]:
    """What all machines dealt together."""
    return _played(replace(TWO_HANDS, dealer="fair"), tmp_path_factory.mktemp("together")).left()


def _played(plan: Plan, folder: Path) -> Copied:
    evening = played(Copied(plan, folder))
    assert evening.report.finished == evening.report.matches == 3
    return evening


# -- where one machine deals ------------------------------------------------------------------------


def test_dealt_faces_travel_in_boxes_alone(players: list[Left]) -> None:
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


def test_a_machine_opens_the_boxes_of_its_own_seat_alone(players: list[Left]) -> None:
    """With the secret of the match it learns what its seat saw, and nothing of the others."""
    dealer = key_of(seed_of(players[0].home))
    keys: tuple[bytes, ...] = ()
    for player in players:
        (kept,) = player.matches()
        keys = Header.of(kept.header).keys
        match = followed(kept, player.home, SealedTricks)
        mine = {seat for seat, key in enumerate(keys) if key == key_of(seed_of(player.home))}
        assert len(mine) == 1
        opener = match.source._keys  # type: ignore[attr-defined]  # it follows a log
        opened = {
            seat
            for entry in kept.entries if entry[0] == SHOWN
            for box in entry[2]
            for seat in range(3)
            for card in range(40)
            if opener.face(dealer, entry[1], seat, card, box) is not None
        }  # fmt: skip
        assert opened == mine
        assert not any(match.source.known[seat] for seat in range(3) if seat not in mine)
    assert len(set(keys)) == 3


def test_in_the_middle_of_a_hand_a_view_has_ones_own_faces_only(players: list[Left]) -> None:
    """Replayed to the first card chosen, each machine's view of its seat has five faces, others' none."""
    for player in players:
        (kept,) = player.matches()
        match = followed(kept, player.home, SealedTricks, kept.entries[: first_choice(kept)])
        me = Header.of(kept.header).keys.index(key_of(seed_of(player.home)))
        for seat in range(3):
            hand: Hand[ItalianFace] = match.game.hands[seat]  # type: ignore[attr-defined]  # of Sealed Tricks
            faces = [match.view(me).face(card) for card in hand]
            assert len([face for face in faces if face is not None]) == (5 if seat == me else 0)


def test_the_dealers_file_brings_its_book_back(players: list[Left]) -> None:
    """The host's file has the seed of its book, once the match is over; a guest's has none."""
    host, *guests = players
    (kept,) = host.matches()
    assert kept.book is not None
    dealer = HostDealer(kept.book, lambda *_: b"")
    match = new_match(SealedTricks, Header.of(kept.header).terms(SealedTricks), LogSource(3, dealer))
    first = next(at for at, entry in enumerate(kept.entries) if entry[0] == FACE)
    replay(match, kept.entries[:first])
    faces = {entry[1]: entry[2] for entry in kept.entries[: len(kept.entries) // 2] if entry[0] == FACE}
    assert faces
    assert {card: dealer._faces[card] for card in faces} == faces
    assert [guest.matches()[0].book for guest in guests] == [None, None]


def test_a_match_that_one_machine_dealt_passes_the_check(players: list[Left]) -> None:
    """The check finds the log signed and the rules kept, and says who has to be trusted with the cards."""
    for player in players:
        (kept,) = player.matches()
        told = check(kept, Header.of(kept.header), SealedTricks).told
        said = [Translator("en").text(message, params) for message, params in told]
        assert any("Host dealt alone, so you have to trust" in one for one in said)


def test_no_other_file_of_a_player_has_more(players: list[Left]) -> None:
    """Stores of the log are gone when a machine has left; its key, the match and those it met are left."""
    for player in players:
        left = {
            path.name if path.parent.name != "matches" else "match"
            for path in (player.home / "data").rglob("*")
            if path.is_file()
        }
        assert left <= {"key", "lock", "match", "known_names.json", "known_tables.json"}, left
        assert {"key", "match"} <= left


def test_the_store_of_the_running_log_has_boxes_alone(dealt: Copied) -> None:
    """While a match runs, a guest's copy of the agreed log has faces of public cards and boxes only."""
    assert dealt.running is not None
    (store,) = (dealt.running.home / "data" / "identities").glob("*/tables/*.log")
    entries = list(_plays(store))
    [shown] = [entry for entry in entries if entry[0] == SHOWN]
    assert shown[2]
    assert all(type(box) is bytes for box in shown[2])
    assert not [entry for entry in entries if entry[0] == FACE]


def _plays(store: Path) -> Iterator[Any]:
    """Yield the entries of a match in a copy of its log, by taking the records apart."""

    class Stored:
        def load(self) -> list[bytes]:
            return [record for _, record in records(store.read_bytes())]

    chain = bytes(32)
    for data in recover(Stored()).entries:  # type: ignore[arg-type]  # only `load` is needed to recover
        entry = read_entry(data, chain)
        chain = entry.chain
        body = log_bodies.read(entry.body) if entry.kind is EntryKind.APPLICATION else None
        if body is not None and body[0] == log_bodies.PLAY:
            yield body[1][1]


def test_watched_again_the_host_sees_all_hands_and_a_guest_its_own(
    players: list[Left], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The machine that dealt brings its book back, a guest's opens its seat, and says why no more."""
    assert hands_seen(players[0].home, SealedTricks, monkeypatch) == (0, 1, 2)
    for player in players[1:]:
        seen = hands_seen(player.home, SealedTricks, monkeypatch)
        assert len(seen) == 1
        (kept,) = player.matches()
        watched = Replay(kept, Header.of(kept.header), SealedTricks)
        assert watched.seats() == seen
        for seat in {0, 1, 2} - set(seen):
            with pytest.raises(Refused, match="the host's computer"):
                watched.check_seat(seat)


# -- where all machines deal together ---------------------------------------------------------------

File: TypeAlias = tuple[Kept, Path]
"""What a machine keeps of a match, and its folder."""


@pytest.fixture(scope="module")
def files(together: list[Left]) -> list[File]:
    """What each machine keeps of the match; the host's is the first."""
    return [(player.matches()[0], player.home) for player in together]


def replayed(file: File, entries: int, other: dict[int, int]) -> tuple[bytes, set[int]]:
    """Return all that so many entries lead to, as bytes, and the numbers of the faces seen until then.

    Wherever a card is opened, a face of `other` is taken for another one.
    """
    kept, home = file
    match, deal = begun(kept, home, SealedTricks)
    assert deal is not None
    match.run()
    seat = Header.of(kept.header).keys.index(key_of(seed_of(home)))
    made: list[Any] = []
    seen: set[int] = set()
    laid = False
    for entry in kept.entries[:entries]:
        match.feed(entry)
        cards = match.table._pieces.cards
        if cards and not laid:
            numbers = deal.laid.kind_of(0).faces._numbers
            numbers.update({point: other.get(number, number) for point, number in numbers.items()})
            laid = True
        faces = [match.view(seat).face(card) for card in cards]
        if not all(card.is_public for card in cards):  # as they are until the first shuffle
            seen |= {ITALIAN_40.number[face] for face in faces if face is not None}
        made.append([[str(face) for face in faces], match.digest()])
    made.append([[str(event.message), repr(sorted(event.params.items()))] for event in match.events])
    return pack(made), seen


def exchanged(faces: set[int]) -> dict[int, int]:
    """Return each of these faces taken for the next of them."""
    order = sorted(faces)
    return dict(zip(order, [*order[1:], order[0]], strict=True))


def first_choice(kept: Kept) -> int:
    """Return the entry before which five cards have been dealt to everybody, and none was played."""
    return next(at for at, entry in enumerate(kept.entries) if entry[0] == ANSWER)


def test_in_the_middle_of_a_hand_the_hosts_file_says_nothing_of_other_hands(files: list[File]) -> None:
    """With all faces but its own five exchanged it gives the same bytes; the files of their owners don't."""
    host, *guests = files
    until = first_choice(host[0])
    plain, own = replayed(host, until, {})
    theirs = [replayed(guest, first_choice(guest[0]), {}) for guest in guests]
    hands = [own, *(seen for _, seen in theirs)]
    assert [len(hand) for hand in hands] == [5, 5, 5]
    assert len(set().union(*hands)) == 15
    others = exchanged(PACK - own)
    assert replayed(host, until, others)[0] == plain
    for guest, (made, _) in zip(guests, theirs, strict=True):
        assert replayed(guest, first_choice(guest[0]), others)[0] != made
    assert replayed(host, until, exchanged(own))[0] != plain


def test_the_whole_file_says_nothing_of_cards_that_were_never_shown(files: list[File]) -> None:
    """To the end of the match: those that stayed in the pack in both hands may be any of each other."""
    host = files[0]
    until = len(host[0].entries)
    plain, seen = replayed(host, until, {})
    assert 15 <= len(seen) <= 30
    assert replayed(host, until, exchanged(PACK - seen))[0] == plain
    assert replayed(host, until, exchanged(seen))[0] != plain
