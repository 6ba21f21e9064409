"""The matches that were played here: an index of the match files, in SQLite in the data folder.

Files of matches are the truth and are written anyway; this index catches up with them whenever it
is opened, and keeps what it has learnt when they are thrown away. So a match is never kept waiting
for it, and an index that is broken, locked or can't be written costs nothing but time. How players
are rated is `ratings`.
"""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from tavolata import _dirs
from tavolata._engine.match.header import Header
from tavolata._engine.match.seating import PROGRAM
from tavolata._engine.storage.match_file import Kept, StoreError, match_files, read

VERSION: Final = 2
"""Of the tables below; another one is made anew from the files."""
UNREADABLE: Final = (StoreError, OSError, TypeError, KeyError, ValueError, IndexError, AttributeError)
"""What reading somebody's match file may raise."""
PATIENCE: Final = 2.0
"""Seconds to wait for another process that has the index."""
ME: Final = "me"
"""Who the person at this keyboard is, in `Player.who`."""

TABLES = """
CREATE TABLE matches (
    id TEXT PRIMARY KEY, game TEXT NOT NULL, dealer TEXT NOT NULL, ended TEXT NOT NULL,
    turns INTEGER NOT NULL, finished INTEGER NOT NULL, offence TEXT NOT NULL, options TEXT NOT NULL
);
CREATE TABLE players (
    match TEXT NOT NULL REFERENCES matches(id), seat INTEGER NOT NULL, name TEXT NOT NULL,
    who TEXT NOT NULL, level TEXT, won INTEGER NOT NULL, score INTEGER, place INTEGER,
    PRIMARY KEY (match, seat)
);
CREATE INDEX by_end ON matches (ended);
"""
WAITING = """
CREATE TABLE IF NOT EXISTS waiting (
    id TEXT PRIMARY KEY, size INTEGER NOT NULL, changed INTEGER NOT NULL
);
"""
"""Files whose match was not over when they were last read, so that each start does not read them again."""


@dataclass(frozen=True)
class Player:
    """Who sat at a seat.

    Attributes:
        name: what they were called.
        who: `ME`, the key of a peer, "here:NAME" for others at this keyboard, "bot:LEVEL", "program:NAME".
        level: of a bot, None for people.
        won: whether they won.
        score, place: if the game has such.
    """

    name: str
    who: str
    level: str | None
    won: bool
    score: int | None = None
    place: int | None = None


@dataclass(frozen=True)
class PastMatch:
    """A match that is over.

    Attributes:
        id: what `tt replay` takes.
        game: its name.
        dealer: who dealt.
        ended: when, in UTC.
        turns: how many it took.
        finished: whether it came to an outcome.
        offence: the code of what a cheat was caught at, "" as a rule.
        options: the house rules.
        players: by seat.
    """

    id: str
    game: str
    dealer: str
    ended: datetime
    turns: int
    finished: bool
    offence: str
    options: dict[str, Any]
    players: tuple[Player, ...]

    @property
    def mine(self) -> Player | None:
        """The person at this keyboard, if one played."""
        return next((player for player in self.players if player.who == ME), None)


