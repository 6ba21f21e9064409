"""The table as a replicated state machine: anything by anybody, the same state everywhere, never an error."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tavolata import N_, Game, Options, Outcome, Refused, Seat, Table, Text, one_of
from tavolata._engine.dealing.match_secret import MatchSecret
from tavolata._engine.match.dealing import OneDealer
from tavolata._engine.match.entries import ANSWER, FACE, NUMBER, SAY, SEAT, MatchEntry
from tavolata._engine.match.header import Header
from tavolata._engine.match.log_source import LogSource
from tavolata._engine.match.match import Match
from tavolata._engine.match.source import Origin, Stamp
from tavolata._engine.match.state import pack
from tavolata._engine.match.updates import Ended, LobbyChanged, Notice, Said, Update
from tavolata._engine.table import log_bodies
from tavolata._engine.table.lobby import HAS_LOOK, NAMES_STAY, TAKEN
from tavolata._engine.table.log_bodies import AWAY, HERE, LEFT, TAG_SIZE
from tavolata._engine.table.matches import NO_DEALER
from tavolata._engine.table.state_claims import Difference
from tavolata._engine.table.table_state import TableState
from tavolata._text import Verbatim
from tavolata.options import option
from tavolata.ring import SEATS
from tavolata_protocol.fair.beginning import match_id
from tavolata_protocol.identity import PeerId, fingerprint

HOST, ANN, BOB, EVE = (bytes([number]) * 32 for number in range(1, 5))
PEERS = (HOST, ANN, BOB, EVE)
BOX = bytes(32)
"""A mailbox to which nothing is sealed here."""


@dataclass(frozen=True, kw_only=True)
class GuessOptions(Options):
    """One number."""

    rounds: int = option(3, "How many.", low=1, high=9)


class Guess(Game[GuessOptions]):
    """A lot is drawn, then everybody says yes or no; so many rounds."""

    name = "guess"
    title = "Guess"
    seats = (2, 3)
    options = GuessOptions

    def setup(self, t: Table[GuessOptions]) -> None:
        """A sum, and a fault that a test switches on."""
        self.sum = 0
        self.fault = False

    async def turn(self, t: Table[GuessOptions]) -> Outcome | None:
        """A lot and an answer of each."""
        self.sum += await t.randrange(6)
        for seat in t.ring:
            self.sum += await t.ask(seat, one_of([0, 1, 2]), N_("Which?"))
        if self.fault:
            raise ZeroDivisionError
        return Outcome((t.ring[self.sum % 2],)) if t.turn + 1 == t.options.rounds else None


class Pairs(Guess):
    """Another game: the same for two only."""

    name = "pairs"
    seats = (2, 2)


class Alone:
    """What one machine gives: a source without keys, and a note of what it was told."""

    def __init__(self, me: bytes) -> None:
        self.me = me
        self.written: list[MatchEntry] = []
        self.ends: list[Ended] = []
        self.notes: list[bytes] = []
        self.keys: tuple[bytes, ...] = ()

    def rules(self, game: str, rules_id: int) -> type[Game[Any]]:
        found = next((one for one in (Guess, Pairs) if (one.name, one.rules_id) == (game, rules_id)), None)
        if found is None:
            raise Refused("There is no such game.")
        return found

    def source(self, header: Header, origin: Origin) -> LogSource:
        self.keys = header.keys
        return LogSource(len(header.names), OneDealer(header.keys))

    def begun(self, header: Header) -> None:
        pass

    def entered(self, header: Header, entry: MatchEntry) -> None:
        self.written.append(entry)

    def words(self, sender: bytes, seat: int, box: bytes) -> str | None:
        return box.decode() if self.keys[seat] == self.me else None

    def noted(self, match: Match[LogSource], author: bytes, entry: MatchEntry, note: bytes) -> None:
        self.notes.append(note)

    def whispered(self, sender: bytes, box: bytes) -> str | None:
        key, _, words = box.partition(b":")
        return words.decode(errors="replace") if self.me.startswith(key) else None

    def ended(self, header: Header, ended: Ended) -> None:
        self.ends.append(ended)

    def voided(self, header: Header, difference: Difference) -> str:
        return ""


def new_state(me: bytes = HOST) -> TableState:
    return TableState(Guess, me=me, local=Alone(me))


def put(state: TableState, author: bytes, *body: Any) -> list[Update]:
    """Apply an entry; what happened."""
    state.out.clear()
    state.apply(Stamp(author), pack(body))
    return list(state.out)


def founded(*guests: bytes, seats: int = 3, me: bytes = HOST) -> TableState:
    state = new_state(me)
    put(state, HOST, log_bodies.FOUND, "guess", Guess.rules_id, seats, {"rounds": 3}, "host")
    for number, peer in enumerate((HOST, *guests)):
        put(state, peer, log_bodies.ENTER, bytes([number]) * 8, f"P{number}", False, None, BOX)
    return state


def agreed(state: TableState, **change: Any) -> bytes:
    """What START says of the next match."""
    return pack({**state.lobby.terms().plain(), **change})


def said_in(state: TableState, peer: bytes) -> tuple[Any, ...]:
    """What a party says when it takes part in the match of the START that stands."""
    barrier = state.matches.barrier
    named = b"" if barrier is None else barrier.header_hash
    party = 1 if barrier is None or peer not in barrier.parties else barrier.parties.index(peer) + 1
    nonce = bytes([len(state.matches.stamp.chain) + state.matches.played]) + peer[1:]
    return (log_bodies.IN, named, nonce, MatchSecret(peer, named).named_mailbox(b"", party, nonce, bytes))


def start(state: TableState, leader: bytes = b"") -> list[Update]:
    """The host starts, and all take part."""
    happened = put(state, HOST, log_bodies.START, agreed(state), leader)
    for peer in () if state.matches.barrier is None else state.matches.barrier.parties:
        happened = put(state, peer, *said_in(state, peer))
    return happened


def started(*guests: bytes, **more: Any) -> TableState:
    state = founded(*guests, **more)
    start(state)
    assert state.matches.running
    return state


def play(state: TableState, author: bytes, *entry: Any) -> list[Update]:
    assert state.matches.last is not None
    return put(state, author, log_bodies.PLAY, state.matches.last.header.id, entry, b"")


def reasons(happened: Iterable[Update]) -> list[str]:
    return [one.message for one in happened if isinstance(one, Notice) and one.wrong]


def test_every_kind_of_entry_goes_to_one_part() -> None:
    """Whatever `log_bodies` lets through, the table knows who acts on it."""
    assert set(new_state()._apply) == set(log_bodies._SHAPES) - {log_bodies.COMPANION}


# -- the lobby ------------------------------------------------------------------------------------


def test_who_opens_the_table_is_its_host() -> None:
    """The first FOUND counts, of the own game, with seats and a dealer that there are."""
    state = new_state()
    for body in (
        ["chess", 1, 2, {}, "host"],
        ["guess", 9, 2, {}, "host"],
        ["guess", 1, 9, {}, "host"],
        ["guess", 1, 2, {"wings": 1}, "host"],
        ["guess", 1, 2, {}, "me"],
    ):
        put(state, EVE, log_bodies.FOUND, *body)
        assert state.roster.host == b""
    put(state, HOST, log_bodies.FOUND, "guess", 1, 2, {"rounds": 3}, "host")
    put(state, EVE, log_bodies.FOUND, "guess", 1, 2, {"rounds": 9}, "host")
    assert (state.roster.host, state.lobby.seats, state.lobby.options) == (HOST, 2, {"rounds": 3})


def test_names_are_unique_and_plain() -> None:
    """Two of one name are told apart; control signs, at-signs and long names don't get in."""
    state = founded()
    put(state, ANN, log_bodies.ENTER, b"a" * 8, "P0", False, None, BOX)
    put(state, BOB, log_bodies.ENTER, b"b" * 8, "\x1b[31m@" + "x" * 99, True, None, BOX)
    assert state.roster.places[1].name == "P0 2"
    assert state.roster.watchers[BOB].isprintable()
    assert "@" not in state.roster.watchers[BOB]
    assert len(state.roster.watchers[BOB]) <= 24


