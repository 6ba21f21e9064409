"""Golden playthroughs: a match as a text that people read and that a test follows line by line.

A header, each entry of the log with the lines of what it made happen, the digest at each turn's
end, the outcome. A change of rules shows as a difference in this text, beside the line it is in.
"""

from __future__ import annotations

import ast
import json
import shlex
import sys
from collections.abc import Sequence
from dataclasses import replace
from difflib import unified_diff
from pathlib import Path
from typing import Any

from tavolata._blame import short
from tavolata._engine.match.dealing import OneDealer
from tavolata._engine.match.entries import FACE, NAMES, SHOWN, MatchEntry
from tavolata._engine.match.log_source import LogSource
from tavolata._engine.match.match import Match, Terms
from tavolata._engine.match.seating import alternating
from tavolata._engine.match.worlds import new_match
from tavolata._ui.i18n import Translator
from tavolata._ui.words import Words
from tavolata.errors import TavolataError
from tavolata.game import Game
from tavolata.messages import Event
from tavolata.ring import Seat
from tavolata.testing.cases import Case, as_argument
from tavolata.testing.recording import play
from tavolata.view import View
from tavolata.zones import CardView


def words_of(match: Match, lang: str = "en") -> Words:
    """Put the messages of a match into a language."""
    return Words(Translator(lang), match.rules.__module__.partition(".")[0], match.terms.names)


def as_seen(event: Event, view: View) -> Event:
    """Return the event with the faces that a viewer knows at this moment."""

    def seen(value: Any) -> Any:
        if isinstance(value, CardView):
            return replace(value, face=value.face if value.face is not None else view.face_of(value.id))
        return tuple(map(seen, value)) if isinstance(value, tuple) else value

    return replace(event, params={name: seen(value) for name, value in event.params.items()})


TITLE = "A playthrough of Tavolata, format 1"
HEADER = ("game", "rules", "options", "names", "seed", "language")
TEAMS = "teams"
"""The line of the header that only a match in teams has: how many alternate around the table."""
_TAB = "      "
_KINDS = {name: kind for kind, name in NAMES.items()}


class PlaythroughDiffers(AssertionError):
    """A match does not go as its playthrough says; the sentence has the lines that differ."""


def record_playthrough(case: Case, lang: str = "en") -> str:
    """Play a case between its bots and write it down.

    Args:
        case: what to play.
        lang: the language of the event lines.

    Raises:
        CheckFailed: the match stops or has no end.
    """
    return playthrough_of(case, play(case).log, lang)


def playthrough_of(case: Case, log: Sequence[MatchEntry], lang: str = "en") -> str:
    """Write down a match that was played with the seats, house rules and seed of a case."""
    return _text(case.game, _header(case, lang), log)


def replay_playthrough(game: type[Game[Any]], file: str | Path) -> None:
    """Follow the playthrough in a file.

    Raises:
        PlaythroughDiffers: the rules play it differently, or it isn't a playthrough of this game.
    """
    replay_text(game, Path(file).read_text(encoding="utf-8"), str(file))


def replay_text(game: type[Game[Any]], text: str, name: str = "the playthrough") -> None:
    """Follow a playthrough.

    Raises:
        PlaythroughDiffers: the rules play it differently, or it isn't a playthrough of this game.
    """
    try:
        header, entries = _read(text)
    except (ValueError, SyntaxError, KeyError) as error:
        raise PlaythroughDiffers(f"{name} is no playthrough: {error}") from error
    header["game"], header["rules"] = game.name, game.rules_id
    try:
        now = _text(game, header, entries).splitlines()
    except (TavolataError, IndexError) as error:
        raise PlaythroughDiffers(f"{name} can't be followed: {error}") from error
    before = text.splitlines()
    if before != now:
        lines = list(unified_diff(before, now, name, "as it is played now", lineterm="", n=6))
        raise PlaythroughDiffers("\n".join(["The match goes differently now.", *lines[:60]]))


def playthroughs_of(game: type[Game[Any]]) -> list[Path]:
    """Return a game's playthroughs in its project's folder `tests`: beside a lone file, or near a package.

    Those of another `rules_id` are left out: the game promises nothing about them.
    """
    found = []
    for path in sorted((_project_of(game) / "tests").glob("*.txt")):
        try:
            header, _ = _read(path.read_text(encoding="utf-8"))
        except (OSError, ValueError, SyntaxError, KeyError):
            continue  # some other text
        if (header["game"], header["rules"]) == (game.name, game.rules_id):
            found.append(path)
    return found


