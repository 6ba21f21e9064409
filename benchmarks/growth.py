"""How costs grow with size, in one run: the cost at each size, and the exponent between the two largest.

    python benchmarks/growth.py [--only TEXT] [--whole]

An exponent of 1 is a cost that doubles where its size does. It may be 1.1 where the work is linear, and 2
where all meet all; a row that's beyond needs a reason, or the exit code is 1. Costs are the least CPU
seconds of several rounds, whoever else uses the machine. A default run takes about three minutes of CPU;
`--whole` adds the largest sizes, for which it takes many. Tables of several machines are evenings of
`tests/rehearsals`: the whole program on each, in one process and in virtual time, with cheap algebra. The
costs of the group itself are in `fair.py`.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import io
import math
import os
import resource
import subprocess
import sys
import tempfile
import tracemalloc
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from time import process_time, time

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import fair
import pytest
from rounds import Rounds, RoundsOptions
from tests.rehearsals import family
from tests.rehearsals.plan import Face, Plan, Seat
from typing_extensions import override

from tavolata._cli import main as tt
from tavolata._cli.command_context import CommandContext
from tavolata._cli.home import home_facts
from tavolata._engine.dealing.authority import Authority
from tavolata._engine.match.campaign import new_campaign
from tavolata._engine.match.header import Header
from tavolata._engine.match.simulate import play
from tavolata._engine.match.updates import Asked
from tavolata._engine.peer.peer import PeerSession
from tavolata._engine.review.replay import Replay
from tavolata._engine.review.verify import check
from tavolata._engine.sessions.local import LocalSession
from tavolata._engine.storage import match_file
from tavolata._engine.storage.campaign_files import load
from tavolata._engine.storage.record_framing import framed, records
from tavolata._ui.i18n import Translator
from tavolata._ui.scene.viewpoint import Viewpoint
from tavolata._ui.tui.drawing.frame import Foot, draw_frame
from tavolata._ui.tui.drawing.glyphs import UNICODE
from tavolata._ui.tui.drawing.stage import stage
from tavolata._ui.tui.model.table_model import TableModel
from tavolata.bots import Bot, RandomBot
from tavolata.zones import Layout
from tavolata_protocol.entries import Entry
from tavolata_protocol.fair.group import ED25519

FILE = str(Path(__file__).with_name("rounds.py"))
LINEAR, PAIRS = 1.1, 2.0
"""The greatest exponent where the work is linear, and where every pair must meet."""
NAMES = tuple(f"Seat {number}" for number in range(1, 41))


@dataclass(frozen=True)
class Row:
    """A cost by size. `measure` returns the CPU seconds (or `unit`) for a size, once.

    `more` are sizes for `--whole`, `due` is the greatest exponent, and `reason` says in a sentence why it may
    be greater.
    """

    name: str
    sizes: tuple[int, ...]
    measure: Callable[[int], float]
    more: tuple[int, ...] = ()
    due: float = LINEAR
    rounds: int = 3
    unit: str = "s"
    reason: str = ""


def timed(work: Callable[[], object]) -> float:
    """The CPU seconds of this process for some work."""
    begun = process_time()
    work()
    return process_time() - begun


# -- tables of several machines -------------------------------------------------------------------


class Table(family.Evening):
    """An evening that only plays: it compares no replicas, and checks only that each file has an end."""

    cpu = 0.0

    @override
    async def _main(self) -> None:
        begun = process_time()
        await super()._main()
        self.cpu = process_time() - begun

    @override
    def _compare(self, session: PeerSession, entry: Entry, is_play: bool) -> None:
        if self._began is not None and session.state.matches.last is not None:
            self._began.set()

    @override
    def _check_files(self) -> None:
        for computer in self.world.computers.values():
            for _, found in computer.within(family._match_files):
                self.report.finished += found.end is not None


def evening(machines: int, *, watchers: int = 0, phones: int = 0, rounds: int = 20) -> float:
    """The CPU seconds of all machines of a table together, from the first to the last word of a match."""
    quick = (0.05, 0.1)
    seats = [Seat(Face.JSON, pace=quick, phones=phones if not number else 0) for number in range(machines)]
    seats += [Seat(None, watches=True)] * watchers
    table = Table(Plan(1, FILE, tuple(seats), {"rounds": rounds}, limit=3000.0))
    report = table.play()
    if report.broken or report.finished < machines:
        raise SystemExit(f"An evening of {machines} machines went wrong: {report.broken} {report.ends}")
    return table.cpu


def keys(peers: int) -> float:
    """One peer's CPU seconds for the keys of a deal, with the real group."""
    return timed(lambda: fair.Peers(peers, ED25519)) / peers


