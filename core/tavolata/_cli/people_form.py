"""The form of several people at one keyboard: on a screen, or in lines."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from tavolata._cli.choosing import typed
from tavolata._cli.command_context import CommandContext
from tavolata._cli.last_plans import begun_people, keep_begun, keep_people, last_people
from tavolata._ui.people_here import people_of, problem
from tavolata.messages import N_

if TYPE_CHECKING:
    from tavolata._ui.people_here import Person

NAMES = N_("Who sits here? {n} names with commas [{names}] ")
KEYS = N_("A key for each, for quick hands [{keys}] ")
COUNT = N_("There are {n} people at this keyboard.")


def usual_names(own: str, count: int) -> list[str]:
    """The own name, those who sat here the last time, and, for more people, the own name with numbers."""
    others = [one.name for one in last_people() if one.name != own]
    return [own, *others, *(f"{own} {number}" for number in range(2, count + 1))][:count]


def ask_people(context: CommandContext, title: str, names: Sequence[str]) -> list[str] | None:
    """Ask for names, marks and keys in one form; keep them, return the names.

    The form begins with these names, or as it stood when it was left the last time.

    Returns:
        None if the form was left.

    Raises:
        KeyboardInterrupt: nobody can answer, or somebody interrupted it.
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
    """Ask for the names and the keys until they are possible; Enter takes what stands there."""
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