def test_the_fourth_at_a_table_for_three_watches() -> None:
    """Places are for so many; the rest look on, and bots find no more room than there is."""
    state = founded(ANN, BOB)
    put(state, EVE, log_bodies.ENTER, b"e" * 8, "Eve", False, None, BOX)
    assert state.roster.watchers == {EVE: "Eve"}
    put(state, HOST, log_bodies.BOTS, ["random"] * 5)
    assert len(state.roster.places) == 3


def test_only_the_host_sets_the_terms() -> None:
    """A guest's change of options, bots or start is refused, and says why to its author alone."""
    for me, told in ((ANN, 1), (BOB, 0)):
        state = founded(ANN, me=me)
        bodies: tuple[tuple[Any, ...], ...] = (
            (log_bodies.SET, {"rounds": 1}),
            (log_bodies.BOTS, ["random"]),
            (log_bodies.START, b"", b""),
        )
        for body in bodies:
            assert len(reasons(put(state, ANN, *body))) == told
        assert state.lobby.options == {"rounds": 3}
        assert not state.matches.running


def test_a_player_or_watcher_takes_another_name() -> None:
    """All read it, the next match has it, and the old name is free again; its case may change."""
    state = founded(ANN)
    put(state, EVE, log_bodies.ENTER, b"e" * 8, "Eve", True, None, BOX)
    told = put(state, ANN, log_bodies.RENAME, "Zoë")
    assert [(one.message, one.params) for one in told if isinstance(one, Notice)] == [
        ("{before} is now {name}.", {"before": "P1", "name": "Zoë"})
    ]
    put(state, EVE, log_bodies.RENAME, "P1")
    put(state, HOST, log_bodies.BOTS, ["random"])
    put(state, HOST, log_bodies.RENAME, "p0")
    assert state.roster.watchers == {EVE: "P1"}
    assert state.lobby.terms().names[:2] == ("p0", "Zoë")
    assert state.lobby.terms().names[2] not in ("p0", "P0")


def test_a_name_of_somebody_else_or_no_name_changes_nothing() -> None:
    """Taken names are refused whatever their case, a stranger and what is no name are void, as in a match."""
    state = founded(ANN)
    put(state, EVE, log_bodies.ENTER, b"e" * 8, "Eve", True, None, BOX)
    assert reasons(put(state, HOST, log_bodies.RENAME, "p1")) == [TAKEN]
    assert reasons(put(state, HOST, log_bodies.RENAME, "EVE")) == [TAKEN]
    for author, name in (
        (HOST, ""),
        (HOST, "x" * 25),
        (HOST, "a\x1b[2J"),
        (HOST, "a@b"),
        (HOST, "P0"),
        (BOB, "Bob"),
    ):
        assert put(state, author, log_bodies.RENAME, name) == []
    start(state)
    assert reasons(put(state, HOST, log_bodies.RENAME, "Zoë")) == [NAMES_STAY]
    assert [place.name for place in state.roster.places] == ["P0", "P1"]


def test_a_colour_and_a_mark_belong_to_who_chose_them_first() -> None:
    """Both together are refused to others, also in a match; a bot of the host has no look of its own."""
    state = founded(ANN)
    assert put(state, ANN, log_bodies.LOOK, 3, 5) == [LobbyChanged()]
    assert reasons(put(state, HOST, log_bodies.LOOK, 3, 5)) == [HAS_LOOK]
    put(state, HOST, log_bodies.LOOK, 3, 4)
    put(state, HOST, log_bodies.BOTS, ["random"])
    for author, hue, mark in ((BOB, 1, 1), (HOST, 8, 0), (HOST, 0, 8), (HOST, 0, -1)):
        assert put(state, author, log_bodies.LOOK, hue, mark) == []
    assert [state.roster.look_of(seat) for seat in range(3)] == [(3, 4), (3, 5), None]
    put(state, HOST, log_bodies.BOTS, [])
    start(state)
    assert put(state, ANN, log_bodies.LOOK, 0, 0) == [LobbyChanged()]
    assert reasons(put(state, HOST, log_bodies.LOOK, 0, 0)) == [HAS_LOOK]


def test_nobody_comes_back_to_a_look_that_somebody_else_has_chosen() -> None:
    """While two are gone the host takes the colour and mark of one; the other comes back to its own."""
    state = founded(ANN, BOB)
    put(state, ANN, log_bodies.LOOK, 3, 5)
    put(state, BOB, log_bodies.LOOK, 1, 1)
    for peer in (ANN, BOB):
        put(state, peer, log_bodies.LEAVE)
    put(state, HOST, log_bodies.LOOK, 3, 5)
    for peer in (ANN, BOB):
        put(state, peer, log_bodies.ENTER, peer[:8], "P", False, None, BOX)
    assert [state.roster.look_of(seat) for seat in range(3)] == [(3, 5), None, (1, 1)]


