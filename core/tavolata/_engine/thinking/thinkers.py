"""Thinkers: the bots of this process that take their time, and the one process in which they think.

Nobody waits here: a thought is begun, and looked at later. Where the worker dies, can't be started or takes
far too long, the thought is over without an answer, with the reason, and who asked falls back to a quick bot.
"""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from threading import Lock, Thread
from time import monotonic
from typing import Any

from tavolata._engine.match.match import Match
from tavolata._engine.match.sight import sight
from tavolata._engine.thinking.thoughts import Reply, Thinking
from tavolata._engine.thinking.worker import Request
from tavolata._players import Bot
from tavolata.asks import Ask

PATIENCE = 20.0
"""Seconds beyond its time after which a worker counts as stuck: it may have to import games first."""


class Thinkers:
    """The worker of this process and what it thinks about; the worker is started when it is first needed."""

    def __init__(self) -> None:
        self._worker: subprocess.Popen[bytes] | None = None
        self._open: dict[int, Thinking] = {}
        self._number = 0
        self._lock = Lock()
        self._listener = Thread()

    def ask(self, match: Match[Any], ask: Ask, bot: Bot, key: int, wake: Callable[[], object]) -> Thinking:
        """Begin to think about an open question; the thought is over at once where no one can think.

        `key` seeds the bot's random numbers. `wake` is called, from another thread, when the thought is over.
        """
        with self._lock:
            self._number = number = self._number + 1
            share = bot.seconds / (1 + len(self._open))
            begun = Thinking(monotonic() + PATIENCE + 3 * bot.seconds * (1 + len(self._open)), wake)
            self._open[number] = begun
        try:
            thing = pickle.dumps((sight(match, int(ask.seat)), ask.id, bot, share, key))
            self._send(Request(number, tuple(sys.path), thing))
        except Exception as error:  # noqa: BLE001 - rules and bots are foreign code, and a pipe can break
            self._open.pop(number, None)
            begun.end(Reply(number, None, problem=f"{type(error).__name__}: {error}"))
        return begun

    def is_over(self, one: Thinking) -> bool:
        """Return True if a thought is over; end a worker that is stuck."""
        if one.reply is None and monotonic() > one.until:
            self.close("it took too long")
        return one.reply is not None

    def _send(self, request: Request) -> None:
        if self._worker is None or self._worker.poll() is not None:
            self._worker = worker = subprocess.Popen(
                [sys.executable, "-P", "-c", "from tavolata._engine.thinking.worker import main; main()"],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
                start_new_session=os.name != "nt",  # a Ctrl+C of the terminal is not for it
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )  # fmt: skip
            self._listener = Thread(target=self._listen, args=(worker,), daemon=True)
            self._listener.start()
        assert self._worker.stdin is not None
        pickle.dump(request, self._worker.stdin)
        self._worker.stdin.flush()

    def _listen(self, worker: subprocess.Popen[bytes]) -> None:
        assert worker.stdout is not None
        with suppress(Exception):
            while True:
                reply: Reply = pickle.load(worker.stdout)  # noqa: S301 - from the process that was started here
                begun = self._open.pop(reply.number, None)
                if begun is not None:
                    begun.end(reply)
        _end(worker)  # also if its words can't be read
        if worker is self._worker:
            self._give_up("the process that thinks has ended")

    def _give_up(self, problem: str) -> None:
        for number, begun in list(self._open.items()):
            self._open.pop(number, None)
            begun.end(Reply(number, None, problem=problem))

    def close(self, problem: str = "it was ended") -> None:
        """End the worker; its thoughts are over without an answer."""
        worker, self._worker = self._worker, None
        if worker is not None:
            _kill(worker)
            self._listener.join(timeout=1)  # a bot's own process may still hold the pipe
        self._give_up(problem)


def _kill(worker: subprocess.Popen[bytes]) -> None:
    """Kill a worker and all that its bots have started, where a session of its own holds them together."""
    if sys.platform != "win32" and worker.returncode is None:  # its number isn't another's yet
        with suppress(OSError):
            os.killpg(worker.pid, signal.SIGKILL)
    with suppress(OSError):
        worker.kill()


def _end(worker: subprocess.Popen[bytes]) -> None:
    _kill(worker)
    worker.wait()
    for pipe in (worker.stdin, worker.stdout):
        with suppress(OSError):
            if pipe is not None:
                pipe.close()


THINKERS = Thinkers()
"""The thinkers of this process: one worker for all matches and tables in it."""
