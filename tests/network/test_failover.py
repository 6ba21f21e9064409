"""The machine that leads dies, sleeps or stops in mid-match: the others go on, nothing agreed is lost."""

from __future__ import annotations

import signal
import time

import pytest

from .faulty import is_of
from .hasty import STAND_AFTER
from .lan import Lan
from .table import HASTY, PATIENCE, TT, Hall, Tt, agree
from .test_fair_deaths import watch
from .test_people import play

AGAIN = "'s computer now leads the table"
"""What the others read when the leader has changed."""


def bots(hall: Hall, lan: Lan, peers: int, fiches: int = 9, away: str = "bot", fives: str = "no") -> list[Tt]:
    """A match of bots on machines of their own; what becomes of a seat whose player is away is said before.

    Each of them has seen a card turned up when this returns.
    """
    words = ("--start", "full", "--bot", "random", "--away", away, "--option", f"fiches={fiches}",
             "--option", f"fives={fives}")  # fmt: skip
    host = hall.run("-v", "host", "zompa", "--seats", str(peers), *words, "--as", "Host", home="host",
                    before=lan.inside(1), program=HASTY)  # fmt: skip
    host.note("The table is open")
    guests = [
        hall.run("-v", "join", "10.86.0.1", "--as", f"Guest{number}", "--bot", "random",
                 home=f"guest{number}", before=lan.inside(number), program=HASTY)
        for number in range(2, peers + 1)
    ]  # fmt: skip
    players = [host, *guests]
    for one in players:
        one.expect("Round 1")
        one.expect(" of (bastoni|coppe|denari|spade)")
    return players


def at_cards(hall: Hall, peers: int, *words: str, program: list[str] = TT) -> list[Tt]:
    """People with cards in their hands, sessions among all of them."""
    host = hall.host("tricks", "--seats", str(peers), *words, typed=True, program=program)
    players = [host, *(hall.join(typed=True) for _ in range(peers - 1))]
    for one in players:
        one.expect(f"{peers} of {peers} seats taken")
    host.type("start")
    for one in players:
        one.expect("How many do you take")
    time.sleep(2.5)  # all have called all
    return players


def test_the_host_is_killed_and_people_play_on(hall: Hall) -> None:
    """One line says who leads now; the game answers for the host; all end in one state."""
    host, ann, bob = at_cards(hall, 3, "--stand-after", str(STAND_AFTER), program=HASTY)
    host.kill()
    said = [one.expect(rf"(Ann|Bob){AGAIN}", 8)[1] for one in (ann, bob)]
    assert said[0] == said[1]
    for one in (ann, bob):
        one.expect("Host is away: ")
    play(ann, bob)
    for one in (ann, bob):
        one.expect("won")
        assert sum(AGAIN in line for line in one.lines) == 1
    bob.hang_up()
    ann.hang_up()
    agree(ann, bob)


MOMENTS = [0.0, 0.2, 0.4, 0.7, 1.0, 1.4, 1.8, 2.2, 2.6, 3.0]
"""Seconds after the first card."""


def kill_in_mid_match(hall: Hall, lan: Lan, moment: float, fiches: int) -> None:
    """Bots on three machines: the host's process is killed; the two others finish with equal digests."""
    players = bots(hall, lan, 3, fiches)
    time.sleep(moment)
    players.pop(0).kill()
    for one in players:
        one.expect(AGAIN, 12)
    agree(*players)


@pytest.mark.long
def test_the_host_of_bots_is_killed(hall: Hall, lan: Lan) -> None:
    """With nobody at any keyboard, too, the others finish: the table decides as its host had said."""
    kill_in_mid_match(hall, lan, 0.1, fiches=9)  # with three, a match can be over within that time


@pytest.mark.long
@pytest.mark.parametrize("moment", MOMENTS)
def test_the_host_is_killed_at_any_moment(hall: Hall, lan: Lan, moment: float) -> None:
    """Ten times, at ten moments."""
    kill_in_mid_match(hall, lan, moment, fiches=9)


@pytest.mark.long
@pytest.mark.parametrize("moment", MOMENTS[1::4])
def test_the_host_of_bots_stops_for_ten_seconds(hall: Hall, lan: Lan, moment: float) -> None:
    """Bots on three machines: another leads while the host's process stands still; all three finish alike.

    The table waits for its bet on the first five: else the others would be done, and gone, in ten seconds.
    """
    players = bots(hall, lan, 3, fiches=20, away="wait", fives="yes")
    time.sleep(moment)
    players[0].process.send_signal(signal.SIGSTOP)
    for one in players[1:]:
        one.expect(AGAIN, 12)
    time.sleep(10)
    players[0].process.send_signal(signal.SIGCONT)
    for one in players[1:]:
        one.expect("Host is back", 12)
    assert [one.done(2 * PATIENCE) for one in players] == [0, 0, 0]
    agree(*players)