def test_pages_on_other_machines_are_known_to_all() -> None:
    """With the address at which the peer is reached; none without one, and none of who is away or left."""
    state = founded(ANN, BOB)
    state.roster.leader = HOST
    put(state, ANN, log_bodies.PAGES, 8286, "t" * 22)
    assert state.roster.other_pages == []
    put(state, HOST, log_bodies.ADDRESS, ANN, "10.0.0.7", 4000)
    assert state.roster.other_pages == [("P1", "10.0.0.7", 8286, "t" * 22)]
    for port, token in ((0, "t" * 22), (8286, "t" * 21), (8286, "<" * 22)):
        put(state, BOB, log_bodies.PAGES, port, token)
    put(state, EVE, log_bodies.PAGES, 8286, "t" * 22)
    put(state, HOST, log_bodies.ADDRESS, BOB, "10.0.0.8", 4000)
    put(state, HOST, log_bodies.ADDRESS, EVE, "10.0.0.9", 4000)
    assert [name for name, *_ in state.roster.other_pages] == ["P1"]
    put(state, HOST, log_bodies.STATUS, ANN, False)
    assert state.roster.other_pages == []
    put(state, HOST, log_bodies.STATUS, ANN, True)
    put(state, ANN, log_bodies.LEAVE)
    assert state.roster.pages == {}


def test_peers_at_one_address_are_one_machine() -> None:
    """It has its first player's name, the host's that of the host; a peer without an address is alone."""
    state = founded(ANN, BOB)
    state.roster.leader = HOST
    put(state, EVE, log_bodies.ENTER, b"e" * 8, "Eve", True, None, BOX)
    for peer, host in ((HOST, "10.0.0.1"), (ANN, "10.0.0.2"), (BOB, "10.0.0.2"), (EVE, "127.0.0.1")):
        put(state, HOST, log_bodies.ADDRESS, peer, host, 4000)
    assert state.roster.owners == {HOST: "P0", ANN: "P1", BOB: "P1", EVE: "P0"}
    state.roster.addresses.pop(BOB)
    assert BOB not in state.roster.owners


def test_who_looked_on_and_takes_a_place_looks_on_no_more() -> None:
    """A place is free again: a watcher that comes in once more sits down, and is counted once."""
    state = founded(ANN, BOB)
    put(state, EVE, log_bodies.ENTER, b"e" * 8, "Eve", False, None, BOX)
    put(state, BOB, log_bodies.LEAVE)
    put(state, EVE, log_bodies.ENTER, b"f" * 8, "Eve", False, None, BOX)
    assert [place.peer for place in state.roster.places] == [HOST, ANN, EVE]
    assert state.roster.watchers == {}


@pytest.mark.parametrize(
    "policy",
    [("often", 60, 180), ("bot", 60, 180), ("blind", 29, 180), ("blind", 601, 180), ("blind", 60, 1)],
)
def test_a_policy_is_taken_whole_or_not_at_all(policy: tuple[str, int, int]) -> None:
    """A word that there is not, or a wait out of bounds, changes neither the word nor the other wait."""
    state = founded(ANN)
    put(state, HOST, log_bodies.POLICY, "blind", 90, 200, True)
    put(state, HOST, log_bodies.POLICY, *policy, False)
    lobby = state.lobby
    assert (lobby.policy, lobby.stand_after, lobby.idle, lobby.fixed) == ("blind", 90, 200, True)


def test_another_game_keeps_the_people_and_sends_the_bots_away() -> None:
    """The host's own place and its guests' stay, and only they."""
    state = founded(ANN)
    put(state, HOST, log_bodies.BOTS, ["random"])
    put(state, HOST, log_bodies.GAME, "pairs", 1, 2, {"rounds": 2})
    assert [(place.peer, place.own) for place in state.roster.places] == [(HOST, True), (ANN, True)]
    assert state.lobby.rules is Pairs


@pytest.mark.parametrize("seats", [1, 9])
def test_another_game_needs_a_table_of_its_size(seats: int) -> None:
    """With too few seats for its players, or too many, the old game stays."""
    state = founded(ANN)
    assert reasons(put(state, HOST, log_bodies.GAME, "pairs", 1, seats, {"rounds": 2}))
    assert state.lobby.rules is Guess


@pytest.mark.parametrize("nonce", [bytes(31), bytes(33), b"", "that of the host"])
def test_a_match_begins_with_a_nonce_of_each(nonce: bytes | str) -> None:
    """A nonce of another length, or that another party has said, is none: nobody repeats a match by it."""
    state = founded(ANN)
    put(state, HOST, log_bodies.START, agreed(state), b"")
    barrier, hosts = state.matches.barrier, said_in(state, HOST)
    assert barrier is not None
    put(state, HOST, *hosts)
    own = hosts[2] if isinstance(nonce, str) else nonce
    mailbox = MatchSecret(ANN, barrier.header_hash).named_mailbox(b"", 2, own, bytes)
    put(state, ANN, log_bodies.IN, barrier.header_hash, own, mailbox)
    assert state.matches.barrier is barrier
    put(state, ANN, *said_in(state, ANN))
    assert state.matches.running


def test_a_change_of_terms_takes_ready_back() -> None:
    """Nobody is ready for what was not said yet."""
    state = founded(ANN)
    put(state, ANN, log_bodies.READY, True)
    assert _ready(state) == [False, True]
    put(state, HOST, log_bodies.SET, {"rounds": 5})
    assert _ready(state) == [False, False]
    assert reasons(put(state, HOST, log_bodies.SET, {"rounds": 55}))
    assert state.lobby.options == {"rounds": 5}


def _ready(state: TableState) -> list[bool]:
    return [place.ready for place in state.roster.places]


def test_talk_in_the_lobby_reaches_all_who_are_there() -> None:
    """Words are one line; strangers have no voice."""
    state = founded(ANN)
    assert put(state, ANN, log_bodies.CHAT, "hello\nyou") == [
        Said(Verbatim("P1"), Verbatim("hello you"), (), mine=False)
    ]
    assert put(state, EVE, log_bodies.CHAT, "hello") == []


@pytest.mark.parametrize(
    ("me", "heard", "mine"), [(HOST, "to the host", False), (ANN, "mine", True), (BOB, "…", False)]
)
def test_a_whisper_in_the_lobby_is_heard_by_one(me: bytes, heard: str, mine: bool) -> None:
    """Who is whispered to reads the words, and who whispered; a third sees only that there are words."""
    state = founded(ANN, BOB, me=me)
    body = (log_bodies.WHISPER, [HOST], [HOST[:1] + b":to the host", ANN[:1] + b":mine"])
    assert put(state, ANN, *body) == [Said(Verbatim("P1"), Verbatim(heard), ("P0",), mine=mine)]
    assert put(state, EVE, *body) == []
    assert put(state, ANN, log_bodies.WHISPER, [EVE], [b"", b""]) == []


@pytest.mark.parametrize("running", [False, True])
def test_nobody_fills_the_screens_of_others(*, running: bool) -> None:
    """400 signs are heard whole, in the lobby and in a match, aloud or whispered; of more, 400."""
    state = (started if running else founded)(ANN)
    whole, cut = "x" * 400, "x" * 399 + "…"
    for words, heard in [(whole, whole), (whole + "x", cut), (whole * 50, cut)]:
        if running:
            assert play(state, ANN, SAY, 1, [], words) == [
                Said(Verbatim("P1"), Verbatim(heard), (), mine=False)
            ]
            boxes = (words.encode(), b"")
            assert play(state, ANN, SAY, 1, [0], boxes) == [
                Said(Verbatim("P1"), Verbatim(heard), ("P0",), mine=False)
            ]
        else:
            assert put(state, ANN, log_bodies.CHAT, words) == [
                Said(Verbatim("P1"), Verbatim(heard), (), mine=False)
            ]


