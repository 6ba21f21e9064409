"""The commands `tt games` and `tt plugins`: what can be played here, and who brings it."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, NamedTuple

import msgspec
import typer

from tavolata._cli.app import plugin_commands
from tavolata._cli.command_context import CommandContext
from tavolata._cli.parameters import number
from tavolata._engine.match.game_info import GameInfo, as_text
from tavolata._engine.plugins.catalogue import Catalogue
from tavolata._engine.plugins.manifest import read_manifest
from tavolata.messages import N_

if TYPE_CHECKING:
    from tavolata._cli.more_games import ListedGame

SEATS, ALWAYS = N_("{low} to {high} players"), N_("{n} players")
LASTS = N_("{seats}, {n} min")
SEARCH = N_("Search: `tt games WORD`, --people N, --minutes M. Play: `tt play NAME`.")
NO_FIT = N_("No matching games. `tt games` lists them all.")
NO_MORE = N_(
    "This version of Tavolata doesn't know of any other published games. You can install any game "
    "package: tt install NAME."
)
MORE = N_("{name}  {title} ({seats}; {languages}). {summary}")
HERE = N_("Installed.")
TO_INSTALL = N_("tt install {name} (no one has reviewed this code; it runs with your permissions)")
FETCHED = N_("Fetched the list dated {date}.")
PASSED = N_("checks passed (kit {kit}, {date})")
FAILED = N_("checks failed (kit {kit}, {date})")
SPEAKS = N_("API {n}")
RELEASED = N_("released {date}")
ATTESTED = N_("attested")


class Wanted(NamedTuple):
    """Which games to list: for a number of people, up to a length, with a word; None and "" for any."""

    people: int | None
    minutes: int | None
    word: str

    def fits(self, seats: tuple[int, int], minutes: int, text: str) -> bool:
        """Return True for a game that fits; one without `minutes` fits no limit."""
        low, high = seats
        if not (self.people is None or low <= self.people <= high):
            return False
        if not (self.minutes is None or 0 < minutes <= self.minutes):
            return False
        if not self.word:
            return True
        from tavolata._ui.answers import bare

        return bare(self.word) in bare(text)


def games(
    context: CommandContext,
    word: Annotated[
        str, typer.Argument(help=N_("List the games with this word in their name, title or summary."))
    ] = "",
    *,
    people: Annotated[
        int | None, number("--people", text=N_("List games for this many players."), low=1)
    ] = None,
    minutes: Annotated[
        int | None, number("--minutes", text=N_("List games that take at most this many minutes."), low=1)
    ] = None,
    more: Annotated[bool, typer.Option("--more", help=N_("Include games published by others."))] = False,
    fetch: Annotated[
        bool, typer.Option("--fetch", help=N_("Fetch and show the latest list of published games."))
    ] = False,
) -> None:
    """List installed games."""
    wanted = Wanted(people, minutes, word)
    if fetch:
        from tavolata._cli.more_games import fetch_list

        newest = fetch_list()
        context.note(context.text(FETCHED, {"date": newest.made}))
    if more or fetch:
        _published(context, wanted)
        return
    there = context.catalogue.infos()
    found = [
        one
        for one in there
        if wanted.fits(one.seats, one.minutes, f"{one.name} {_title(context, one)} {_summary(context, one)}")
    ]
    if context.frontend == "json":
        for one in found:
            context.data("game", {**msgspec.structs.asdict(one), "code": as_text(one.code)})
        return
    width = max((len(one.name) for one in found), default=0)
    rows = [_rows(_line(context, one, width), width + 2) for one in found]
    if not context.on_terminal:
        rows = [[_line(context, one, width)] for one in found]
    is_long = context.on_terminal and sum(map(len, rows)) >= shutil.get_terminal_size().lines
    for one, lines in zip(found, rows, strict=True):
        cut = is_long and len(lines) > 1
        for row in [f"{lines[0]} …"] if cut else lines:
            context.out(row)
        if context.verbosity > 0:
            package = f"{one.distribution} {one.version}".strip()
            context.out(f"{'':<{width}}  {one.plugin} ({package})")
    if is_long:
        context.note(context.text(SEARCH))
    if there and not found:
        context.out(context.text(NO_FIT))
    elif not found:
        context.out(context.text(N_("No games installed. `tt plugins` shows why.")))
    elif context.verbosity >= 0 and not context.catalogue.whole:
        context.note(context.text(N_("Some plugins were left out. See `tt plugins`.")))


def _published(context: CommandContext, wanted: Wanted) -> None:
    from tavolata._cli.more_games import more_games

    here = {info.name for info in context.catalogue.infos()}
    for one in more_games():
        if not wanted.fits(one.players, one.minutes, f"{one.name} {one.title} {one.summary}"):
            continue
        if context.frontend == "json":
            context.data("published", {**msgspec.to_builtins(one), "installed": one.name in here})
            continue
        seats = _seats(context, *one.players)
        facts = {"name": one.name, "title": one.title, "seats": seats, "summary": one.summary}
        line = context.text(MORE, {**facts, "languages": ", ".join(one.languages)})
        context.out(line.rstrip())  # not every game has a summary
        context.out("  " + " · ".join(_marks(context, one)))
        context.out("  " + context.text(HERE if one.name in here else TO_INSTALL, {"name": one.name}))
    if not more_games() and context.frontend != "json":
        context.out(context.text(NO_MORE))


def _marks(context: CommandContext, one: ListedGame) -> Iterator[str]:
    """Yield the facts about a published game; nothing of them is an opinion."""
    marks = one.marks
    if marks is not None and marks.kit:
        said = PASSED if marks.passed else FAILED
        yield context.text(said, {"kit": marks.kit, "date": marks.checked})
    yield context.text(SPEAKS, {"n": one.api})
    if marks is not None:
        yield as_text(bytes.fromhex(marks.fingerprint))
        yield context.text(RELEASED, {"date": marks.released})
        if marks.attested:
            yield context.text(ATTESTED)


def _title(context: CommandContext, one: GameInfo) -> str:
    return context.text(one.title, domain=one.package)


def _summary(context: CommandContext, one: GameInfo) -> str:
    return context.text(one.summary, domain=one.package)


def _seats(context: CommandContext, low: int, high: int) -> str:
    return context.text(SEATS if low < high else ALWAYS, {"low": low, "high": high, "n": low})


def _line(context: CommandContext, one: GameInfo, width: int) -> str:
    seats = _seats(context, *one.seats)
    if one.minutes:
        seats = context.text(LASTS, {"seats": seats, "n": one.minutes})
    return f"{one.name:<{width}}  {_title(context, one)} ({seats}). {_summary(context, one)}".rstrip()


def _rows(line: str, hang: int) -> list[str]:
    columns = max(40, shutil.get_terminal_size().columns) - 2  # for the mark of a line that's cut
    return textwrap.wrap(line, columns, subsequent_indent=" " * hang)


FROM = N_("{name}: {distribution} {version}, {value} in {where}")
BRINGS = {
    "games": N_("games: {names}"),
    "bots": N_("bots: {names}"),
    "commands": N_("commands: {names}"),
}
NOTHING = N_("No plugins are installed.")


def plugins(context: CommandContext) -> None:
    """List plugins and any problems with them."""
    catalogue = Catalogue(read_manifest(fresh=True))  # only this command never uses the cache
    plugin_commands(catalogue)
    problems = catalogue.problems()
    if context.frontend == "json":
        for plugin in catalogue.plugins():
            context.data("plugin", {**plugin.entry._asdict(), **plugin.brings})
        for problem in problems:
            context.data("problem", {"plugin": problem.plugin, "sentence": problem.sentence})
        return
    for plugin in catalogue.plugins():
        context.out(context.text(FROM, plugin.entry._asdict()))
        for kind, names in plugin.brings.items():
            if names:
                context.out("  " + context.text(BRINGS[kind], {"names": ", ".join(names)}))
    if not catalogue.plugins():
        context.out(context.text(NOTHING))
    if problems:
        context.out()
    # If several plugins claim one name, each has the same sentence; it is printed once.
    for sentence in dict.fromkeys(context.text(problem.message, problem.params) for problem in problems):
        context.out(sentence)