@pytest.mark.long
def test_two_of_five_are_killed_one_after_the_other(hall: Hall) -> None:
    """The host, then whoever leads in its place: the three who are left go on agreeing.

    Fewer are left than it takes to open cards (four of five): the match waits, the table does not.
    """
    host, *others = at_cards(hall, 5)
    host.kill()
    heir = others[0].expect(rf"(\w+){AGAIN}", 8)[1]
    for one in others[1:]:
        one.expect(rf"{heir}{AGAIN}", 8)
    second = next(one for one in others if one.home.name == heir)
    others.remove(second)
    second.kill()
    third = others[0].expect(rf"(\w+){AGAIN}", 8)[1]
    assert third not in (heir, "Host")
    for one in others:
        one.expect(f"Lost contact with {heir}", 8)
    others[0].type("say still three")
    for one in others[1:]:
        one.expect("says: still three")
    others[1].type("end")  # three are fewer than t of five: they wait, and may go without blame
    for one in others:
        one.expect("wants to end the match \\(agreed: 1 of the 4 needed")
        assert not one.has("The match was abandoned")


@pytest.mark.long
def test_two_of_five_machines_die_one_after_the_other_and_three_wait(hall: Hall, lan: Lan) -> None:
    """The host is killed, then its heir when the four left have keys: t stays four, so the three wait."""
    for _ in range(2):
        lan.add()
    host, *others = bots(hall, lan, 5, fiches=12)
    host.kill()
    heir = others[0].expect(rf"(\w+){AGAIN}", 12)[1]
    second = next(one for one in others if one.name == heir)
    others.remove(second)
    watch(others[0], lambda entries: sum(is_of(entry, "agreed keys") for entry in entries) == 5 + 4)
    second.kill()
    third = others[0].expect(rf"(\w+){AGAIN}", 12)[1]
    assert third not in (heir, "Host")
    for one in others:
        one.expect("Waiting for .*: dealing and opening cards takes 4 machines")


@pytest.mark.long
def test_the_host_stops_for_ten_seconds_and_goes_on(hall: Hall) -> None:
    """Another leads meanwhile; back, the host sits at its own seat again, and all end in one state."""
    host, ann, bob = at_cards(hall, 3)
    host.process.send_signal(signal.SIGSTOP)
    for one in (ann, bob):
        one.expect(AGAIN, 8)
    time.sleep(10)
    host.process.send_signal(signal.SIGCONT)
    for one in (ann, bob):
        one.expect("Host has reconnected", 12)
    play(host, ann, bob)
    for one in (host, ann, bob):
        one.expect("won")
    for one in (bob, ann, host):
        one.hang_up()
    agree(host, ann, bob)


@pytest.mark.long
def test_a_guest_that_dies_is_missed_although_the_host_does_not_order(hall: Hall) -> None:
    """The host stopped and came back; another still leads, and says that nothing is heard of a third."""
    host, ann, bob = at_cards(hall, 3)
    host.process.send_signal(signal.SIGSTOP)
    ordering = ann if "Ann" in ann.expect(AGAIN, 8).string else bob
    victim = bob if ordering is ann else ann
    ordering.expect("Lost contact with Host", 12)
    host.process.send_signal(signal.SIGCONT)
    ordering.expect("Host has reconnected", 12)
    victim.kill()
    host.expect(f"Lost contact with {victim.name}", 20)


@pytest.mark.long
def test_a_killed_host_finds_its_table_again(hall: Hall, lan: Lan) -> None:
    """Whoever does what the host did is found in its place: the host comes back by a plain `tt join`."""
    host = hall.run("-v", "host", "tricks", "--seats", "3", "--as", "Host", home="host", typed=True,
                    before=lan.inside(1))  # fmt: skip
    host.note("The table is open")
    guests = [
        hall.run("-v", "join", "10.86.0.1", "--as", f"Guest{number}", home=f"guest{number}", typed=True,
                 before=lan.inside(number))
        for number in (2, 3)
    ]  # fmt: skip
    host.expect("3 of 3 seats taken")
    host.type("start")
    for one in (host, *guests):
        one.expect("How many do you take")
    time.sleep(2.5)
    host.kill()
    for one in guests:
        one.expect(AGAIN, 8)
        one.expect("Lost contact with Host", 8)
    time.sleep(2.5)
    again = hall.run("-v", "join", "--as", "Host", home="host", typed=True, before=lan.inside(1))
    again.expect("The match continues")
    for one in guests:
        one.expect("Host has reconnected", 12)
    players = (again, *guests)
    play(*players)
    for one in players:
        one.expect("won")
    for one in reversed(players):
        one.hang_up()
    agree(*players)


