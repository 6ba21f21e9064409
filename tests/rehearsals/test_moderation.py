"""What a host does about people at its table, and who hears a whisper."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from tests.rehearsals.family import NAMES
from tests.rehearsals.laptops import Power
from tests.rehearsals.plan import Face, Plan, Seat
from tests.rehearsals.scripts import Scripted, played
from tests.rehearsals.test_chairs import Table

from tavolata import _dirs
from tavolata._machine import disk

pytestmark = pytest.mark.battery

HOST, ANN, BOB, WIM = NAMES[:4]
LINES = Seat(Face.PLAIN)
OUT = "The host has removed you from the table."
LOBBY = Plan(5, "conto", (LINES, LINES, LINES, Seat(Face.PLAIN, watches=True)))


class Lobby(Scripted, Table):
    """A host, two guests and a watcher at a table for four."""

    most = 4

    def __init__(self, script: Callable[[Lobby], Awaitable[None]]) -> None:
        super().__init__(LOBBY, script)

    def stored(self, name: str) -> bytes:
        """Return what a machine has stored of the table."""
        folder = Path(_dirs.data_dir())
        return self.world.computers[name].within(
            lambda: b"".join(disk().read(path) for path in disk().find(folder, "identities/*/tables/*"))
        )


def test_a_whisper_in_the_lobby_reaches_one_machine() -> None:
    """The others read that somebody whispers; the words are nowhere in what they received."""

    async def whisper(lobby: Lobby) -> None:
        lobby.types(ANN, "to Bob the melon is ripe", "say the plum is, too")
        await lobby.reads(BOB, "Ann to Bob: the melon is ripe")
        for other in (HOST, WIM):
            await lobby.reads(other, "Ann to Bob: …")
            await lobby.reads(other, "Ann says: the plum is, too")
            assert not lobby.has_read(other, "melon")
            assert b"plum" in lobby.stored(other)
            assert b"melon" not in lobby.stored(other)
        lobby.types(WIM, "to Ann hello from here")
        await lobby.reads(ANN, f"{WIM} to Ann: hello from here")

    played(Lobby(whisper))


def test_a_host_shows_out_locks_and_bans() -> None:
    """Each of those concerned reads one sentence and ends; a ban holds for the key until it's lifted."""

    async def keep_the_door(lobby: Lobby) -> None:
        lobby.world.network.link(HOST, ANN).delay = (0.002, 0.002)
        lobby.types(ANN, f"kick {WIM}")
        await lobby.reads(ANN, "Only the host can do that")
        lobby.types(HOST, f"kick {WIM}")
        assert await lobby.ended(WIM) == OUT
        lobby.types(HOST, "lock")
        await lobby.reads(ANN, "The host has locked the table")
        lobby.comes(WIM)
        assert await lobby.ended(WIM) == "The table is locked. The host isn't letting newcomers in."
        lobby.types(HOST, "unlock", "ban Ann")
        assert await lobby.ended(ANN) == OUT
        await lobby.reads(BOB, "Host has removed Ann")
        lobby.comes(ANN)
        assert await lobby.ended(ANN) == "The host has banned this computer from the table."
        lobby.types(HOST, "unban Ann")
        await lobby.reads(BOB, "Ann is allowed to come back")
        lobby.comes(ANN)
        await lobby.reads(HOST, "Ann sits down")
        lobby.types(ANN, "say thanks")
        await lobby.reads(BOB, "Ann says: thanks")

    played(Lobby(keep_the_door))


@pytest.mark.parametrize("word", ["kick", "ban"])
def test_who_is_shown_out_over_an_uneven_line_reads_so(word: str) -> None:
    """Datagrams overtake each other on the way to them."""

    async def show_out(lobby: Lobby) -> None:
        lobby.world.network.link(HOST, ANN).delay = (0.001, 0.05)
        lobby.types(HOST, f"{word} Ann")
        await asyncio.sleep(60.0)
        assert lobby.report.ends.get(ANN) == OUT, lobby.lines[ANN][-3:]

    played(Lobby(show_out))


def test_whoever_is_allowed_back_can_come_at_once() -> None:
    """Its address is open again, too."""

    async def forgive(lobby: Lobby) -> None:
        lobby.world.network.link(HOST, ANN).delay = (0.002, 0.002)
        lobby.types(HOST, "ban Ann")
        assert await lobby.ended(ANN) == OUT
        lobby.types(HOST, "unban Ann")
        await lobby.reads(BOB, "Ann is allowed to come back")
        lobby.comes(ANN)
        await lobby.reads(HOST, "Ann sits down")

    played(Lobby(forgive))


def test_who_is_muted_is_heard_by_nobody_and_who_is_ignored_not_here() -> None:
    """The host mutes for all; a guest only for its own screen; another name changes nothing."""

    async def silence(lobby: Lobby) -> None:
        lobby.types(BOB, "mute Ann")
        await lobby.reads(BOB, "You've muted Ann")
        lobby.types(ANN, "say lalala")
        await lobby.reads(HOST, "Ann says: lalala")
        lobby.types(HOST, "mute Ann")
        await lobby.reads(ANN, "Ann is muted")
        lobby.types(ANN, "say tralala", "to Host tralala")
        await lobby.reads(ANN, "The host has muted you")
        lobby.types(HOST, "unmute Ann")
        await lobby.reads(ANN, "Ann may speak again")
        lobby.types(ANN, "say at last")
        for name in (HOST, WIM):
            await lobby.reads(name, "Ann says: at last")
        lobby.types(ANN, "name Zoe", "say at last")
        await lobby.reads(WIM, "Zoe says: at last")
        lobby.types(HOST, "say that was it")
        await lobby.reads(BOB, "Host says: that was it")
        lobby.types(BOB, "unmute Zoe")
        await lobby.reads(BOB, "You've unmuted Zoe")
        assert not lobby.has_read(BOB, "lala|at last")
        assert not lobby.has_read(HOST, "tralala")

    played(Lobby(silence))


def test_the_host_gives_its_table_to_another() -> None:
    """The heir can do what a host can, and the old host no longer."""

    async def hand_over(lobby: Lobby) -> None:
        lobby.types(HOST, "host Ann")
        for name in (ANN, BOB):
            await lobby.reads(name, "Ann is the host now")
        lobby.types(ANN, "option hands=2")
        await lobby.reads(BOB, "hands=2")
        lobby.types(HOST, "option hands=3")
        await lobby.reads(HOST, "Only the host can do that")

    played(Lobby(hand_over))


def test_guests_who_hear_nothing_of_their_host_choose_another() -> None:
    """After fifteen seconds most of the seated vote; the host that only slept has its table back at once."""

    async def sleep(lobby: Lobby) -> None:
        lobby.world.computers[HOST].power = Power.ASLEEP
        assert 14 < await lobby.reads(BOB, "Ann is the host now", 60) < 20
        lobby.types(ANN, "option hands=2")
        await lobby.reads(BOB, "hands=2")
        lobby._wake(lobby.world.computers[HOST])
        assert await lobby.reads(BOB, "Host is the host now", 60) < 5

    played(Lobby(sleep))
