"""Checks with whole matches: each must end, be consistent until then, and be the same when played again."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any, assert_never

from typing_extensions import override

from tavolata._engine.match.outcomes import OutcomeError
from tavolata._text import fields
from tavolata.asks import Ask
from tavolata.bots import Chance
from tavolata.errors import GameError
from tavolata.kinds.question import Writing
from tavolata.ring import Seat
from tavolata.testing.cases import Case, CheckFailed, Meddler
from tavolata.testing.checks.check import each, together
from tavolata.testing.playthrough import PlaythroughDiffers, record_playthrough, replay_text
from tavolata.testing.recording import Recorded, blamed, first_difference, patience, play, same
from tavolata.view import View
from tavolata.zones import CardRow, CardStack, Cells, Count, Lanes, Rows, Sentence, Zone, ZoneShape


@each(share=100, stops=True)
def random_playouts(case: Case) -> None:
    """Check that matches between random players end, and their zones can be drawn."""
    kept = Recorded(case)
    try:
        with patience(kept):
            play(case, look, kept)
    except CheckFailed as failure:
        if isinstance(failure.__cause__, OutcomeError):
            return  # it has ended; `outcomes` says what is wrong
        raise
    if kept.match.outcome is None or kept.match.conviction is not None:
        raise kept.failure(f"Bots that play by the rules were caught: {kept.match.conviction}")


@each(share=10)
def bots_finish(case: Case) -> None:
    """Each bot finishes a match against itself."""
    for bot in dict.fromkeys(case.bots):
        kept = Recorded(replace(case, bots=(bot,)))
        with patience(kept):
            play(kept.case, into=kept)


@each(share=20)
def text_fuzz(case: Case) -> None:
    """Whatever a player may write can be played and drawn: the longest, braces, marks, other alphabets."""
    kept = Recorded(replace(case, bots=(_Scribbler,)))
    with patience(kept):
        play(kept.case, look, kept)


HARD = (
    "{seat} {}",
    "[b]x[/b] <i>",
    "\\n\\t%s",
    "😀" * 60,
    "שלום",
    "e\u0301\u0301\u0301",
    "寿司" * 60,
    "yes",
    "None",
    "'\"",
)
"""Texts that break whatever formats, marks up or measures them."""


class _Scribbler(Meddler):
    """Writes what is hard to show wherever it may write."""

    level = "scribbler"

    @override
    def choose(self, view: View[Any], ask: Ask[Any], chance: Chance) -> Any:
        shape = ask.question.shape()
        if not isinstance(shape, Writing):
            return super().choose(view, ask, chance)
        signs = shape.signs.replace(" ", "") or "W"
        texts = [signs[0] * shape.high, signs[-1] * shape.low, *(one[: shape.high] for one in HARD)]
        legal = [one for one in texts if view.allows(ask, one)]
        return chance.pick(legal or list(shape.suggestions))


@each(share=20)
def twice_the_same(case: Case) -> None:
    """Check that equal seed, options and players give equal matches: no clock, no chance of its own."""
    same(play(case), play(case), "Played twice with one seed, it is not the same match")


def look(kept: Recorded) -> None:
    """Raise `CheckFailed` if the zones can't be drawn at the end of a turn."""
    if kept.match.table.turn > 40 and kept.match.table.turn % 23:
        return  # enough of a long match is looked at
    for seat in (*range(kept.case.seats), None):
        with blamed(kept):
            zones = list(kept.match.game.zones(kept.match.table, None if seat is None else Seat(seat)))
            kept.match.view(seat).zones()
        ids = [zone.id for zone in zones]
        for zone in zones:
            if ids.count(zone.id) > 1:
                raise kept.failure(f"Two zones are called {zone.id!r}.")
            with blamed(kept):
                fault = _fault_of(zone)
            if fault:
                raise kept.failure(fault)


def _fault_of(zone: Zone) -> str:
    """Why no frontend can show the zone; "" if each can."""
    try:
        problem = _problem_of(zone, zone.shape())
    except GameError as error:
        return str(error)
    return problem and f"The zone {zone.id!r} {problem}."