@pytest.mark.long
def test_of_two_the_guest_waits_for_the_host(hall: Hall) -> None:
    """The host of two is killed: the guest says that it waits, and nothing becomes agreed by itself."""
    host, ann = at_cards(hall, 2)
    host.kill()
    ann.expect("Lost contact with Host. The table is waiting", 12)
    ann.type("2")
    time.sleep(1.0)
    assert not ann.has("bids|now leads the table")


@pytest.mark.long
def test_of_two_the_guest_is_told_that_the_host_woke_up(hall: Hall) -> None:
    """The host of two sleeps for ten seconds: the guest reads that it is gone, and that it is back."""
    host, ann = at_cards(hall, 2)
    host.process.send_signal(signal.SIGSTOP)
    ann.expect("Lost contact with Host. The table is waiting", 12)
    host.process.send_signal(signal.SIGCONT)
    ann.expect("Host is back", 12)


@pytest.mark.long
def test_of_two_the_host_finds_its_table_again(hall: Hall, lan: Lan) -> None:
    """Killed and started anew with a plain `tt join`, it is found by the guest that waits, and they go on."""
    host = hall.run("-v", "host", "tricks", "--seats", "2", "--as", "Host", home="host", typed=True,
                    before=lan.inside(1))  # fmt: skip
    host.note("The table is open")
    ann = hall.run("-v", "join", "10.86.0.1", "--as", "Ann", home="ann", typed=True, before=lan.inside(2))
    host.expect("2 of 2 seats taken")
    time.sleep(2.5)
    host.kill()
    ann.expect("Lost contact with Host. The table is waiting", 12)
    again = hall.run("-v", "join", "--as", "Host", home="host", typed=True, before=lan.inside(1))
    again.expect("2 of 2 seats taken", 12)
    ann.type("ready")
    again.expect("Ann: ready", 12)
    again.type("start")
    for one in (again, ann):
        one.expect("How many do you take")


@pytest.mark.long
def test_of_two_the_guest_takes_the_table_over(hall: Hall, lan: Lan) -> None:
    """It goes on alone when its player says so; a host that comes back keeps its copy and joins afresh."""
    host = hall.run("-v", "host", "tricks", "--seats", "2", "--as", "Host", home="host", typed=True,
                    before=lan.inside(1))  # fmt: skip
    host.note("The table is open")
    ann = hall.run("-v", "join", "10.86.0.1", "--as", "Ann", home="ann", typed=True, before=lan.inside(2))
    host.expect("2 of 2 seats taken")
    ann.type("alone")
    ann.expect("The table is running. No one needs to take over")
    time.sleep(2.5)
    host.kill()
    ann.expect("or type “alone” to continue without them", 12)
    ann.type("alone")
    ann.expect(f"Ann{AGAIN}", 8)
    ann.expect("Host is away", 8)
    time.sleep(2.5)
    once = hall.run("-v", "join", "--as", "Host", home="host", typed=True, before=lan.inside(1))
    assert once.done() == 7
    assert "continued without you, and your copy no longer matches it. Join again" in once.errors[-1]
    again = hall.run("-v", "join", "--as", "Host", home="host", typed=True, before=lan.inside(1))
    again.expect("2 of 2 seats taken")
    ann.expect("Host is back", 12)
    again.type("start")  # it is the host again
    for one in (again, ann):
        one.expect("How many do you take")
    assert list(hall.folder.rglob("*.apart"))


@pytest.mark.long
def test_a_damaged_copy_of_the_table_is_kept_aside_and_learnt_anew(hall: Hall) -> None:
    """A guest comes back whose file has a flipped bit: it says so, sits down again, and the match goes on."""
    host, ann, bob = at_cards(hall, 3)
    bob.kill()
    host.expect("Lost contact with Bob", 8)
    (path,) = bob.home.rglob("tables/*.log")
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    again = hall.join(name="Bob", typed=True, home=bob.home.name)
    again.expect("copy of the table was damaged", 12)
    again.expect("How many do you take", 12)
    assert path.with_suffix(".damaged").read_bytes() == bytes(data)
    players = (host, ann, again)
    play(*players)
    for one in players:
        one.expect("won")
    for one in reversed(players):
        one.hang_up()
    agree(*players)
