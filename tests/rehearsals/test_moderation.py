"""What a host does about people at its table, and who hears a whisper."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from tests.rehearsals.family import NAMES
from tests.rehearsals.plan import Face, Plan, Seat
from tests.rehearsals.scenes import ANN, BOB, HOST, Scene, played

from tavolata import _dirs
from tavolata._machine import disk

pytestmark = pytest.mark.battery

WIM = NAMES[3]
LINES = Seat(Face.PLAIN)
OUT = "The host has removed you from the table."
LOBBY = Plan(5, "conto", (LINES, LINES, LINES, Seat(Face.PLAIN, watches=True)))


class Lobby(Scene):
    """A host, two guests and a watcher at a table for four."""

    def __init__(self, script: Callable[[Lobby], Awaitable[None]]) -> None:
        super().__init__(LOBBY, script, at_once=False)
        self.most = 4

    def stored(self, name: str) -> bytes:
        """Return what a machine has stored of the table."""
        folder = Path(_dirs.data_dir())
        return self.world.computers[name].within(
            lambda: b"".join(disk().read(path) for path in disk().find(folder, "identities/*/tables/*"))
        )


def test_a_whisper_in_the_lobby_reaches_one_machine() -> None:
    """The others read that somebody whispers; the words are nowhere in what they received."""

    async def whisper(lobby: Lobby) -> None:
        lobby.type(ANN, "to Bob the melon is ripe", "say the plum is, too")
        await lobby.read("Ann to Bob: the melon is ripe", BOB)
        for other in (HOST, WIM):
            await lobby.read("Ann to Bob: …", other)
            await lobby.read("Ann says: the plum is, too", other)
            assert not lobby.has(other, "melon")
            assert b"plum" in lobby.stored(other)
            assert b"melon" not in lobby.stored(other)
        lobby.type(WIM, "to Ann hello from here")
        await lobby.read(f"{WIM} to Ann: hello from here", ANN)

    played(Lobby(whisper))


def test_a_host_shows_out_locks_and_bans() -> None:
    """Each of those concerned reads one sentence and ends; a ban holds for the key until it's lifted."""

    async def keep_the_door(lobby: Lobby) -> None:
        lobby.world.network.link(HOST, ANN).delay = (0.002, 0.002)
        lobby.type(ANN, f"kick {WIM}")
        await lobby.read("Only the host can do that", ANN)
        lobby.type(HOST, f"kick {WIM}")
        assert await lobby.ended(WIM) == OUT
        lobby.type(HOST, "lock")
        await lobby.read("The host has locked the table", ANN)
        lobby.join(WIM)
        assert await lobby.ended(WIM) == "The table is locked. The host isn't letting newcomers in."
        lobby.type(HOST, "unlock", "ban Ann")
        assert await lobby.ended(ANN) == OUT
        await lobby.read("Host has removed Ann", BOB)
        lobby.join(ANN)
        assert await lobby.ended(ANN) == "The host has banned this computer from the table."
        lobby.type(HOST, "unban Ann")
        await lobby.read("Ann is allowed to come back", BOB)
        lobby.join(ANN)
        await lobby.read("Ann sits down", HOST)
        lobby.type(ANN, "say thanks")
        await lobby.read("Ann says: thanks", BOB)

    played(Lobby(keep_the_door))


@pytest.mark.parametrize("word", ["kick", "ban"])
def test_who_is_shown_out_over_an_uneven_line_reads_so(word: str) -> None:
    """Datagrams overtake each other on the way to them."""

    async def show_out(lobby: Lobby) -> None:
        lobby.world.network.link(HOST, ANN).delay = (0.001, 0.05)
        lobby.type(HOST, f"{word} Ann")
        await lobby.wait(60.0)
        assert lobby.report.ends.get(ANN) == OUT, lobby.lines[ANN][-3:]

    played(Lobby(show_out))


def test_whoever_is_allowed_back_can_come_at_once() -> None:
    """Its address is open again, too."""

    async def forgive(lobby: Lobby) -> None:
        lobby.world.network.link(HOST, ANN).delay = (0.002, 0.002)
        lobby.type(HOST, "ban Ann")
        assert await lobby.ended(ANN) == OUT
        lobby.type(HOST, "unban Ann")
        await lobby.read("Ann is allowed to come back", BOB)
        lobby.join(ANN)
        await lobby.read("Ann sits down", HOST)

    played(Lobby(forgive))


def test_who_is_muted_is_heard_by_nobody_and_who_is_ignored_not_here() -> None:
    """The host mutes for all; a guest only for its own screen; another name changes nothing."""

    async def silence(lobby: Lobby) -> None:
        lobby.type(BOB, "mute Ann")
        await lobby.read("You've muted Ann", BOB)
        lobby.type(ANN, "say lalala")
        await lobby.read("Ann says: lalala", HOST)
        lobby.type(HOST, "mute Ann")
        await lobby.read("Ann is muted", ANN)
        lobby.type(ANN, "say tralala", "to Host tralala")
        await lobby.read("The host has muted you", ANN)
        lobby.type(HOST, "unmute Ann")
        await lobby.read("Ann may speak again", ANN)
        lobby.type(ANN, "say at last")
        await lobby.read("Ann says: at last", HOST, WIM)
        lobby.type(ANN, "name Zoe", "say at last")
        await lobby.read("Zoe says: at last", WIM)
        lobby.type(HOST, "say that was it")
        await lobby.read("Host says: that was it", BOB)
        lobby.type(BOB, "unmute Zoe")
        await lobby.read("You've unmuted Zoe", BOB)
        assert not lobby.has(BOB, "lala|at last")
        assert not lobby.has(HOST, "tralala")

    played(Lobby(silence))


def test_the_host_gives_its_table_to_another() -> None:
    """The heir can do what a host can, and the old host no longer."""

    async def hand_over(lobby: Lobby) -> None:
        lobby.type(HOST, "host Ann")
        await lobby.read("Ann is the host now", ANN, BOB)
        lobby.type(ANN, "option hands=2")
        await lobby.read("hands=2", BOB)
        lobby.type(HOST, "option hands=3")
        await lobby.read("Only the host can do that", HOST)

    played(Lobby(hand_over))


def test_guests_who_hear_nothing_of_their_host_choose_another() -> None:
    """After fifteen seconds most of the seated vote; the host that only slept has its table back at once."""

    async def sleep(lobby: Lobby) -> None:
        slept = lobby.clock
        lobby.sleep(HOST)
        assert 14 < await lobby.read("Ann is the host now", BOB, within=20) - slept < 20
        lobby.type(ANN, "option hands=2")
        await lobby.read("hands=2", BOB)
        woke = lobby.clock
        lobby.wake(HOST)
        assert await lobby.read("Host is the host now", BOB, within=5) - woke < 5

    played(Lobby(sleep))