def test_a_place_of_one_who_is_away_goes_to_the_next() -> None:
    """Between matches only; in a match the seat is kept."""
    state = founded(ANN, seats=2)
    free = [state.lobby.free]
    put(state, HOST, log_bodies.STATUS, ANN, False)
    assert [*free, state.lobby.free] == [0, 1]
    put(state, BOB, log_bodies.ENTER, b"b" * 8, "Bob", False, None, BOX)
    assert [place.peer for place in state.roster.places] == [HOST, BOB]
    assert ANN in state.roster.watchers


@pytest.mark.parametrize("starts", [False, True])
def test_a_former_host_comes_back_under_its_own_name(*, starts: bool) -> None:
    """Its place and its bot's are taken by others, or by a start; it watches, and a bot never does."""
    state = founded(ANN, seats=3)
    put(state, HOST, log_bodies.BOTS, ["random"])
    put(state, HOST, log_bodies.HEIR, ANN)
    put(state, ANN, log_bodies.STATUS, HOST, False)
    put(state, BOB, log_bodies.ENTER, b"b" * 8, "Bob", False, None, BOX)
    if starts:
        put(state, ANN, log_bodies.START, agreed(state), b"")
        assert state.matches.barrier is not None
    else:
        put(state, EVE, log_bodies.ENTER, b"e" * 8, "Eve", False, None, BOX)
    assert not any(place.peer == HOST for place in state.roster.places)
    assert state.roster.watchers == {HOST: "P0"}


def test_a_new_host_dismisses_the_bots_of_the_one_before() -> None:
    """Nobody else could: the host before isn't the host any more, and people aren't kicked for their bots."""
    state = founded(ANN, seats=3)
    put(state, HOST, log_bodies.BOTS, ["random"])
    put(state, HOST, log_bodies.HEIR, ANN)
    assert reasons(put(state, HOST, log_bodies.BOTS, []))
    put(state, ANN, log_bodies.BOTS, ["easy"])
    assert [(place.peer, place.level) for place in state.roster.places] == [
        (HOST, None), (ANN, None), (ANN, "easy"),
    ]  # fmt: skip
    put(state, ANN, log_bodies.BOTS, [])
    assert [place.peer for place in state.roster.places] == [HOST, ANN]


def test_who_is_away_does_not_hold_up_a_start() -> None:
    """A match begins with those who are here."""
    state = founded(ANN, BOB)
    put(state, HOST, log_bodies.STATUS, ANN, False)
    start(state)
    assert state.matches.running
    assert [place.peer for place in state.roster.places] == [HOST, BOB]


def test_who_orders_says_who_is_away_although_the_host_is_here() -> None:
    """The leader's word about a third counts; that of anybody else does not."""
    state = founded(ANN, BOB)
    put(state, ANN, log_bodies.STATUS, BOB, False)
    assert not any(place.status == log_bodies.AWAY for place in state.roster.places)
    state.roster.leader = ANN
    put(state, ANN, log_bodies.STATUS, BOB, False)
    assert [place.peer for place in state.roster.places if place.status == log_bodies.AWAY] == [BOB]


def test_a_match_begins_with_who_orders_then() -> None:
    """A start that names another leader than the log has is refused."""
    state = founded(ANN)
    state.roster.leader = ANN
    start(state, HOST)
    assert not state.matches.running
    start(state, ANN)
    assert state.matches.running


# -- the match ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "change",
    [
        {"id": "../../../../tmp/evil"}, {"id": "0123456789abcdef"}, {"keys": (HOST, EVE)}, {"seed": 3},
        {"dealer": "open"},
        {"names": ("P0", "Eve")}, {"bots": (None, "random")}, {"rules_id": 2}, {"options": {"rounds": 9}},
        {"pace": -1}, {"pace": "fast"}, {"wings": 2},
    ],
)  # fmt: skip
def test_a_match_begins_on_the_agreed_terms_alone(change: dict[str, Any]) -> None:
    """A header that says anything but what the table agreed is refused."""
    state = founded(ANN)
    happened = put(state, HOST, log_bodies.START, agreed(state, **change), b"")
    assert reasons(happened)
    assert not state.matches.is_busy


def test_a_match_begins_when_all_parties_have_said_in() -> None:
    """One IN is missing: no match, and the lobby stays as it is; the last one begins it, with a new id."""
    state = founded(ANN, BOB)
    put(state, HOST, log_bodies.START, agreed(state), b"")
    for peer in (HOST, BOB):
        put(state, peer, *said_in(state, peer))
    assert not state.matches.running
    assert reasons(put(state, HOST, log_bodies.SET, {"rounds": 2}))
    assert reasons(put(state, HOST, log_bodies.START, agreed(state), b""))
    put(state, ANN, *said_in(state, ANN))
    running = state.matches.running
    assert running is not None
    assert len(bytes.fromhex(running.header.id)) == 16


def test_no_in_counts_but_the_awaited_one() -> None:
    """Of a spectator, said twice, for another header, with a used nonce or a false mailbox: void."""
    state = founded(ANN, BOB)
    assert reasons(put(state, HOST, *said_in(state, HOST)))
    put(state, HOST, log_bodies.START, agreed(state), b"")
    barrier = state.matches.barrier
    assert barrier is not None
    verb, named, nonce, mailbox = said_in(state, HOST)
    for body in (
        said_in(state, EVE),
        (verb, bytes(32), nonce, mailbox),
        (verb, named, nonce[:-1], mailbox),
        (verb, named, bytes(32), mailbox),
        (verb, named, nonce, said_in(state, ANN)[3]),
        (verb, named, nonce, bytes(96)),
        (verb, named, nonce, b""),
    ):
        put(state, EVE if body[2][1:] == EVE[1:] else HOST, *body)
        assert barrier.missing == (HOST, ANN, BOB)
    put(state, HOST, verb, named, nonce, mailbox)
    assert barrier.missing == (ANN, BOB)
    assert reasons(put(state, HOST, verb, named, nonce, mailbox))
    state.apply(Stamp(ANN, lineage=b"another"), pack(said_in(state, ANN)))
    assert barrier.missing == (ANN, BOB)


