"""The command `tt history`, which lists the matches played here, the opponents and the ratings."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tavolata import _machine
from tavolata._cli import completions
from tavolata._cli.command_context import CommandContext
from tavolata._cli.lists import day_and_time, in_columns
from tavolata._cli.parameters import number
from tavolata._ui.match_plan import level_text
from tavolata.messages import N_, NN_, Text

if TYPE_CHECKING:
    from tavolata._engine.storage.history import History, PastMatch

HEADINGS = ("", N_("When"), N_("Game"), N_("Players"), N_("Result"))
REPLAY = N_("Replay a match by its number: `tt replay {n}`.")
WON = N_("{winners} won.")
AWARD = N_("{name}: {award}.")
BROKEN_OFF = N_("Abandoned.")
SUSPENDED = N_("Suspended.")
SUM = NN_("{n} match, {won} won.", "{n} matches, {won} won.")
OPPONENT = NN_(
    "{name}: {n} match together, you won {mine}, they won {theirs}.",
    "{name}: {n} matches together, you won {mine}, they won {theirs}.",
)
RATING = NN_("{game}: {name} {points} ({n} match)", "{game}: {name} {points} ({n} matches)")
TOLD = N_("{n}. {when}, {game}: {result} {players}.")
BEGINNERS = N_("Everyone starts at {n}. Each match makes a rating more certain, and that alone raises it.")
NONE = N_("No finished matches yet. Start one with `tt play`.")
BOTS_ONLY = N_("All finished matches here were between bots. List them with `tt history --all`.")
NOT_KEPT = N_("Couldn't save the history in the data folder, so this was read from the match files instead.")
YOU = N_("{name} (you)")
BOT = N_("{name} (bot, {level})")
BOTS = N_("bots ({level})")
OF_LEVEL = N_("bots ({level}): {names}")
NONE_OF = N_("No finished matches of {game} yet. Start one with `tt play {game}`.")
PROGRAM = N_("{name} (program)")


def history(
    context: CommandContext,
    game: Annotated[
        str | None,
        typer.Argument(help=N_("One game only."), metavar="GAME", autocompletion=completions.games),
    ] = None,
    *,
    opponents: Annotated[
        bool, typer.Option("--opponents", help=N_("Opponents, and how often each of you won."))
    ] = False,
    ratings: Annotated[bool, typer.Option("--ratings", help=N_("Ratings of all players."))] = False,
    everything: Annotated[
        bool, typer.Option("--all", help=N_("Include matches that no one here played."))
    ] = False,
    last: Annotated[int, number(text=N_("Number of matches to show, latest first."), low=1)] = 20,
) -> None:
    """Show past matches, opponents and ratings."""
    from tavolata._engine.storage.history import history as opened

    with opened() as one:
        if not one.kept and context.verbosity >= 0:
            context.note(context.text(NOT_KEPT))
        numbers = numbers_of(one)
        found = [match for match in one.matches() if game in (None, match.game)]
    matches = [match for match in found if everything or match.mine is not None]
    others = bool(found) and not matches
    if not matches:
        if game is not None and not others:
            context.catalogue.game(game)  # if there is no such game, its error suggests a similar name
        none = NONE if game is None else NONE_OF
        context.note(context.text(BOTS_ONLY if others else none, {"game": game}))
    elif ratings:
        _show_ratings(context, matches)
    elif opponents:
        _show_opponents(context, matches)
    else:
        _show_matches(context, matches[-last:], numbers)


def numbers_of(one: History) -> dict[str, int]:
    """Return, by the id of a match, the number by which `tt replay` knows it: 1 for the latest."""
    return {match.id: number for number, match in enumerate(reversed([*one.matches()]), 1)}


def match_lines(
    context: CommandContext, matches: Sequence[PastMatch], numbers: Mapping[str, int], width: int | None
) -> list[str]:
    """Return matches as the lines of a table, or for a screen reader as a sentence each.

    `width` is in columns; None wraps nothing.
    """
    rows, now = [["", *map(context.text, HEADINGS[1:])]], datetime.fromtimestamp(_machine.wall()).astimezone()
    for match in matches:
        local = match.ended.astimezone()
        names = _players(context, match)
        when = context.text(*day_and_time(local, now))
        game = context.catalogue.title(match.game, context.text)
        result = " ".join([_result(context, match), *_narrator(context, match), *_awards(context, match)])
        rows.append([str(numbers[match.id]), when, game, names, result])
    if context.screen_reader:
        titles = ("n", "when", "game", "players", "result")
        return [context.text(TOLD, dict(zip(titles, row, strict=True))) for row in rows[1:]]
    return in_columns(rows, width)


def _show_matches(context: CommandContext, matches: list[PastMatch], numbers: Mapping[str, int]) -> None:
    if context.frontend == "json":
        for match in matches:
            ended = match.ended.astimezone().isoformat(timespec="seconds")
            context.data("match", {**asdict(match), "ended": ended})
        return
    width = shutil.get_terminal_size().columns if context.on_terminal else None
    for line in match_lines(context, matches, numbers, width):
        context.out(line)
    if context.on_terminal and context.verbosity >= 0:
        context.note(context.text(REPLAY, {"n": numbers[matches[-1].id]}))
    mine = [match.mine for match in matches if match.mine is not None]
    if mine:
        context.out(context.text(SUM, {"n": len(mine), "won": sum(one.won for one in mine)}))


def _players(context: CommandContext, match: PastMatch) -> str:
    """Return the players: people and programs, and then the bots by level."""
    bots: dict[str | None, list[Any]] = {}
    for player in match.players:
        if player.who.startswith("bot:"):
            bots.setdefault(player.level, []).append(player)
    people = [_called(context, one) for one in match.players if not one.who.startswith("bot:")]
    groups = [", ".join(people)] if people else []
    for level, some in bots.items():
        names = ", ".join(player.name for player in some)
        said = {"level": level_text(level or ""), "names": names}
        groups.append(_called(context, some[0]) if len(some) == 1 else context.text(OF_LEVEL, said))
    return "; ".join(groups)


def _called(context: CommandContext, player: Any) -> str:
    if player.level is None:
        return str(player.name)
    message = PROGRAM if player.who.startswith("program:") else BOT
    return context.text(message, {"name": player.name, "level": level_text(player.level)})


def _bots(context: CommandContext, who: str) -> str:
    """Return the bots of a level: their names are random, so the level stands for them. "" for others."""
    if not who.startswith("bot:"):
        return ""
    return context.text(BOTS, {"level": level_text(who.partition(":")[2])})


def _narrator(context: CommandContext, match: PastMatch) -> list[str]:
    """Return who narrated the match; nothing in a game without a narrator."""
    from tavolata._engine.table.trust_notice import HAS_NARRATED

    return [context.text(HAS_NARRATED, {"name": match.narrator})] if match.narrator else []


def _awards(context: CommandContext, match: PastMatch) -> list[str]:
    """Return the awards as sentences; only those that are whole without their numbers."""
    package = next((one.package for one in context.catalogue.infos() if one.name == match.game), "")
    return [
        context.text(AWARD, {"name": player.name, "award": context.text(award, domain=package)})
        for player in match.players for award in player.awards if "{" not in award
    ]  # fmt: skip


def _result(context: CommandContext, match: PastMatch) -> str:
    if match.conviction is not None:
        return _caught(context, match)
    if not match.finished:
        return context.text(SUSPENDED if match.suspended else BROKEN_OFF)
    from tavolata._engine.storage.history import ABSENT

    winners = ", ".join(
        context.text(N_("{name} (absent)"), {"name": player.name}) if player.who == ABSENT else player.name
        for player in match.players if player.won
    )  # fmt: skip
    said = context.text(WON, {"winners": winners}) if winners else context.text(N_("No one won."))
    return " ".join([said, *_reason(context, match)])


def _reason(context: CommandContext, match: PastMatch) -> list[str]:
    if match.why is None:
        return []
    from tavolata._engine.storage.recorded import told_events
    from tavolata._ui.words import Words

    message, params = match.why
    package = next((one.package for one in context.catalogue.infos() if one.name == match.game), "")
    words = Words(context.translator, package, [player.name for player in match.players])
    return [words.event(event) for event in told_events([(message, None, params, None)], package)]


def _caught(context: CommandContext, match: PastMatch) -> str:
    from tavolata._engine.match.offences import CAUGHT, NARRATOR, charge_text, read_conviction

    try:
        found = read_conviction(match.conviction)
    except ValueError:  # the file is of another version
        found = None
    if found is None or (found.seat is not None and found.seat >= len(match.players)):
        return context.text(N_("Ended: cheating."))
    charge = charge_text(found.charge)
    said = {name: context.text(one.message, one.params) if isinstance(one, Text) else one
            for name, one in charge.params.items()}  # fmt: skip
    problem = context.text(charge.message, said)
    if found.seat is None:
        return context.text(NARRATOR, {"problem": problem})
    return context.text(CAUGHT, {"name": match.players[found.seat].name, "problem": problem})


def _show_opponents(context: CommandContext, matches: list[PastMatch]) -> None:
    for who, said in opponents_in(context, matches):
        if context.frontend == "json":
            facts = {"name": said["name"], "matches": said["n"], "won": said["mine"], "lost": said["theirs"]}
            context.data("opponent", {"who": who, **facts})
        else:
            context.out(context.text(OPPONENT, said))


def opponents_in(
    context: CommandContext, matches: Sequence[PastMatch]
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the opponents, the most frequent first: their identity, and the values of `OPPONENT`.

    The bots of a level are one opponent, however many of them sat at a match.
    """
    from tavolata._engine.storage.history import ABSENT

    names: dict[str, str] = {}
    together, won, lost = Counter[str](), Counter[str](), Counter[str]()
    for match in matches:
        if match.mine is None:
            continue
        others = (one for one in match.players if one is not match.mine and one.who != ABSENT)
        for who, player in {one.who: one for one in others}.items():
            names[who] = _bots(context, who) or (
                player.name if player.level is None else _called(context, player)
            )
            together[who] += 1
            won[who] += match.mine.won
            lost[who] += any(one.won for one in match.players if one.who == who)
    for who, count in together.most_common():
        yield who, {"name": names[who], "n": count, "mine": won[who], "theirs": lost[who]}


def _show_ratings(context: CommandContext, matches: list[PastMatch]) -> None:
    from tavolata._engine.storage.history import ME
    from tavolata._engine.storage.ratings import BEGIN, ratings

    for one in ratings(matches):
        if context.frontend == "json":
            context.data("rating", asdict(one))
            continue
        name = context.text(YOU, {"name": one.name}) if one.who == ME else _bots(context, one.who) or one.name
        game = context.catalogue.title(one.game, context.text)
        said = {"game": game, "points": one.points, "name": name, "n": one.matches}
        context.out(context.text(RATING, said))
    if context.frontend != "json":
        context.note(context.text(BEGINNERS, {"n": BEGIN}))
