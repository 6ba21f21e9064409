"""`tt doctor`: what stands between this machine and a table."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Annotated

from tavolata._cli import words
from tavolata._cli.failures import FINISHED, UNREACHABLE
from tavolata._cli.session import Session
from tavolata.messages import N_

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from tavolata._engine.diagnostics.checkup import Finding

STATES = {"ok": N_("fine"), "hint": N_("note"), "wrong": N_("wrong")}


def doctor(
    session: Session,
    *,
    port: Annotated[
        int | None, words.option(help=N_("The UDP port that a table would have here."), min=1, max=65535)
    ] = None,
) -> int:
    """Say what is in the way of finding and joining tables."""
    from tavolata._engine.network.joining import PORT

    return asyncio.run(_examine(session, port or PORT, PORT))


async def _examine(session: Session, port: int, usual: int) -> int:
    well = True
    async for finding in _findings(session, port, usual):
        well = well and finding.state != "wrong"
        print(_line(session, finding), flush=True)
    return FINISHED if well else UNREACHABLE


async def _findings(session: Session, port: int, usual: int) -> AsyncGenerator[Finding, None]:
    from tavolata._engine.diagnostics.checkup import Finding, checkup
    from tavolata._engine.diagnostics.folders import folder_findings

    if session.fault is not None:
        yield Finding("settings", "wrong", session.fault.message, session.fault.params)
    for finding in folder_findings():
        yield finding
    async for finding in checkup(port, usual):
        yield finding


def _line(session: Session, finding: Finding) -> str:
    sentence = session.text(finding.message, finding.params)
    if session.face == "json":
        facts = {"type": "finding", "topic": finding.topic, "state": finding.state, "text": sentence}
        return json.dumps(facts, ensure_ascii=False)
    return f"{session.text(STATES[finding.state])}: {sentence}"
