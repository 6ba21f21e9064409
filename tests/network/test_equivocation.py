"""A leader that equivocates, among real peers: its signatures convict it, and the match goes on."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tavolata._engine.dealing import steps

from .table import HASTY, PATIENCE, Hall, Tt, agree

pytestmark = pytest.mark.long

LIAR = Path(__file__).with_name("equivocating.py")
ROOT = Path(__file__).parents[2]


def lies(hall: Hall, step: int, *words: str) -> Tt:
    """A host that tells Ann another log from that step of the dealing on."""
    hall.path = (*hall.path, ROOT)
    liar = [sys.executable, "-P", "-W", "default", str(LIAR), str(step), "Ann"]
    usual = ("--start", "full", "--bot", "random", "--option", "hands=2", "--away", "blind")
    return hall.host("tricks", *usual, *words, name="Liar", program=liar)


@pytest.mark.parametrize("step", [steps.DECK, steps.CARDS])
@pytest.mark.parametrize("peers", [3, 4])
def test_the_match_goes_on_without_a_leader_that_equivocates(hall: Hall, peers: int, step: int) -> None:
    """The host tells one guest another log: all others name it, end alike, and their files prove it."""
    host = lies(hall, step, "--seats", str(peers))
    names = ("Ann", "Bob", "Cy")[: peers - 1]
    rest = [hall.join("--bot", "random", name=name, program=HASTY) for name in names]
    for player in rest:
        player.done(PATIENCE * peers)
    assert any(player.has("As leader, Liar signed two versions") for player in rest)
    agree(*rest)
    for player in rest:
        check = hall.run("verify", home=player.home.name, program=HASTY)
        assert check.done() == 0, check.story()
        assert check.has("Liar's machine was convicted in this match"), check.story()
        assert check.has("Verified: no problems found"), check.story()
    host.kill()


def test_a_private_table_is_joined_again_without_its_code(hall: Hall, tmp_path: Path) -> None:
    """Whoever has to follow to another leader is known there as a member: nobody is asked for the code."""
    host = lies(hall, steps.DECK, "--seats", "3", "--code")
    code = tmp_path / "code"
    code.write_text(host.note(r"its code is (\S+)\.").group(1))
    words = ("--bot", "random", "--code-file", str(code))
    rest = [hall.join(*words, name=name, program=HASTY) for name in ("Ann", "Bob")]
    for player in rest:
        player.done(3 * PATIENCE)
    assert any(player.has("This computer is discarding it and starting again") for player in rest)
    agree(*rest)
    host.kill()
