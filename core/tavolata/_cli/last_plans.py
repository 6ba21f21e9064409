"""The plans of the last time: what the home screen begins with, in a file of the data folder."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tavolata import _dirs
from tavolata._engine.storage.atomic_json import keep
from tavolata._ui.match_plan import MatchPlan


def last_plans() -> tuple[str, dict[str, Any]]:
    """The game that was played last, and by game its plan as plain data; nothing if nothing can be read."""
    said = _read()
    game, plans = said.get("game"), said.get("plans")
    return game if isinstance(game, str) else "", plans if isinstance(plans, dict) else {}


def keep_plan(plan: MatchPlan) -> None:
    """Keep what is played now for the next time."""
    _, plans = last_plans()
    keep(_file(), {**_read(), "game": plan.game, "plans": {**plans, plan.game: plan.plain()}})


def _read() -> dict[str, Any]:
    try:
        said = json.loads(_file().read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return said if isinstance(said, dict) else {}


def _file() -> Path:
    return Path(_dirs.data_dir()) / "last_plans.json"
