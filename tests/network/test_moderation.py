"""What a host does about people at its table, and who hears a whisper, between real processes."""

from __future__ import annotations

import signal

import pytest

from .table import Hall, Tt


def lobby(hall: Hall) -> tuple[Tt, Tt, Tt, Tt]:
    """A host, two guests and a watcher at a table for four."""
    host = hall.host("tricks", "--seats", "4", typed=True)
    ann = hall.join(name="Ann", typed=True)
    host.expect("Ann sits down")
    bob = hall.join(name="Bob", typed=True)
    host.expect("Bob sits down")
    wim = hall.join("--watch", name="Wim", typed=True)
    host.expect("Wim is watching")
    for one in (ann, bob, wim):
        one.expect("of 4 seats taken")
    return host, ann, bob, wim


@pytest.mark.long
def test_a_whisper_in_the_lobby_reaches_one_machine(hall: Hall) -> None:
    """The others read that somebody whispers; the words are nowhere in what they received."""
    host, ann, bob, wim = lobby(hall)
    ann.type("to Bob the melon is ripe")
    bob.expect("Ann to Bob: the melon is ripe")
    for other in (host, wim):
        other.expect("Ann to Bob: …")
        assert not other.has("melon")
        logs = list(other.home.rglob("*.log"))
        assert logs
        for log in logs:
            assert b"melon" not in log.read_bytes()
    wim.type("to Ann hello from here")
    ann.expect("Wim to Ann: hello from here")


def test_a_host_shows_out_locks_and_bans(hall: Hall) -> None:
    """Each of those concerned reads one sentence and ends; a ban holds for the key until it is lifted."""
    host, ann, bob, wim = lobby(hall)
    ann.type("kick Wim")
    ann.expect("Only the host can do that")
    host.type("kick Wim")
    assert wim.done() == 7
    assert wim.has("The host has removed you from the table")
    host.type("lock")
    ann.expect("The host has locked the table")
    again = hall.join("--watch", name="Wim")
    assert again.done() == 6
    assert again.has("The table is locked. The host isn't letting newcomers in"), again.story()
    host.type("unlock", "ban Ann")
    assert ann.done() == 7
    bob.expect("Host has removed Ann")
    again = hall.join(name="Ann")
    assert again.done() == 6
    assert again.has("The host has banned this computer from the table")
    host.type("unban Ann")
    bob.expect("Ann is allowed to come back")
    again = hall.join(name="Ann", typed=True)
    host.expect("Ann sits down")
    again.type("say thanks")
    bob.expect("Ann says: thanks")


@pytest.mark.long
def test_who_is_muted_is_heard_by_nobody_and_who_is_ignored_not_here(hall: Hall) -> None:
    """The host mutes for all; a guest only for its own screen; another name changes nothing."""
    host, ann, bob, wim = lobby(hall)
    bob.type("mute Ann")
    bob.expect("You've muted Ann")
    ann.type("say lalala")
    host.expect("Ann says: lalala")
    host.type("mute Ann")
    ann.expect("Ann is muted")
    ann.type("say tralala", "to Host tralala")
    ann.expect("The host has muted you")
    host.type("unmute Ann")
    ann.expect("Ann may speak again")
    ann.type("say at last")
    host.expect("Ann says: at last")
    wim.expect("Ann says: at last")
    ann.type("name Zoe", "say at last")
    wim.expect("Zoe says: at last")
    host.type("say that was it")
    bob.expect("Host says: that was it")  # what was said before has reached Bob, too
    bob.type("unmute Zoe")
    bob.expect("You've unmuted Zoe")
    assert not bob.has("lala|at last")
    assert not host.has("tralala")


@pytest.mark.long
def test_the_host_gives_its_table_to_another(hall: Hall) -> None:
    """The heir can do what a host can, and the old host no longer."""
    host, ann, bob, _ = lobby(hall)
    host.type("host Ann")
    for one in (ann, bob):
        one.expect("Ann is the host now")
    ann.type("option hands=2")
    bob.expect("hands=2")
    host.type("option hands=3")
    host.expect("Only the host can do that")


@pytest.mark.long
def test_guests_who_hear_nothing_of_their_host_choose_another(hall: Hall) -> None:
    """After fifteen seconds most of the seated vote; the host that only slept has its table back at once."""
    host, ann, bob, _ = lobby(hall)
    host.process.send_signal(signal.SIGSTOP)
    bob.expect("Ann is the host now", 60)
    ann.type("option hands=2")
    bob.expect("hands=2")
    host.process.send_signal(signal.SIGCONT)
    bob.expect("Host is the host now", 60)
