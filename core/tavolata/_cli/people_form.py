"""The people at one keyboard: their form, on a screen or in lines, and what was played last."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tavolata import _dirs
from tavolata._cli.choosing import typed
from tavolata._cli.command_context import CommandContext
from tavolata._engine.storage.atomic_json import keep, stored
from tavolata._text import MAX_NAME
from tavolata._ui.people_here import Person, people_of, plain, problem, read
from tavolata.messages import N_

if TYPE_CHECKING:
    from tavolata._ui.match_plan import MatchPlan

MOST = 16
"""The most people who are remembered."""


def last_plans() -> tuple[str, dict[str, Any]]:
    """Return the game that was played last, and by game its plan as plain data; nothing if unreadable."""
    said = _read()
    game, plans = said.get("game"), said.get("plans")
    return game if isinstance(game, str) else "", plans if isinstance(plans, dict) else {}


def keep_plan(plan: MatchPlan) -> None:
    _, plans = last_plans()
    keep(_file(), {**_read(), "game": plan.game, "plans": {**plans, plan.game: plan.plain()}})


def last_people() -> list[Person]:
    """Return the people of the last match that several played at this keyboard; none if unreadable."""
    return read(_read().get("people"))


def keep_people(people: Sequence[Person]) -> None:
    """Keep who sits here for the next time; people who are not here now are still known."""
    others = [one for one in last_people() if one.name not in [now.name for now in people]]
    keep(_file(), {**_read(), "people": plain([*people, *others][:MOST]), "begun": []})


def begun_people(count: int) -> list[Person]:
    """Return the people in a form for so many that was left before it was sent; none if there isn't one."""
    people = read(_read().get("begun"))
    return people if len(people) == count else []


def keep_begun(people: Sequence[Person]) -> None:
    keep(_file(), {**_read(), "begun": plain(people)})


def _read() -> dict[str, Any]:
    said = stored(_file())
    return said if isinstance(said, dict) else {}


def _file() -> Path:
    return Path(_dirs.data_dir()) / "last_plans.json"


NAMES = N_("Who's playing? {n} names, separated by commas [{names}] ")
KEYS = N_("A key for each player, for quick reactions [{keys}] ")
COUNT = N_("Type {n} names, one for each person at this keyboard.")


def usual_names(own: str, count: int) -> list[str]:
    """Return its own name, the names of the last time, and, for more people, its own name with numbers."""
    numbered = (f"{own[: MAX_NAME - 3]} {number}" for number in range(2, count + 2))
    return list(dict.fromkeys([own, *(one.name for one in last_people()), *numbered]))[:count]


def ask_people(context: CommandContext, title: str, names: Sequence[str]) -> list[str] | None:
    """Ask for names, marks and keys in one form; keep them, return the names (None if the form was left).

    The form begins with these names, or as it was when it was left the last time. Raise KeyboardInterrupt
    if nobody can answer, or somebody interrupted it.
    """
    people: list[Person] | None = begun_people(len(names)) or people_of(names, last_people())
    assert people is not None
    if context.frontend == "tui":
        from tavolata._cli.looks import looks_of
        from tavolata._ui.tui.show import show_people

        people = asyncio.run(show_people(context.translator, looks_of(context), title, people, keep_begun))
    else:
        people = ask_in_lines(context, people)
    if people is None:
        return None
    keep_people(people)
    return [one.name for one in people]


def ask_in_lines(
    context: CommandContext, people: list[Person], ask: Callable[[str], str] = typed
) -> list[Person]:
    """Ask for the names and the keys until they are possible; Enter keeps the present value."""
    while True:
        line = ask(context.text(NAMES, {"n": len(people), "names": ", ".join(one.name for one in people)}))
        names = [" ".join(one.split()) for one in line.split(",")] if line else [one.name for one in people]
        if len(names) != len(people):
            context.note(context.text(COUNT, {"n": len(people)}))
            continue
        chosen = people_of(names, last_people())
        keep_begun(chosen)
        keys = (
            ask(context.text(KEYS, {"keys": " ".join(one.key for one in chosen)}))
            .replace(",", " ")
            .lower()
            .split()
        )
        if keys:
            chosen = [replace(one, key=key) for one, key in zip(chosen, keys, strict=False)]
        wrong = problem(chosen)
        if wrong is not None:
            context.note(context.text(*wrong))
        elif len(chosen) < len(people):
            context.note(context.text(COUNT, {"n": len(people)}))
        else:
            return chosen
