"""Golden playthroughs: readable, complete, and exact about what has changed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.core.games import Nod, Race, Shouts, Tricks

from tavolata import Options, Outcome, Table
from tavolata.testing import Case, PlaythroughDiffers, record_playthrough, replay_playthrough, replay_text
from tavolata.testing.__main__ import main

NODDED = """\
A playthrough of Tavolata, format 1
game: "nod"
rules: 1
options: {}
names: ["P0"]
seed: 0
language: "en"

1 number 1, 0
2 answer 0, 1, 0
= winners: P0; scores: None; ranks: None
"""


def test_a_playthrough_reads_like_this() -> None:
    """Header, entries, outcome and digest, a line each."""
    text = record_playthrough(Case(Nod, 1))
    assert text.startswith(NODDED)
    assert len(text.removeprefix(NODDED)) == len("= \n") + 32


@pytest.mark.parametrize("game", [Tricks, Race, Shouts])
def test_every_line_is_followed_again(game: Any, tmp_path: Any) -> None:
    """A file that was recorded replays; faces, events and turns are in it."""
    file = tmp_path / "match.txt"
    assert (
        main(["record", f"tests.core.games:{game.__name__}", str(file), "--seats", "2", "--seed", "3"]) == 0
    )
    replay_playthrough(game, file)
    assert main(["replay", f"tests.core.games:{game.__name__}", str(file)]) == 0
    text = file.read_text(encoding="utf-8")
    assert "= turn 1: " in text
    assert game is Race or "   · " in text


def test_every_line_counts() -> None:
    """Whatever line of a playthrough is changed or left out, following it fails."""
    lines = record_playthrough(Case(Tricks, 2, {}, 4)).splitlines()
    for at, line in enumerate(lines):
        if line.startswith("seed: "):
            continue  # where it came from; entries say what chance was
        for changed in ([], [line + "!"]):
            with pytest.raises(PlaythroughDiffers):
                replay_text(Tricks, "\n".join([*lines[:at], *changed, *lines[at + 1 :], ""]))


def test_a_difference_is_shown_beside_its_line(tmp_path: Any, capsys: Any) -> None:
    """A rule that changed shows as a difference of lines, and the command ends with 1."""

    class Polite(Nod):
        async def turn(self, t: Table[Options]) -> Outcome | None:
            t.tell("{seat} bows.", seat=self.who)
            await super().turn(t)
            return Outcome(())

    text = record_playthrough(Case(Nod, 1))
    with pytest.raises(PlaythroughDiffers) as difference:
        replay_text(Polite, text, "nod.txt")
    told = str(difference.value)
    assert "+      P0 bows." in told
    assert "-= winners: P0; scores: None; ranks: None" in told
    file = tmp_path / "nod.txt"
    file.write_text(text.replace("winners: P0", "winners: P1"), encoding="utf-8")
    assert main(["replay", "tests.core.games:Nod", str(file)]) == 1
    assert "-= winners: P1" in capsys.readouterr().err


def test_what_is_no_playthrough_is_refused() -> None:
    """Any other text is told to be none."""
    for text in ("", "A poem", NODDED.replace("number", "rhyme"), NODDED.replace("\n\n", "\n")):
        with pytest.raises(PlaythroughDiffers, match="is no playthrough"):
            replay_text(Nod, text)


def test_a_file_that_can_not_be_used_is_one_sentence(tmp_path: Any, capsys: Any) -> None:
    """It isn't there, it's no text, or its folder is missing: the command says so, and ends with 1."""
    (tmp_path / "binary.txt").write_bytes(b"\xff\xfe\x00")
    for words in (
        ["replay", "tests.core.games:Nod", str(tmp_path / "nowhere.txt")],
        ["replay", "tests.core.games:Nod", str(tmp_path / "binary.txt")],
        ["record", "tests.core.games:Nod", str(tmp_path / "missing" / "match.txt")],
    ):
        assert main(words) == 1
        said = capsys.readouterr().err
        assert len(said.splitlines()) == 1
        assert "binary" in words[-1] or Path(words[-1]).name in said


def test_events_for_single_seats_say_for_whom() -> None:
    """A line that only some seats were told names them."""
    texts = [record_playthrough(Case(Tricks, 2, {}, seed)) for seed in range(5)]
    assert any("You see a hidden card. (to " in text for text in texts)
