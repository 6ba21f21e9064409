"""The people whom one machine serves: seats, words and names of their own, and one party with one key."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest
from tests.core.engine.table.test_table_state import (
    ANN,
    BOB,
    BOX,
    EVE,
    HOST,
    agreed,
    founded,
    new_state,
    play,
    put,
    reasons,
    start,
)

from tavolata._engine.match.entries import ANSWER
from tavolata._engine.match.header import FAIR
from tavolata._engine.match.header import HOST as HOST_DEALS
from tavolata._engine.match.updates import LobbyChanged, Notice, Said, Update
from tavolata._engine.table import log_bodies, table_snapshot
from tavolata._engine.table.heads import head
from tavolata._engine.table.log_bodies import KEY_SIZE, MOST_WAITS, TAG_SIZE, Light, Wish
from tavolata._engine.table.table_state import TableState
from tavolata_protocol.admission import LIMITS, Entrance

NORA, UGO = (bytes([number]) * TAG_SIZE for number in (21, 22))


def says(state: TableState, machine: bytes, tag: bytes, *body: Any) -> list[Update]:
    """What a machine says for somebody whom it serves."""
    return put(state, machine, log_bodies.COMPANION, tag, list(body))


def come(state: TableState, machine: bytes, tag: bytes, name: str, *, watch: bool = False) -> list[Update]:
    """Somebody comes to the table in a browser."""
    return says(state, machine, tag, log_bodies.ENTER, tag[:8], name, watch, None, BOX)


def family(*guests: bytes, dealer: str = FAIR, seats: int = 3) -> TableState:
    """A table whose host's machine serves Nora."""
    state = founded(*guests, seats=seats)
    state.lobby.dealer = dealer
    come(state, HOST, NORA, "Nora")
    return state


def named(state: TableState) -> list[str]:
    return [str(place.name) for place in state.roster.places]


def test_all_seats_of_a_machine_are_one_party() -> None:
    """The header has one key for the host and its companion: three people are two parties."""
    state = family(ANN)
    header = state.lobby.terms()
    assert (header.names, header.keys) == (("P0", "P1", "Nora"), (HOST, ANN, HOST))
    assert header.parties == (HOST, ANN)


def test_one_machine_alone_deals_by_itself_and_says_so() -> None:
    """Where all play on one machine, nobody can deal against anybody: its owner could see all hands."""
    state = family(seats=2)
    assert state.lobby.terms().dealer == HOST_DEALS
    assert "could see all hands" in state.dealing[0]
    told = [one.message for one in start(state) if isinstance(one, Notice)]
    assert any("could see all hands" in message for message in told)


def test_one_machine_alone_stops_for_today_as_soon_as_it_says_so() -> None:
    """Nobody else has to agree; where one of several machines deals, nobody can."""
    state = family(seats=2)
    start(state)
    for yes in (True, False):
        put(state, HOST, log_bodies.SUSPEND, yes)
        assert state.matches.is_suspended is yes
    several = family(ANN, dealer=HOST_DEALS)
    start(several)
    put(several, HOST, log_bodies.SUSPEND, True)
    put(several, ANN, log_bodies.SUSPEND, True)
    assert not several.matches.is_suspended


def test_a_companion_has_readiness_looks_words_and_a_name_of_its_own() -> None:
    """What is said for Nora is Nora's, and leaves the host as it was."""
    state = family(ANN)
    says(state, HOST, NORA, log_bodies.READY, True)
    says(state, HOST, NORA, log_bodies.LOOK, 3, 4)
    says(state, HOST, NORA, log_bodies.RENAME, "Norina")
    [words] = says(state, HOST, NORA, log_bodies.CHAT, "hello")
    assert [place.ready for place in state.roster.places] == [False, False, True]
    assert [state.roster.look_of(seat) for seat in range(3)] == [None, None, (3, 4)]
    assert named(state) == ["P0", "P1", "Norina"]
    assert isinstance(words, Said)
    assert (words.name, words.text) == ("Norina", "hello")


@pytest.mark.parametrize("verb", sorted(set(log_bodies._SHAPES) - log_bodies._OF_COMPANIONS))
def test_nothing_that_is_a_machines_word_is_said_for_a_companion(verb: int) -> None:
    """No power of the host's, no vote and no entry of a match: such an entry is none."""
    fits = {int: 0, str: "", bytes: b"", bool: True, list: [], dict: {}}
    body = [verb, *(fits[kind[0] if isinstance(kind, tuple) else kind] for kind in log_bodies._SHAPES[verb])]
    assert log_bodies.of_companion(NORA, body) is None
    state = family(ANN)
    assert not says(state, HOST, NORA, *body)