def asked_or_counted() -> tuple[float, float, int]:
    """CPU seconds of an evening of six if an Authority counts when asked, and as it is; how often it was."""
    asked = 0

    def rest(self: Authority) -> list[int]:
        nonlocal asked
        asked += 1
        return [party for party in self.all if not self.is_gone(party)]

    def present(self: Authority) -> tuple[int, ...]:
        return tuple(party for party in rest(self) if not self.is_away(party))

    each = {"asked": math.inf, "counted": math.inf}
    for _ in range(3):
        each["counted"] = min(each["counted"], evening(6))
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Authority, "_count", lambda _: None)
            patch.setattr(Authority, "remaining", property(lambda self: len(rest(self))), raising=False)
            patch.setattr(Authority, "present", property(present), raising=False)
            asked = 0
            each["asked"] = min(each["asked"], evening(6))
    return each["asked"], each["counted"], asked


# -- matches in one process -----------------------------------------------------------------------


def simulated(seats: int) -> float:
    """Thirty matches of as many turns, however many seats."""
    options, bots = RoundsOptions(rounds=100), [RandomBot()] * seats
    return timed(lambda: [play(Rounds, options, bots, seed) for seed in range(30)])


def header(rounds: int, seats: int = 2, match: int = 0) -> Header:
    """The terms of a match against bots."""
    return Header(
        f"{match:016x}", Rounds.name, "0", Rounds.rules_id, RoundsOptions(rounds=rounds).plain(),
        NAMES[:seats], (None, *["random"] * (seats - 1)), seed=7,
    )  # fmt: skip


async def _played(session: LocalSession, model: TableModel | None, stop: int | None) -> int:
    told = 0
    async for update in session.updates():
        told += 1
        if model is not None:
            model.take(update)
        if stop is not None and told > stop:
            break
        if isinstance(update, Asked) and update.mine:
            session.answer(update.ask, 1)
            if model is not None:
                model.drop(update.ask)
    return told


def players(seats: int) -> list[Bot | None]:
    """A person, and bots."""
    return [None, *(RandomBot() for _ in range(seats - 1))]


def play_here(terms: Header, kept: match_file.Kept | None = None, stop: int | None = None) -> None:
    """Play a match as `tt play` does, with a person who says yes; `stop` leaves it after so many updates."""
    session = LocalSession(terms, Rounds, "", players(len(terms.names)), kept=kept)
    asyncio.run(_played(session, None, stop))


@contextlib.contextmanager
def folders() -> Iterator[Path]:
    """Folders of their own for what `tt` keeps, in memory where there's a file system for that."""
    memory = Path("/dev/shm")
    place = memory if memory.is_dir() else None
    with tempfile.TemporaryDirectory(dir=place) as name, pytest.MonkeyPatch.context() as patch:
        for kind in ("CONFIG", "CACHE", "DATA"):
            patch.setenv(f"TT_{kind}_DIR", f"{name}/{kind.lower()}")
        yield Path(name)


DEALING = 3
"""The entries of the deal; each turn then has one, its answer."""


def match_of(entries: int, *, work: Callable[[match_file.Kept, Header], object]) -> float:
    """The CPU seconds of some work on the file of a match of so many entries."""
    with folders():
        terms = header(entries - DEALING)
        play_here(terms)
        return timed(lambda: work(match_file.read(match_file.path_of(terms.id)), terms))


def played(entries: int) -> float:
    with folders():
        return timed(lambda: play_here(header(entries - DEALING)))


def resumed(entries: int) -> float:
    """Resuming a match that was left after so many entries, up to the first question."""
    with folders():
        terms = header(2 * entries)
        play_here(terms, stop=3 * entries)
        path = match_file.path_of(terms.id)
        return timed(lambda: play_here(terms, match_file.read(path), stop=3))


def replayed(kept: match_file.Kept, terms: Header) -> None:
    show = Replay(kept, terms, Rounds)
    show.go(len(show.steps))


def verified(kept: match_file.Kept, terms: Header) -> None:
    check(kept, terms, Rounds)


def memory(entries: int) -> float:
    """The MiB of a match that has been played in this process, with its session."""
    with folders():
        tracemalloc.start()
        session = LocalSession(header(entries - DEALING), Rounds, "", players(2))
        asyncio.run(_played(session, None, None))
        held = tracemalloc.get_traced_memory()[0]
        tracemalloc.stop()
        return held / 2**20


