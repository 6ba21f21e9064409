"""A changed program at a table of processes: what it says falsely of hidden cards is found at the end."""

from __future__ import annotations

from pathlib import Path

import pytest

from . import second_opinion
from .conftest import install
from .table import TT, Hall

FIBBING = [*TT[:3], "-P", str(Path(__file__).with_name("fibbing.py"))]
"""The program of a machine that lies about cards; see `fibbing`."""
ROCKETS = Path(__file__).parents[2] / "examples" / "games" / "rockets" / "rules.py"
HOOK = """
from tavolata import hookimpl

@hookimpl
def tavolata_games():
    return [Rockets]
"""


@pytest.fixture
def rockets(tmp_path: Path) -> Hall:
    """A hall in which the game of hints is installed."""
    source = tmp_path / "rules.py"
    source.write_text(ROCKETS.read_text(encoding="utf-8") + HOOK, encoding="utf-8")
    return Hall(tmp_path / "hall", (install(tmp_path / "site", "tavolata_rockets", source),))


def test_a_false_hint_loses_the_match(rockets: Hall) -> None:
    """The others convict its machine; outcome, history and `tt verify` name fact and faces."""
    try:
        host = rockets.host("rockets", "--seats", "3", "--bot", "random", "--start", "full")
        honest = rockets.join("--bot", "random")
        liar = rockets.join("--bot", "random", name="Liar", program=FIBBING)
        assert [one.done(120) for one in (host, honest, liar)][:2] == [0, 0]
        assert host.end() == honest.end()
        (kept,) = host.matches()
        assert kept.header["dealer"] == "fair"
        seat = kept.header["names"].index("Liar")
        conviction, outcome = host.end()["conviction"], host.end()["outcome"]
        assert isinstance(conviction, dict)
        assert isinstance(outcome, dict)
        assert (conviction["seat"], conviction["offence"]) == (seat, "false-fact")
        assert conviction["fields"]["fact"] == "touched"
        assert seat not in outcome["winners"]
        second_opinion.hand_over(honest)
        for command in (("verify",), ("history", "--all")):
            told = rockets.run(*command, home=honest.home.name)
            assert told.done() == 0, told.story()
            assert told.has(r"Liar.*What it said in turn \d+ is false: “touched” of "), told.story()
    finally:
        rockets.close()
