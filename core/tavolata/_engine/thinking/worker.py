"""The worker: a process that thinks for the bots of another one, one question after the other.

`thinkers` starts it as a new Python, which works alike on all systems. Requests come from its standard input
and answers leave through its standard output, both pickled; nobody else has these pipes. It ends with its
parent, in the middle of a thought.
"""

from __future__ import annotations

import gc
import os
import pickle
import sys
from contextlib import suppress
from queue import SimpleQueue
from threading import Thread
from typing import Any, BinaryIO, NamedTuple

from tavolata._engine.match.sight import Sight, seen_match
from tavolata._engine.thinking.search_bot import SearchBot
from tavolata._engine.thinking.thoughts import Reply, quick
from tavolata._players import Bot, Chance
from tavolata._streams import kept_apart

NICE = 5
"""So much further back in the queue for the processor a worker stands than the screen, where there is one."""


class Request(NamedTuple):
    """A question to think about.

    `path` is where the parent looks for modules; `thing` the pickled `Sight`, the number of the question, the
    bot, its seconds and its random numbers.
    """

    number: int
    path: tuple[str, ...]
    thing: bytes


def think(seen: Sight, number: int, bot: Bot, seconds: float, key: int) -> tuple[int, Any]:
    """Return the number of a bot's answer to this question, and what it weighed if it searches."""
    match = seen_match(seen)
    ask = next(one for one in match.source.open if one.id == number)
    view, chance = match.view(seen.seat), Chance(key)
    if not isinstance(bot, SearchBot):
        return ask.question.index(bot.choose(view, ask, chance)), None
    thought = bot.weigh(view, ask, chance, seconds=seconds)
    if thought.weighed:
        return thought.weighed[0].number, thought
    return ask.question.index(quick(bot).choose(view, ask, chance)), thought


def answered(request: Request) -> Reply:
    """Think about a request; anything that goes wrong is a part of the reply."""
    sys.path += [place for place in request.path if place not in sys.path]
    try:
        answer, thought = think(*pickle.loads(request.thing))  # noqa: S301 - from the parent, which started this
    except Exception as error:  # noqa: BLE001 - rules and bots are foreign code
        return Reply(request.number, None, problem=f"{type(error).__name__}: {error}")
    if thought is None:
        return Reply(request.number, answer)
    return Reply(request.number, answer, tuple(map(tuple, thought.weighed)), thought.playouts)


def _read(requests: BinaryIO, queue: SimpleQueue[Request]) -> None:
    with suppress(Exception):
        while True:
            queue.put(pickle.load(requests))  # noqa: S301 - as above
    os._exit(0)  # the parent is gone, or has closed the pipe


def main() -> None:
    with suppress(OSError):
        if hasattr(os, "nice"):
            os.nice(NICE)
    gc.set_threshold(10_000)  # the default, 700, costs a third of a thought, in pauses of 0.1 s
    queue: SimpleQueue[Request] = SimpleQueue()
    with kept_apart() as (requests, replies), suppress(KeyboardInterrupt):
        # Ctrl+C is for the parent, which then closes the pipe.
        Thread(target=_read, args=(requests.buffer, queue), daemon=True).start()
        while True:
            pickle.dump(answered(queue.get()), replies.buffer)
            replies.buffer.flush()
            gc.collect()  # now, rather than in the next thought
