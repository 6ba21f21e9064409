"""A changed program at a table of processes: what it says falsely of hidden cards is found at the end."""

from __future__ import annotations

from pathlib import Path

from . import second_opinion
from .conftest import install
from .table import TT, Hall

FIBBING = [*TT[:3], "-P", str(Path(__file__).with_name("fibbing.py"))]
"""The program of a machine that lies about cards; see `fibbing`."""
EXAMPLES = Path(__file__).parents[2] / "examples" / "games"
HOOK = """
from tavolata import hookimpl

@hookimpl
def tavolata_games():
    return [{game}]
"""
HINTING = """
@hookimpl
def tavolata_bots():
    return [("rockets", Keen)]
"""
"""Its bot gives hints, and loses no match by chance before anybody could; random ones do both."""


def hall_of(folder: Path, game: str, more: str = "") -> Hall:
    """A hall in which an example is installed."""
    source, rules = folder / "rules.py", EXAMPLES / game / "rules.py"
    source.write_text(
        rules.read_text(encoding="utf-8") + HOOK.format(game=game.title()) + more, encoding="utf-8"
    )
    return Hall(folder / "hall", (install(folder / "site", f"tavolata_{game}", source),))


def test_a_revoke_loses_the_match(tmp_path: Path) -> None:
    """A machine that plays against its claims is refused by nobody, and convicted when its hand is open."""
    hearts = hall_of(tmp_path, "hearts")
    try:
        words = ("--seats", "4", "--bots", "2", "--option", "points=1", "--bot", "random", "--start", "full")
        host = hearts.host("hearts", *words)
        liar = hearts.join("--bot", "random", name="Liar", program=[*FIBBING, "--revoke"])
        assert [host.done(120), liar.done(120)][0] == 0
        (kept,) = host.matches()
        assert kept.header["dealer"] == "fair"
        conviction = host.end()["conviction"]
        assert isinstance(conviction, dict)
        seat = kept.header["names"].index("Liar")
        assert (conviction["seat"], conviction["offence"]) == (seat, "false-fact")
        told = hearts.run("verify", home=host.home.name)
        assert told.done() == 0, told.story()
        assert told.has(r"Liar.*Its statement in turn \d+ is false: “(follows|may_begin|may_lead)” isn't "), (
            told.story()
        )
    finally:
        hearts.close()


def test_a_false_hint_loses_the_match(tmp_path: Path) -> None:
    """The others convict its machine; outcome, history and `tt verify` name fact and faces."""
    rockets = hall_of(tmp_path, "rockets", HINTING)
    try:
        host = rockets.host("rockets", "--seats", "3", "--bot", "keen", "--start", "full")
        honest = rockets.join("--bot", "keen")
        liar = rockets.join("--bot", "keen", name="Liar", program=FIBBING)
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
            assert told.has(r"Liar.*Its statement in turn \d+ is false: “touched” isn't "), told.story()
    finally:
        rockets.close()
