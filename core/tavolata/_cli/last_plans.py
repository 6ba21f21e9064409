"""What was played the last time, and by whom at this keyboard: what forms begin with, in a small file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tavolata import _dirs
from tavolata._engine.storage.atomic_json import keep, stored
from tavolata._ui.people_here import Person, plain, read

if TYPE_CHECKING:
    from tavolata._ui.match_plan import MatchPlan

MOST = 16
"""The most people who are remembered."""


def last_plans() -> tuple[str, dict[str, Any]]:
    """The game that was played last, and by game its plan as plain data; nothing if nothing can be read."""
    said = _read()
    game, plans = said.get("game"), said.get("plans")
    return game if isinstance(game, str) else "", plans if isinstance(plans, dict) else {}


def keep_plan(plan: MatchPlan) -> None:
    """Keep what is played now for the next time."""
    _, plans = last_plans()
    keep(_file(), {**_read(), "game": plan.game, "plans": {**plans, plan.game: plan.plain()}})


def last_people() -> list[Person]:
    """The people of the last match that several played at this keyboard; none if nothing can be read."""
    return read(_read().get("people"))


def keep_people(people: Sequence[Person]) -> None:
    """Keep who sits here for the next time; who is not here now is still known."""
    others = [one for one in last_people() if one.name not in [now.name for now in people]]
    keep(_file(), {**_read(), "people": plain([*people, *others][:MOST]), "begun": []})


def begun_people(count: int) -> list[Person]:
    """The people in a form for so many that was left before it was sent; none if there is no such form."""
    people = read(_read().get("begun"))
    return people if len(people) == count else []


def keep_begun(people: Sequence[Person]) -> None:
    """Keep what a form says that is not sent yet."""
    keep(_file(), {**_read(), "begun": plain(people)})


def _read() -> dict[str, Any]:
    said = stored(_file())
    return said if isinstance(said, dict) else {}


def _file() -> Path:
    return Path(_dirs.data_dir()) / "last_plans.json"
