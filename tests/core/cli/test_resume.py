"""`tt resume` and `tt history`: matches as people tell them, chosen by number, and deleted."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from tests.core.engine.dealing.peek import Peek
from tests.core.engine.dealing.world import key_of
from tests.core.engine.review.signed import play
from tests.core.ui.terminal import Terminal

from tavolata._cli import main
from tavolata._cli.failures import USAGE
from tavolata._cli.lists import ago, day_and_time, in_columns
from tavolata._cli.resume import _facts, waiting_matches
from tavolata._disk import Disk, FileState
from tavolata._engine.match.state import unpack
from tavolata._engine.review.signed_log import unchecked
from tavolata._engine.storage import secret_files
from tavolata._engine.storage.log_files import FileStorage
from tavolata._engine.storage.match_file import END, MAGIC, Kept, copy_id, is_played, path_of, read
from tavolata._engine.storage.record_framing import framed, records
from tavolata._engine.storage.ways_back import WayBack, way_file
from tavolata._engine.table import log_bodies
from tavolata._ui.i18n import Translator

from .test_cli import tt

NOW = datetime(2026, 11, 22, 19, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("past", "said"),
    [
        (timedelta(seconds=59), "just now"),
        (timedelta(minutes=1), "1 minute ago"),
        (timedelta(minutes=59), "59 minutes ago"),
        (timedelta(hours=1), "1 hour ago"),
        (timedelta(hours=23, minutes=59), "23 hours ago"),
        (timedelta(days=1), "1 day ago"),
        (timedelta(days=59), "59 days ago"),
        (timedelta(days=60), "2026-09-23"),
        (timedelta(seconds=-5), "just now"),
    ],
)
def test_a_moment_is_said_as_people_say_it(past: timedelta, said: str) -> None:
    """Minutes, hours and days ago, and a date after two months; a clock that was set back does no harm."""
    assert Translator().text(*ago(NOW - past, NOW)) == said


@pytest.mark.parametrize(
    ("then", "said"),
    [
        (datetime(2026, 11, 22, 0, 5, tzinfo=UTC), "today 00:05"),
        (datetime(2026, 11, 21, 23, 55, tzinfo=UTC), "yesterday 23:55"),
        (datetime(2026, 11, 20, 12, 0, tzinfo=UTC), "2026-11-20 12:00"),
    ],
)
def test_a_day_is_today_or_yesterday(then: datetime, said: str) -> None:
    """The calendar decides, not 24 hours."""
    assert Translator().text(*day_and_time(then, NOW)) == said


def test_columns_are_wrapped_between_words_at_the_width_of_the_terminal() -> None:
    """The widest column gives way first; no line is wider than the terminal, and no word is lost."""
    rows = [["1", "Zompa Cavallo!", "Ann, Ben, Cleo, Dora, Emil, Fausto, Gilda", "Ann won."]] * 2
    lines = in_columns(rows, 50)
    assert max(map(len, lines)) <= 50
    assert " ".join(" ".join(lines[: len(lines) // 2]).split()).count("Gilda") == 1
    assert in_columns(rows, None)[0] == "  ".join(rows[0])


def test_two_wide_columns_share_the_width_of_the_terminal() -> None:
    """Of a match with many players and a long result neither is squeezed into a dozen cells."""
    players = "Anna; bots (easy): Ada, Berto; Carla (bot, normal), and a good many others of them"
    result = "Carla won. Carla and Ada are level on points; the richest of them wins. Ada: best breeder."
    lines = in_columns([["1", "today 02:47", "Horse Fever", players, result]], 80)
    assert max(map(len, lines)) <= 80
    assert len(lines) <= 5


def left(folder: Path, *names: str, answers: str = "\n\n\n") -> Path:
    """A match of Zompa that was left after some turns."""
    before = set(folder.rglob("*.ttm"))
    subprocess.run(
        [sys.executable, "-c", "import sys; from tavolata._cli import main; sys.exit(main(sys.argv[1:]))",
         "play", "zompa", "--seed", "1", "--bots", "1", "--as", *names, "--ui", "plain", "--pace", "key"],
        input=answers, text=True, capture_output=True, check=False,
        env={**os.environ, "TT_DATA_DIR": str(folder)},
    )  # fmt: skip
    (made,) = set(folder.rglob("*.ttm")) - before
    return made


@pytest.mark.battery
def test_a_waiting_match_is_thrown_away_by_its_number(tmp_path: Path) -> None:
    """The list has no ids; a number goes on with a match or throws it away; from a pipe --yes says so."""
    there = {"TT_DATA_DIR": str(tmp_path)}
    first, second = left(tmp_path, "Ann"), left(tmp_path, "Ben")
    listed = tt("resume", "--list", **there).stdout.splitlines()
    assert [line.partition(":")[0] for line in listed] == [
        "1. Zompa Cavallo! with Ben, Ada", "2. Zompa Cavallo! with Ann, Ada"
    ]  # fmt: skip
    assert "Another saved match: Zompa Cavallo! with Ann, Ada" in tt("resume", **there).stderr
    assert "No match 3." in tt("resume", "3", **there).stderr
    assert "0.05" in tt("resume", "1", "--think", "0.01", **there).stderr
    assert "--web works only at a table" in tt("resume", "1", "--web", **there).stderr
    assert "Add --yes" in tt("forget", "2", **there).stderr
    assert first.exists()
    done = tt("forget", "2", "--yes", **there)
    assert "Deleted: Zompa Cavallo! with Ann" in done.stderr
    assert done.returncode == 0
    assert not first.exists()
    assert second.exists()


@pytest.mark.battery
def test_a_match_in_which_nobody_has_done_anything_is_hidden_beside_others(tmp_path: Path) -> None:
    """It is not listed, but goes on if it is the only one."""
    there = {"TT_DATA_DIR": str(tmp_path)}
    left(tmp_path, "Ann", answers="")
    assert tt("resume", "--list", **there).stdout.startswith("1. Zompa Cavallo! with Ann")
    left(tmp_path, "Ben")
    left(tmp_path, "Cleo", answers="")
    listed = tt("resume", "--list", **there).stdout
    assert listed.startswith("1. Zompa Cavallo! with Ben")
    assert listed.count("\n") == 1


@pytest.mark.battery
def test_a_running_match_is_hidden_and_is_not_thrown_away(tmp_path: Path) -> None:
    """What another window plays is in no list; naming it says where it is."""
    made = left(tmp_path, "Ann")
    there = {"TT_DATA_DIR": str(tmp_path)}
    with Terminal("resume", "--ui", "plain", home=tmp_path / "home", environ=there) as one:
        one.expect("The match continues")
        assert is_played(made)
        assert tt("resume", "--list", **there).stdout == ""
        for words in (["resume"], ["forget", made.stem, "--yes"]):
            assert "is being played in another window" in tt(*words, **there).stderr
        assert read(made).end is None


@pytest.mark.battery
def test_deleting_on_a_terminal_asks_first(tmp_path: Path) -> None:
    """No keeps the match, whatever else is typed asks again, and yes deletes it."""
    made = left(tmp_path, "Ann")
    there = {"TT_DATA_DIR": str(tmp_path)}
    for answers, kept in ((("perhaps", "no"), True), (("yes",), False)):
        with Terminal("forget", "1", home=tmp_path / "home", environ=there) as one:
            one.expect(r"Delete this match for good\?")
            for answer in answers:
                one.press(*answer, "enter")
            assert one.done() == 0
        assert made.exists() is kept


@pytest.mark.battery
@pytest.mark.parametrize("here", [True, False], ids=["here", "somewhere else"])
def test_deleting_a_match_spares_what_belongs_to_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, here: bool
) -> None:
    """Only a copy's own secret goes with it, and nothing with a file that isn't among the matches here."""
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path))
    _, played = play(Peek, (1, 2))
    data = played.path.read_bytes()
    whole = [MAGIC, *(framed(body) for _, body in records(data, len(MAGIC)) if unpack(body)[0] != END)]
    stem = copy_id(played.header["id"], key_of(1))
    mine, backup = path_of(stem), tmp_path / "backup" / path_of(stem).name
    backup.parent.mkdir()
    for path in (mine, backup):
        path.write_bytes(b"".join(whole))
    way = way_file(tmp_path / "identities" / "ann", bytes(16))
    way.keep(WayBack(stem, "Ann", None, (), 0, {}))
    way.log.write_bytes(b"log")
    said = [(entry.author, log_bodies.read(entry.body)) for entry in unchecked(played)]
    nonces: dict[bytes, bytes] = {
        who: body[1][1] for who, body in said if body is not None and body[0] == log_bodies.IN
    }
    assert set(nonces) == {key_of(1), key_of(2)}
    for nonce in nonces.values():
        secret_files.store(nonce, bytes(range(32)))
    assert main(["forget", str(mine if here else backup), "--yes"]) == 0
    assert (mine.exists(), backup.exists()) == (not here, here)
    assert [path.exists() for path in (way.path, way.log)] == [not here] * 2
    assert (secret_files.load(nonces[key_of(1)]) is None) is here
    assert secret_files.load(nonces[key_of(2)]) is not None


@pytest.mark.battery
def test_a_match_that_waits_for_the_others_is_not_thrown_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """While another window has its copy of the log, it stays whole, also when its time is up."""
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path))
    _, played = play(Peek, (1, 2))
    data = played.path.read_bytes()
    whole = [MAGIC, *(framed(body) for _, body in records(data, len(MAGIC)) if unpack(body)[0] != END)]
    mine = path_of(copy_id(played.header["id"], key_of(1)))
    mine.write_bytes(b"".join(whole))
    way = way_file(tmp_path / "identities" / "ann", bytes(16))
    way.keep(WayBack(mine.stem, "Ann", None, (), 0, {}))
    with closing(FileStorage(way.log)) as log:
        log.append(b"an entry")
        log.sync()
        assert main(["forget", mine.stem, "--yes"]) == USAGE
        assert "is being played in another window" in capsys.readouterr().err
        log.replace([b"a shorter log"])
        os.utime(way.path, (0, 0))
        assert waiting_matches() == []
        assert [path.exists() for path in (mine, way.path, way.log)] == [True] * 3
        os.utime(way.path)
    assert main(["forget", mine.stem, "--yes"]) == 0
    assert [path.exists() for path in (mine, way.path, way.log)] == [False] * 3


@pytest.mark.parametrize("when", [None, 10**26])
def test_a_match_without_a_time_stops_no_list(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, when: int | None
) -> None:
    """Deleted just now, or last changed when no calendar has a date, it's told as if it were just left."""
    if when is not None:
        about = FileState(0, when)
        monkeypatch.setattr(Disk, "state", lambda *_: about)
    facts = _facts(Kept(tmp_path / "gone.ttm", {"game": "zompa", "names": ["Ann", "Ada"]}))
    assert datetime.fromisoformat(facts["left"]).year >= datetime.now(UTC).year


@pytest.mark.battery
def test_a_match_whose_way_back_has_just_gone_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It's chosen from a list, and another window ends it in that second: the sentence says which it was."""
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path))
    _, played = play(Peek, (1, 2))
    monkeypatch.setattr("tavolata._cli.resume.waiting_matches", lambda: [played])
    assert main(["resume"]) == USAGE
    told = " ".join(capsys.readouterr().err.split())
    assert f"Match {played.header['id']} was played at a table" in told
