"""The command `tt doctor`, which looks for what keeps this machine from finding and joining tables."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Annotated

from tavolata._cli.command_context import CommandContext
from tavolata._cli.failures import FINISHED, UNREACHABLE
from tavolata._cli.parameters import number
from tavolata.messages import N_

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from tavolata._engine.diagnostics.checkup import Finding

STATES = {"ok": N_("fine"), "hint": N_("note"), "wrong": N_("wrong")}


def doctor(
    context: CommandContext,
    *,
    port: Annotated[
        int | None, number(text=N_("The UDP port that a table would have here."), low=1, high=65535)
    ] = None,
) -> int:
    """Say what is in the way of finding and joining tables."""
    from tavolata._engine.network.joining import PORT

    return asyncio.run(_examine(context, port or PORT, PORT))


async def _examine(context: CommandContext, port: int, usual: int) -> int:
    well = True
    async for finding in _findings(context, port, usual):
        well = well and finding.state != "wrong"
        sentence = context.text(finding.message, finding.params)
        if context.frontend == "json":
            context.data("finding", {"topic": finding.topic, "state": finding.state, "text": sentence})
        else:
            print(f"{context.text(STATES[finding.state])}: {sentence}", flush=True)
    return FINISHED if well else UNREACHABLE


async def _findings(context: CommandContext, port: int, usual: int) -> AsyncGenerator[Finding, None]:
    from tavolata._engine.diagnostics.checkup import Finding, checkup, folder_findings

    if context.fault is not None:
        yield Finding("settings", "wrong", context.fault.message, context.fault.params)
    for finding in folder_findings():
        yield finding
    async for finding in checkup(port, usual):
        yield finding