def test_a_machine_speaks_for_nobody_elses_companion() -> None:
    """Under another machine's signature the same tag is another person, who is not here."""
    state = family(ANN)
    before = named(state)
    for body in ((log_bodies.READY, True), (log_bodies.RENAME, "Eva"), (log_bodies.LEAVE,)):
        says(state, ANN, NORA, *body)
    assert named(state) == before
    assert not state.roster.places[2].ready


def test_a_machine_that_is_not_here_serves_nobody() -> None:
    """Who has not come in brings nobody else in; nor does a tag of another length."""
    state = founded(ANN)
    assert not come(state, EVE, NORA, "Nora")
    assert not put(state, HOST, log_bodies.COMPANION, b"short", [log_bodies.CHAT, "hi"])
    assert named(state) == ["P0", "P1"]


def test_a_machine_serves_only_so_many() -> None:
    """One machine can't fill the table with people who watch, or its memory; others still get in."""
    state, most = founded(ANN, BOB), LIMITS[Entrance.WATCHERS]
    for number in range(LIMITS[Entrance.SERVED].source):
        come(state, ANN, number.to_bytes(TAG_SIZE, "big"), f"N{number}", watch=True)
    assert len(state.roster.companions(ANN)) == len(state.roster.watchers) == most.source
    assert len(state.lobby.mailboxes) <= 3 + most.source
    come(state, BOB, NORA, "Nora", watch=True)
    assert BOB + NORA in state.roster.watchers
    for machine in (BOB, HOST):
        for number in range(LIMITS[Entrance.SERVED].source):
            come(state, machine, number.to_bytes(TAG_SIZE, "big"), f"M{number}", watch=True)
    assert len(state.roster.watchers) == most.whole


def test_a_machine_seats_only_so_many() -> None:
    """Those who were not let in count, too: what it invents is bounded."""
    state = founded(ANN)
    put(state, HOST, log_bodies.LOCK, True)
    for number in range(LIMITS[Entrance.SERVED].source + 5):
        come(state, ANN, number.to_bytes(TAG_SIZE, "big"), f"N{number}")
    assert len(state.moderation.shown_out) == LIMITS[Entrance.SERVED].source


def test_who_goes_in_mid_match_is_played_by_its_machine_and_may_come_back() -> None:
    """The seat stays its machine's: a bot plays there at once, until its player is back."""
    state = family(ANN)
    start(state)
    says(state, HOST, NORA, log_bodies.LEAVE)
    assert [place.unattended for place in state.roster.places] == [False, False, True]
    assert state.matches.seats_of(HOST) == [0, 2]
    assert state.matches.running
    come(state, HOST, NORA, "Nora")
    assert [place.unattended for place in state.roster.places] == [False] * 3
    says(state, HOST, NORA, log_bodies.LEAVE)
    state.matches.break_off()
    put(state, HOST, log_bodies.CHAT, "well played")
    assert named(state) == ["P0", "P1"]


def test_who_goes_before_a_match_that_does_not_begin_has_left() -> None:
    """The START falls, and nobody's seat is left over: not here, and not for who begins with a snapshot."""
    state = family(ANN)
    put(state, HOST, log_bodies.START, agreed(state), b"")
    says(state, HOST, NORA, log_bodies.LEAVE)
    barrier = state.matches.barrier
    assert barrier is not None
    assert named(state) == ["P0", "P1", "Nora"]
    put(state, HOST, log_bodies.FALL, barrier.header_hash)
    assert (named(state), state.lobby.free) == (["P0", "P1"], 1)


def test_who_goes_between_matches_has_left() -> None:
    """Its place is free, and it is somebody new when it comes again."""
    state = family(ANN)
    says(state, HOST, NORA, log_bodies.LEAVE)
    assert (named(state), state.lobby.free) == (["P0", "P1"], 1)


def test_the_machine_answers_for_all_its_seats_and_nobody_else_does() -> None:
    """An answer for Nora counts from the machine that serves her, and from no other."""
    state = family(ANN)
    start(state)
    running = state.matches.running
    assert running is not None
    for author in (ANN, EVE):
        before = len(running.match.source.entries)
        play(state, author, ANSWER, 2, 0, 1)
        assert len(running.match.source.entries) == before
    play(state, HOST, ANSWER, 2, 0, 1)
    assert len(running.match.source.entries) == before + 1


