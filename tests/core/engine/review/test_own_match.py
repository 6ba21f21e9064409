"""`tt verify` on matches of one process: what its seed gives is compared with what its file says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.core.engine.review.signed import rewritten

from tavolata._cli import main
from tavolata._cli.failures import FINISHED, USAGE, WRONG
from tavolata._engine.match.entries import ANSWER, SAY, TIMEOUT, UNDONE
from tavolata._engine.match.state import pack, unpack
from tavolata._engine.storage.match_file import (
    END,
    ENTRY,
    EVENT,
    HEADER,
    MAGIC,
    RULES,
    TURN,
    Kept,
    match_files,
    read,
)
from tavolata._engine.storage.record_framing import framed, records


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with one match that bots have played."""
    return tmp_path_factory.mktemp("home")


@pytest.fixture
def kept(home: Path, monkeypatch: pytest.MonkeyPatch) -> Kept:
    """That match."""
    for kind in ("DATA", "CONFIG", "CACHE"):
        monkeypatch.setenv(f"TT_{kind}_DIR", str(home))
    if not list(match_files()):
        words = "play zompa --seats 3 --bots 2 --bot easy --seed 5 --ui plain --option fiches=2"
        assert main(words.split()) == FINISHED
    (path,) = match_files()
    return read(path)


def test_a_match_against_bots_passes(kept: Kept, capsys: pytest.CaptureFixture[str]) -> None:
    """It follows from its seed, and the sentence says who could know every card."""
    assert main(["verify", str(kept.path)]) == FINISHED
    said = capsys.readouterr().out
    assert "Dealt by one process from its seed" in said
    assert "Verified: no problems found." in said


def test_a_match_in_teams_is_resumed_and_passes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Cut off in the middle, it goes on in its teams to the same end; then it follows from its seed."""
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path))
    words = "play jumpy-jack --seats 4 --bots 3 --bot easy --teams 2 --seed 5 --ui plain"
    assert main(words.split()) == FINISHED
    (path,) = match_files()
    whole = read(path)
    assert whole.end is not None
    data, half = path.read_bytes(), len(whole.entries) // 2
    ends = [end for end, body in records(data, len(MAGIC)) if unpack(body)[0] == ENTRY]
    path.write_bytes(data[: ends[half]])
    assert main(["resume", path.stem]) == FINISHED
    again = read(path)
    assert again.header["teams"] == [0, 1, 0, 1]
    assert (again.entries, again.end) == (whole.entries, whole.end)
    assert main(["verify", path.stem]) == FINISHED


@pytest.mark.parametrize("kind", [ENTRY, EVENT, TURN, END])
def test_a_record_changed_with_care_is_found(
    kept: Kept, tmp_path: Path, kind: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """An entry, what was told, a digest, the end: each is compared with what the seed leads to."""
    done = False

    def change(one: int, value: Any) -> Any:
        nonlocal done
        if one != kind or done:
            return value
        done = True
        if kind == ENTRY:
            return [*value[:-1], 1 - value[-1] if value[-1] in (0, 1) else value[-1] - 1]
        if kind == EVENT:
            return ["Somebody else wins.", *value[1:]]
        return (
            [bytes(16), value[1]]
            if kind == TURN
            else {**value, "conviction": {"seat": 1, "offence": "omission", "fields": {}}}
        )

    assert main(["verify", str(rewritten(kept, tmp_path, change).path)]) == WRONG
    assert done
    assert capsys.readouterr().err.count("\n") == 2  # what is checked, and what is wrong with it


def test_another_seed_gives_another_match(kept: Kept, tmp_path: Path) -> None:
    """A file that claims a seed which it was not played with is found."""

    def change(kind: int, value: Any) -> Any:
        return {**value, "seed": value["seed"] + 1} if kind == HEADER else value

    assert main(["verify", str(rewritten(kept, tmp_path, change).path)]) == WRONG


def test_what_is_no_match_file_is_said(kept: Kept, tmp_path: Path) -> None:
    """A file of something else is a mistake on the command line, not a false match."""
    (tmp_path / "notes.txt").write_text("hello")
    assert main(["verify", str(tmp_path / "notes.txt")]) == 2


@pytest.mark.parametrize("entry", [[ANSWER, 0], [TIMEOUT], [SAY, 99], [UNDONE]])
def test_a_file_cut_at_half_an_entry_is_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, entry: list[int]
) -> None:
    """A record with a right checksum whose entry lacks its parts is a finding, not an internal error."""
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path))
    words = "play conto --seats 3 --bots 2 --bot easy --seed 3 --ui plain"
    assert main(words.split()) == FINISHED
    (path,) = match_files()
    data = path.read_bytes()
    found = [(end - len(framed(body)), unpack(body)) for end, body in records(data, len(MAGIC))]
    begin = next(begin for begin, (kind, value) in found if kind == ENTRY and value[0] == ANSWER)
    path.write_bytes(data[:begin] + framed(pack([ENTRY, entry])))
    assert main(["verify", str(path)]) == WRONG


@pytest.mark.parametrize("snapshot", [{"events": 0}, {"state": {}, "source": {}, "events": 0}])
def test_rules_that_go_on_from_no_state_are_one_sentence(
    kept: Kept, tmp_path: Path, snapshot: dict[str, Any]
) -> None:
    """A state that lacks its parts makes no internal error, neither in the check nor in the replay."""
    header = framed(pack([HEADER, kept.header]))
    path = tmp_path / "doctored.ttm"
    path.write_bytes(MAGIC + header + framed(pack([RULES, [kept.header, snapshot]])))
    assert main(["verify", str(path)]) == WRONG
    assert main(["replay", str(path)]) == USAGE


def test_a_match_without_a_seed_is_not_resumed(kept: Kept, tmp_path: Path) -> None:
    """An unfinished match of one process that names no seed can't continue, which is one sentence."""
    path = tmp_path / "seedless.ttm"
    path.write_bytes(MAGIC + framed(pack([HEADER, {**kept.header, "seed": None}])))
    assert main(["resume", str(path)]) == USAGE
