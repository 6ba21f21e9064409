"""The commands `tt tables` and `tt doctor`: tables on the network, and what blocks finding them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from tavolata._cli.choosing import choose_number
from tavolata._cli.command_context import CommandContext
from tavolata._cli.failures import FINISHED, UNREACHABLE, UsageError
from tavolata._cli.parameters import number
from tavolata._streams import put
from tavolata.messages import N_

if TYPE_CHECKING:
    from tavolata._engine.diagnostics.checkup import Finding
    from tavolata._engine.network.finding import FoundTable

OPEN = N_("{name} is hosting {game} (free seats: {free}). tt join {address}")
PRIVATE = N_("{name} is hosting {game} (free seats: {free}, code required). tt join {address}")
REMEMBERED = N_("{name}'s last known table. tt join {address}")
CLOSED = N_("{name}'s table ({game}) has closed.")
LOOKING = N_("Looking for tables on the network…")


def tables(
    context: CommandContext,
    *,
    watch: Annotated[bool, typer.Option("--watch", help=N_("Keep watching until Ctrl+C."))] = False,
) -> int:
    """List open tables nearby."""
    from tavolata._engine.network.finding import nothing_found

    if context.on_terminal and context.verbosity >= 0:
        context.note(context.text(LOOKING))
    found = asyncio.run(_listed(context, watch=watch, numbered=False))
    if not found and context.verbosity >= 0:
        problem = nothing_found()
        context.note(context.text(problem.message, problem.params))
    return FINISHED


def choose(context: CommandContext) -> str:
    """Return the address of the table to join: the only one on the network, or one chosen from a list.

    Raise Unreachable if there is no table, UsageError if there are several and no terminal to choose at.
    """
    from tavolata._engine.network.finding import nothing_found

    asks = context.on_terminal
    if context.verbosity >= 0:
        context.note(context.text(LOOKING))
    found = asyncio.run(_listed(context, watch=False, numbered=asks, silently=not asks))
    if not found:
        raise nothing_found()
    if asks:
        return found[choose_number(context, len(found)) - 1].address
    if len(found) > 1:
        raise UsageError(
            N_("Which of the {n} tables? {addresses}"),
            n=len(found), addresses=", ".join(sorted(f"tt join {one.address}" for one in found)),
        )  # fmt: skip
    return found[0].address


async def _listed(
    context: CommandContext, *, watch: bool, numbered: bool, silently: bool = False
) -> Sequence[FoundTable]:
    from tavolata._engine.network.finding import PATIENCE, finder

    known: dict[str, FoundTable] = {}
    async with finder() as looking:
        async for now in looking.tables(None if watch else PATIENCE):
            there = {one.key for one in now}
            for key in [key for key in known if key not in there and not numbered]:  # printed numbers stay
                one = known.pop(key)
                if watch:
                    _tell(context, one, "closed")
            for one in now:
                before = known.get(one.key)
                known[one.key] = one
                if not silently and (before is None or (watch and before.free != one.free)):
                    _tell(context, one, "table", len(known) if numbered else 0)
        for message, params in looking.silent() if context.verbosity >= 0 else ():
            context.note(context.text(message, params))
    return list(known.values())


def _tell(context: CommandContext, one: FoundTable, kind: str, number: int = 0) -> None:
    installed = not one.game or any(info.name == one.game for info in context.catalogue.infos())
    if context.frontend == "json":
        context.data(kind, {**asdict(one), "installed": installed})
        return
    message = (
        CLOSED if kind == "closed" else REMEMBERED if one.free is None else PRIVATE if one.private else OPEN
    )
    line = context.text(message, one.params())
    if not installed:
        line += " " + context.text(N_("({game} isn't installed here.)"), one.params())
    put(f"{number}. {line}" if number else line, context.stdout, flush=True)


STATES = {"ok": N_("ok"), "hint": N_("note"), "wrong": N_("problem")}


def doctor(
    context: CommandContext,
    *,
    port: Annotated[
        int | None, number(text=N_("UDP port a table would use here."), low=1, high=65535)
    ] = None,
) -> int:
    """Diagnose connection problems."""
    return asyncio.run(_examine(context, port))


async def _examine(context: CommandContext, port: int | None) -> int:
    well = True
    async for finding in _findings(context, port):
        well = well and finding.state != "wrong"
        sentence = context.text(finding.message, finding.params)
        if context.frontend == "json":
            context.data("finding", {"topic": finding.topic, "state": finding.state, "text": sentence})
        else:
            put(f"{context.text(STATES[finding.state])}: {sentence}", context.stdout, flush=True)
    return FINISHED if well else UNREACHABLE


async def _findings(context: CommandContext, port: int | None) -> AsyncGenerator[Finding, None]:
    from tavolata._engine.diagnostics.checkup import Finding, checkup, folder_findings
    from tavolata._engine.network.joining import PORT

    if context.fault is not None:
        yield Finding("settings", "wrong", context.fault.message, context.fault.params)
    for finding in folder_findings():
        yield finding
    async for finding in checkup(port or PORT, PORT):
        yield finding
