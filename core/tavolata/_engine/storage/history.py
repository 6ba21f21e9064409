"""The history: an index of the matches played here, in SQLite in the data folder.

The match files are the source of the data. Whenever the index is opened, it reads the new ones, and it keeps
its rows when files are deleted. So no match ever waits for the index, and an index that is broken, locked or
can't be written costs only time. Ratings are in `ratings`.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from tavolata import _dirs
from tavolata._disk import FileState
from tavolata._engine.match.header import Header
from tavolata._engine.match.seating import PROGRAM
from tavolata._engine.storage.match_file import Kept, StoreError, is_copy, match_files, read
from tavolata._machine import disk
from tavolata._text import one_line

VERSION: Final = 6
"""The version of the tables below; an index of another version is made again from the files."""
UNREADABLE: Final = (
    StoreError, OSError, TypeError, KeyError, ValueError, IndexError, AttributeError, OverflowError,
)  # fmt: skip
"""The errors that reading a damaged match file may raise, or one whose time is out of all calendars."""
PATIENCE: Final = 2.0
"""Seconds to wait for another process that uses the index."""
ME: Final = "me"
"""The person at this keyboard, in `Player.who`."""
ABSENT: Final = "absent"
"""Somebody who was not in a match that went on without them, in `Player.who`: they have not played it."""

NO_OUTCOME: Final[dict[str, Any]] = {
    "winners": (), "scores": None, "ranks": None, "awards": (), "statistics": {}, "why": None,
}  # fmt: skip
TABLES = """
CREATE TABLE matches (
    id TEXT PRIMARY KEY, game TEXT NOT NULL, dealer TEXT NOT NULL, ended TEXT NOT NULL,
    turns INTEGER NOT NULL, finished INTEGER NOT NULL, suspended INTEGER NOT NULL, conviction TEXT NOT NULL,
    options TEXT NOT NULL, statistics TEXT NOT NULL, why TEXT NOT NULL,
    narrator TEXT NOT NULL
);
CREATE TABLE players (
    match TEXT NOT NULL REFERENCES matches(id), seat INTEGER NOT NULL, name TEXT NOT NULL,
    who TEXT NOT NULL, level TEXT, won INTEGER NOT NULL, score INTEGER, place INTEGER,
    awards TEXT NOT NULL,
    PRIMARY KEY (match, seat)
);
CREATE INDEX by_end ON matches (ended);
"""
FILES = """
CREATE TABLE IF NOT EXISTS files (id TEXT PRIMARY KEY, size INTEGER NOT NULL);
"""
"""Match files as they were last read: one that has grown since then may have another end."""


@dataclass(frozen=True)
class Player:
    """The player of a seat.

    `who` is `ME`, the key of a peer, "here:NAME" for others at this keyboard, "bot:LEVEL", "program:NAME", or
    `ABSENT`. `awards` are message ids.
    """

    name: str
    who: str
    level: str | None
    won: bool
    score: int | None = None
    place: int | None = None
    awards: tuple[str, ...] = ()


@dataclass(frozen=True)
class PastMatch:
    """A match that is over.

    Attributes:
        id: the id for `tt replay`.
        dealer: the kind of dealer.
        ended: when it ended, in UTC.
        finished: True if it had an outcome.
        suspended: True if others continued without the missing, in a new match.
        conviction: the culprit and the offence, as plain data, if a cheat was caught; otherwise None.
        players: by seat.
        statistics: the statistics of the game, a number by seat or None, by message id.
        why: the game's reason for its end: a message id with plain params; None without one.
        narrator: the name of the narrator, whose machine knew every role; "" in a game without one.
    """

    id: str
    game: str
    dealer: str
    ended: datetime
    turns: int
    finished: bool
    suspended: bool
    conviction: dict[str, Any] | None
    options: dict[str, Any]
    players: tuple[Player, ...]
    statistics: dict[str, list[int | None]]
    why: tuple[str, dict[str, Any]] | None
    narrator: str = ""

    @property
    def mine(self) -> Player | None:
        return next((player for player in self.players if player.who == ME), None)


class History:
    """The index, open; unless `kept` in a file, it is in memory for this run only."""

    def __init__(self, database: sqlite3.Connection, *, kept: bool) -> None:
        self._database = database
        self.kept = kept

    def close(self) -> None:
        self._database.close()

    def catch_up(self) -> None:
        """Add the matches that have ended since the last time, and those whose end has changed.

        Raises:
            sqlite3.OperationalError: the index can't be written now.
            sqlite3.DatabaseError: the file is broken, or is not such an index.
        """
        self._check()
        seen = dict(self._database.execute("SELECT id, size FROM files"))
        with self._database:
            for path in match_files():
                with contextlib.suppress(*UNREADABLE):
                    about = disk().state(path)
                    if seen.get(path.stem) != about.size:
                        self._look_at(path, about)

    def _look_at(self, path: Path, about: FileState) -> None:
        kept = read(path)
        if kept.end is not None:
            self._add(_of(kept, Header.of(kept.header), datetime.fromtimestamp(about.changed, UTC)))
        self._database.execute("INSERT OR REPLACE INTO files VALUES (?,?)", (path.stem, about.size))

    def _check(self) -> None:
        (version,) = self._database.execute("PRAGMA user_version").fetchone()
        (verdict,) = self._database.execute("PRAGMA quick_check").fetchone()
        if verdict != "ok" or version not in (0, VERSION):
            raise sqlite3.DatabaseError(verdict)
        if version == 0:
            self._database.executescript(f"BEGIN; {TABLES} PRAGMA user_version = {VERSION}; COMMIT;")
        self._database.execute(FILES)

    def _add(self, one: PastMatch) -> None:
        self._database.execute(
            "INSERT OR REPLACE INTO matches VALUES (?,?,?,?,?,?,?,?,?,?,?,?)",
            (one.id, one.game, one.dealer, one.ended.isoformat(), one.turns, one.finished, one.suspended,
             json.dumps(one.conviction), json.dumps(one.options), json.dumps(one.statistics),
             json.dumps(one.why), one.narrator),
        )  # fmt: skip
        self._database.executemany(
            "INSERT OR REPLACE INTO players VALUES (?,?,?,?,?,?,?,?,?)",
            [
                (one.id, seat, p.name, p.who, p.level, p.won, p.score, p.place, json.dumps(p.awards))
                for seat, p in enumerate(one.players)
            ],
        )

    def matches(self) -> Iterator[PastMatch]:
        """Yield all matches, the oldest first."""
        players: dict[str, list[Player]] = {}
        rows = self._database.execute(
            "SELECT match, name, who, level, won, score, place, awards FROM players ORDER BY match, seat"
        )
        for match, name, who, level, won, score, place, awards in rows:
            player = Player(name, who, level, bool(won), score, place, tuple(json.loads(awards)))
            players.setdefault(match, []).append(player)
        found = self._database.execute(
            "SELECT id, game, dealer, ended, turns, finished, suspended, conviction, options, statistics, "
            "why, narrator FROM matches ORDER BY ended, id"
        )
        for (
            number, name, dealer, ended, turns, finished, suspended, conviction, options, stats, why, narrator
        ) in found:  # fmt: skip
            yield PastMatch(
                number, name, dealer, datetime.fromisoformat(ended), turns, bool(finished),
                bool(suspended), json.loads(conviction), json.loads(options),
                tuple(players.get(number, ())), json.loads(stats), json.loads(why), narrator,
            )  # fmt: skip

    def has_played(self, game: str) -> bool:
        row = self._database.execute(
            "SELECT 1 FROM matches JOIN players ON match = id WHERE game = ? AND who = ? AND finished",
            (game, ME),
        ).fetchone()
        return row is not None


@contextlib.contextmanager
def history() -> Iterator[History]:
    """Open the index, up to date with all match files.

    A broken index is renamed and made again. If no file can be written, the index is made in memory.
    """
    one = _kept(Path(_dirs.data_dir()) / "history.db")
    if one is None:
        one = History(sqlite3.connect(":memory:"), kept=False)
        one.catch_up()
    with contextlib.closing(one):
        yield one


def _kept(path: Path) -> History | None:
    """Open the index in this file; None if it can't be used now."""
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
                return None  # locked, full or not writable: its data may be fine
        else:
            return one
    return None


