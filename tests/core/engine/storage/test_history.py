"""The index of matches: it follows from the files, and nothing that happens to it costs a match."""

from __future__ import annotations

import os
import sqlite3
import threading
from pathlib import Path
from typing import Any

import pytest

from tavolata import _dirs
from tavolata._cli import main
from tavolata._engine.match.state import pack, unpack
from tavolata._engine.match.statistics import Statistics
from tavolata._engine.storage import history as module
from tavolata._engine.storage.history import ME, PastMatch, Player, history
from tavolata._engine.storage.match_file import END, HEADER, MAGIC, Kept, MatchFile, StoreError, read
from tavolata._engine.storage.ratings import BEGIN, places, ratings
from tavolata._engine.storage.record_framing import framed, records
from tavolata._engine.storage.void_match import annul


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder of this test alone."""
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path))
    return tmp_path


def play(seed: int, *words: str) -> None:
    """A match between bots."""
    words = words or ("zompa", "--seats", "3", "--bot", "easy")
    assert main(["play", *words, "--seed", str(seed), "--as", "Ann", "-q", "--ui", "plain"]) == 0


def known() -> list[PastMatch]:
    with history() as one:
        return list(one.matches())


def test_it_knows_every_match_that_is_over(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Game, names, levels and who has won, of each; a match that goes on is not in it."""
    play(1)
    play(2, "jumpy-jack", "--seats", "2", "--bot", "hard", "--bots", "easy")
    assert main(["play", "conto", "--seats", "3", "--as", "Ann", "--ui", "plain"]) == 7  # left at once
    first, second = known()
    assert (first.game, second.game) == ("zompa", "jumpy-jack")
    assert [player.name for player in second.players] == ["Ann", "Ada"]
    assert [player.who for player in second.players] == ["bot:hard", "bot:easy"]
    winners = {player.name for player in second.players if player.won}
    assert f"{winners.pop()} has won." in capsys.readouterr().out
    assert second.turns > 0
    assert second.mine is None
    with history() as one:
        assert not one.has_played("zompa")


def test_awards_are_kept(data: Path) -> None:
    """What a game gives beside the win stands with its player, for programs and people to come."""
    play(3, "horse-fever", "--seats", "2", "--bot", "easy", "--option", "turns=2")
    (match,) = known()
    given = [award for player in match.players for award in player.awards]
    assert given
    assert set(given) <= {"best punter", "best breeder"}


