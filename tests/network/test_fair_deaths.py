"""Peers of a fair deal that are killed at every kind of message: the others play on, and can prove how."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from tavolata._engine.entries import ANSWER, DEAL, OPENED, SEALED, Entry
from tavolata._engine.fair import steps
from tavolata._engine.store import StoreError, read

from .table import PATIENCE, Hall, Tt, agree

STEPS = {
    "a key's hash": steps.KEYS_HASH,
    "a key's part": steps.KEYS_PART,
    "key shares": steps.KEYS_SHARES,
    "agreed keys": steps.KEYS_AGREED,
    "a deck": steps.DECK,
    "a proof": steps.PROOF,
    "a seed": steps.SEED,
    "shares for all": steps.FACES,
    "a lot": steps.LOT,
    "shares for one": steps.CARDS,
}
KINDS = {"a seal": SEALED, "an opening": OPENED, "a choice": ANSWER}


def moment(name: str) -> Callable[[Entry], bool]:
    """Whether an entry is of the kind of this name."""
    if name in KINDS:
        return lambda entry: entry[0] == KINDS[name]
    return lambda entry: entry[0] == DEAL and entry[3] == STEPS[name]


def watch(player: Tt, seen: Callable[[Entry], bool]) -> None:
    """Wait until such an entry is in a player's file."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        for path in (player.home / "data" / "matches").glob("*.ttm"):
            try:
                if any(map(seen, read(path).entries)):
                    return
            except StoreError:
                pass  # not written yet
        time.sleep(0.01)
    raise AssertionError(f"It was never said at:\n{player.story()}")


def plays_on(
    hall: Hall, name: str, victim: int, peers: int = 3, game: str = "tricks", option: str = "hands=2"
) -> None:
    """Kill one of them at that moment: the others end alike, and their files prove every step."""
    words = ("--start", "full", "--bot", "random", "--option", option, "--away", "bot")
    host = hall.host(game, "--seats", str(peers), *words)
    players = [host, *(hall.join("--bot", "random") for _ in range(peers - 1))]
    watch(players[(victim + 1) % peers], moment(name))
    players[victim].kill()
    rest = [player for at, player in enumerate(players) if at != victim]
    for player in rest:
        player.done(PATIENCE * peers)  # they share the cores of one machine
    agree(*rest)
    for player in rest:
        check = hall.run("verify", home=player.home.name)
        assert check.done() == 0, check.story()
        assert check.has("Nothing is wrong with this match")


def test_the_host_dies_in_the_middle_of_a_shuffle_and_the_others_play_on(hall: Hall) -> None:
    """What it did not prove is taken back; the others shuffle anew and finish."""
    plays_on(hall, "a deck", victim=0)


@pytest.mark.long
@pytest.mark.parametrize("victim", [0, 2])
@pytest.mark.parametrize("name", [*STEPS, *KINDS])
def test_anybody_dies_at_any_kind_of_message(hall: Hall, name: str, victim: int) -> None:
    """The host, or the last guest, at every kind of message in turn."""
    plays_on(hall, name, victim)


@pytest.mark.long
@pytest.mark.parametrize("name", ["a deck", "shares for one", "a choice"])
def test_one_of_five_dies(hall: Hall, name: str) -> None:
    """Of more peers, too."""
    plays_on(hall, name, victim=1, peers=5)


@pytest.mark.long
@pytest.mark.parametrize("peers", [4, 8])
def test_one_of_many_dies_over_zompa(hall: Hall, peers: int) -> None:
    """Four and eight machines, of which one dies with cards on the table."""
    plays_on(hall, "shares for all", victim=2, peers=peers, game="zompa", option="fiches=4")


@pytest.mark.long
def test_of_two_the_other_waits_and_the_match_goes_on_when_both_are_there(hall: Hall) -> None:
    """With two, nothing can be opened alone: it waits, and a guest that comes back plays it to its end."""
    words = ("--start", "full", "--bot", "random", "--option", "hands=2")
    host = hall.host("tricks", "--seats", "2", *words)
    guest = hall.join("--bot", "random", name="Ann")
    watch(host, moment("a choice"))
    guest.kill()
    host.expect("Ann is away")
    assert host.process.poll() is None
    agree(host, hall.join("--bot", "random", name="Ann"))
