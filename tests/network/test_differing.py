"""Tables of real processes where the game of one machine differs: everybody is told, and nothing counts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tavolata._cli.failures import WRONG

from .conftest import install
from .table import Hall, Tt

VOID = re.compile(
    "copies of the match differ (?:after log|at) entry|divergono (?:dopo la|a partire dalla) voce"
)


@pytest.fixture
def drifting(tmp_path: Path) -> Iterator[Hall]:
    """A hall with a game in which a trick counts double on a machine that has a certain variable."""
    rules = Path(__file__).with_name("sealed_tricks.py").read_text()
    changed = rules.replace(
        "self.bank.pay(1, self.taken[winner])",
        'self.bank.pay(2 if "TRICKS_DRIFT" in __import__("os").environ else 1, self.taken[winner])',
    )
    assert changed != rules
    source = tmp_path / "changed.py"
    source.write_text(changed)
    hall = Hall(tmp_path, (install(tmp_path / "site", "sealed_tricks", source),))
    yield hall
    hall.close()


def drifts(hall: Hall, name: str, *words: str) -> Tt:
    """A machine that counts otherwise joins."""
    return hall.run("-v", "join", f"127.0.0.1:{hall.port}", "--as", name, *words, home=name, TRICKS_DRIFT="1")


def is_void(*players: Tt) -> None:
    """All were told in one short sentence, with the details in a file; nothing counts, no exit code is 0."""
    for one in players:
        assert one.done() == WRONG, one.story()
        told = [line for line in [*one.lines, *one.errors] if VOID.search(line)]
        assert len(told) == 1, one.story()
        (details,) = (one.home / "data" / "matches").glob("*-differs.txt")
        assert str(details) in told[0]
        assert len(told[0]) < 800, told
        assert "The public state here, now:" in details.read_text()
        assert one.end()["outcome"] is None, one.story()


@pytest.mark.parametrize(
    "hands",
    [
        pytest.param(1, marks=pytest.mark.long, id="seen after the end"),
        pytest.param(40, id="seen in the match"),
    ],
)
def test_a_match_of_replicas_that_differ_is_void_on_all(drifting: Hall, hands: int) -> None:
    """One of three machines counts otherwise: in lines, JSON and Italian all say so, and nothing counts."""
    host = drifting.host("tricks", "--seats", "3", "--start", "full", "--bot", "random", "--dealer", "host",
                         "--option", f"hands={hands}", lang="it")  # fmt: skip
    ann = drifting.join("--bot", "random", "--ui", "json", typed=True)
    is_void(host, ann, drifts(drifting, "Bob", "--bot", "random"))
    assert drifting.run("verify", str(ann.matches()[-1].path)).done() == 0


@pytest.mark.long
def test_who_only_watches_and_differs_says_so(drifting: Hall) -> None:
    """A watcher's screen may be wrong, or one machine may lie: it says so; the match is as good as before."""
    host = drifting.host("tricks", "--seats", "2", "--start", "full", "--bot", "random", "--dealer", "host",
                         "--option", "hands=30")  # fmt: skip
    watcher = drifts(drifting, "Eve", "--watch")
    watcher.expect("Eve is watching")
    ann = drifting.join("--bot", "random")
    watcher.note("your match differs from")
    assert [one.done(90) for one in (host, ann)] == [0, 0]
    assert host.end() == ann.end()