def test_a_machine_that_leaves_takes_its_people_along() -> None:
    """Between matches the places of its companions are free, and its watchers are gone, too."""
    state = founded(ANN, seats=3)
    come(state, ANN, NORA, "Nora")
    come(state, ANN, UGO, "Ugo", watch=True)
    put(state, ANN, log_bodies.LEAVE)
    assert named(state) == ["P0"]
    assert not state.roster.watchers


def test_a_machine_that_steps_away_from_a_match_comes_back_with_all_its_people() -> None:
    """Its phones wish, and keep their seats for the next match; its television looks on as before."""
    state = founded(ANN, seats=3)
    come(state, ANN, NORA, "Nora")
    come(state, ANN, UGO, "Ugo", watch=True)
    start(state)
    put(state, ANN, log_bodies.LEAVE)
    assert [place.status for place in state.roster.places] == ["here", "left", "left"]
    put(state, ANN, log_bodies.ENTER, b"again", "P1", False, None, BOX)
    assert [place.status for place in state.roster.places] == ["here"] * 3
    assert state.roster.watchers == {ANN + UGO: "Ugo"}
    says(state, ANN, NORA, log_bodies.WISH, int(Wish.STOP), -1, True)
    assert state.wishes.of(Wish.STOP) == (ANN + NORA,)
    state.matches.break_off()
    put(state, HOST, log_bodies.READY, True)
    assert named(state) == ["P0", "P1", "Nora"]


def test_a_machine_that_stays_away_takes_its_people_along_at_the_end() -> None:
    """Nobody looks on by a machine that has no seat any more; one that never had one takes them at once."""
    state = founded(ANN, seats=3)
    come(state, ANN, NORA, "Nora")
    come(state, ANN, UGO, "Ugo", watch=True)
    put(state, EVE, log_bodies.ENTER, b"eve", "Eve", True, None, BOX)
    come(state, EVE, UGO, "Uma", watch=True)
    start(state)
    put(state, ANN, log_bodies.LEAVE)
    put(state, EVE, log_bodies.LEAVE)
    assert (state.matches.running is not None, list(state.roster.watchers)) == (True, [ANN + UGO])
    state.matches.break_off()
    put(state, HOST, log_bodies.READY, True)
    assert (named(state), state.roster.watchers) == (["P0"], {})
    assert {one[:KEY_SIZE] for one in state.lobby.mailboxes} == {HOST}


def test_a_machine_that_is_not_heard_is_away_with_all_its_people() -> None:
    """Presence is a machine's: nobody reports a companion apart from it."""
    state = family(ANN)
    come(state, ANN, UGO, "Ugo")
    state.roster.leader = HOST
    put(state, HOST, log_bodies.STATUS, ANN, False)
    assert [place.status for place in state.roster.places if place.peer == ANN] == ["away"]
    assert state.roster.watchers == {ANN + UGO: "Ugo"}, "the table was full"


def test_no_companion_becomes_the_host() -> None:
    """When the host leaves, the next machine's own player keeps the table."""
    state = family(ANN, BOB, seats=3)
    come(state, ANN, UGO, "Ugo")
    put(state, HOST, log_bodies.LEAVE)
    assert state.roster.host == ANN


def test_the_host_shows_a_companion_out_and_keeps_it_out() -> None:
    """Kick and ban are about a person: the machine that serves it stays."""
    state = founded(ANN, seats=3)
    come(state, ANN, NORA, "Nora")
    put(state, HOST, log_bodies.BAN, ANN + NORA, True)
    assert named(state) == ["P0", "P1"]
    assert reasons(come(state, ANN, NORA, "Nora")) == []  # told on its own machine alone
    assert named(state) == ["P0", "P1"]
    assert not reasons(put(state, ANN, log_bodies.READY, True))


def test_the_refusal_of_a_companion_is_for_it_alone() -> None:
    """Two people at one machine don't read each other's refusals."""
    state = family(ANN)
    [refusal] = says(state, HOST, NORA, log_bodies.RENAME, "P1")
    assert isinstance(refusal, Notice)
    assert (refusal.wrong, refusal.to) == (True, HOST + NORA)


# -- a machine that says anything for people whom it invents ------------------------------------------


