"""Every kind of file that `tt new --like` writes, at a real table of two machines or more."""

from __future__ import annotations

from pathlib import Path

import pytest

from tavolata._cli.workshop import KINDS

from .table import Hall, Tt, agree

SEATS = {"party": 3, "roles": 4}
"""The fewest players of a kind; two of others."""
PATIENCE = 8 * 60.0
"""Seconds for a whole match, and for verifying it: many cards are dealt by all machines."""
QUICK = "simultaneous"
"""The kind that the usual run plays."""


def ran(hall: Hall, *words: str) -> Tt:
    """A command in the folder of the first machine that has ended well."""
    one = hall.run(*words, home="Host")
    assert one.done(PATIENCE) == 0, one.story()
    return one


@pytest.mark.parametrize(
    "kind", [pytest.param(kind, marks=() if kind == QUICK else pytest.mark.long) for kind in KINDS]
)
def test_a_file_that_was_just_written_is_hosted_and_verified(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The machines deal together, or one narrates; bots play to the end, and each file verifies."""
    monkeypatch.chdir(tmp_path)
    hall = Hall(tmp_path)
    try:
        ran(hall, "new", f"my-{kind}", "--like", kind)
        file = f"./my_{kind}.py"
        seats, narrated = SEATS.get(kind, 2), kind == "roles"
        bot = ("--bot", "random")
        host = hall.host(file, "--start", "full", "--seats", str(seats), *(() if narrated else bot))
        players = [] if narrated else [host]
        players += [hall.join("--game", file, *bot) for _ in range(seats - len(players))]
        for one in players:
            assert one.done(PATIENCE) == 0, one.story()
        end = agree(*players)
        assert end["outcome"] is not None
        assert end["conviction"] is None
        for one in players:
            assert one.matches()[-1].header["dealer"] == ("host" if narrated else "fair")
            verified = hall.run("verify", home=one.home.name)
            assert verified.done(PATIENCE) == 0, verified.story()
    finally:
        hall.close()