def test_a_start_falls_that_not_all_join() -> None:
    """A party says that it has waited long enough: all read who is missing, and may start again."""
    state = founded(ANN, BOB)
    put(state, HOST, log_bodies.START, agreed(state), b"")
    barrier = state.matches.barrier
    assert barrier is not None
    put(state, HOST, *said_in(state, HOST))
    put(state, EVE, log_bodies.FALL, barrier.header_hash)
    put(state, ANN, log_bodies.FALL, bytes(32))
    assert state.matches.barrier is barrier
    happened = put(state, HOST, log_bodies.FALL, barrier.header_hash)
    (notice,) = [one for one in happened if isinstance(one, Notice)]
    assert notice.params == {"missing": "P1, P2", "name": "P0"}
    assert [place.ready for place in state.roster.places][1:] == [False, False]
    assert not state.matches.is_busy
    put(state, HOST, log_bodies.START, agreed(state), b"")
    put(state, BOB, log_bodies.LEAVE)
    assert not state.matches.is_busy


def test_no_two_matches_have_one_id() -> None:
    """The table, the log up to START, the header and every nonce make the id: each changes it."""
    table, chain, header, one, two = b"table", b"chain", b"header", (HOST, b"1" * 32), (ANN, b"2" * 32)
    others = (
        (table, chain, header, (one, two)), (b"other", chain, header, (one, two)),
        (table, b"other", header, (one, two)), (table, chain, b"other", (one, two)),
        (table, chain, header, (one, (ANN, b"3" * 32))), (table, chain, header, ((HOST, b"3" * 32), two)),
        (table, chain, header, (one, (BOB, b"2" * 32))), (table, chain, header, (two, one)),
        (table, chain, header, (one,)),
    )  # fmt: skip
    assert len({match_id(*said) for said in others}) == len(others)


def test_the_host_deals_and_everybody_answers_for_himself() -> None:
    """Chance from anybody but the host, answers for others' seats and statuses from players are void."""
    state = started(ANN)
    assert state.matches.match is not None
    source = state.matches.match.source
    play(state, ANN, NUMBER, 2, 1)
    assert source.wants is not None
    play(state, HOST, NUMBER, 2, 0)
    play(state, HOST, NUMBER, 6, 3)
    assert [ask.seat for ask in source.open] == [0]
    first = source.open[0].id
    play(state, ANN, ANSWER, 0, first, 2)
    play(state, EVE, ANSWER, 0, first, 2)
    play(state, HOST, SEAT, 1, "blind")
    assert source.open[0].id == first
    assert state.matches.match.status == ["here", "here"]
    play(state, HOST, ANSWER, 0, first, 2)
    assert source.open[0].seat == 1


def test_words_that_the_rules_refuse_are_not_said() -> None:
    """Only what was legal to say is heard; the author is told of the rest."""
    state = started(ANN, me=ANN)
    assert play(state, ANN, SAY, 1, [], "hi") == [Said(Verbatim("P1"), Verbatim("hi"), (), mine=True)]
    bad: list[tuple[Any, ...]] = [
        ([7], "hi"),
        ("all", "hi"),
        ([], b"hi"),
        ([], "\n"),
        (-1, "hi"),
        ([0, 0], "hi"),
        (),
    ]
    for rest in (*bad, ([0, 0], "hi")):
        assert play(state, ANN, SAY, 1, *rest) == []


@pytest.mark.parametrize(
    ("me", "heard"), [(HOST, "…"), (ANN, "psst"), (BOB, "I said psst")], ids=["others", "for", "from"]
)
def test_words_for_one_seat_are_heard_there_alone(me: bytes, heard: str) -> None:
    """Who is spoken to and who speaks read the words; the others that there are some; all feed the entry."""
    state = started(ANN, BOB, me=me)
    boxes = (b"psst", b"I said psst")
    assert play(state, BOB, SAY, 2, [1], boxes) == [
        Said(Verbatim("P2"), Verbatim(heard), ("P1",), mine=me == BOB)
    ]
    assert play(state, BOB, SAY, 2, [1], (b"\n", b"\n")) == [
        Said(Verbatim("P2"), Verbatim("…"), ("P1",), mine=me == BOB)
    ]
    assert len(state.matches._local.written) == 2  # type: ignore[attr-defined] # Alone
    for rest in (([], boxes), ([1], (b"psst",)), ([1], ("psst", "psst")), ([1], ()), ([7], boxes)):
        assert play(state, BOB, SAY, 2, *rest) == []
    assert len(state.matches._local.written) == 2  # type: ignore[attr-defined] # as above


@pytest.mark.parametrize(("me", "heard"), [(HOST, "for the host"), (ANN, "for Ann"), (BOB, "by me")])
def test_words_for_a_group_are_heard_by_each_of_it(me: bytes, heard: str) -> None:
    """Each of two seats opens its own box, the speaker its copy; all read for whom the words were."""
    state = started(ANN, BOB, me=me)
    boxes = (b"for the host", b"for Ann", b"by me")
    said = Said(Verbatim("P2"), Verbatim(heard), ("P0", "P1"), mine=me == BOB)
    assert play(state, BOB, SAY, 2, [0, 1], boxes) == [said]
    assert play(state, BOB, SAY, 2, [1, 0], boxes) == []
    assert play(state, BOB, SAY, 2, [0, 1], boxes[:2]) == []


