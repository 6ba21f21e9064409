"""Going back: a match follows its own log again, up to an answer that was taken back."""

from __future__ import annotations

from typing import Any

from tavolata._engine.match.entries import RETURNED
from tavolata._engine.match.match import Match, TakenBack
from tavolata._engine.match.shadow import ShadowSource
from tavolata.errors import GameError
from tavolata.table import Table


def go_back(match: Match[Any], to: TakenBack) -> None:
    """Follow the log again up to an answer, in front of which the match then stands.

    Nothing was dealt, shown or sealed since, so the live source holds all that it held then. Raise
    `GameError` if the game has state outside its attributes, so it can't be followed.
    """
    match.back_to = match.undo_request = None
    live, on_turn, status = match.source, match.on_turn, list(match.status)
    mark = (RETURNED, to.seat, match.table._asks)
    match._close()
    source = ShadowSource(live, len(status))
    source.entries += live.log[: to.at]
    match.source, match.on_turn, match._goes_back = source, None, True
    del match.events[match._before_origin :]
    match._lay()
    source.attach(match)
    try:
        if match.origin is not None:
            source.begin_at(match.load(match.origin), live.before)
        match._run()
    finally:
        match.source, match.on_turn, match._goes_back = live, on_turn, False
    match.status = status
    if not any(ask.id == to.ask for ask in source.open):
        raise GameError(f"{match.rules.name} can't be followed back: it has state outside its attributes.")
    match.table._draw_from(live)
    match.table._pace = match.terms.pace
    match.table.__class__ = live.words if match.terms.pace is None else Table
    match._views.clear()
    match.shadows.clear()
    live.go_back(to.at, mark, source.closed)
    match.undone += 1
    match.returned(mark)
