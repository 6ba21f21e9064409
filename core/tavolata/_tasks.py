"""Ending tasks of the event loop, and what ends them from outside."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import Callable, Iterator
from typing import Any


async def cancel(*tasks: asyncio.Future[Any]) -> None:
    """Cancel these tasks and wait until all have ended, however they end."""
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


@contextlib.contextmanager
def at_end_by_system(end: Callable[[], object]) -> Iterator[None]:
    """Call `end` if the system ends this program meanwhile, by `kill` or because the terminal was closed."""
    loop, heard = asyncio.get_running_loop(), []
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)  # Windows has no hangup
        if number is None or signal.getsignal(number) is not signal.SIG_DFL:
            continue  # `nohup` ignores it
        with contextlib.suppress(
            NotImplementedError, ValueError, RuntimeError
        ):  # on Windows none can be heard
            loop.add_signal_handler(number, end)
            heard.append(number)
    try:
        yield
    finally:
        for number in heard:
            with contextlib.suppress(NotImplementedError, ValueError, RuntimeError):  # the loop is closed
                loop.remove_signal_handler(number)