def test_whom_the_rules_forbid_to_speak_is_not_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game forbids words to all: they are void on every machine, words to one seat are not."""

    def may_talk(self: Guess, t: Table[GuessOptions], speaker: Seat, to: tuple[Seat, ...]) -> Text | None:
        return None if to else Text("Only whispers here.")

    monkeypatch.setattr(Guess, "may_talk", may_talk)
    state = started(ANN, BOB, me=ANN)
    play(state, HOST, NUMBER, 3, 0)
    told = play(state, ANN, SAY, 1, [], "hi")
    assert [one.message for one in told if isinstance(one, Notice)] == ["Only whispers here."]
    assert not any(isinstance(one, Said) for one in told)
    assert play(state, ANN, SAY, 1, [2], "hi") == [Said(Verbatim("P1"), Verbatim("hi"), ("P2",), mine=True)]


def test_rules_that_break_end_the_match_alone() -> None:
    """An error of the game is a notice and a match broken off; the table plays on."""
    state = started(ANN)
    assert state.matches.match is not None
    play(state, HOST, NUMBER, 2, 0)
    state.matches.match.game.fault = True  # type: ignore[attr-defined]  # the game is Guess
    play(state, HOST, NUMBER, 6, 3)
    play(state, HOST, ANSWER, 0, 1, 0)
    happened = play(state, ANN, ANSWER, 1, 2, 0)
    assert any("Error in the rules" in reason for reason in reasons(happened))
    assert isinstance(happened[-1], Ended)
    assert not state.matches.running
    start(state)
    assert state.matches.running


def test_a_player_is_away_the_game_answers_and_the_player_is_back() -> None:
    """Where the host deals, who leads says who is away, and the host alone may let the game answer."""
    state = started(ANN, BOB)
    assert state.matches.match is not None
    put(state, BOB, log_bodies.STATUS, ANN, False)
    assert state.roster.places[1].status == HERE  # Bob does not lead
    put(state, HOST, log_bodies.STATUS, ANN, False)
    assert (state.roster.places[1].status, state.matches.match.status[1]) == (AWAY, "away")
    for other in (EVE, BOB):
        put(state, other, log_bodies.DECIDE, "blind", 1)
        assert state.matches.seats_of(HOST) == [0]
    assert LobbyChanged() in put(state, HOST, log_bodies.DECIDE, "blind", 1)
    assert state.matches.match.status[1] == "blind"
    assert (state.matches.seats_of(HOST), state.matches.seats_of(ANN)) == ([0], [])
    put(state, ANN, log_bodies.STATUS, ANN, True)  # what was said of it is out of date, says Ann
    assert state.matches.seats_of(ANN) == [1]
    assert state.matches.match.status[1] == "here"
    assert reasons(put(state, HOST, log_bodies.DECIDE, "blind", 1))
    assert reasons(put(state, HOST, log_bodies.DECIDE, "end", 1))
    assert state.matches.running


@pytest.mark.parametrize("winner", [None, 2])
def test_a_match_that_is_ended_early_counts_as_the_rules_say(
    winner: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The host ends it for somebody who is away: it has the outcome of `unfinished`, or none."""
    outcome = None if winner is None else Outcome((SEATS[winner],))
    monkeypatch.setattr(Guess, "unfinished", lambda self, t: outcome)
    state = started(ANN, BOB)
    put(state, HOST, log_bodies.STATUS, ANN, False)
    told = put(state, HOST, log_bodies.DECIDE, "end", 1)
    (ended,) = [one for one in told if isinstance(one, Ended)]
    assert ended.outcome == outcome
    assert not state.matches.running


def test_rules_that_break_at_an_early_end_leave_the_table_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """What can't be an outcome is a fault of the game: the match has none, and the next one begins."""
    monkeypatch.setattr(Guess, "unfinished", lambda self, t: Outcome((SEATS[7],)))
    state = started(ANN, BOB)
    put(state, HOST, log_bodies.STATUS, ANN, False)
    told = put(state, HOST, log_bodies.DECIDE, "end", 1)
    assert any("Error in the rules" in reason for reason in reasons(told))
    (ended,) = [one for one in told if isinstance(one, Ended)]
    assert ended.outcome is None
    put(state, ANN, log_bodies.STATUS, ANN, True)
    start(state)
    assert state.matches.running


def test_the_game_answers_for_a_seat_that_the_host_calls_blind() -> None:
    """Its open question and each later one gets its `otherwise` at once, until its player is back."""
    state = started(ANN, BOB)
    play(state, HOST, NUMBER, 3, 0)
    play(state, HOST, NUMBER, 6, 3)
    play(state, HOST, ANSWER, 0, 1, 0)
    put(state, HOST, log_bodies.STATUS, ANN, False)
    source = state.matches.match.source  # type: ignore[union-attr]  # it is running
    assert [int(ask.seat) for ask in source.open] == [1]
    put(state, HOST, log_bodies.DECIDE, "blind", 1)
    assert [int(ask.seat) for ask in source.open] == [2]
    assert source.log[-1] == (ANSWER, 1, 2, 0)
    assert state.matches.player_of(1) is None
    assert reasons(play(state, HOST, ANSWER, 1, 2, 0)) == []
    put(state, HOST, log_bodies.STATUS, ANN, True)
    assert state.matches.player_of(1) == ANN


def test_a_player_who_left_comes_back_to_its_seat_until_the_match_ends() -> None:
    """Leaving in mid-match keeps the seat; at the match's end the place is free."""
    state = started(ANN, BOB)
    put(state, ANN, log_bodies.LEAVE)
    assert state.roster.places[1].status == LEFT
    put(state, ANN, log_bodies.ENTER, b"2" * 8, "Ann", False, None, BOX)
    assert state.roster.places[1].status == HERE
    put(state, ANN, log_bodies.LEAVE)
    put(state, HOST, log_bodies.DECIDE, "end", 1)
    assert [place.peer for place in state.roster.places] == [HOST, BOB]


def test_without_its_host_a_table_is_closed() -> None:
    """The dealer is gone: a match is broken off, in the lobby nothing begins any more."""
    state = started(ANN)
    happened = put(state, HOST, log_bodies.LEAVE)
    assert state.lobby.closed
    assert not state.matches.running
    assert any(isinstance(one, Ended) for one in happened)


def test_a_host_that_leaves_hands_its_table_to_a_person() -> None:
    """Who is here keeps the table, people before bots, and is its host from then on."""
    state = founded()
    put(state, ANN, log_bodies.ENTER, b"1" * 8, "Ann", False, "easy", BOX)
    put(state, BOB, log_bodies.ENTER, b"2" * 8, "Bob", False, None, BOX)
    happened = put(state, HOST, log_bodies.LEAVE)
    assert [one.params for one in happened if isinstance(one, Notice)] == [{"name": "P0"}, {"name": "Bob"}]
    assert [place.peer for place in state.roster.places] == [ANN, BOB]
    assert (state.roster.host, state.matches.coordinator, state.lobby.closed) == (BOB, BOB, False)
    assert not reasons(put(state, BOB, log_bodies.SET, {"rounds": 5}))
    assert state.lobby.options == {"rounds": 5}
    assert reasons(put(state, HOST, log_bodies.SET, {"rounds": 4}))


def test_a_host_that_is_away_is_reported_by_the_others() -> None:
    """Anybody may say that the host is away; while it is, others may report others."""
    state = started(ANN, BOB)
    put(state, BOB, log_bodies.STATUS, HOST, False)
    put(state, BOB, log_bodies.STATUS, ANN, False)
    assert [place.status for place in state.roster.places] == [AWAY, AWAY, HERE]
    put(state, BOB, log_bodies.DECIDE, "blind", 0)
    assert state.matches.state_of(0) == "away"


def test_a_nonce_that_fills_the_snapshots_is_none() -> None:
    """They are remembered as long as the table is, and honest ones have 8 bytes."""
    state = founded(ANN)
    before = set(state.lobby.arrived)
    put(state, EVE, log_bodies.ENTER, bytes(33), "Eve", True, None, BOX)
    assert (state.lobby.arrived, EVE in state.roster.watchers) == (before, False)


def test_who_only_watches_reports_nobody() -> None:
    """At an open table anyone may watch; while the host counts as away, all at the table decide for it."""
    state = started(ANN, BOB)
    put(state, EVE, log_bodies.ENTER, b"e" * 8, "Eve", True, None, BOX)
    put(state, EVE, log_bodies.STATUS, HOST, False)
    put(state, EVE, log_bodies.STATUS, ANN, False)
    assert {place.status for place in state.roster.places} == {HERE}
    assert state.matches.coordinator == HOST
    state.roster.leader = EVE
    put(state, EVE, log_bodies.STATUS, ANN, False)
    assert state.roster.places[1].status == AWAY