class History:
    """The index, open; close it.

    Args:
        database: the connection.
        kept: whether it lasts; else it was made for this once.
    """

    def __init__(self, database: sqlite3.Connection, *, kept: bool) -> None:
        self._database = database
        self.kept = kept

    def close(self) -> None:
        """Let go of the file."""
        self._database.close()

    def catch_up(self) -> None:
        """Learn of the matches that have ended since.

        Raises:
            sqlite3.OperationalError: it can't be written now.
            sqlite3.DatabaseError: it is broken, or none of ours.
        """
        self._check()
        known = {row[0] for row in self._database.execute("SELECT id FROM matches")}
        waiting = {row[0]: row[1:] for row in self._database.execute("SELECT id, size, changed FROM waiting")}
        with self._database:
            for path in match_files():
                if path.stem in known:
                    continue
                with contextlib.suppress(*UNREADABLE):
                    about = path.stat()
                    if waiting.get(path.stem) != (about.st_size, about.st_mtime_ns):
                        self._look_at(path, about)

    def _look_at(self, path: Path, about: os.stat_result) -> None:
        kept = read(path)
        if kept.end is not None:
            self._add(_of(kept, Header.of(kept.header), datetime.fromtimestamp(about.st_mtime, UTC)))
            return
        row = (path.stem, about.st_size, about.st_mtime_ns)
        self._database.execute("INSERT OR REPLACE INTO waiting VALUES (?,?,?)", row)

    def _check(self) -> None:
        """Make the tables where there are none."""
        (version,) = self._database.execute("PRAGMA user_version").fetchone()
        (verdict,) = self._database.execute("PRAGMA quick_check").fetchone()
        if verdict != "ok" or version not in (0, VERSION):
            raise sqlite3.DatabaseError(verdict)
        if version == 0:
            self._database.executescript(f"BEGIN; {TABLES} PRAGMA user_version = {VERSION}; COMMIT;")
        self._database.execute(WAITING)

    def _add(self, one: PastMatch) -> None:
        self._database.execute(
            "INSERT OR REPLACE INTO matches VALUES (?,?,?,?,?,?,?,?)",
            (one.id, one.game, one.dealer, one.ended.isoformat(), one.turns, one.finished, one.offence,
             json.dumps(one.options)),
        )  # fmt: skip
        self._database.executemany(
            "INSERT OR REPLACE INTO players VALUES (?,?,?,?,?,?,?,?)",
            [
                (one.id, seat, p.name, p.who, p.level, p.won, p.score, p.place)
                for seat, p in enumerate(one.players)
            ],
        )

    def matches(self, game: str | None = None) -> Iterator[PastMatch]:
        """All matches, the first first; of one game, if it is named."""
        players: dict[str, list[Player]] = {}
        rows = self._database.execute(
            "SELECT match, name, who, level, won, score, place FROM players ORDER BY match, seat"
        )
        for match, name, who, level, won, score, place in rows:
            players.setdefault(match, []).append(Player(name, who, level, bool(won), score, place))
        found = self._database.execute(
            "SELECT id, game, dealer, ended, turns, finished, offence, options FROM matches "
            "WHERE ? IS NULL OR game = ? ORDER BY ended, id",
            (game, game),
        )
        for number, name, dealer, ended, turns, finished, offence, options in found:
            yield PastMatch(
                number, name, dealer, datetime.fromisoformat(ended), turns, bool(finished), offence,
                json.loads(options), tuple(players.get(number, ())),
            )  # fmt: skip

    def has_played(self, game: str) -> bool:
        """Whether the person at this keyboard has finished a match of this game."""
        row = self._database.execute(
            "SELECT 1 FROM matches JOIN players ON match = id WHERE game = ? AND who = ? AND finished",
            (game, ME),
        ).fetchone()
        return row is not None


@contextlib.contextmanager
def history() -> Iterator[History]:
    """The index, caught up with all match files.

    One that is broken is put aside and made anew; where none can be kept, one is made for this once.
    """
    one = _kept(Path(_dirs.data_dir()) / "history.db")
    if one is None:
        one = History(sqlite3.connect(":memory:"), kept=False)
        one.catch_up()
    with contextlib.closing(one):
        yield one


def _kept(path: Path) -> History | None:
    """The index in this file, None if it can't be kept there now."""
    for _ in range(2):
        with contextlib.suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
        one = None
        try:
            one = History(sqlite3.connect(path, timeout=PATIENCE), kept=True)
            one.catch_up()
        except sqlite3.DatabaseError as error:
            if one is not None:
                one.close()
            if isinstance(error, sqlite3.OperationalError) or not _put_aside(path):
                return None  # locked, full or not to be written: what is in it may be well
        else:
            return one
    return None


def _put_aside(path: Path) -> bool:
    """Make room for a new index; the broken one is kept for whoever wants to look at it."""
    try:
        path.replace(path.with_suffix(".broken.db"))
    except OSError:
        return False
    return True


def _of(kept: Kept, header: Header, ended: datetime) -> PastMatch:
    end: dict[str, Any] = kept.end or {}
    outcome = end["outcome"]
    won, scores, places = (
        (outcome["winners"], outcome["scores"], outcome["ranking"]) if outcome else ((), None, None)
    )
    turns = len(kept.turns) + (outcome is not None)
    players = tuple(
        Player(
            name, _who(kept.path, header, seat), header.bots[seat], seat in won,
            None if scores is None else scores[seat], None if places is None else places[seat],
        )
        for seat, name in enumerate(header.names)
    )  # fmt: skip
    return PastMatch(
        kept.path.stem, header.game, header.dealer, ended, turns, outcome is not None,
        str((end["conviction"] or {}).get("offence", "")), header.options, players,
    )  # fmt: skip


def _who(path: Path, header: Header, seat: int) -> str:
    """Who a player is over many matches."""
    level, name = header.bots[seat], header.names[seat]
    if level is not None:
        return f"program:{name}" if level == PROGRAM else f"bot:{level}"
    if not header.keys:
        first = header.bots.index(None)
        return ME if seat == first else f"here:{name}"
    key = header.keys[seat].hex()
    own = path.stem.rpartition("-")[2]  # as `match_copy` names its files
    return ME if key.startswith(own) else key