def _put_aside(path: Path) -> bool:
    """Rename the broken index, so that people can still examine it."""
    try:
        path.replace(path.with_suffix(".broken.db"))
    except OSError:
        return False
    return True


def _of(kept: Kept, header: Header, ended: datetime) -> PastMatch:
    end: dict[str, Any] = kept.end or {}
    outcome = end["outcome"] or NO_OUTCOME
    scores, places = outcome["scores"], outcome["ranks"]
    players = tuple(
        Player(
            name, _who(kept.path, header, seat), header.bots[seat], seat in outcome["winners"],
            None if scores is None else scores[seat], None if places is None else places[seat],
            tuple(one_line(award) for of, award, *_ in outcome["awards"] if of == seat),
        )
        for seat, name in enumerate(header.names)
    )  # fmt: skip
    return PastMatch(
        kept.path.stem, header.game, header.dealer, ended, end["turns"], end["outcome"] is not None,
        end["suspended"], end["conviction"], header.options, players,
        {one_line(title): row for title, row in outcome["statistics"].items()}, outcome["why"],
        "" if header.narrator is None else header.narrator.name,
    )  # fmt: skip


def _who(path: Path, header: Header, seat: int) -> str:
    level, name = header.bots[seat], header.names[seat]
    if header.keys and header.keys[seat] in header.absent:
        return ABSENT
    if level is not None:
        return f"program:{name}" if level == PROGRAM else f"bot:{level}"
    if not header.keys:
        return ME if seat == header.bots.index(None) else f"here:{name}"
    key = header.keys[seat]
    return ME if is_copy(path, header.id, key) else key.hex()
