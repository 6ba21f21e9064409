"""The table of commands: what each of them prints, refuses and proposes, wherever somebody sits."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from tests.core.engine.dealing.world import key_of
from tests.core.engine.peer.test_peer import NORA
from tests.core.ui import rooms
from tests.core.ui.rooms import ANN, BOB, OLGA, WIM, Deeds

from tavolata._engine.match.updates import Notice
from tavolata._engine.peer.companions import Companion
from tavolata._engine.peer.peer import PeerSession
from tavolata._engine.sessions.commands import TableCommands
from tavolata._engine.sessions.session import TableSession
from tavolata._engine.table import log_bodies
from tavolata._engine.table.log_bodies import Light
from tavolata._engine.table.matches import NUDGES
from tavolata._text import Verbatim
from tavolata._ui.i18n import Translator
from tavolata._ui.ndjson import Ndjson
from tavolata._ui.plain import Plain
from tavolata.errors import Refused

TRANSCRIPT = Path(__file__).parent / "transcripts"
LINES = {
    "help": ("",), "dance": ("",),
    "seats": ("",), "start": ("",), "ready": ("",), "end": ("", "Ann"), "suspend": ("",), "without": ("",),
    "rewind": ("",),
    "lock": ("",), "unlock": ("",), "code": ("",),
    "name": ("", " Anna  Maria", "Ann", "a@b", "Olga"),
    "colour": ("", "3 5", "9 1", "1 2 3"),
    "option": ("", "rounds", "rounds = 2", "rounds=99", "wings=1"),
    "teams": ("", "2", "0", "3", "two"),
    "team": ("", "red", "Rossa", "any", "qualsiasi", "lot", "green"),
    "game": ("", "Pairs", "chess"),
    "bots": ("", "0", "easy,hard", "1", "4", "clever"),
    "kick": ("", "Ann", "@bob dylan", "Wim", "P2", "nobody", "Olga"),
    "ban": ("Ann", "nobody"), "unban": ("", "Bob Dylan", "Ann"),
    "mute": ("", "Ann", "Wim", "Nora"), "unmute": ("Ann", "Wim"),
    "host": ("", "Ann", "Wim", "P2"),
    "nudge": ("", "Olga", "Ann", "Bob Dylan", "P2"),
    "wait": ("", "Ann", "a", "Bob Dylan"), "blind": ("", "Ann", "P3", "x"),
    "substitute": ("", "Ann", "Bob Dylan", "Olga"),
    "continue": ("",), "admit": ("", "WXPD"), "reject": ("WXPD",),
    "confirm": ("", "@ann", "Bob Dylan"),
    "alone": ("",),
    "leave": ("", ""), "quit": ("",),
}  # fmt: skip
"""What is typed after each word."""


@contextmanager
def alone(session: PeerSession) -> Iterator[tuple[PeerSession, TableSession]]:
    """A session whose own player types."""
    yield session, session
    session._machine.close()


@contextmanager
def served(session: PeerSession) -> Iterator[tuple[PeerSession, TableSession]]:
    """The session of Nora, whom that machine serves."""
    with session.serve(NORA, "Nora", lambda _: None, watch=False) as nora:
        assert isinstance(nora, Companion)
        nora._introduced = True  # she's in the log already
        yield session, nora
        session._connection.is_going = True
    session._machine.close()


@contextmanager
def together(alive: int = 2) -> Iterator[tuple[PeerSession, TableSession]]:
    """A match that all deal."""
    with rooms.fair(alive) as session:
        yield session, session


Opened = AbstractContextManager[tuple[PeerSession, TableSession]]
SEATS: dict[str, Callable[[Path], Opened]] = {
    "lobby, host": lambda _: alone(rooms.lobby(OLGA, private=True)),
    "lobby, guest": lambda _: alone(rooms.lobby(BOB)),
    "lobby, watcher": lambda _: alone(rooms.lobby(WIM, watch=True)),
    "lobby, served": lambda _: served(rooms.lobby(OLGA)),
    "moderated, host": lambda _: alone(rooms.moderated()),
    "teams, host": lambda _: alone(rooms.sides(OLGA)),
    "teams, guest": lambda _: alone(rooms.sides(ANN)),
    "dealt, host": lambda _: alone(rooms.dealt(OLGA)),
    "dealt, guest": lambda _: alone(rooms.dealt(BOB)),
    "dealt, watcher": lambda _: alone(rooms.dealt(WIM, watch=True)),
    "village, narrator": lambda _: alone(rooms.village(OLGA, running=False)),
    "narrated, narrator": lambda _: alone(rooms.village(OLGA, running=True)),
    "fair, player": lambda _: together(),
    "fair, alone": lambda _: together(1),
    "fair, served": rooms.family,
    "orphaned lobby": lambda _: alone(rooms.lobby(BOB)),
    "orphaned match": lambda _: together(),
    "orphaned narrator": lambda _: alone(rooms.village(OLGA, running=True)),
    "orphaned village": lambda _: alone(rooms.village(BOB, running=True)),
}  # fmt: skip


FACES = {"plain en": Plain, "plain it": Plain, "ndjson en": Ndjson}


def transcript(session: PeerSession, at: TableSession, name: str, *, orphaned: bool) -> list[str]:
    """Everything that is typed, and what follows; what has the same effect stands together."""
    deeds = Deeds(session, orphaned=orphaned)
    said: list[str] = []
    translator = Translator(name[-2:])
    face = FACES[name](at, translator, said.append, None)
    deeds.take()
    told, before = [f"## {name}"], [""]
    for word, rests in LINES.items():
        for rest in rests:
            line = f"{translator.text(word)} {rest}".rstrip()
            typed = json.dumps({"type": "table", "command": word, "rest": rest})
            said.clear()
            asyncio.run(face.hear(typed if isinstance(face, Ndjson) else line))
            followed = [*(f"  {one}" for one in said), *(f"  - {one}" for one in deeds.take())]
            if [word, *followed] != before:
                told += [f"> {line}", *followed]
            else:
                told[-len(followed) - 1] += f" | {line}"
            before = [word, *followed]
    return told


@pytest.mark.battery
@pytest.mark.parametrize("seat", SEATS)
def test_every_command_says_and_does_the_same(
    seat: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Help, refusals, lines of JSON and proposals are byte for byte those of the transcript.

    To take a change over, remove the file and run the test again.
    """
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setattr(os, "fsync", lambda number: None)
    told = []
    for face in FACES:
        with SEATS[seat](tmp_path / face) as (session, at):
            told += transcript(session, at, face, orphaned=seat.startswith("orphaned"))
    file = TRANSCRIPT / f"{seat.replace(', ', '-').replace(' ', '-')}.txt"
    if not file.exists():
        file.write_text("\n".join(told) + "\n", encoding="utf-8")
        pytest.fail(f"{file.name} was not there: it is written now, read it")
    assert "\n".join(told) + "\n" == file.read_text(encoding="utf-8")