def told(events: int) -> float:
    """The screen's model of a match in which so much is told, and its last frame."""
    with folders():
        session = LocalSession(header(events), Rounds, "", players(2))
        model = TableModel(session, Translator("en"))

        def shown() -> None:
            asyncio.run(_played(session, model, None))
            drawn(model)

        return timed(shown)


def drawn(model: TableModel) -> None:
    """A scene and its frame."""
    scene = model.scene(Viewpoint("en", Rounds.name, ()), model.question())
    assert scene.cast is not None
    plan = stage(120, 36, wish=Layout(scene.seating, decision=scene.rows), cast=scene.cast)
    assert plan is not None
    draw_frame(scene, plan, UNICODE, Translator("en").text, Foot(keys=[]))


def frames(seats: int) -> float:
    """Fifty frames of a table of so many seats."""
    with folders():
        session = LocalSession(header(100, seats), Rounds, "", players(seats))
        model = TableModel(session, Translator("en"))
        asyncio.run(_played(session, model, 20))

        def shown() -> None:
            for _ in range(50):
                drawn(model)

        return timed(shown)


def campaign(games: int) -> float:
    """The matches of a campaign, each going on from what the one before has left."""
    with folders():

        def matches() -> None:
            for number in range(games):
                before = load(Rounds.name, "house") or new_campaign(Rounds, "house")
                play_here(replace(header(5, match=number), campaign=before))

        return timed(matches)


# -- what `tt` reads when it starts -----------------------------------------------------------------


def renamed(data: bytes, before: bytes, now: bytes) -> bytes:
    """A match file with another id in its header."""
    end, first = next(records(data, len(match_file.MAGIC)))
    return match_file.MAGIC + framed(first.replace(before, now)) + data[end:]


@contextlib.contextmanager
def history_of(matches: int) -> Iterator[None]:
    """Folders with so many finished matches in the history, and one in twenty that waits."""
    with folders():
        play_here(header(5))
        play_here(header(50, match=1), stop=20)
        over, waits = (match_file.path_of(header(5, match=number).id).read_bytes() for number in (0, 1))
        for number in range(matches):
            was, data = (1, waits) if number % 20 == 1 else (0, over)
            match_file.path_of(f"{number:016x}").write_bytes(renamed(data, b"%016x" % was, b"%016x" % number))
        yield


def said(words: list[str], wanted: int = 0) -> None:
    """Run a command of `tt` in this process."""
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()) as errors:
        code = tt(words)
    if code != wanted:
        raise SystemExit(f"tt {' '.join(words)} ended with {code}: {errors.getvalue()[-500:]}")


def listed(words: list[str], matches: int) -> float:
    """A command that reads the history, which is up to date."""
    with history_of(matches):
        said(["history"])
        return timed(lambda: said(words))


def first_read(matches: int) -> float:
    """`tt history` when all matches are new to it."""
    with history_of(matches):
        return timed(lambda: said(["history"]))


def at_home(matches: int) -> float:
    """What the home screen of `tt` knows: matches that wait, and the record in each game."""
    with history_of(matches):
        said(["history"])

        def facts() -> None:
            found = home_facts(CommandContext({}, dict(os.environ)))
            found.records()

        return timed(facts)


PLUGIN = """
from tavolata import Game, Outcome, hookimpl

class Rules(Game):
    name, title, seats = "game{n}", "Game {n}", (2, 4)

    def setup(self, t):
        pass

    async def turn(self, t):
        return Outcome((t.first_seat,))

@hookimpl
def tavolata_games():
    return (Rules,)
"""