def test_a_match_that_waits_is_read_again_when_it_has_gone_on(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each start reads what is new; a match that was left costs nothing until somebody goes on with it."""
    looked_at = list[str]()

    def counting(path: Path) -> Kept:
        looked_at.append(path.stem)
        return read(path)

    monkeypatch.setattr(module, "read", counting)
    assert main(["play", "conto", "--seats", "3", "--as", "Ann", "--ui", "plain"]) == 7  # left at once
    assert [known(), known()] == [[], []]
    [file] = (data / "matches").iterdir()
    assert looked_at == [file.stem]
    play(1, "conto", "--seats", "3", "--bot", "easy")
    [over] = [one for one in (data / "matches").iterdir() if one != file]
    file.write_bytes(over.read_bytes())
    assert {match.id for match in known()} == {file.stem, over.stem}
    assert looked_at[1:].count(file.stem) == 1


def test_a_match_that_ended_unproven_may_end_otherwise(data: Path) -> None:
    """It is in the history with the outcome that stands, and with the conviction when that comes."""
    play(1)
    [file] = (data / "matches").iterdir()
    end = read(file).end
    guilty = {"seat": 0, "code": "false fact", "fields": {}}
    found = []
    for more in ({"unproven": [0]}, {"conviction": guilty}):
        with MatchFile(file, read(file)) as one:
            one.write(END, {**(end or {}), **more})
        found += [match.conviction for match in known()]
    assert found == [None, guilty]
    assert len(known()) == 1


def test_a_match_that_was_void_after_its_end_has_no_winner(data: Path) -> None:
    """An end that takes the outcome back counts, although the match was in the history before."""
    play(1)
    assert [match.finished for match in known()] == [True]
    [file] = (data / "matches").iterdir()
    annul(file, [])
    [match] = known()
    assert not match.finished
    assert not any(player.won for player in match.players)


def test_what_it_has_learnt_stays_when_files_go(data: Path) -> None:
    """Whoever throws match files away keeps the history."""
    play(1)
    assert len(known()) == 1
    for path in (data / "matches").iterdir():
        path.unlink()
    assert len(known()) == 1


@pytest.mark.parametrize("spoilt", [b"no database", b"SQLite format 3\0" + b"\xff" * 5000])
def test_a_broken_index_is_put_aside_and_made_anew(data: Path, spoilt: bytes) -> None:
    """A file that is no database costs nothing: all is read from the matches again."""
    play(1)
    before = known()
    (data / "history.db").write_bytes(spoilt)
    assert known() == before
    assert (data / "history.broken.db").read_bytes() == spoilt
    with history() as one:
        assert one.kept


def test_a_torn_index_is_put_aside(data: Path) -> None:
    """A disk that lost the middle of the file is found before anything is read from it."""
    for seed in range(3):
        play(seed)
    before = known()
    whole = (data / "history.db").read_bytes()
    (data / "history.db").write_bytes(whole[:4096] + b"\xa5" * 4096 + whole[8192:])
    assert known() == before


def test_an_index_of_another_version_is_made_anew(data: Path) -> None:
    """Tables of a version to come are not guessed at."""
    play(1)
    before = known()
    database = sqlite3.connect(data / "history.db")
    database.execute("PRAGMA user_version = 99")
    database.close()
    assert known() == before


def test_where_nothing_can_be_written_the_files_are_read(
    data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """An index that can't be opened there is made for this once, and that is said."""
    play(1)
    (data / "history.db").mkdir()  # no file can be made of that name, whoever asks
    with history() as one:
        assert not one.kept
        assert len(list(one.matches())) == 1
    capsys.readouterr()
    assert main(["history", "--all"]) == 0
    out, err = capsys.readouterr()
    assert "Zompa Cavallo!" in out
    assert "Couldn't save the history" in err


def test_a_full_disk_is_survived(data: Path) -> None:
    """A disk that is full while the index is written leaves what there was, and the list is whole."""
    resource = pytest.importorskip("resource")
    play(1)
    known()
    for seed in range(2, 5):
        play(seed)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    import signal

    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, before[1]))
    try:
        with history() as one:
            assert not one.kept
            assert len(list(one.matches())) == 4
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)
    with history() as one:
        assert one.kept
        assert len(list(one.matches())) == 4