EVERYWHERE, CLOSED = set(SEATS), {"moderated, host"}
SEATED = {"lobby, host", "moderated, host", "teams, host"}
HOSTS = {*SEATED, "village, narrator"}
NARRATORS = {"narrated, narrator", "orphaned narrator"}
PLAYERS = {*SEATED, "lobby, guest", "lobby, served", "teams, guest", "orphaned lobby"}
DEALT = {"dealt, host", "dealt, guest", "orphaned village"}
FAIR = {"fair, player", "fair, alone", "orphaned match"}
POWERS = {*HOSTS, *FAIR, *NARRATORS, "dealt, host"}
MAY = {
    **dict.fromkeys(("quit", "leave", "colour", "mute", "unmute"), EVERYWHERE),
    "confirm": {"lobby, host", "lobby, guest", "lobby, watcher", "orphaned lobby"},
    "blind": DEALT | NARRATORS,
    "admit": set(),
    "reject": set(),
    "substitute": DEALT | FAIR | NARRATORS,
    **dict.fromkeys(("nudge", "wait", "end", "continue"), DEALT | FAIR | NARRATORS | {"fair, served"}),
    "suspend": FAIR | NARRATORS | {"fair, served", "orphaned village"},
    "without": {"fair, player", "orphaned match"},
    "rewind": {"fair, player", "fair, alone", "orphaned match"},
    "alone": {"orphaned lobby", "orphaned narrator"},
    "ready": PLAYERS,
    "name": PLAYERS | {"lobby, watcher", "village, narrator"},
    **dict.fromkeys(("start", "option", "game", "bots"), HOSTS),
    "teams": {"teams, host", "village, narrator"},
    "team": {"teams, host", "teams, guest", "village, narrator"},
    **dict.fromkeys(("kick", "ban", "host"), POWERS),
    "lock": POWERS - CLOSED,
    **dict.fromkeys(("unlock", "unban"), CLOSED),
    "code": {"lobby, host"},
}  # fmt: skip
"""The seats at which each command may be given; everywhere else it's refused."""


