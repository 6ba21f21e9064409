"""Machines that conspire against coins and draws, as processes: no die, order or key is chosen."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tavolata._engine.dealing import steps
from tavolata._engine.match.entries import DEAL
from tavolata._engine.match.header import Header
from tavolata._engine.review.verify import check
from tavolata.messages import Text

from . import throws
from .conftest import install
from .hasty import hurry
from .table import HASTY, PATIENCE, TT, Hall, Tt, agree

CONSPIRING = [*TT[:3], str(Path(__file__).with_name("conspiring.py"))]
NOTHING_WRONG = "Verified: no problems found"


@pytest.fixture
def throwing(tmp_path: Path) -> Iterator[Hall]:
    """A hall in which the game of lots is installed."""
    place = Hall(tmp_path / "hall", (install(tmp_path / "site", "throws", Path(throws.__file__)),))
    yield place
    place.close()


def conspire(hall: Hall, game: str, tricks: list[str], *words: str, flaps: int = 0) -> list[Tt]:
    """A table of one machine that is honest, its host, and of one for each trick; bots play."""
    folder = hall.folder / "conspiracy"
    folder.mkdir(parents=True, exist_ok=True)
    host = hall.host(
        game, "--seats", str(1 + len(tricks)), "--start", "full", "--bot", "random", *words, program=HASTY
    )
    guests = [
        hall.run(
            "-v", "join", f"127.0.0.1:{hall.port}", "--as", f"Liar{number}", "--bot", "random",
            home=f"liar{number}", program=[*CONSPIRING, trick] if trick else HASTY,
            CONSPIRACY=str(folder), FLAPS=str(flaps),
        )
        for number, trick in enumerate(tricks, 1)
    ]  # fmt: skip
    return [host, *guests]


def lots_are_as_foreseen(hall: Hall, players: list[Tt], rolls: int) -> None:
    """Every lot of the match has the value that was computed before the first machine went out."""
    foreseen = json.loads((hall.folder / "conspiracy" / "foreseen").read_text())
    (kept,) = players[0].matches()
    hurry()
    found = check(kept, Header.of(kept.header), throws.Throws)
    drawn = 0
    for _, params in found.told:
        lot = params.get("lot")
        if isinstance(lot, Text) and "value" in params:
            name, number = str(lot.params["name"]), lot.params["number"]
            turn, seat = name.removeprefix("lot of turn ").split(", seat ")
            assert params["value"] == foreseen[f"{turn},{seat},{number}"][str(params["sides"])], name
            drawn += params["sides"] == throws.SIDES
    assert drawn >= rolls


def own_words(player: Tt, word: int) -> int:
    """Return how often machines said this of themselves in a match, each absence counted once."""
    (kept,) = player.matches()
    said = {(entry[1], *entry[4:]) for entry in kept.entries if entry[0] == DEAL and entry[3] == steps.SELF}
    return sum(one[1] == word for one in said)


def parties(player: Tt, *names: str) -> set[int]:
    """Return the numbers of the parties whose players have these names."""
    (kept,) = player.matches()
    header = Header.of(kept.header)
    order = list(dict.fromkeys(header.keys))
    return {order.index(header.keys[header.names.index(name)]) + 1 for name in names}


def verified(hall: Hall, player: Tt) -> None:
    told = hall.run("verify", home=player.home.name, program=HASTY)
    assert told.done(2 * PATIENCE) == 0, told.story()
    assert told.has(NOTHING_WRONG), told.story()


@pytest.mark.parametrize(
    "flaps", [pytest.param(1, id="once"), pytest.param(60, id="sixty", marks=pytest.mark.long)]
)
def test_two_of_three_choose_no_die(throwing: Hall, flaps: int) -> None:
    """They foresee each lot, and go out and come back before it as they like: it stays what it was."""
    players = conspire(throwing, "throws", ["flaps", "flaps"], flaps=flaps)
    agree(*players) if flaps == 1 else [one.done(40 * PATIENCE) for one in players]
    lots_are_as_foreseen(throwing, players, 30)
    assert own_words(players[0], 0) >= 30 * flaps
    verified(throwing, players[0])


def orders(player: Tt) -> tuple[int, int, dict[int, int]]:
    """Return how many draws the orders of one pile took at most, how many piles there were, and by party how
    many seeds it opened."""  # fmt: skip
    (kept,) = player.matches()
    draws: dict[int, set[tuple[int, int]]] = {}
    opened: dict[int, int] = {}
    for entry in kept.entries:
        if entry[0] == DEAL and entry[3] == steps.SEED:
            draws.setdefault(entry[4], set()).add(entry[5:7])
            opened[entry[1]] = opened.get(entry[1], 0) + 1
    return max(map(len, draws.values())), len(draws), opened


@pytest.mark.parametrize(
    ("liars", "most"), [(["refuses"], 2), pytest.param(["refuses", "refuses"], 3, marks=pytest.mark.long)]
)
def test_refusers_see_few_orders_of_a_pile(hall: Hall, liars: list[str], most: int) -> None:
    """They go out in place of a seed, up to forty times: each costs one of two, and nobody is convicted."""
    tricks = [*liars, *[""] * (2 - len(liars))]
    players = conspire(hall, "tricks", tricks, "--option", "hands=4")
    end = agree(*players)
    assert "conviction" not in end or end["conviction"] is None
    draws, piles, opened = orders(players[0])
    assert draws <= most
    assert piles >= 4
    assert not opened.keys() & parties(players[0], *(f"Liar{number}" for number in range(1, 1 + len(liars))))
    assert own_words(players[0], 0) <= 2 * len(liars)
    verified(hall, players[0])


@pytest.mark.long
@pytest.mark.parametrize("trick", ["keeps"])
def test_a_seed_that_never_comes_costs_two_draws(hall: Hall, trick: str) -> None:
    """Whoever is there and opens no seed is voted aside: two further draws, then it isn't asked any more."""
    players = conspire(hall, "tricks", [trick, ""], "--option", "hands=4", "--away", "blind")
    for one in players[::2]:
        assert one.done(8 * PATIENCE) == 0, one.story()
    draws, piles, opened = orders(players[0])
    assert draws <= 2
    assert piles >= 4
    assert not opened.keys() & parties(players[0], "Liar1")
    verified(hall, players[0])


@pytest.mark.long
@pytest.mark.parametrize("at", ["hash", "part", "shares", "agreed"])
@pytest.mark.parametrize("word", ["out", "left", "silent"])
def test_whoever_refuses_the_first_keys_makes_start_fall(hall: Hall, word: str, at: str) -> None:
    """No die comes from keys that somebody could still refuse; everybody reads who was missing."""
    players = conspire(hall, "tricks", [f"{word} {at}", ""])
    for one in players[::2]:
        said = one.expect("The match can.t start: no answer from", 3 * PATIENCE).string
        assert "Liar1" in said
        assert "Host" not in said
    assert not any(one.matches() for one in players[::2])