PIECES: list[Any] = [
    -1, 0, 1, 2, 63, 10**9, True, False, None, "", "P0", "p0", "Nora", "N\u200dora", "x" * 400, b"", bytes(8),
    BOX, HOST, ANN, ANN + NORA, HOST + NORA, [], [HOST], [HOST, HOST + NORA], [b"a", b"b"], {}, ["deep", [1]],
    0.5,
]  # fmt: skip


def invented(chance: Random, author: bytes) -> list[Any]:
    """An entry that a machine says for somebody: of a right shape, or of none."""
    new = chance.randbytes(TAG_SIZE)
    tags = [
        NORA,
        UGO,
        b"",
        b"short",
        HOST,
        *([new] * 20),
        *(bytes([number]) * TAG_SIZE for number in range(20)),
    ]
    verb = chance.choice([*log_bodies._OF_COMPANIONS, log_bodies.ENTER, log_bodies.LOOK, *log_bodies._SHAPES])
    kinds = [kind if isinstance(kind, tuple) else (kind,) for kind in log_bodies._SHAPES[verb]]
    parts = [
        chance.choice([piece for piece in PIECES if type(piece) in kind] or [None])
        if chance.random() < 0.97
        else chance.choice(PIECES)
        for kind in kinds
    ]
    if verb == log_bodies.NUDGE:
        parts = [chance.randrange(-1, 4)]
    return [chance.choice(tags), [verb, *parts]]


def honest(state: TableState, liar: bytes) -> tuple[Any, ...]:
    """All that no machine but the others' own may change."""
    roster, lobby, moderation = state.roster, state.lobby, state.moderation
    running = state.matches.running
    return (
        [
            (place.name, place.person, place.level, place.ready, place.status, place.team, place.unattended)
            for place in roster.places
            if place.peer != liar
        ],
        {one: look for one, look in roster.looks.items() if not one.startswith(liar)},
        {one: box for one, box in lobby.mailboxes.items() if not one.startswith(liar)},
        {one: name for one, name in roster.watchers.items() if not one.startswith(liar)},
        roster.place_of(liar),
        (roster.host, lobby.options, lobby.dealer, lobby.seats, lobby.policy, moderation.locked),
        (set(moderation.banned), set(moderation.muted), state.succession.votes, state.matches.stopping),
        None if running is None else (len(running.match.source.entries), running.header),
        [state.matches.seats_of(one) for one in (HOST, liar)] if running is not None else None,
    )


@pytest.mark.parametrize(
    ("liar", "busy"),
    [(ANN, True), (ANN, False), (EVE, False)],
    ids=["in a match", "in the lobby", "looking on"],
)
def test_whatever_a_machine_says_for_people_it_invents_the_others_are_as_they_were(
    liar: bytes, busy: bool
) -> None:
    """Entries of every kind for its own, for others' and for nobody's companions, at the real table."""
    chance, state = Random(7), family(*([ANN] if liar == ANN else []))
    if liar == EVE:
        put(state, EVE, log_bodies.ENTER, b"e" * 8, "Eve", True, None, BOX)
    if busy:
        start(state)
    before, done = honest(state, liar), Counter[str]()
    for _ in range(1500):
        if chance.random() < 0.02:
            put(state, HOST, log_bodies.LOCK, chance.random() < 0.5)
            before = honest(state, liar)
        tag, body = invented(chance, liar)
        seated, looked_on = len(state.roster.places), len(state.roster.watchers)
        says(state, liar, tag, *body)
        done["sat down"] += len(state.roster.places) > seated
        done["came in"] += len(state.roster.watchers) > looked_on
        assert honest(state, liar) == before, body
        people = [place.person for place in state.roster.places] + list(state.roster.watchers)
        assert len(set(people)) == len(people)
        names = [str(state.roster.name_of(person)).casefold() for person in people]
        assert len(set(names)) == len(names)
        known = {*people, *state.roster.looks, *state.lobby.mailboxes, *state.moderation.shown_out}
        assert {len(person) for person in known} <= {KEY_SIZE, KEY_SIZE + TAG_SIZE}
        assert len(known) <= 3 + 2 * LIMITS[Entrance.SERVED].source
    assert done["came in"] > 10
    assert done["sat down"] > 0 or liar == ANN
    if not busy:
        copy = new_state()
        copy.lobby.closed = True
        table_snapshot.install(copy, table_snapshot.take(state, head(7, b"c" * 32)), copy.lobby._local.rules)
        assert honest(copy, liar) == honest(state, liar)
        assert not copy.lobby.closed