def test_another_process_that_has_it_is_not_waited_for_long(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A lock that stays is gone around; the index is well afterwards."""
    monkeypatch.setattr(module, "PATIENCE", 0.1)
    play(1)
    known()
    play(2)
    holder = sqlite3.connect(data / "history.db")
    holder.execute("BEGIN EXCLUSIVE")
    with history() as one:
        assert not one.kept
        assert len(list(one.matches())) == 2
    holder.close()
    assert len(known()) == 2


def test_many_at_once_agree(data: Path) -> None:
    """Several that catch up at the same time write each match once."""
    for seed in range(4):
        play(seed)
    found: list[int] = []
    threads = [threading.Thread(target=lambda: found.append(len(known()))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [4] * 4


@pytest.mark.parametrize(
    ("more", "outcome"),
    [({"suspended": None}, {}), ({"suspended": {}}, {}), ({"unproven": 1}, {}), ({"turns": 2**63}, {}),
     ({}, {"scores": [0, 2**63, 1]}), ({}, {"ranks": [1, 2**63, 1]}),
     ({}, {"statistics": {"Deaths": [None, 2**63, 1]}})],
)  # fmt: skip
def test_an_end_that_the_index_can_not_hold_is_that_of_a_damaged_file(
    data: Path, more: dict[str, Any], outcome: dict[str, Any]
) -> None:
    """The file is passed over; the index keeps what it has learnt from others, and is not put aside."""
    play(1)
    [gone] = (data / "matches").iterdir()
    [one] = known()
    gone.unlink()
    play(2)
    [odd] = (data / "matches").iterdir()
    end = read(odd).end or {}
    with MatchFile(odd, read(odd)) as file:
        file.write(END, {**end, **more, "outcome": {**end["outcome"], **outcome}})
    with pytest.raises(StoreError, match="isn't part of a match"):
        read(odd)
    play(3)
    assert one in known()
    assert len(known()) == 2
    assert not (data / "history.broken.db").exists()


def test_a_file_from_a_distant_future_hides_no_other(data: Path) -> None:
    """A clock that went wrong left an unfinished match whose time the index can't hold."""
    assert main(["play", "conto", "--seats", "3", "--as", "Ann", "--ui", "plain"]) == 7  # left at once
    [file] = (data / "matches").iterdir()
    os.utime(file, (1 << 34, 1 << 34))
    play(1)
    assert [match.game for match in known()] == ["zompa"]


def test_files_that_are_no_matches_are_passed_over(data: Path) -> None:
    """Rubbish in the folder of matches hurts nobody."""
    play(1)
    (data / "matches" / "rubbish.ttm").write_bytes(os.urandom(300))
    (data / "matches" / "empty.ttm").write_bytes(b"")
    (data / "matches" / "folder.ttm").mkdir()
    assert len(known()) == 1


def test_house_rules_in_lists_in_lists_make_no_match_file(data: Path) -> None:
    """The index writes them as JSON, for which they may be nested too deeply."""
    play(1)
    [file] = (data / "matches").iterdir()
    (_, header), *rest = (unpack(body) for _, body in records(file.read_bytes(), len(MAGIC)))
    header["options"]["fiches"] = "X" * 9
    deep = pack((HEADER, header)).replace(pack("X" * 9), b"\x91" * 1000 + b"\x00")
    bodies = [deep, *map(pack, rest)]
    (data / "matches" / "nested.ttm").write_bytes(MAGIC + b"".join(map(framed, bodies)))
    with pytest.raises(StoreError, match="isn't a match file"):
        read(data / "matches" / "nested.ttm")
    assert len(known()) == 1


def match(won: int, *who: str, scores: tuple[int, ...] = (), game: str = "g") -> PastMatch:
    """A match that the seat `won` has won."""
    from datetime import UTC, datetime

    players = tuple(
        Player(one.title(), one, None, seat == won, scores[seat] if scores else None)
        for seat, one in enumerate(who)
    )
    return PastMatch("0", game, "open", datetime.now(UTC), 1, True, False, None, {}, players, {}, None)


def test_who_wins_is_rated_higher() -> None:
    """Winning raises, losing lowers, more matches make it surer; each game has its own ratings."""
    once = {one.who: one.points for one in ratings([match(0, ME, "bo")])}
    often = {one.who: one.points for one in ratings([match(0, ME, "bo")] * 10)}
    assert once["me"] > BEGIN > once["bo"]
    assert often["me"] > once["me"]
    two = ratings([match(0, ME, "bo"), match(1, ME, "bo", game="h")])
    assert [(one.game, one.who) for one in two] == [("g", "me"), ("g", "bo"), ("h", "bo"), ("h", "me")]
    assert {one.matches for one in two} == {1}


def test_points_rank_those_who_have_not_won() -> None:
    """Behind the winner, who has more points is better; matches that end nowhere tell nothing."""
    one = match(2, "a", "b", "c", scores=(5, 9, 7))
    assert places(one) == [3, 2, 1]
    assert [rating.who for rating in ratings([one])] == ["c", "b", "a"]
    assert ratings([match(0, "a")]) == []


def test_it_is_listed_in_words_and_as_json(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Matches, opponents and ratings; for people in their language, for programs as JSON."""
    import json
    import re

    assert main(["history"]) == 0
    assert "No finished matches yet" in capsys.readouterr().err
    play(1)
    capsys.readouterr()
    assert main(["history"]) == 0
    assert "--all" in capsys.readouterr().err
    assert main(["history", "--all", "--lang", "it"]) == 0
    out = capsys.readouterr().out
    assert re.search(r"^   Quando +Gioco +Giocatori +Esito$", out, re.MULTILINE)
    assert re.search(r"^1  oggi \d\d:\d\d  Zompa Cavallo!  Ann \(bot, facile\)", out, re.MULTILINE)
    assert main(["replay", "1"]) == 0
    assert "Round 1" in capsys.readouterr().out
    assert main(["history", "--all", "--ui", "json"]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    assert json.loads(line)["players"][0]["name"] == "Ann"
    assert main(["history", "zompa", "--all", "--ratings"]) == 0
    assert "bots (normal)" in capsys.readouterr().out
    assert main(["history", "conto", "--all"]) == 0
    assert capsys.readouterr().out == ""
    assert Path(_dirs.data_dir()) == data


def test_one_s_own_matches_and_opponents(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A match that a person here played counts as theirs: won or not, and against whom."""
    from tests.core.ui.conversation import Conversation, example_bot

    legal = example_bot().legal
    with Conversation("play", "jumpy-jack", "--seats", "2", "--as", "Ann", TT_DATA_DIR=str(data)) as talk:
        for line in talk.lines():
            if line["type"] == "ask":
                talk.say({"type": "answer", "id": line["id"], "answer": legal(line)})
            if line["type"] == "end":
                break
        assert talk.done() == 0
    won = talk.heard[-1]["outcome"]["winners"] == [0]
    assert main(["history"]) == 0
    assert f"1 match, {int(won)} won." in capsys.readouterr().out
    assert main(["history", "--opponents"]) == 0
    assert capsys.readouterr().out == (
        f"bots (normal): 1 match together, you won {int(won)}, they won {int(not won)}.\n"
    )
    with history() as one:
        assert one.has_played("jumpy-jack")
        assert not one.has_played("zompa")


def test_a_table_of_peers_is_known_by_their_keys(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In the copy of a match at a table the own seat is the person's here, whatever it was called.

    What the game said of the end is kept, and told by `tt history`.
    """
    from tests.core.engine.dealing.peek import Peek
    from tests.core.engine.dealing.world import header_of

    from tavolata._engine.match.dealing import OneDealer
    from tavolata._engine.match.header import Header
    from tavolata._engine.match.log_source import LogSource
    from tavolata._engine.match.updates import Ended
    from tavolata._engine.match.worlds import new_match
    from tavolata._engine.storage.match_copy import MatchCopy
    from tavolata.messages import text
    from tavolata.outcome import Outcome
    from tavolata.ring import SEATS

    me, other = b"\x01" * 32, b"\x02" * 32
    for number, keys in enumerate(((me, other, other), (other, me, me), (other, other, other))):
        header = Header(
            id=f"{number:016x}", game="conto", version="1", rules_id=1, options={}, dealer="fair",
            names=("A", "B", "C"), bots=(None, None, "easy"), keys=keys,
        )  # fmt: skip
        copy = MatchCopy(header, me, lambda _: None)
        copy.begin(header, bytes(40), b"table", [])
        copy.turn(b"", 1)
        why = text("{seat} is out of cards.", seat=SEATS[0])
        outcome = Outcome((SEATS[1],), scores=(1, 5, 2), statistics={"Bills": (1, None, 2)}, why=why)
        match = new_match(Peek, header_of(Peek, (1, 2)).terms(Peek), LogSource(2, OneDealer()), print)
        copy.ended(match, Ended(outcome, b"", None, Statistics(2, (), (), (), 0)))
        copy.close()
    first, second, watched = known()
    assert [player.who for player in first.players] == [ME, other.hex(), "bot:easy"]
    assert [player.who for player in second.players] == [other.hex(), ME, "bot:easy"]
    assert (first.mine, second.mine) == (first.players[0], second.players[1])
    assert (first.players[0].won, second.players[1].won) == (False, True)
    assert watched.mine is None
    assert [player.score for player in first.players] == [1, 5, 2]
    assert first.turns == 2
    assert {one.who for one in ratings([first, second])} == {ME, other.hex(), "bot:easy"}
    assert first.statistics == {"Bills": [1, None, 2]}
    capsys.readouterr()
    assert main(["history", "--ui", "plain"]) == 0
    assert capsys.readouterr().out.count("B won. A is out of cards.") == 2


def test_in_the_second_story_of_a_match_one_s_own_seat_is_one_s_own(data: Path) -> None:
    """Its file has a number behind the machine's mark, which is nobody's key."""
    from tests.core.engine.dealing.peek import Peek
    from tests.core.engine.dealing.world import header_of

    from tavolata._engine.match.dealing import OneDealer
    from tavolata._engine.match.header import Header
    from tavolata._engine.match.log_source import LogSource
    from tavolata._engine.match.updates import Ended
    from tavolata._engine.match.worlds import new_match
    from tavolata._engine.storage.match_copy import MatchCopy

    me, other = b"\xab" * 32, b"\x22" * 32
    header = Header(
        id="0" * 16, game="conto", version="1", rules_id=1, options={}, dealer="fair",
        names=("A", "B"), bots=(None, None), keys=(me, other),
    )  # fmt: skip
    match = new_match(Peek, header_of(Peek, (1, 2)).terms(Peek), LogSource(2, OneDealer()), print)
    for wire in (b"one story", b"another"):
        copy = MatchCopy(header, me, lambda _: None)
        copy.begin(header, bytes(40), b"table", [wire])
        copy.ended(match, Ended(None, b""))
        copy.close()
    first, second = sorted(known(), key=lambda one: one.id)
    assert (first.id, second.id) == ("0" * 16 + "-abababab", "0" * 16 + "-abababab-2")
    for one in (first, second):
        assert [player.who for player in one.players] == [ME, other.hex()]
