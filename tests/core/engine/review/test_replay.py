"""Watching a match again: forward, back, to a turn, from any seat that may see it."""

from __future__ import annotations

import io
import re
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from tests.core.ui.conversation import checked

from tavolata import Award, Outcome, Seat, text
from tavolata._cli import main
from tavolata._engine.match.header import Header
from tavolata._engine.review.replay import ALL, Replay, Step
from tavolata._engine.storage.history import history
from tavolata._engine.storage.match_file import EVENT, HEADER, MatchFile, StoreError, match_files, read
from tavolata._ui.i18n import Translator
from tavolata._ui.plain_replay import PlainReplay
from tavolata.errors import Refused
from tavolata_conto.rules import Conto

CONTO = ("play", "conto", "--seats", "3", "--bot", "easy", "--bots", "2", "--seed", "3", "--as", "Ann")


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Path:
    """The file of a match of conto that is over; what was said of it is in `played.txt` beside it."""
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path))
    assert main([*CONTO, "--ui", "plain"]) == 0
    (tmp_path / "played.txt").write_text(capsys.readouterr().out, encoding="utf-8")
    (path,) = match_files()
    return path


def opened(path: Path) -> Replay:
    kept = read(path)
    return Replay(kept, Header.of(kept.header), Conto)


def commanded(path: Path, *lines: str, lang: str = "en") -> list[str]:
    """What is said to somebody who types these lines."""
    said: list[str] = []
    face = PlainReplay(opened(path), Translator(lang), "tavolata_conto", said.append)
    face.run(lines)
    return said