def test_who_is_muted_says_nothing_as_somebody_whom_its_machine_serves() -> None:
    """The host silences a machine, and with it all whom it may invent; not the other way round."""
    state = founded(ANN, seats=3)
    come(state, ANN, NORA, "Nora", watch=True)
    put(state, HOST, log_bodies.MUTE, ANN, True)
    assert says(state, ANN, NORA, log_bodies.CHAT, "boo") == []
    put(state, HOST, log_bodies.MUTE, ANN, False)
    put(state, HOST, log_bodies.MUTE, ANN + NORA, True)
    assert says(state, ANN, NORA, log_bodies.CHAT, "boo") == []
    assert put(state, ANN, log_bodies.CHAT, "hello")


def test_whom_a_machine_invents_and_lets_go_again_is_forgotten() -> None:
    """Looks of those who have gone, and those who were not let in, take no more room than who is here."""
    state = founded(ANN, seats=3)
    for number in range(3 * LIMITS[Entrance.SERVED].source):
        tag = number.to_bytes(TAG_SIZE, "big")
        come(state, ANN, tag, f"N{number}", watch=True)
        says(state, ANN, tag, log_bodies.LOOK, number % 8, number // 8 % 8)
        says(state, ANN, tag, log_bodies.LEAVE)
    assert len(state.roster.looks) == 1
    put(state, HOST, log_bodies.LOCK, True)
    for number in range(3 * LIMITS[Entrance.SERVED].source):
        come(state, ANN, number.to_bytes(TAG_SIZE, "big"), f"N{number}", watch=True)
    assert len(state.moderation.shown_out) == LIMITS[Entrance.SERVED].source


def test_who_is_served_goes_with_the_machine() -> None:
    """A machine leaves: its people are gone with their letterboxes, and the lobby is drawn anew."""
    state = founded(ANN)
    come(state, ANN, UGO, "Ugo", watch=True)
    assert set(state.roster.watchers) == {ANN + UGO}
    assert ANN + UGO in state.lobby.mailboxes
    assert LobbyChanged() in put(state, ANN, log_bodies.LEAVE)
    assert not state.roster.watchers
    assert {person[:KEY_SIZE] for person in state.lobby.mailboxes} == {HOST}


def test_a_light_is_shown_and_moves_nothing() -> None:
    """Only a machine's companions have one; unknown lights, strangers and machines themselves are void."""
    state = family(ANN)
    start(state)
    before = state.matches.digest()
    [changed] = says(state, HOST, NORA, log_bodies.LIGHT, int(Light.ASLEEP))
    assert isinstance(changed, LobbyChanged)
    assert state.roster.lights == {HOST + NORA: Light.ASLEEP}
    for machine, tag, light in ((HOST, NORA, 3), (HOST, NORA, -1), (HOST, UGO, 1), (ANN, NORA, 0)):
        assert says(state, machine, tag, log_bodies.LIGHT, light) == []
    assert put(state, ANN, log_bodies.LIGHT, 1) == []
    assert (state.roster.lights, state.matches.digest()) == ({HOST + NORA: Light.ASLEEP}, before)


@pytest.mark.parametrize(("light", "said"), [(Light.HERE, "has left"), (Light.GONE, "isn't here")])
def test_has_left_is_said_of_those_alone_who_said_so(light: Light, said: str) -> None:
    """A bot plays in both cases; whoever comes back is here again."""
    state = family(ANN)
    start(state)
    says(state, HOST, NORA, log_bodies.LIGHT, int(light))
    told = [str(one.message) for one in says(state, HOST, NORA, log_bodies.LEAVE) if isinstance(one, Notice)]
    assert said in told[0]
    come(state, HOST, NORA, "Nora")
    assert state.roster.lights == {}


def wishes(state: TableState, tag: bytes, wish: int, seat: int = -1, *, yes: bool = True) -> list[str]:
    """What everyone is told when somebody whom the host's machine serves says that."""
    told = says(state, HOST, tag, log_bodies.WISH, int(wish), seat, yes)
    return [str(one.message) for one in told if isinstance(one, Notice)]


def test_a_wish_is_said_and_moves_nothing() -> None:
    """Whoever plays in a browser wishes; what else is said is void, and no vote comes of it."""
    state = family()
    come(state, HOST, UGO, "Ugo")
    assert wishes(state, NORA, Wish.STOP) == []  # no match is played
    start(state)
    before = state.matches.digest()
    assert wishes(state, NORA, Wish.STOP) == ["{name} would like to stop for today."]
    for tag, wish in ((NORA, Wish.STOP), (NORA, 7), (NORA, -1), (bytes(TAG_SIZE), Wish.END)):
        assert wishes(state, tag, wish) == []
    assert put(state, HOST, log_bodies.WISH, int(Wish.STOP), -1, True) == []  # a machine votes
    assert state.wishes.of(Wish.STOP) == (HOST + NORA,)
    assert (state.matches.stopping, state.matches.digest()) == (set(), before)
    says(state, HOST, NORA, log_bodies.LEAVE)
    assert state.wishes.of(Wish.STOP) == ()  # a bot wishes for nothing
    come(state, HOST, NORA, "Nora")
    assert wishes(state, UGO, Wish.STOP, yes=False) == ["{name} would rather play on."]
    assert state.wishes.of(Wish.STOP) == ()
    wishes(state, NORA, Wish.STOP)
    assert wishes(state, UGO, Wish.STOP, yes=False) == []  # that counts once
    assert wishes(state, NORA, Wish.STOP, yes=False) == ["{name} would rather play on."]
    assert state.wishes.of(Wish.STOP) == ()


def test_everyone_waits_longer_for_a_phone_a_few_times() -> None:
    """A minute for each wish, five minutes at most, for this answer alone; nobody waits for a laptop so."""
    state = family(ANN)
    start(state)
    running = state.matches.running
    assert running is not None
    asked = {int(ask.seat) for ask in running.match.source.open}
    nora = next(seat for seat, place in enumerate(state.roster.places) if place.companion)
    for seat in (-1, 9, *(seat for seat in range(3) if seat not in asked or seat != nora)):
        assert wishes(state, NORA, Wish.WAIT, seat) == []
    told = [put(state, ANN, log_bodies.WISH, int(Wish.WAIT), nora, True) for _ in range(MOST_WAITS + 2)]
    assert [bool(one) for one in told] == [nora in asked] * MOST_WAITS + [False, False]
    assert state.wishes.waits(nora) == (MOST_WAITS if nora in asked else 0)


def chairs(state: TableState) -> tuple[list[str], list[bytes]]:
    """Who sits, and who waits for a place."""
    return named(state), list(state.lobby.chairs.queue)


def test_a_bot_gives_its_place_to_whoever_comes_and_has_it_again() -> None:
    """With every place taken the last bot goes; it is back when that person leaves before the start."""
    state = founded(seats=3)
    put(state, HOST, log_bodies.BOTS, ["easy", "hard"])
    before = named(state)
    come(state, HOST, NORA, "Nora")
    assert named(state) == [*before[:2], "Nora"]
    come(state, HOST, UGO, "Ugo")
    assert named(state) == [before[0], "Nora", "Ugo"]
    says(state, HOST, UGO, log_bodies.LEAVE)
    assert named(state) == [before[0], "Nora", before[1]]
    assert [place.level for place in state.roster.places][-1] == "easy"
    come(state, HOST, UGO, "Ugo")
    put(state, HOST, log_bodies.BOTS, [])
    says(state, HOST, UGO, log_bodies.LEAVE)
    assert named(state) == [before[0], "Nora"]  # the host has said which bots play


def test_who_comes_during_a_match_plays_in_the_next_one() -> None:
    """In order of arrival, without another word; anyone who'd rather look on keeps looking on."""
    state = family(seats=3)
    start(state)
    assert state.matches.running is not None
    told = [one for one in come(state, HOST, UGO, "Ugo") if isinstance(one, Notice)]
    assert [str(one.message) for one in told] == [
        ("{name} is watching and will play as soon as a seat is free.")
    ]
    come(state, HOST, bytes([23]) * TAG_SIZE, "Wim", watch=True)
    assert chairs(state)[1] == [HOST + UGO]
    put(state, EVE, log_bodies.ENTER, b"eve", "Eve", False, None, bytes(32))
    put(state, bytes([77]) * 32, log_bodies.ENTER, b"gus", "Gus", False, "easy", bytes(32))
    assert chairs(state)[1] == [HOST + UGO, EVE]  # a laptop waits as a phone does; a bot of its own watches
    state.matches.break_off()
    put(state, HOST, log_bodies.CHAT, "well played")
    assert chairs(state) == (["P0", "Nora", "Ugo"], [EVE])
    assert {"Wim", "Eve", "Gus"} <= set(state.roster.watchers.values())
    says(state, HOST, UGO, log_bodies.LEAVE)
    assert chairs(state) == (["P0", "Nora", "Eve"], [])