def _problem_of(zone: Zone, shape: ZoneShape) -> str:
    match shape:
        case Count(number):
            return "" if isinstance(number, int) else "is a counter and holds no number"
        case Sentence(message, params):
            missing = fields(str(message)) - set(params)
            return f"has no value for {{{min(missing)}}}" if missing else ""
        case CardStack() | CardRow() | Rows() | Lanes() | Cells():
            if not isinstance(zone.content, tuple):
                return f"is a {zone.kind} and holds no tuple"
            if isinstance(shape, Rows) and any(len(row) != 2 for row in shape.rows):
                return "has rows that are not (label, number)"
            return ""
        case _ as never:
            assert_never(never)


OTHER = {"PYTHONHASHSEED": "2", "TZ": "Pacific/Chatham", "LANG": "it_IT.UTF-8", "LC_ALL": "it_IT.UTF-8"}
"""The environment of the other process."""
MORE_HASHES = 3
"""The number of further processes with other hashes: few values of a set are often in the same order."""
OTHER_NAMES = "Zoë "
"""What the names of its players begin with."""


@together(share=20)
def fresh_process(played: list[Case]) -> None:
    """Check that matches don't depend on a process's past, hashes, environment and names."""
    if not played:
        return
    renamed = [replace(case, called=OTHER_NAMES) for case in reversed(played)]
    renamed *= 1 + (len(played) == 1)  # a failed case that is repeated has something before it, too
    hashes = [str(3 + (played[0].seed * 3 + more) % 4_294_967_000) for more in range(MORE_HASHES)]
    ways = [(played, {"PYTHONHASHSEED": "1"}), (renamed, OTHER)]
    ways += [(played[:1], {"PYTHONHASHSEED": seed}) for seed in hashes]
    with ExitStack() as stack:
        running = [(_start(environ), json.dumps([_plain(case) for case in way])) for way, environ in ways]
        for process, _ in running:
            stack.enter_context(process)
            stack.callback(process.kill)
        these, those, *more = (_lines(process, order, played[0]) for process, order in running)
    pairs = [
        *zip(played, these, those[: -len(played) - 1 : -1], strict=True),
        *((played[0], these[0], one) for (one,) in more),
    ]
    for case, one, other in pairs:
        if (at := first_difference(one, other)) is not None:
            a, b = (lines[at] if at < len(lines) else "nothing" for lines in (one, other))
            raise CheckFailed(
                "The match depends on what the process did before, on hashes of texts, on its environment or "
                "on the names of players: "
                f"one process has {a!r}, the other {b!r}.",
                case=case, entry=sum(line.startswith("entry") for line in one[:at]),
            )  # fmt: skip


def _plain(case: Case) -> dict[str, Any]:
    classes = [case.game, *case.bots]
    return {
        "game": _name(case.game),
        "bots": [_name(bot) for bot in case.bots],
        "files": {cls.__module__: getattr(sys.modules[cls.__module__], "__file__", None) for cls in classes},
        "seats": case.seats,
        "options": dict(case.options),
        "seed": case.seed,
        "teams": case.teams,
        "called": case.called,
    }


def _name(cls: type) -> str:
    return f"{cls.__module__}:{cls.__qualname__}"


def _start(environ: dict[str, str]) -> subprocess.Popen[str]:
    path = os.pathsep.join(entry or str(Path.cwd()) for entry in sys.path)
    return subprocess.Popen(
        [sys.executable, "-m", "tavolata.testing.transcript"],
        env=os.environ | {"PYTHONPATH": path, "PYTHONUTF8": "1"} | environ,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8",
    )  # fmt: skip


def _lines(process: subprocess.Popen[str], order: str, case: Case) -> list[list[str]]:
    out, trouble = process.communicate(order)
    if process.returncode:
        last = (trouble.strip().splitlines() or ["no word"])[-1]
        raise CheckFailed(f"It can't be played in a process of its own: {last}", case=case)
    transcripts: list[list[str]] = json.loads(out)
    return transcripts


@each(share=10)
def golden_playthrough(case: Case) -> None:
    """Check that a match that is written as text for people can be replayed from this text, line by line."""
    text = record_playthrough(case)
    try:
        replay_text(case.game, text)
    except PlaythroughDiffers as difference:
        raise CheckFailed(str(difference), case=case) from difference