def test_a_command_is_refused_wherever_it_may_not_be_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a reason, before it does anything; and each condition of each row is met here and not there."""
    monkeypatch.setattr(os, "fsync", lambda number: None)
    refused: set[tuple[str, int]] = set()
    assert set(MAY) == set(TableCommands.rows)
    for number, (seat, opened) in enumerate(SEATS.items()):
        monkeypatch.setenv("TT_DATA_DIR", str(tmp_path / str(number)))
        with opened(tmp_path / f"{number}-reader") as (session, at):
            deeds, table = Deeds(session, orphaned=seat.startswith("orphaned")), at.commands
            deeds.take()
            assert table is not None
            for word, row in TableCommands.rows.items():
                assert (row.why_not(table) is None) is (seat in MAY[word]), (word, seat)
                if seat in MAY[word]:
                    continue
                reasons = [met(table) for met in row.permission]
                refused.add((word, [why is None for why in reasons].index(False)))
                with pytest.raises(Refused):
                    row(table)  # without arguments: nobody looks at them
                assert deeds.take() == []
    assert refused == {
        (word, number) for word, row in TableCommands.rows.items() for number in range(len(row.permission))
    }


def test_a_new_host_has_room_for_bots_where_those_of_the_host_before_sit() -> None:
    """They leave when others are seated, although the host before stays and watches."""
    room = rooms.Room(ANN)
    room.enter(OLGA, watch=True)
    room.enter(ANN, BOB)
    room.say(OLGA, log_bodies.BOTS, ["easy", "easy"])
    room.say(OLGA, log_bodies.HEIR, key_of(ANN))
    state, commands = room.session.state, room.session.commands
    assert (state.lobby.seats, len(state.roster.places)) == (4, 4)
    deeds = Deeds(room.session, orphaned=False)
    commands.seat_bots(["hard", "hard"])
    assert deeds.take()[0] == "proposes BOTS [hard hard]"
    room.session._machine.close()


def test_a_host_that_watches_seats_bots_at_all_free_places() -> None:
    """It needs none of them for itself: with two at a table for four there's room for two bots."""
    room = rooms.narrator()
    deeds = Deeds(room.session, orphaned=False)
    with pytest.raises(Refused, match="room for"):
        room.session.commands.seat_bots(["easy"] * 3)
    room.session.commands.seat_bots(["easy", "easy"])
    assert deeds.take()[0] == "proposes BOTS [easy easy]"
    room.session._machine.close()


def test_a_narrator_without_a_seat_nudges_whoever_is_silent() -> None:
    """Its village would wait for Ann otherwise; a spectator can't, and no one nudges twice."""
    room = rooms.narrator()
    room.enter(WIM, watch=True)
    room.start()
    state, said = room.session.state, []
    for party, nudged in ((WIM, set()), (OLGA, {0}), (OLGA, {0})):
        room.say(party, log_bodies.NUDGE, 0)
        assert state.matches.nudged_seats == nudged
        said += [one.params for one in state.out if isinstance(one, Notice) and one.message == NUDGES]
        state.out.clear()
    assert said == [{"name": "Olga", "other": "Ann"}]
    room.session._machine.close()


def test_each_command_has_a_word_and_help_in_both_languages_and_is_in_the_transcripts() -> None:
    """No word means two commands, whatever the language."""
    say, rows = Translator("it").text, TableCommands.rows
    assert [word for word, row in rows.items() if say(row.help) == row.help] == []
    assert [word for word in rows if say(word) == word] == []
    assert len({*map(say, rows)}) == len(rows)
    assert [(word, say(word)) for word in rows if say(word) in rows] == []
    assert set(rows) <= set(LINES)