def test_nobody_deals_in_the_place_of_the_host_that_deals_alone() -> None:
    """About a guest's seat the host decides; about its own, which has the cards, nobody can."""
    state = started(ANN, BOB)
    matches, places = state.matches, state.roster.places
    assert matches.why_no_decision(places[0]) == (NO_DEALER, {})
    assert matches.why_no_decision(places[1]) is None
    assert matches.why_no_decision() is None
    put(state, ANN, log_bodies.STATUS, HOST, False)
    state.roster.leader = ANN
    put(state, ANN, log_bodies.STATUS, HOST, False)
    assert reasons(put(state, HOST, log_bodies.DECIDE, "blind", 0)) == [NO_DEALER]
    assert state.matches.state_of(0) == "away"


def test_a_table_rests_on_its_host_while_one_other_is_there() -> None:
    """In the lobby of two the table ends with its host; of three, two are left to go on."""
    assert founded(ANN).lobby.rests_on(HOST)
    assert not founded(ANN, BOB).lobby.rests_on(HOST)


def test_a_table_begun_anew_has_no_void_match() -> None:
    """Where a snapshot takes the place of what was read, nothing is left of its match and claims about it."""
    state = started(ANN)
    matches = state.matches
    matches.difference = Difference(1, {})
    matches.hold()
    matches.reset(4)
    left: tuple[object, ...] = (matches.last, matches.difference, matches.played, matches.claims.digests)
    assert left == (None, None, 4, {})
    assert not matches.is_held


@pytest.mark.parametrize("end", ["over", "begun anew"])
def test_who_wished_to_stop_a_match_stops_no_table_after_it(end: str) -> None:
    """A wish that not all shared goes with its match, as do its nudges: nobody leaves the table for it."""
    state = started(ANN)
    matches = state.matches
    matches.stopping.add(ANN)
    matches.nudged.add(0)
    if end == "over":
        matches.break_off()
    else:
        matches.reset(1)
    assert (matches.is_suspended, matches.stopping, matches.nudged) == (False, set(), set())


def test_only_who_leads_the_log_reports_addresses() -> None:
    """A guest that says where somebody else is called is not believed, also while the host is away."""
    state = started(ANN, BOB)
    state.roster.leader = HOST
    put(state, BOB, log_bodies.STATUS, HOST, False)
    for liar in (ANN, BOB):
        put(state, liar, log_bodies.ADDRESS, ANN, "203.0.113.9", 4711)
    assert ANN not in state.roster.addresses
    state.roster.leader = ANN
    put(state, ANN, log_bodies.ADDRESS, BOB, "192.0.2.1", 4711)
    put(state, HOST, log_bodies.ADDRESS, BOB, "203.0.113.9", 4711)
    assert state.roster.addresses == {BOB: ("192.0.2.1", 4711)}


@pytest.mark.parametrize("key", [b"", b"short", HOST + bytes(TAG_SIZE)])
def test_an_address_of_no_machine_is_void(key: bytes) -> None:
    """What a leader says of a key of another length isn't noted: no snapshot could have it."""
    state = founded(ANN)
    state.roster.leader = HOST
    put(state, HOST, log_bodies.ADDRESS, key, "192.0.2.1", 4711)
    assert not state.roster.addresses


# -- anything by anybody ----------------------------------------------------------------------------

plain = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 50) | st.integers(-(2**63), 2**63) | st.floats()
    | st.text(max_size=8) | st.binary(max_size=8) | st.sampled_from([*PEERS, "bot", "wait", "end", "random"]),
    lambda inner: st.lists(inner, max_size=4)
    | st.dictionaries(st.text(max_size=6) | st.integers(0, 3), inner, max_size=3),
    max_leaves=8,
)  # fmt: skip
entries = st.one_of(
    st.tuples(st.just(NUMBER), st.sampled_from([2, 6]), st.integers(-1, 6)),
    st.tuples(st.just(ANSWER), st.integers(-1, 3), st.integers(0, 12), st.integers(-1, 3)),
    st.tuples(
        st.just(SAY), st.integers(-1, 3), st.lists(st.integers(-2, 3), max_size=3), st.text(max_size=5)
    ),
    st.tuples(st.just(FACE), st.integers(0, 2), st.integers(0, 2)),
    st.lists(plain, max_size=5).map(tuple),
)


def _id_of(state: TableState) -> str:
    assert state.matches.running is not None
    return state.matches.running.header.id


MATCH = _id_of(started(ANN, BOB))
flags = st.booleans()
own_bodies = st.one_of(
    st.tuples(st.just(log_bodies.ENTER), st.binary(max_size=8), st.text(max_size=30), flags,
              st.none() | st.text(max_size=5), st.binary(max_size=3)),
    st.tuples(st.just(log_bodies.LEAVE)),
    st.tuples(st.just(log_bodies.CHAT), st.text(max_size=9)),
    st.tuples(st.just(log_bodies.RENAME), st.text(max_size=30)),
    st.tuples(st.sampled_from([log_bodies.TEAMS, log_bodies.TEAM]), st.integers(-2, 9)),
    st.tuples(st.just(log_bodies.TEAM_LOT), st.binary(max_size=20)),
    st.tuples(
        st.just(log_bodies.WHISPER),
        st.lists(st.sampled_from(PEERS), max_size=3),
        st.lists(st.binary(max_size=9), max_size=4)
    ),
    st.tuples(st.sampled_from([log_bodies.KICK, log_bodies.HEIR]), st.sampled_from(PEERS)),
    st.tuples(st.sampled_from([log_bodies.BAN, log_bodies.MUTE]), st.sampled_from(PEERS), flags),
    st.tuples(st.sampled_from([log_bodies.LOCK, log_bodies.VOTE_HOST]), flags),
    st.tuples(
        st.just(log_bodies.SET), st.dictionaries(st.sampled_from(["rounds", "wings"]), plain, max_size=2)
    ),
    st.tuples(st.just(log_bodies.READY), flags),
    st.tuples(st.just(log_bodies.EDITION), st.sampled_from(["1", "2", "dev"]),
              st.sampled_from([b"", bytes(16), bytes([1]) * 16, bytes(150)]), flags, flags),
    st.tuples(st.just(log_bodies.STATUS), st.sampled_from(PEERS), flags),
    st.tuples(
        st.just(log_bodies.DECIDE), st.sampled_from(["blind", "wait", "end", "win"]), st.integers(-1, 3)
    ),
    st.tuples(
        st.just(log_bodies.ADDRESS), st.sampled_from(PEERS), st.text(max_size=5), st.integers(-1, 70000)
    ),
    st.tuples(st.just(log_bodies.BOTS), st.lists(plain, max_size=3)),
    st.tuples(st.just(log_bodies.GAME), st.sampled_from(["guess", "pairs", "chess"]), st.integers(0, 2),
              st.integers(0, 4), st.just({})),
    st.tuples(st.just(log_bodies.PLAY), st.just(MATCH), entries.map(list), st.binary(max_size=3)),
    st.just(("start",)),
    st.just(("in",)),
    st.tuples(st.just(log_bodies.FALL), st.binary(max_size=2)),
    st.lists(plain, max_size=5).map(tuple),
    st.tuples(st.integers(0, 12), plain, plain),
)  # fmt: skip
served_bodies = st.tuples(
    st.just(log_bodies.COMPANION),
    st.sampled_from([b"n" * TAG_SIZE, b"u" * TAG_SIZE, b"short"]),
    own_bodies.map(list),
)
bodies = own_bodies | served_bodies


