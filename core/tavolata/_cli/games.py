"""`tt games`: what can be played here."""

from __future__ import annotations

import json
from typing import Any

import typer

from tavolata._cli.session import session_of
from tavolata._engine.plugins import LoadedGame
from tavolata.messages import N_

NOTHING_HERE = N_("There are no games here; `tt plugins` says why.")
SEATS = N_("{low} to {high} players")
SOME_LEFT_OUT = N_("Something was left out; `tt plugins` says what and why.")


def games(ctx: typer.Context) -> None:
    """List the games that can be played here."""
    session = session_of(ctx)
    found = session.catalogue.games()
    if session.face == "json":
        for one in found.values():
            session.out(json.dumps(_facts(one), ensure_ascii=False))
        return
    width = max(map(len, found), default=0)
    for one in found.values():
        low, high = one.game.seats
        title = session.text(one.game.title, domain=one.package)
        seats = session.text(SEATS, {"low": low, "high": high})
        summary = session.text(one.game.summary, domain=one.package)
        session.out(f"{one.name:<{width}}  {title} ({seats}). {summary}".rstrip())
        if session.verbosity > 0:
            session.out(f"{'':<{width}}  {one.game.version}, {one.plugin} ({one.distribution} {one.version})")
    if not found:
        session.out(session.text(NOTHING_HERE))
    elif session.verbosity >= 0 and session.catalogue.problems():
        session.note(session.text(SOME_LEFT_OUT))


def _facts(one: LoadedGame) -> dict[str, Any]:
    return {
        "type": "game",
        "name": one.name,
        "title": one.game.title,
        "seats": list(one.game.seats),
        "version": one.game.version,
        "rules_id": one.game.rules_id,
        "plugin": one.plugin,
        "distribution": one.distribution,
        "distribution_version": one.version,
    }