@pytest.mark.parametrize("typed", ["Ann Marie", "An", "Ann now", "Ann, Bob Dylan", "\u0410nn", "A\u0301nn"])
@pytest.mark.parametrize("word", ["kick", "ban", "mute", "unmute", "host", "nudge"])
def test_a_command_about_people_takes_a_whole_name(
    word: str, typed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ann isn't shown out for Ann Marie, who has just left; nor for a name that looks like hers."""
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path))
    with alone(rooms.lobby(OLGA)) as (olga, _):
        monkeypatch.setattr(olga.commands.log.log, "may_take_over", lambda _: False, raising=False)
        monkeypatch.setattr(olga.commands.log, "round_trip", lambda _: None, raising=False)
        facts, row = olga.table(), TableCommands.rows[word]
        assert facts is not None
        assert row.arguments("@ann", facts, str) in ((facts.taken[1].person,), (1,))
        assert facts.taken[1].name == "Ann"
        with pytest.raises(Refused, match="Who"):
            row.arguments(typed, facts, str)


@pytest.mark.parametrize("me", [OLGA, BOB])
def test_mute_hides_what_somebody_writes_here(me: int) -> None:
    """For the host, too: texts belong to the match, so they can be hidden on one's own screen only."""
    session = rooms.dealt(me)
    commands = session.commands
    assert commands is not None
    assert session.hidden == frozenset()
    ann = session.state.roster.person_at(session.names.index("Ann"))
    commands.mute(ann)
    (seat,) = session.hidden
    assert session.names[seat] == "Ann"
    commands.unmute(ann)
    assert session.hidden == frozenset()
    session._machine.close()


def test_who_leaves_after_a_match_stays_muted_in_it() -> None:
    """The last board shows their texts as dots, and nobody else's, though the others have moved up."""
    session = rooms.dealt(OLGA)
    roster = session.state.roster
    ann = roster.person_at(session.names.index("Ann"))
    session.commands.mute(ann)
    hidden = session.hidden
    roster.places = [place for place in roster.places if place.person != ann]
    assert session.hidden == hidden != frozenset()
    session._machine.close()


def test_what_was_meant_for_someone_never_meets_another_of_that_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A list was open, Ann has gone, and another Ann has come: the key that it carried is nobody's here."""
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path))
    with alone(rooms.lobby(OLGA)) as (olga, _):
        deeds, commands, facts = Deeds(olga), olga.commands, olga.table()
        assert facts is not None
        (ann,) = (seat for seat in facts.taken if seat.name == "Ann")
        for place in olga.state.roster.places:
            if place.name == "Ann":
                place.peer = bytes(32)
        again = olga.table()
        assert again is not None
        assert [seat.name for seat in again.taken] == [seat.name for seat in facts.taken]
        deeds.take()
        for act in (commands.kick, commands.ban, commands.mute, commands.unmute, commands.hand_over):
            with pytest.raises(Refused, match="No one else here has that name"):
                act(ann.person)
        assert deeds.take() == []


def test_two_banned_of_one_name_have_numbers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Their name alone is refused, with the numbers to choose from."""
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path))
    with alone(rooms.lobby(OLGA)) as (olga, _):
        monkeypatch.setattr(olga.commands.log.log, "may_take_over", lambda _: False, raising=False)
        monkeypatch.setattr(olga.commands.log, "round_trip", lambda _: None, raising=False)
        facts, row = olga.table(), TableCommands.rows["unban"]
        assert facts is not None
        facts = replace(facts, banned={b"1": Verbatim("Eve"), b"2": Verbatim("Bob"), b"3": Verbatim("eve")})
        assert row.arguments("EVE (2)", facts, str) == (b"3",)
        assert row.arguments("bob", facts, str) == (b"2",)
        with pytest.raises(Refused, match=r"Who. Eve \(1\), Bob, eve \(2\)"):
            row.arguments("Eve", facts, str)


def test_whoever_is_not_heard_is_not_away_yet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing can be decided about them so far, but it isn't said that everyone is here."""
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path))
    with rooms.fair() as one, alone(one) as (session, _):
        monkeypatch.setattr(session._log_driver, "round_trip", lambda _: None, raising=False)
        monkeypatch.setattr(session._log_driver.log, "may_take_over", lambda _: False, raising=False)
        facts, row = session.table(), TableCommands.rows["wait"]
        assert facts is not None
        here = tuple(replace(seat, state="plays", light=Light.HERE) for seat in facts.taken)
        with pytest.raises(Refused, match="No one is away"):
            row.arguments("", replace(facts, taken=here), str)
        unheard = tuple(
            replace(seat, light=Light.UNHEARD) if at else seat for at, seat in enumerate(here[:2])
        )
        with pytest.raises(Refused, match=f"We can't reach {facts.taken[1].name} right now"):
            row.arguments("", replace(facts, taken=unheard), str)
