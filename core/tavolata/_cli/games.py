"""`tt games`: what can be played here."""

from __future__ import annotations

import json

from tavolata._cli.session import Session
from tavolata.messages import N_

TYPE_CHECKING = False  # not from typing, as in `session`
if TYPE_CHECKING:
    from typing import Any

    from tavolata._engine.plugins.brought import Listed

NOTHING_HERE = N_("There are no games here; `tt plugins` says why.")
SEATS = N_("{low} to {high} players")
SOME_LEFT_OUT = N_("Something was left out; `tt plugins` says what and why.")


def games(session: Session) -> None:
    """List the games that can be played here."""
    found, whole = session.listing()
    if session.face == "json":
        for one in found:
            session.out(json.dumps(_facts(one), ensure_ascii=False))
        return
    width = max((len(one.name) for one in found), default=0)
    for one in found:
        title = session.text(one.title, domain=one.package)
        seats = session.text(SEATS, {"low": one.low, "high": one.high})
        summary = session.text(one.summary, domain=one.package)
        line = f"{one.name:<{width}}  {title} ({seats}). {summary}".rstrip()
        for row in _rows(line, width + 2) if session.on_terminal else [line]:
            session.out(row)
        if session.verbosity > 0:
            brings = f"{one.plugin} ({one.distribution} {one.distribution_version})"
            session.out(f"{'':<{width}}  {one.version}, {brings}")
    if not found:
        session.out(session.text(NOTHING_HERE))
    elif session.verbosity >= 0 and not whole:
        session.note(session.text(SOME_LEFT_OUT))


def _rows(line: str, hang: int) -> list[str]:
    """A line as a terminal shows it best: broken between words."""
    import shutil
    import textwrap

    return textwrap.wrap(line, max(40, shutil.get_terminal_size().columns), subsequent_indent=" " * hang)


def _facts(one: Listed) -> dict[str, Any]:
    return {
        "type": "game",
        "name": one.name,
        "title": one.title,
        "seats": [one.low, one.high],
        "version": one.version,
        "rules_id": one.rules_id,
        "plugin": one.plugin,
        "distribution": one.distribution,
        "distribution_version": one.distribution_version,
    }