def log_of(state: TableState) -> list[MatchEntry]:
    assert state.matches.match is not None
    return state.matches.match.source.entries


def told(state: TableState) -> list[Any]:
    """All that a table is."""
    roster, lobby, matches = state.roster, state.lobby, state.matches
    return [
        roster.host, lobby.seats, lobby.options, [repr(place) for place in roster.places], roster.watchers,
        matches.is_busy, matches.running is None, matches.played, lobby.closed, roster.addresses,
        matches.digest(),
        {**vars(state.succession), "_roster": 0}, {**vars(state.moderation), "_roster": 0, "_matches": 0},
        None if matches.match is None else (matches.match.status, log_of(state)), lobby.editions,
    ]  # fmt: skip


@given(st.lists(st.tuples(st.sampled_from(PEERS), bodies), max_size=40), st.booleans())
def test_any_entries_by_anybody_leave_all_replicas_alike(
    said: list[tuple[bytes, tuple[Any, ...]]], begun: bool
) -> None:
    """Nothing that a peer can say raises anything, and every peer has the same state after it.

    Whether lies convict in a match is settled where it begins: not where its terms say that code differs.
    """
    states = [(started if begun else founded)(ANN, BOB, me=me) for me in (HOST, ANN, EVE)]
    for author, body in said:
        if body == ("start",):
            data = _packed(starting(states[0]))
        else:
            data = _packed(said_in(states[0], author) if body == ("in",) else body)
        for state in states:
            state.apply(Stamp(author), data)
        assert told(states[0]) == told(states[1]) == told(states[2])
        if (last := states[0].matches.last) is not None:
            assert last.match.table._facts.convicts is not bool(last.header.codes)
    assert not [place.name for place in states[0].roster.places if len(place.name) > 40]


def starting(state: TableState) -> tuple[Any, ...]:
    """START as the host would say it; nothing where nobody can be seated."""
    try:
        return log_bodies.START, agreed(state), b""
    except Refused:
        return ()


def _packed(body: tuple[Any, ...]) -> bytes:
    try:
        return pack(body)
    except (OverflowError, ValueError, TypeError):
        return b"\xc1"


@given(st.binary(max_size=60))
def test_any_bytes_are_an_entry_or_nothing(data: bytes) -> None:
    """A body of a log entry is whatever a peer signs."""
    state = started(ANN)
    state.apply(Stamp(ANN), data)
    state.apply(Stamp(HOST), data)


# -- replicas that differ ---------------------------------------------------------------------------


def claim(state: TableState, author: bytes, number: int, digest: bytes, match: str = "") -> list[Update]:
    assert state.matches.last is not None
    return put(state, author, log_bodies.STATE, match or state.matches.last.header.id, number, digest)


def test_two_claims_that_differ_make_the_match_void() -> None:
    """Equal claims change nothing; the first that contradicts another ends the match, in one sentence."""
    state = started(ANN, BOB)
    assert not claim(state, HOST, 40, b"one")
    assert not claim(state, ANN, 41, b"two")  # about another entry
    assert not claim(state, ANN, 40, b"one")
    happened = claim(state, BOB, 40, b"two")
    assert state.matches.last is not None
    assert state.matches.last.match.over
    assert len(reasons(happened)) == 1
    assert [one.outcome for one in happened if isinstance(one, Ended)] == [None]
    assert not claim(state, ANN, 41, b"three"), "it is void once"


def test_only_who_plays_a_match_makes_it_void() -> None:
    """A watcher's claim, one about another match, and a second one of the same party are nothing."""
    state = started(ANN)
    put(state, EVE, log_bodies.ENTER, b"e" * 8, "Eve", True, None, BOX)
    claim(state, HOST, 40, b"one")
    for author, digest, match in ((EVE, b"two", ""), (ANN, b"two", "another"), (HOST, b"two", "")):
        assert not claim(state, author, 40, digest, match)
    assert state.matches.running is not None


def test_claims_about_very_many_entries_are_not_kept() -> None:
    """Who claims something about each of a thousand entries fills nobody's memory."""
    state = started(ANN)
    for number in range(1000):
        claim(state, ANN, number, b"one")
    assert len(state.matches.claims.digests) == 16


@pytest.mark.parametrize("name", ["\u0410nn", "ANN", "A nn", "\uff21nn", "An\u0301n", "\u0391nn"])
def test_a_name_that_looks_like_another_gets_a_number(name: str) -> None:
    """Cyrillic, Greek and wide letters, blanks and marks make no second Ann; another name is left alone."""
    roster = founded(ANN, BOB, me=ANN).roster
    roster.places[0].name = Verbatim("Ann")
    named = roster.unused(name, BOB)
    assert named in {f"{name} 2", f"{name} ({fingerprint(PeerId(BOB))[:3]})"}
    assert roster.is_taken(name, BOB)
    assert roster.unused("\u0410\u043d\u043d\u0430", BOB) == "\u0410\u043d\u043d\u0430"


@pytest.mark.parametrize("name", ["\u0410nn", "B\u03bfb", "\u0410\u0391"])
def test_a_name_that_mixes_scripts_has_the_mark_of_its_key(name: str) -> None:
    """Once, also when it sits down again or is taken by renaming; names of one script have none."""
    state = founded(ANN, BOB, me=ANN)
    marked = state.roster.unused(name, BOB)
    assert marked == f"{name} ({fingerprint(PeerId(BOB))[:3]})"
    assert state.roster.unused(marked, BOB) == marked
    state.lobby.rename(BOB, name)
    assert state.roster.name_of(BOB) == marked
    for plain in (
        "Ann Marie",
        "\u0410\u043d\u043d\u0430",
        "\u0391\u03bd\u03bd\u03b1",
        "Zo\u00eb 2",
        "\u674eAnn",
    ):
        assert state.roster.unused(plain, BOB) == plain