def how_to_record(game: type[Game[Any]], file: Path) -> str:
    """Return the command that records a playthrough again, from this folder."""
    header, _ = _read(file.read_text(encoding="utf-8"))
    words = [as_argument(game), short(str(file))]
    words += ["--seats", str(len(header["names"])), "--seed", str(header["seed"])]
    words += [word for one in header["options"].items() for word in ("--option", "{}={}".format(*one))]
    words += ["--teams", str(header[TEAMS])] if TEAMS in header else []
    words += ["--lang", header["language"]] if header["language"] != "en" else []
    return f"python -m tavolata.testing record {shlex.join(words)}"


def _project_of(game: type[Game[Any]]) -> Path:
    """Return the folder of a lone file or of a package's `pyproject.toml`; otherwise one without tests."""
    top = sys.modules[game.__module__.partition(".")[0]]
    file = Path(getattr(top, "__file__", None) or "-")
    if not hasattr(top, "__path__"):
        return file.parent
    near = file.resolve().parents[1:3]
    return next((folder for folder in near if (folder / "pyproject.toml").is_file()), file)


def _header(case: Case, lang: str) -> dict[str, Any]:
    values = (case.game.name, case.game.rules_id, dict(case.options), list(case.names), case.seed, lang)
    return dict(zip(HEADER, values, strict=True)) | ({TEAMS: case.teams} if case.teams else {})


def _read(text: str) -> tuple[dict[str, Any], list[MatchEntry]]:
    title, *lines = text.splitlines()
    if title != TITLE:
        raise ValueError("the first line is another")
    gap = lines.index("")
    header = {key: json.loads(value) for key, _, value in (line.partition(": ") for line in lines[:gap])}
    if header.keys() - {TEAMS} != set(HEADER):
        raise ValueError("its header is another")
    return header, [_entry(line) for line in lines[gap + 1 :] if line[:1].isdigit()]


def _entry(line: str) -> MatchEntry:
    _, kind, *rest = line.partition("   · ")[0].split(" ", 2)
    return (_KINDS[kind], *ast.literal_eval(f"({rest[0]},)" if rest else "()"))


def _text(game: type[Game[Any]], header: dict[str, Any], entries: Sequence[MatchEntry]) -> str:
    writer = _Writer(game, header)
    for number, entry in enumerate(entries, 1):
        writer.play(number, entry)
    return "\n".join([*writer.lines, *writer.end()]) + "\n"


class _Writer:
    def __init__(self, game: type[Game[Any]], header: dict[str, Any]) -> None:
        names = tuple(header["names"])
        self.lines = [
            TITLE,
            *(f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in header.items()),
            "",
        ]
        self._source = LogSource(len(names), OneDealer())
        teams = alternating(header.get(TEAMS, 0), len(names))
        terms = Terms(names, game.options.parse(header["options"]), teams=teams)
        self._match = new_match(game, terms, self._source, self._event)
        self._match.on_turn = self._turn
        self._words = words_of(self._match, header["language"])
        self._match.run()

    def play(self, number: int, entry: MatchEntry) -> None:
        kind, *rest = entry
        said = ", ".join(repr(int(part) if isinstance(part, Seat) else part) for part in rest)
        self.lines.append(f"{number} {NAMES[kind]} {said}".rstrip() + self._note(entry))
        self._source.feed(entry)
        self._match.run()
        for reason in self._source.voids.values():
            self.lines.append(f"{_TAB}void: {reason}")
        self._source.voids.clear()

    def _note(self, entry: MatchEntry) -> str:
        """Return the faces of an entry in words, after the entry itself."""
        cards = self._match.table._pieces.cards
        if entry[0] == FACE and entry[1] < len(cards):
            return f"   · {cards[entry[1]].deck.faces[entry[2]]}"
        if entry[0] == SHOWN and (want := self._source.wants) is not None:
            shown = zip(want.seats, want.cards, entry[2], strict=False)
            return "   · " + ", ".join(
                f"{seat}: {cards[c].deck.faces[f]}" for seat, c, f in shown if type(f) is int
            )
        return ""

    def _event(self, event: Event) -> None:
        whom = "" if event.to is None else f" (to {', '.join(str(int(seat)) for seat in event.to)})"
        self.lines.append(f"{_TAB}{self._words.event(event)}{whom}")

    def _turn(self) -> None:
        self.lines.append(f"= turn {self._match.table.turn}: {self._match.digest().hex()}")

    def end(self) -> list[str]:
        match, outcome = self._match, self._match.outcome
        if outcome is None:
            return [f"= broken off: {match.conviction or 'the log ends here'}", f"= {match.digest().hex()}"]
        winners = ", ".join(match.terms.names[seat] for seat in outcome.winners) or "nobody"
        return [
            f"= winners: {winners}; scores: {outcome.scores}; ranks: {outcome.ranks}",
            *(f"= {self._words.text(title)}: {row}" for title, row in outcome.statistics.items()),
            *([] if outcome.why is None else [f"= {self._words.describe(outcome.why)}"]),
            f"= {match.digest().hex()}",
        ]
