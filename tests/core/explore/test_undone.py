"""Whatever is said of taking answers back: nobody learns by it, all machines agree, and the file is right."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.core.engine.dealing.world import World
from tests.core.engine.review.signed import play, re_signed
from tests.core.engine.review.test_second_opinion import TOOL, asked
from tests.core.explore.undone import Slips, Undoing
from tests.core.explore.walks import Broken

from tavolata._engine.match import take_back
from tavolata._engine.match.entries import ANSWER, UNDONE
from tavolata._engine.review import table_match
from tavolata._engine.review.findings import Wrong

pytestmark = pytest.mark.battery


@pytest.mark.parametrize(("parties", "conspirators", "seed"), [(2, 1, 2), (3, 1, 2)])
def test_an_adversary_has_answers_taken_back(parties: int, conspirators: int, seed: int) -> None:
    """Only with all people's yes, before anybody chose or learned anything, to what was; and all go on."""
    walk = Undoing(parties, conspirators, seed)
    walk.run(60, mute=False)
    assert walk.taken_back
    assert walk.dropped > 10


def no_choice(match: Any, seat: int, entry: Any) -> str:
    """As ever, but an answer of another hinders nothing."""
    return "" if entry[0] == ANSWER else plainly(match, seat, entry)


plainly = take_back._hinders


@pytest.mark.parametrize(
    ("name", "instead", "sentence", "parties", "seed"),
    [
        ("needed", lambda match, seat: set(), "has not agreed", 2, 2),
        ("_TELLS_NOTHING", frozenset(range(-2, 20)), "after something was said or opened", 3, 2),
        ("_hinders", no_choice, "after something was said or opened", 3, 2),
    ],
)
def test_it_finds_each_rule_that_is_left_out(
    name: str, instead: Any, sentence: str, parties: int, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where nobody is asked, or what others chose, or what came since is nothing."""
    monkeypatch.setattr(take_back, name, instead)
    with pytest.raises(Broken, match=sentence):
        Undoing(parties, 1, seed).run(100, mute=False)


def test_a_file_with_answers_taken_back_is_right(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both verifiers take it with all its junk; with the last yes made a no, what follows does not fit."""
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path))
    walks = list[Undoing]()

    def script(world: World) -> None:
        walks.append(Undoing(2, 1, 2, world, stays=1))
        walks[0].run(60, mute=False)

    world, kept = play(Slips, (1, 2), script=script)
    told = dict(table_match.check(kept, world.header, Slips).told)
    assert [one for message, one in told.items() if "Undone" in message] == [{"n": walks[0].taken_back}]
    if (TOOL / "node_modules").is_dir():
        said = asked(kept.path)
        assert (said.returncode, said.stderr) == (0, "")
        assert "agreed to take an answer back" in said.stdout

    def no(said: list[Any]) -> list[Any]:
        assert said[0] == UNDONE
        return [*said[:-1], False]

    changed = re_signed(kept, tmp_path, 3 + walks[0].last_words[0], no)  # START and two IN come first
    with pytest.raises(Wrong):
        table_match.check(changed, world.header, Slips)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(60))
@pytest.mark.parametrize(("parties", "conspirators"), [(2, 1), (3, 1), (4, 1), (4, 2), (5, 3)])
def test_an_adversary_has_answers_taken_back_in_many_matches(
    parties: int, conspirators: int, seed: int
) -> None:
    """The same with other choices, longer, for conspirators that play on and for those that fall silent."""
    for mute in (False, True):
        Undoing(parties, conspirators, seed).run(100, mute=mute)