def test_all_that_was_told_is_told_again(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Through a pipe the whole match is told, line by line as it was, with its end."""
    assert main(["replay", str(file)]) == 0
    told = [line for line in capsys.readouterr().out.splitlines() if not line.startswith("Turn ")]
    assert told == (file.parents[1] / "played.txt").read_text(encoding="utf-8").splitlines()


def test_turns_are_counted_as_the_players_count_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A match of Horse Fever of one turn, which the engine plays in many, took one turn in every place."""
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path))
    words = ("--seats", "2", "--bot", "easy", "--bots", "1", "--seed", "3", "--option", "turns=1")
    assert main(["play", "horse-fever", *words, "--as", "Ann", "--ui", "plain"]) == 0
    assert "It took 1 turn." in capsys.readouterr().out
    assert main(["replay"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert [line for line in said if re.fullmatch(r"Turn \d+ of \d+\.", line)] == ["Turn 1 of 1."]
    with history() as past:
        assert [match.turns for match in past.matches()] == [1]
    assert main(["verify"]) == 0


def test_a_match_is_found_by_path_id_beginning_or_as_the_last(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Four ways to say which; what can't be found is one sentence."""
    said = []
    for words in ([str(file)], [file.stem], [file.stem[:6]], []):
        assert main(["replay", *words]) == 0
        said.append(capsys.readouterr().out)
    assert len(set(said)) == 1
    for word in ("nobody", "../x", "*"):
        assert main(["replay", word]) == 2
        assert "No match found with the file name or id" in capsys.readouterr().err


def test_going_back_is_going_there(file: Path) -> None:
    """Any step is the same state whether it was reached forward or back; the ends hold."""
    replay = opened(file)
    digests = []
    for step in range(len(replay.steps)):
        replay.go(step)
        digests.append(replay.match.digest())
    for step in [*range(len(replay.steps) - 1, -1, -7), 5, 1000, -3, len(replay.steps) // 2]:
        replay.go(step)
        assert replay.at == max(0, min(step, len(replay.steps) - 1))
        assert replay.match.digest() == digests[replay.at]
    replay.go(10**6)
    assert replay.match.over
    assert replay.match.digest() == read(file).end["digest"]  # type: ignore[index]  # it is over


def test_a_turn_is_jumped_to(file: Path) -> None:
    """Each turn begins where the one before it is over."""
    replay = opened(file)
    assert replay.steps[0] == Step(0, 0, 0)
    for turn in range(1, replay.turns + 1):
        step = replay.step_of_turn(turn)
        assert replay.steps[step].turn == turn - 1
        assert step == 0 or replay.steps[step - 1].turn < turn - 1


def test_hands_are_seen_from_each_seat_and_all_at_once(file: Path) -> None:
    """A spectator sees no hand, a seat its own, all together see all of them; it is the same match."""
    replay = opened(file)
    replay.go(replay.step_of_turn(3))

    def faces(seat: int | None) -> list[bool]:
        zones = replay.view(seat).zones().values()
        hands = {zone.seat: zone for zone in zones if zone.kind == "hand" and zone.id.startswith("hand.")}
        shown = {card.id for zone in zones if zone.id.startswith("shown") for card in zone.content}
        return [
            all(card.face is not None for card in hands[who].content if card.id not in shown)  # type: ignore[index]
            for who in range(3)
        ]

    assert replay.seats() == (0, 1, 2)
    assert [faces(seat) for seat in (None, 0, 1, 2, ALL)] == [
        [False, False, False], [True, False, False], [False, True, False], [False, False, True], [True] * 3,
    ]  # fmt: skip


def test_hands_of_a_match_that_goes_on_stay_closed(tmp_path: Path, file: Path) -> None:
    """Before the end only the one person who plays may look into their own hand."""
    kept = read(file)
    kept.end = None
    kept.header["bots"] = [None, "easy", "easy"]
    replay = Replay(kept, Header.of(kept.header), Conto)
    assert replay.seats() == (0,)
    for seat in (1, 2, ALL):
        with pytest.raises(Refused, match="Hands are revealed when the match is over"):
            replay.check_seat(seat)
    kept.header["bots"] = [None, None, "easy"]
    assert Replay(kept, Header.of(kept.header), Conto).seats() == ()


def test_step_by_step_by_commands(file: Path) -> None:
    """Enter, back, turn, start, end, seat, board, hand, log: each says where one is; nonsense is told."""
    said = commanded(
        file, "", "", "back", "turn 4", "4", "turn", "start", "back", "turn 999", "fly", "quit", ""
    )
    assert "The match begins." in said
    assert any(re.fullmatch(r"Turn 4 of \d+, step \d+ of \d+\.", line) for line in said)
    assert sum(line.startswith("Turn 4 of") for line in said) == 2
    assert any(line.startswith("Turn 5 of") for line in said)
    assert any(line.startswith("Choose a number from 1 to") for line in said)
    assert said[-1] == "No such command: fly (? for help)."
    nines = "9" * 5000
    said = commanded(file, nines, f"turn {nines}")
    assert sum(line.startswith("Choose a number from 1 to") for line in said) == 2
    said = commanded(
        file, "turn 3", "hand", "seat ada", "hand", "/board hand of ada", "seat all", "board", "seat"
    )
    assert "Your hand is empty." in said
    assert "Now showing Ada's view." in said
    assert any(re.match(r"Hand of Ada: \d+ cards, from the top:", line) for line in said)
    assert "Now showing all hands." in said
    assert said[-1] == "Now showing the spectators' view."
    assert not any("a hidden card" in line for line in said if line.startswith("Hand of"))
    last = commanded(file, "end", "")[-1]
    assert last.endswith("has won.")


def test_the_commands_are_there_in_italian(file: Path) -> None:
    """Words and answers in the person's language."""
    said = commanded(file, "", "indietro", "turno 2", "posto tutti", "esci", "board", lang="it")
    assert "Ora vedi tutte le mani." in said
    assert any(line.startswith("Turno 2 di") for line in said)


def test_a_seat_and_a_turn_can_be_said_at_once(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """--seat and --turn hold for what is told through a pipe, too; a wrong one is told."""
    assert main(["replay", "--turn", "5", "--seat", "ada"]) == 0
    assert capsys.readouterr().out.startswith("Turn 5 of")
    assert main(["replay", "--seat", "nobody"]) == 2
    assert capsys.readouterr().err == "tt: No one here is named nobody.\n"


def test_on_a_terminal_lines_are_typed(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With --ui plain one goes step by step on a terminal, until Ctrl+D."""
    monkeypatch.setattr("tavolata._cli.command_context.CommandContext.on_terminal", True)
    monkeypatch.setattr(sys, "stdin", io.StringIO("\nend\n"))
    assert main(["replay", "--ui", "plain"]) == 0
    out = capsys.readouterr().out
    assert "Enter: the next step" in out
    assert "has won." in out


def test_rules_that_are_not_here_leave_what_was_told(
    file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A match by other rules, or of a game that is not installed, is still told from its recorded events."""
    monkeypatch.setattr(Conto, "rules_id", 99)
    assert main(["replay"]) == 0
    out, err = capsys.readouterr()
    assert "Only the story of this match can be shown" in err
    played = (file.parents[1] / "played.txt").read_text(encoding="utf-8").splitlines()
    assert out.splitlines() == played[: len(out.splitlines())]
    assert len(out.splitlines()) > 20
    assert main(["replay", "--ui", "json"]) == 0
    hello, *events = map(checked, capsys.readouterr().out.splitlines())
    assert hello["type"] == "hello"
    assert [one["text"] for one in events] == out.splitlines()
    kept = read(file)
    gone = MatchFile(file.with_name("ab.ttm"))
    gone.write(HEADER, {**kept.header, "game": "gone"})
    for event in kept.events:
        gone.write(EVENT, event)
    gone.entry((1, 2, 3))
    gone.close()
    assert main(["replay", "ab"]) == 0
    out, err = capsys.readouterr()
    assert "No game called gone" in err
    assert out


def test_a_file_that_was_tampered_with_is_told(file: Path) -> None:
    """Entries that the rules can't have had are one sentence, and no traceback."""
    kept = read(file)
    answers = [at for at, entry in enumerate(kept.entries) if entry[0] == 4]
    kept.entries[answers[5]] = (4, 0, 1, 77)
    with pytest.raises(StoreError, match="don't follow the game's rules"):
        Replay(kept, Header.of(kept.header), Conto)


@pytest.mark.parametrize("damage", ["cut off", "another bit"])
def test_a_broken_file_is_watched_as_far_as_it_goes(
    damage: str, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nobody is told that the match was left there, but where the file is broken."""
    data = bytearray(file.read_bytes())
    if damage == "cut off":
        del data[len(data) // 2 :]
    else:
        data[len(data) // 2] ^= 1
    file.write_bytes(data)
    at = read(file).whole
    assert main(["replay", str(file)]) == 9
    assert capsys.readouterr().out.endswith(
        f"The file is damaged from byte {at} on, so the rest can't be shown.\n"
    )


def test_an_outcome_that_the_rules_did_not_reach_is_that_of_the_file(file: Path) -> None:
    """Where players left or cheated, the file says who has won; what is no outcome is a broken file."""
    kept = read(file)
    assert kept.end is not None
    outcome = {
        "winners": [0, 2], "scores": [4, 1, 5], "ranks": [1, 3, 1],
        "awards": [[1, "Calm", "{n} times", {"n": 2}]],
        "statistics": {"Deaths": [1, None, 2]}, "series": {"Points": [[1, 2, 3]]},
        "why": ["{seat} gave up.", {"seat": ["seat", 1]}],
    }  # fmt: skip
    cut = replace(kept, entries=kept.entries[:-1], end={**kept.end, "outcome": outcome})
    ended = Replay(cut, Header.of(kept.header), Conto).end()
    assert ended is not None
    assert ended.outcome == Outcome(
        (Seat(0), Seat(2)), scores=(4, 1, 5), ranks=(1, 3, 1), statistics={"Deaths": (1, None, 2)},
        awards=(Award("Calm", Seat(1), why="{n} times", n=2),), series={"Points": ((1, 2, 3),)},
        why=text("{seat} gave up.", seat=Seat(1)),
    )  # fmt: skip
    for wrong in (
        {**outcome, "winners": [99]},
        {**outcome, "winners": [3]},
        {**outcome, "scores": [1]},
        {**outcome, "statistics": {"Deaths": [1]}},
        {**outcome, "why": ["{seat} gave up.", {}]},
        {"winners": [0]},
        [0],
    ):
        with pytest.raises(StoreError):
            Replay(replace(cut, end={**kept.end, "outcome": wrong}), Header.of(kept.header), Conto).end()


def test_a_program_can_watch(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As ndjson a match is told like one that is played: every line as published, a full for each turn."""
    assert main(["replay", "--ui", "json", "--seat", "all"]) == 0
    lines = [checked(text) for text in capsys.readouterr().out.splitlines()]
    assert [line["type"] for line in lines][:2] == ["hello", "begin"]
    assert lines[-1]["type"] == "end"
    assert lines[-1]["digest"] == read(file).end["digest"].hex()  # type: ignore[index]  # it is over
    assert sum(line["type"] == "full" for line in lines) > 10
    hands = [zone for zone in lines[-2]["zones"] if zone["id"].startswith("hand.")]
    assert {zone["seat"] for zone in hands} == {0, 1, 2}