def started(words: list[str], plugins: int, *, again: bool) -> float:
    """The CPU seconds of a start of `tt` with so many more plugins; `again` if it has seen them before."""
    with folders() as place:
        there = place / "site"
        for number in range(plugins):
            about = there / f"plugin{number}-1.0.dist-info"
            about.mkdir(parents=True)
            (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: plugin{number}\nVersion: 1.0\n")
            (about / "entry_points.txt").write_text(f"[tavolata]\nplugin{number} = plugin{number}\n")
            (there / f"plugin{number}.py").write_text(PLUGIN.replace("{n}", str(number)))
        old = time() - 60  # what has changed just now may change again, and is read again
        for path in [*there.rglob("*"), there]:
            os.utime(path, (old, old))
        command = [sys.executable, "-m", "tavolata", *words]
        environ = {**os.environ, "PYTHONPATH": str(there), "LANG": "C.UTF-8"}
        used = 0.0
        for _ in range(1 + again):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run(command, env=environ, check=True, stdout=subprocess.DEVNULL)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return used


# -- the table ------------------------------------------------------------------------------------

COLLECTED = "now and then Python's garbage collector walks through all that was read so far"
ROUNDED = "two thirds of all, rounded up, can open: 11 of 16, 14 of 20; a peer multiplies 161 and 261 times"
STALLED = "each machine sees, at each entry, what all others owe: cubic, 7 % of the work of 8, 15 % of 16"
MATCHES, ENTRIES = (10, 100, 1000), (100, 1000, 10_000)
ROWS = (
    Row("keys of a deal, one peer", (2, 4, 8, 16), keys, (20,), PAIRS, reason=ROUNDED),
    Row("a table's match, all machines", (2, 4, 8), evening, (16, 20), PAIRS, rounds=2, reason=STALLED),
    Row("the same, machines that watch", (0, 4, 16), lambda n: evening(2, watchers=n), (32,), rounds=2),
    # each phone has a seat here, and each page shows all seats
    Row(
        "the same, phones at one machine", (0, 4, 12), lambda n: evening(1, phones=n), (24,), PAIRS, rounds=2
    ),
    Row("seats, simulated", (2, 5, 10, 20), simulated),
    Row("seats, fifty frames", (2, 5, 10, 20), frames),
    Row("entries: play", ENTRIES, played, (100_000,)),
    Row("entries: resume", ENTRIES, resumed, (100_000,), reason=COLLECTED),
    Row("entries: replay", ENTRIES, lambda n: match_of(n, work=replayed), (100_000,), reason=COLLECTED),
    Row("entries: verify", ENTRIES, lambda n: match_of(n, work=verified), (100_000,), reason=COLLECTED),
    Row("entries: memory", ENTRIES, memory, (100_000,), rounds=1, unit="MiB"),
    Row("events told on the screen", (100, 1000, 5000), told, (50_000,)),
    Row("games of a campaign", (3, 30, 300), campaign, (3000,)),
    Row("matches: tt history, first", MATCHES, first_read, (10_000,), rounds=2),
    Row("matches: tt history", MATCHES, partial(listed, ["history"]), (10_000,)),
    Row("matches: tt history --ratings", MATCHES, partial(listed, ["history", "--ratings"]), (10_000,)),
    Row("matches: tt resume --list", MATCHES, partial(listed, ["resume", "--list"]), (10_000,)),
    Row("matches: tt", MATCHES, at_home, (10_000,)),
    Row("plugins: tt games, first", (5, 50, 200), lambda n: started(["games"], n, again=False), rounds=2),
    Row("plugins: tt games", (5, 50, 200), lambda n: started(["games"], n, again=True), rounds=2),
    Row("plugins: tt --help", (5, 50, 200), lambda n: started(["--help"], n, again=True), rounds=2),
)


def measured(row: Row, *, whole: bool) -> bool:
    """Measure a row and print it; False if it grows faster than it may, for no known reason."""
    sizes = row.sizes + row.more * whole
    costs = dict.fromkeys(sizes, math.inf)
    for turn in range(row.rounds):
        for size in sizes:
            if not turn or costs[size] < LONG:
                costs[size] = min(costs[size], row.measure(size))
    before, last = sizes[-2:]
    exponent = math.log(costs[last] / costs[before]) / math.log(last / before)
    over = exponent > row.due
    each = ", ".join(f"{size:,}: {costs[size]:.3g}" for size in sizes)
    print(
        f"| {row.name} | {each} {row.unit} | {costs[last] / costs[sizes[0]]:.1f}× | "
        f"{exponent:.2f} | {row.due:g} | {row.reason if over else ''} |",
        flush=True,
    )
    return not over or bool(row.reason)


LONG = 10.0
"""CPU seconds; what takes longer is measured once."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="rows with this in their names")
    parser.add_argument("--whole", action="store_true", help="the largest sizes, too")
    given = parser.parse_args()
    setattr(family, "NAMES", NAMES)  # noqa: B010 - it has six, of a type of its own
    family.catalogue()
    said(["--version"])
    print("| what grows | cost by size | whole | exponent | may be | reason |")
    print("| --- | --- | ---: | ---: | ---: | --- |", flush=True)
    fine = [measured(row, whole=given.whole) for row in ROWS if given.only in row.name]
    if given.only in "authority":
        asked, counted, times = asked_or_counted()
        print(
            f"An evening of six machines takes {counted:.2f} s; {asked / counted:.2f} times as long if an "
            f"Authority counts who is there at each of {times:,} questions, instead of at each change."
        )
    return int(not all(fine))


if __name__ == "__main__":
    sys.exit(main())
