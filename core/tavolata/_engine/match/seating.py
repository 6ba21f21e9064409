"""Seating: who sits where, from the wishes of a command line or of those at a table. Pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import chain, count
from typing import Any, NamedTuple

from tavolata._players import RandomBot
from tavolata._text import one_line, small_number
from tavolata.errors import Refused
from tavolata.game import Game
from tavolata.messages import N_

BOT_NAMES = (
    "Ada", "Berto", "Carla", "Dino", "Elsa", "Fausto", "Gilda", "Ivo", "Licia", "Mirco", "Nives", "Orso",
    "Pia", "Quinto", "Rosa", "Sandro", "Tilde", "Ugo", "Vera", "Zeno",
)  # fmt: skip


PROGRAM = "program"
"""Stands for the level of a seat that a program plays; no bot can have this level."""


THINKER = "thinker"
"""The level of the bot that searches, which every game has; no bot of a plugin can have it."""


class SeatingError(Refused):
    """The wanted seats, people and bots don't fit together or don't fit the game."""


class Seating(NamedTuple):
    """The players by seat, people first; a level is a bot's, `PROGRAM`, or None for a person."""

    names: tuple[str, ...]
    levels: tuple[str | None, ...]


def read_bots(given: str, known: Collection[str]) -> list[str]:
    """Return the levels of the bots meant: a number of normal bots, or one level for each bot.

    Raise `SeatingError` if it is neither, or there isn't a bot of such a level.
    """
    if given.isdecimal():
        return [usual_level(known)] * small_number(given)
    wanted = [word.strip() for word in given.split(",")]
    if any(word.lstrip("+-").isdecimal() for word in wanted):
        raise SeatingError(
            N_("Give a number of bots, such as 3, or a level for each, such as easy,hard; "
               "{given} is neither."),
            given=one_line(given, 40),
        )  # fmt: skip
    return [known_level(word, known) for word in wanted]


def known_level(level: str, known: Collection[str]) -> str:
    if level not in known:
        raise SeatingError(
            N_("This game has no {level} bot. Its bots: {known}."), level=level, known=", ".join(known)
        )
    return level


def usual_level(known: Collection[str]) -> str:
    """Return a bot's default level: normal, otherwise easy, otherwise the first one that was written."""
    others = [level for level in known if level not in (RandomBot.level, THINKER)]
    return next((level for level in ("normal", "easy") if level in known), (others or [RandomBot.level])[0])


def usual_seats(game: type[Game[Any]]) -> int:
    low, high = game.seats
    return min(high, max(low, game.best_with or 4))


def known_seats(game: type[Game[Any]], most: int) -> int | None:
    """Return how many play at a table of this size; None where anyone else may still come."""
    low, high = game.seats
    return None if low < most == high else most


def check_seats(game: type[Game[Any]], seats: int) -> None:
    """Raise `SeatingError` if a game can't be played by this number."""
    low, high = game.seats
    if not low <= seats <= high:
        raise SeatingError(
            N_("{game} is for {low} to {high} players, not {seats}."),
            game=game.name, low=low, high=high, seats=seats,
        )  # fmt: skip


def seat(
    game: type[Game[Any]],
    known: Collection[str],
    *,
    seats: int | None = None,
    people: Sequence[str] = (),
    programs: Sequence[str] = (),
    bots: Sequence[str] | None = None,
    own_bot: str | None = None,
) -> Seating:
    """Seat people first, then programs, then bots.

    Without `seats` there's one for each player; without `bots`, normal bots fill the table. With `own_bot`, a
    bot plays the first person's seat. Raise `SeatingError` if these players can't be seated; the sentence
    says what is possible.
    """
    there = len(people) + len(programs)
    wanted = bots
    if wanted is None:
        total = seats if seats is not None else max(there, usual_seats(game))
        check_seats(game, total)
        wanted = [usual_level(known)] * (total - there)
    total = there + len(wanted)
    if seats is not None and total != seats:
        raise SeatingError(
            N_("Players ({people}) and bots ({bots}) don't add up to {seats} seats."),
            people=there, bots=len(wanted), seats=seats,
        )  # fmt: skip
    check_seats(game, total)
    taken = [*people]
    for name in programs:
        numbered = chain([name], (f"{name} {number}" for number in count(2)))
        taken.append(next(one for one in numbered if one not in taken))
    free = [name for name in BOT_NAMES if name not in taken] + [f"Bot {number}" for number in range(1, 65)]
    levels: list[str | None] = [None] * len(people)
    if own_bot is not None and people:
        levels[0] = known_level(own_bot, known)
    levels += [PROGRAM] * len(programs)
    return Seating((*taken, *free[: len(wanted)]), (*levels, *wanted))


FULL = N_("The teams are uneven: {sizes}.")
ONLY_TEAMS = N_("{game} is a team game, and {n} players can't form teams. Player counts that work: {known}.")


def teams_for(rules: type[Game[Any]], count: int, seats: int) -> int:
    """Return the number of teams of this many seats: `count`, or, where it's 0, what the game needs.

    Raise `SeatingError` if the game can't be played in these teams, or not without any.
    """
    teams = rules.teams
    if teams is None:
        if count:
            raise SeatingError(N_("{game} isn't played in teams."), game=rules.name)
        return 0
    count = count or teams.usual(seats)
    if (not count and not teams.required) or (count and teams.fit(count, seats)):
        return count
    if not teams.required:
        raise SeatingError(N_("{n} players can't form {teams} equal teams."), n=seats, teams=count)
    known = [str(number) for number in range(rules.seats[0], rules.seats[1] + 1) if teams.usual(number)]
    raise SeatingError(ONLY_TEAMS, game=rules.name, n=seats, known=", ".join(known))


def alternating(count: int, seats: int) -> tuple[int, ...]:
    """Return, by seat, the number of its team, if teams alternate around the table; empty for none."""
    return tuple(seat % count for seat in range(seats)) if count else ()


def in_teams(wishes: Sequence[int], count: int, *, alternate: bool = True) -> tuple[list[int], list[int]]:
    """Split people into equal teams: return their order around the table, and in it the team of each.

    `wishes` are numbers of teams, negative for no wish; then the smallest team gets the player. If the seats
    don't alternate by team, people keep their order. Raise `SeatingError` if too many want the same team.
    """
    members: list[list[int]] = [[] for _ in range(count)]
    for one, team in enumerate(wishes):
        if team >= 0:
            members[team].append(one)
    for one, team in enumerate(wishes):
        if team < 0:
            min(members, key=len).append(one)
    if len({len(team) for team in members}) > 1:
        sizes = ", ".join(str(len(team)) for team in members)
        raise SeatingError(FULL, sizes=sizes)
    of = {one: number for number, team in enumerate(members) for one in team}
    rows = zip(*map(sorted, members), strict=True)
    order = [one for row in rows for one in row] if alternate else sorted(of)
    return order, [of[one] for one in order]
