"""A crowd of spectators on one machine: how many of them does a table let in?

python -m tests.network.crowd ADDRESS NUMBER     prints the number
"""

from __future__ import annotations

import asyncio
import contextlib
import sys

from tavolata._engine.network.joining import join_table
from tavolata._engine.network.table_errors import Unreachable
from tavolata_protocol.identity import PeerId


async def look_on(address: str, number: int) -> int:
    """Call with so many identities at once; returns how many are members after a while."""
    async with contextlib.AsyncExitStack() as stack:
        logs = []
        for one in range(number):
            with contextlib.suppress(Unreachable):
                access, _ = await stack.enter_async_context(join_table(address, f"W{one}", watch=True))
                logs.append((access.log_driver.log, PeerId(access.own.identity.peer)))
        await asyncio.sleep(3.0)
        return sum(me in log.configuration for log, me in logs)


if __name__ == "__main__":
    print(asyncio.run(look_on(sys.argv[1], int(sys.argv[2]))))
